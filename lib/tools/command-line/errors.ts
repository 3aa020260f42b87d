/** An invalid command line. The message is followed by the usage line of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A source, file or server that cannot be used. The message says what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
