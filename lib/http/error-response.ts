import createDebug from 'debug'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { errorCodes } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import { negotiateError } from '../formats/negotiate.js'
import type { Message, MessageDetail } from '../provider/messages.js'
import { flatMessages } from '../provider/messages.js'
import type { DataServiceVersion } from './data-service-version.js'
import { negotiateVersion } from './data-service-version.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { commonHeaders, headerValue } from './response-headers.js'

type InnerError = Readonly<Record<string, unknown>>

const debugError = createDebug('odata-v2:error')

/**
 * What is thrown as an error of the protocol: errors of other libraries keep a status that blames the client, and
 * everything else is a failure of the service.
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

/**
 * The document of an error, in the format that the request asks for.
 *
 * @param messages what else the client is to be told; what is said to have succeeded has not, and is left out
 * @spec MS-ODATA 2.2.8
 */
export function errorResponse(
  error: ODataError,
  request: ODataRequest,
  messages: readonly Message[] = [],
): ODataResponse {
  const { format, contentType } = negotiateError(formatOption(request.target), request.header('accept'))
  const shown = visibleError(error, messages)
  return {
    status: error.status,
    headers: { ...commonHeaders(versionOf(request)), 'Content-Type': contentType, ...headersOf(error) },
    body: format.error(shown),
  }
}

/** The version that is spoken with this client, unless just that is what went wrong. */
function versionOf(request: ODataRequest): DataServiceVersion {
  try {
    return negotiateVersion(request)
  } catch {
    return '2.0'
  }
}

/** The text of a failure may hold anything; what was written as `innererror` is meant to be seen. */
function visibleError(error: ODataError, messages: readonly Message[]): ODataError {
  const details = flatMessages(messages).filter(({ severity }) => severity !== 'success')
  if (error.expose && details.length === 0) return error
  const innererror = details.length === 0 ? error.innererror : withDetails(error.innererror, details)
  return new ODataError(error.code, {
    ...(error.expose ? { message: error.message } : {}),
    ...(innererror === undefined ? {} : { innererror }),
  })
}

/** What was thrown with the error comes first. */
function withDetails(innererror: InnerError | undefined, details: readonly MessageDetail[]): InnerError {
  const own = innererror?.errordetails
  return { ...innererror, errordetails: [...(Array.isArray(own) ? (own as unknown[]) : []), ...details] }
}

function headersOf({ status, details }: ODataError): Record<string, string> {
  const { wwwAuthenticate, allow, retryAfter, contentRange } = details
  const headers: Record<string, string> = {}
  if (wwwAuthenticate !== undefined) headers['WWW-Authenticate'] = headerText(wwwAuthenticate)
  else if (status === 401) {
    // Only the application knows how its callers can prove who they are.
    debugError('a 401 response needs `details: { wwwAuthenticate: \'Basic realm="…"\' }` of its ODataError')
  }
  if (allow !== undefined) headers.Allow = headerText(allow)
  if (retryAfter !== undefined) headers['Retry-After'] = headerText(retryAfter)
  if (typeof contentRange === 'string') headers['Content-Range'] = headerText(contentRange)
  return headers
}

/** Applications give anything: the answer must keep its status nevertheless. */
function headerText(value: unknown): string {
  return headerValue(Array.isArray(value) ? value.map(String).join(', ') : String(value))
}

/** Whether the process, or the machine, has no handle left for one more file or connection. */
function isOutOfHandles(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'EMFILE' || error.code === 'ENFILE'
}

/** Those that are open are soon closed again. */
function outOfHandlesError(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is too busy at the moment. Try again.',
    details: { retryAfter: 1 },
    cause,
  })
}

/** Errors such as those of http-errors, which hooks of the application may throw. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

/** The text of such an error, if it says itself that clients may see it. */
function messageOf(error: unknown): { message?: string } {
  return error instanceof Error && 'expose' in error && error.expose === true && error.message !== ''
    ? { message: error.message }
    : {}
}

/** How much of an address is looked at to find `$format`: it may be longer than any that is taken. */
const MAX_SEARCHED_LENGTH = 10_000

/** `$format` of a query that may be too broken to be read as a whole. */
function formatOption(target: string): string | undefined {
  const value = /[?&](?:\$|%24)format=([^&#]*)/.exec(target.slice(0, MAX_SEARCHED_LENGTH))?.[1]
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
