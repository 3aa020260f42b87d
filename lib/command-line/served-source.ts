import type { EdmModel } from '../edm/edm-model.js'
import type { Provider } from '../provider/provider.js'

/** What a source of the command line is served from. */
export interface ServedSource {
  /** What it is, in words: `the database shop.sqlite`. Passwords are not in it. */
  readonly title: string
  readonly model: EdmModel
  readonly provider: Provider
  /** Sentences about what is not served, or not as it could be expected. */
  readonly notices: readonly string[]
  /** Releases what has been opened. */
  readonly close: () => Promise<void>
}

/** Something that keeps a source from being served; its message says what it is, and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** What a library or the system says is wrong, in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system or of a database. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
