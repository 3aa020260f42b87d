import type { ODataErrorCode } from './error-codes.js'
import { errorCodes } from './error-codes.js'
import { didYouMean } from './suggestions.js'

/** What an {@link ODataError} can tell the wire beside its code and message. */
export interface ODataErrorDetails {
  /** Value of the `WWW-Authenticate` header of a 401 answer. */
  readonly wwwAuthenticate?: string
  /** Methods that the resource does have; the `Allow` header of a 405 answer. */
  readonly allow?: readonly string[]
  /** Seconds after which the client may try again; the `Retry-After` header. */
  readonly retryAfter?: number
  /** True when a provider asks that the changes be made again, since others were in their way at that moment. */
  readonly tryAgain?: boolean
  /** Zero-based place of the fault in `source`. */
  readonly position?: number
  /** The text in which the fault was found, for instance the value of `$filter`. */
  readonly source?: string
  /** Anything else that helps whoever reads the error in `onError`; never sent. */
  readonly [name: string]: unknown
}

/** Options of {@link ODataError}. */
export interface ODataErrorOptions {
  /** The text for the client. Default: the text of the code. Never sent with status 500. */
  readonly message?: string
  /** Headers of the answer, and what helps whoever reads the error. */
  readonly details?: ODataErrorDetails
  /** What went wrong underneath. Handed to `onError`, never sent. */
  readonly cause?: unknown
  /** Sent as `innererror`: plain data, for instance SAP's `{ errordetails: [...] }`. */
  readonly innererror?: Readonly<Record<string, unknown>>
}

// The package exists as ES modules and as CommonJS: an error made by one must be known to the other.
const brand = Symbol.for('express-odata-v2.ODataError')

/**
 * The one error class. Thrown from anywhere, a hook, a provider or a function, it becomes the answer: the
 * status comes from the code, the body is an OData error document in the format that was negotiated.
 * Anything else that is thrown becomes a 500 whose cause only `onError` sees.
 *
 * @param code one of the codes of the error table
 * @param options message, details, cause and innererror
 * @example
 * throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="orders"' } })
 * @spec MS-ODATA 2.2.8.1
 */
export class ODataError extends Error {
  /** What programs can compare. */
  readonly code: ODataErrorCode
  /** The status of the answer, which follows from the code. */
  readonly status: number
  readonly details: ODataErrorDetails
  readonly innererror: Readonly<Record<string, unknown>> | undefined

  constructor(code: ODataErrorCode, options: ODataErrorOptions = {}) {
    if (!Object.hasOwn(errorCodes, code)) {
      const codes = Object.keys(errorCodes)
      const hint = didYouMean(String(code), codes) || ` There are ${codes.join(', ')}.`
      throw new TypeError(`Unknown error code '${String(code)}'.${hint}`)
    }
    const entry = errorCodes[code]
    super(
      options.message ?? entry.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'ODataError'
    this.code = code
    this.status = entry.status
    this.details = options.details ?? {}
    this.innererror = options.innererror
    Object.defineProperty(this, brand, { value: true })
  }

  /** The same as `status`: what Express and http-errors call it. */
  get statusCode(): number {
    return this.status
  }

  /** True when the message may be shown to the client. */
  get expose(): boolean {
    return this.status !== 500
  }

  static override [Symbol.hasInstance](this: object, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    // Classes derived from this one inherit the method, but the brand says nothing about them.
    const isOwn = Object.hasOwn(this, Symbol.hasInstance)
    return isOwn ? brand in value : Function.prototype[Symbol.hasInstance].call(this, value)
  }
}

/** Seconds after which a client may try again what did not work out at once. */
const RETRY_AFTER_SECONDS = 1

/**
 * The error of a change that failed only because of others that were made at the same moment: made again, it may well
 * succeed. The library makes the changes of a request, or of a change set, up to three more times before the client is
 * answered with it.
 *
 * @param cause what the store said
 */
export function retryableError(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'Others change the same data at the moment. Try again.',
    details: { tryAgain: true, retryAfter: RETRY_AFTER_SECONDS },
    cause,
  })
}

/** Whether an error says that the same may succeed when it is done again: `details.tryAgain` is true. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ODataError && error.details.tryAgain === true
}
