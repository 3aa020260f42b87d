import type { Kysely } from 'kysely'
import type { KeptDatabase } from '../keep-statements.js'

/** An open database. */
export interface Connected {
  readonly db: Kysely<unknown>
  /** For the option `sqlite` of `sqlProvider`. */
  readonly sqlite?: KeptDatabase
}

/** A database that can be opened. */
export interface Driver {
  /** @throws Error when a package is missing, or what the driver throws */
  readonly connect: () => Promise<Connected>
  /** Describes an error of the driver: what is wrong and what to change. */
  readonly describeError: (error: unknown) => string
}

/** The code of an error of the system or of a driver. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The message of an error, or its code where it has no message. */
export function reasonOf(error: unknown): string {
  const { message = error } = (error ?? {}) as { readonly message?: unknown }
  return String(message) || (codeOf(error) ?? 'no reason was given')
}
