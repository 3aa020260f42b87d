import { checkNames, invalid } from '../errors/check-option.js'
import { isRecord } from '../util/is-record.js'

const DEFAULT_KEEP_SECONDS = 86_400
const MAX_KEEP_SECONDS = 366 * 86_400

/**
 * Options of repeatable requests: a client that has received no response sends a change again, and gets the response of
 * the first request.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const repeatableRequests: RepeatableRequestsOptions<{ user: string }> = { caller: ({ user }) => user, keep: 3600 }
 */
export interface RepeatableRequestsOptions<Context = unknown> {
  /**
   * Returns the identity of the caller, such as the name of the user. Another caller with the same id sends another
   * request. Without users: `() => ''`.
   */
  readonly caller: (context: Context) => string
  /** Seconds for which responses are stored. Older requests without stored response get 412. Default: 86,400. */
  readonly keep?: number | undefined
}

/** Validated options with all defaults. */
export interface RepeatableRequestsSettings {
  readonly caller: (context: unknown) => unknown
  readonly keepMs: number
}

/** @throws ConfigurationError for an invalid option, and for a service without changes */
export function repeatableRequestsOf({
  repeatableRequests: given,
  readOnly,
}: {
  readonly repeatableRequests?: unknown
  readonly readOnly?: boolean | undefined
}): RepeatableRequestsSettings | undefined {
  if (given === undefined) return undefined
  if (!isRecord(given) || typeof given.caller !== 'function')
    throw invalid('repeatableRequests must be an object such as { caller: (context) => context.user }')
  checkNames(given, ['caller', 'keep'], 'an option', 'repeatableRequests.')
  if (readOnly === true)
    throw invalid('repeatableRequests has no effect with readOnly: true. Remove one of them')
  const { caller, keep = DEFAULT_KEEP_SECONDS } = given
  if (!Number.isSafeInteger(keep) || Number(keep) <= 0 || Number(keep) > MAX_KEEP_SECONDS)
    throw invalid(
      `repeatableRequests.keep must be a whole number of seconds from 1 to ${String(MAX_KEEP_SECONDS)}`,
    )
  return { caller: caller as RepeatableRequestsSettings['caller'], keepMs: Number(keep) * 1000 }
}
