/** What a check says of the exchange that decided it; an `Answer` has it. */
export interface DecidingAnswer {
  readonly status: number
}

/** A requirement that the service does not meet. The message says what was demanded and what came. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'

  constructor(
    message: string,
    /** The answer that shows it. */
    readonly answer?: DecidingAnswer,
  ) {
    super(message)
  }
}

/** A requirement that cannot be looked at with this service. The message says why. */
export class CheckSkipped extends Error {
  override readonly name = 'CheckSkipped'
}

/** Leaves a check out. */
export function skip(reason: string): never {
  throw new CheckSkipped(reason)
}
