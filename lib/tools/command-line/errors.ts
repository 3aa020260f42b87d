/** An invalid command line. The message is followed by the usage line of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A source, file or server that cannot be used. The message says what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** Returns the message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code of an error of the system or of a database. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
