import createDebug from 'debug'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { errorCodes } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import type { DefaultFormat } from '../formats/negotiate.js'
import { negotiateError } from '../formats/negotiate.js'
import type { Message, MessageDetail } from '../provider/messages.js'
import { flatMessages } from '../provider/messages.js'
import { idSuffix } from './call-on-error.js'
import type { DataServiceVersion } from './data-service-version.js'
import { negotiateVersion } from './data-service-version.js'
import type { ChosenLanguage, Languages } from './language.js'
import { MESSAGE_LANGUAGE, translateError, withLanguage } from './language.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { withRequestIds } from './request-id-headers.js'
import { commonHeaders, headerValue } from './response-headers.js'

/** Settings of the service that affect error documents. */
export interface ErrorPreferences {
  readonly defaultFormat: DefaultFormat
  /** Undefined for a service without languages. */
  readonly languages: Languages | undefined
}

type InnerError = Readonly<Record<string, unknown>>

const debugError = createDebug('odata-v2:error')

/**
 * Converts a thrown value to an ODataError. Errors with a status from 400 to 499, such as those of http-errors, keep it;
 * all others become InternalServerError.
 */
export function toODataError(error: unknown): ODataError {
  if (error instanceof ODataError) return error
  const status = statusOf(error)
  if (status === undefined)
    return isOutOfHandles(error)
      ? outOfHandlesError(error)
      : new ODataError('InternalServerError', { cause: error })
  const codes = Object.keys(errorCodes) as ODataErrorCode[]
  const code = codes.find((one) => errorCodes[one].status === status) ?? 'BadRequest'
  return new ODataError(code, { ...messageOf(error), cause: error })
}

/** Creates the whole response for an error outside of the steps of a request. */
export function errorResponse(
  error: ODataError,
  request: ODataRequest,
  { defaultFormat, languages }: ErrorPreferences,
): ODataResponse {
  const language = languages?.of(request)
  const response = errorDocument(error, request, defaultFormat, language)
  return withRequestIds(language === undefined ? response : withLanguage(response, language), request)
}

/**
 * Creates the response for an error, in the format that the request accepts.
 *
 * @param chosen the language of the message
 * @param messages further messages for the client; those of severity `success` are omitted
 * @spec MS-ODATA 2.2.8
 */
export function errorDocument(
  error: ODataError,
  request: ODataRequest,
  defaultFormat: DefaultFormat,
  chosen: ChosenLanguage | undefined,
  messages: readonly Message[] = [],
): ODataResponse {
  if (debugError.enabled && error.status < 500)
    debugError(
      '%s %s: %d %s%s',
      request.method,
      request.relativeUri,
      error.status,
      error.message,
      idSuffix(request.requestIds),
    )
  const { format, contentType } = negotiateError(
    formatOption(request.relativeUri),
    request.header('accept'),
    defaultFormat,
  )
  const shown = visibleError(error, messages)
  const { status } = error
  const headers = { ...commonHeaders(versionOf(request)), 'Content-Type': contentType, ...headersOf(error) }
  if (chosen === undefined) return { status, headers, body: format.error(shown, MESSAGE_LANGUAGE) }
  const { error: translated, tag } = translateError(shown, chosen.language)
  return { status, headers: { ...headers, 'Content-Language': tag }, body: format.error(translated, tag) }
}

/** Returns the protocol version; 2.0 if its negotiation failed. */
function versionOf(request: ODataRequest): DataServiceVersion {
  try {
    return negotiateVersion(request)
  } catch {
    return '2.0'
  }
}

/** Hides the message of internal errors, which may be confidential; `innererror` is meant for clients. */
function visibleError(error: ODataError, messages: readonly Message[]): ODataError {
  const details = flatMessages(messages).filter(({ severity }) => severity !== 'success')
  if (error.expose && details.length === 0) return error
  const innererror = details.length === 0 ? error.innererror : withDetails(error.innererror, details)
  return new ODataError(error.code, {
    ...(error.expose
      ? { message: error.message, details: error.details, upstreamCode: error.upstreamCode }
      : {}),
    status: error.status,
    ...(innererror === undefined ? {} : { innererror }),
  })
}

/** Appends messages to the `errordetails` of the error. */
function withDetails(innererror: InnerError | undefined, details: readonly MessageDetail[]): InnerError {
  const own = innererror?.errordetails
  return { ...innererror, errordetails: [...(Array.isArray(own) ? (own as unknown[]) : []), ...details] }
}

function headersOf({ status, details }: ODataError): Record<string, string> {
  const { wwwAuthenticate, allow, retryAfter, contentRange, location, repeatability } = details
  const headers: Record<string, string> = {}
  if (wwwAuthenticate !== undefined) headers['WWW-Authenticate'] = headerText(wwwAuthenticate)
  else if (status === 401) {
    debugError('a 401 response needs `details: { wwwAuthenticate: \'Basic realm="…"\' }` of its ODataError')
  }
  if (allow !== undefined) headers.Allow = headerText(allow)
  if (retryAfter !== undefined) headers['Retry-After'] = headerText(retryAfter)
  if (typeof location === 'string') headers.Location = headerText(location)
  if (typeof repeatability === 'string') headers[repeatability] = 'rejected'
  if (typeof contentRange === 'string') headers['Content-Range'] = headerText(contentRange)
  return headers
}

/** Applications may pass values of other types, which must not change the status of the response. */
function headerText(value: unknown): string {
  return headerValue(Array.isArray(value) ? value.map(String).join(', ') : String(value))
}

/** Returns true if the process or the system has run out of file descriptors. */
function isOutOfHandles(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'EMFILE' || error.code === 'ENFILE'
}

function outOfHandlesError(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is too busy at the moment. Try again.',
    details: { retryAfter: 1 },
    cause,
  })
}

/** Returns the status of errors such as those of http-errors. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

/** Returns the message of such an error, if it has `expose`. */
function messageOf(error: unknown): { message?: string } {
  return error instanceof Error && 'expose' in error && error.expose === true && error.message !== ''
    ? { message: error.message }
    : {}
}

/** Maximum characters to search for `$format`, because the URI may be longer than the limit. */
const MAX_SEARCHED_LENGTH = 10_000

/** Returns `$format` of a query that may be malformed. */
function formatOption(uri: string): string | undefined {
  const value = /[?&](?:\$|%24)format=([^&#]*)/.exec(uri.slice(0, MAX_SEARCHED_LENGTH))?.[1]
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
