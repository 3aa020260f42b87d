import type { ODataErrorCode } from './error-codes.js'
import { errorCodes } from './error-codes.js'
import type { RequestIds } from '../util/request-ids.js'
import { didYouMean } from './suggestions.js'

/**
 * Response headers and diagnostic data of an {@link ODataError}.
 *
 * @example
 * const details: ODataErrorDetails = { retryAfter: 30 }
 * throw new ODataError('ServiceUnavailable', { details })
 */
export interface ODataErrorDetails {
  /** The header `WWW-Authenticate` of a 401 response. */
  readonly wwwAuthenticate?: string
  /** The methods that are allowed, for the header `Allow` of a 405 response. */
  readonly allow?: readonly string[]
  /** Seconds after which the client may retry, for the header `Retry-After`. */
  readonly retryAfter?: number
  /** If true, the service retries the change set, because it failed due to concurrent changes. */
  readonly retryable?: boolean
  /**
   * If true, the service repeats a read request, because `pushdown` of the provider now declines what it could not
   * evaluate.
   */
  readonly pushdownChanged?: boolean
  /** Zero-based position of the error in `source`. */
  readonly position?: number
  /** The string that contains the error, for example the value of `$filter`. */
  readonly source?: string
  /**
   * The language of the message, for example `call.language`, for a service with the option `languages`. The message is
   * then sent as it is. Default: the message is English, and may be translated by its code.
   */
  readonly language?: string | undefined
  /** Additional data for `onError`; never sent. */
  readonly [name: string]: unknown
}

/**
 * A message of the `innererror.errordetails` of an error document, which SAP clients show at the property `target`.
 *
 * @example
 * const errorDetail: ODataErrorDetail = { code: 'SHOP/017', message: 'Too many.', target: 'Quantity' }
 * throw new ODataError('UnprocessableContent', { errorDetails: [errorDetail] })
 */
export interface ODataErrorDetail {
  /** Code for programs: `SHOP/017`. */
  readonly code: string
  /** Text for users. */
  readonly message: string
  /** Path of the property that the message is about, relative to the entity of the request. Default: none. */
  readonly target?: string | undefined
  /** How clients present the message. Default: `error` */
  readonly severity?: 'success' | 'info' | 'warning' | 'error' | undefined
}

/**
 * Options of {@link ODataError}.
 *
 * @example
 * const options: ODataErrorOptions = { message: 'Gouda is still in stock.', innererror: { stock: 5 } }
 * throw new ODataError('Conflict', options)
 */
export interface ODataErrorOptions {
  /** Message for the client. Default: the message of the code. Never sent with status 500. */
  readonly message?: string
  /** Response headers and diagnostic data. Default: none. */
  readonly details?: ODataErrorDetails
  /** The original error, for `onError`; never sent. Default: none. */
  readonly cause?: unknown
  /** Plain data for the `innererror` of the response, for example SAP's `{ errordetails: [...] }`. Default: none. */
  readonly innererror?: Readonly<Record<string, unknown>>
  /** Value of the HTTP status, from 400 to 599. Default: the status of the code. */
  readonly status?: number
  /** The code that the error document contains, for errors of another system. Default: `code` */
  readonly upstreamCode?: string | undefined
  /** Path of the property that the error is about; `errordetails` then contain the error itself. Default: none. */
  readonly target?: string | undefined
  /** Messages for `innererror.errordetails`, after those that it has. Default: none. */
  readonly errorDetails?: readonly ODataErrorDetail[]
}

// The package exists as ES modules and as CommonJS: each must recognize errors of the other.
const brand = Symbol.for('express-odata-v2.ODataError')

/**
 * An error response. Thrown from a hook, a provider or a function, it becomes the response: the code determines the
 * status, and the body is an OData error document in the negotiated format. Other errors become status 500, and only
 * `onError` receives them.
 *
 * @param code one of the error codes
 * @param options message, details, cause, innererror, and for errors of other systems status, upstreamCode, target and
 * errorDetails. Default: the message of the code
 * @throws TypeError for an unknown code, or a status that is not an error
 * @example
 * throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="orders"' } })
 * @spec MS-ODATA 2.2.8.1
 */
export class ODataError extends Error {
  /** The error code. */
  readonly code: ODataErrorCode
  /** The HTTP status: that of the code, unless the options have another one. */
  readonly status: number
  /** Response headers and diagnostic data. Empty if not given. */
  readonly details: ODataErrorDetails
  /** Plain data for the `innererror` of the response. */
  readonly innererror: Readonly<Record<string, unknown>> | undefined
  /** The code in the error document, if it is that of another system. */
  readonly upstreamCode: string | undefined
  /** The ids of the request, for `onError` of a service with the option `requestIds`. */
  declare readonly requestIds?: RequestIds | undefined

  constructor(code: ODataErrorCode, options: ODataErrorOptions = {}) {
    if (!Object.hasOwn(errorCodes, code)) {
      const codes = Object.keys(errorCodes)
      const hint = didYouMean(String(code), codes) || ` Known codes: ${codes.join(', ')}.`
      throw new TypeError(`Unknown error code '${String(code)}'.${hint}`)
    }
    const entry = errorCodes[code]
    super(
      options.message ?? entry.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'ODataError'
    this.code = code
    this.status = options.status === undefined ? entry.status : checkedStatus(options.status)
    this.details = options.details ?? {}
    this.innererror = innerErrorOf(this.expose ? this.message : entry.message, options, code)
    this.upstreamCode = options.upstreamCode
    Object.defineProperty(this, brand, { value: true })
  }

  /** Alias of `status`, for Express and http-errors. */
  get statusCode(): number {
    return this.status
  }

  /** True if the message is sent to the client. */
  get expose(): boolean {
    return this.status !== 500
  }

  static override [Symbol.hasInstance](this: object, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    // Subclasses inherit this method, but the brand does not identify them.
    const isOwn = Object.hasOwn(this, Symbol.hasInstance)
    return isOwn ? brand in value : Function.prototype[Symbol.hasInstance].call(this, value)
  }
}

function checkedStatus(status: number): number {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new TypeError(`The status of an error must be a whole number from 400 to 599, not ${String(status)}.`)
}

/** Adds the details of an error to its `innererror`. Clients show those with a target at the property. */
function innerErrorOf(
  message: string,
  { innererror, upstreamCode, target, errorDetails = [] }: ODataErrorOptions,
  code: ODataErrorCode,
): ODataError['innererror'] {
  if (target === undefined && errorDetails.length === 0) return innererror
  const given = innererror?.errordetails
  const self = { code: upstreamCode ?? code, message, target, severity: 'error' }
  const errordetails: unknown[] = [
    ...(target === undefined ? [] : [self]),
    ...(Array.isArray(given) ? (given as unknown[]) : []),
    ...errorDetails.map((detail) => ({ severity: 'error', ...detail })),
  ]
  return { ...innererror, errordetails }
}

/**
 * Creates the error of a change that failed because of concurrent changes. The service retries its change set up to ten
 * times before the client receives the error.
 *
 * @param cause the error of the store
 */
export function retryableError(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'Other requests are changing the same data. Try again.',
    details: { retryable: true, retryAfter: 1 },
    cause,
  })
}

/** Returns true if a change set that failed with this error should be retried. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ODataError && error.details.retryable === true
}

/** Characters of the input that an error shows on each side of its position. */
const SHOWN_CHARACTERS = 60

/**
 * Creates an error at a position of an input: the message contains the position, and the input with a caret below it.
 *
 * @param message one or more sentences; the last full stop may be missing
 * @param source the whole input, for example the value of `$filter`
 * @param position zero-based index into `source`
 */
export function errorAt(
  message: string,
  source: string,
  position: number,
  code: ODataErrorCode = 'InvalidSystemQueryOption',
): ODataError {
  return new ODataError(code, {
    message: `${sentence(message)} At position ${position}:\n${caret(source, position)}`,
    details: { position, source },
  })
}

function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`
}

/** Formats the input around the position, with a caret in the next line. */
function caret(source: string, position: number): string {
  const start = Math.max(0, position - SHOWN_CHARACTERS)
  const end = Math.min(source.length, position + SHOWN_CHARACTERS)
  const before = start > 0 ? '…' : ''
  const after = end < source.length ? '…' : ''
  const line = source.slice(start, end).replace(/[\t\r\n]/g, ' ')
  return `${before}${line}${after}\n${' '.repeat(before.length + position - start)}^`
}
