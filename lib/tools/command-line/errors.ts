/** A command line that means nothing; its message says what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that keeps a command from its work; its message says what it is, and what to do. */
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
