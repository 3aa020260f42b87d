import type { ODataErrorCode } from '../errors/error-codes.js'
import { errorCodes } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import { negotiateError } from '../formats/negotiate.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { commonHeaders } from './response-headers.js'

/**
 * What is thrown as an error of the protocol: errors of other libraries keep a status that blames the client, and
 * everything else is a failure of the service.
 */
export function toODataError(error: unknown): ODataError {
  if (error instanceof ODataError) return error
  const status = statusOf(error)
  const code = (Object.keys(errorCodes) as ODataErrorCode[]).find(
    (one) => status !== undefined && errorCodes[one].status === status,
  )
  return new ODataError(code ?? 'InternalServerError', { cause: error })
}

/** The document of an error, in the format that the request asks for. @spec MS-ODATA 2.2.8 */
export function errorResponse(error: ODataError, request: ODataRequest): ODataResponse {
  const { format, contentType } = negotiateError(formatOption(request.target), request.header('accept'))
  const shown = error.expose ? error : new ODataError(error.code, innerErrorOf(error))
  return {
    status: error.status,
    headers: { ...commonHeaders('2.0'), 'Content-Type': contentType, ...headersOf(error) },
    body: format.error(shown),
  }
}

/** The text of a failure may hold anything; what was written as `innererror` is meant to be seen. */
function innerErrorOf({ innererror }: ODataError): { innererror?: Readonly<Record<string, unknown>> } {
  return innererror === undefined ? {} : { innererror }
}

function headersOf({ details }: ODataError): Record<string, string> {
  const headers: Record<string, string> = {}
  if (details.wwwAuthenticate !== undefined) headers['WWW-Authenticate'] = details.wwwAuthenticate
  if (details.allow !== undefined) headers.Allow = details.allow.join(', ')
  if (details.retryAfter !== undefined) headers['Retry-After'] = String(details.retryAfter)
  if (typeof details.contentRange === 'string') headers['Content-Range'] = details.contentRange
  return headers
}

/** Errors such as those of http-errors, which hooks of the application may throw. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

/** `$format` of a query that may be too broken to be read as a whole. */
function formatOption(target: string): string | undefined {
  const value = /[?&](?:\$|%24)format=([^&#]*)/.exec(target.slice(0, 10_000))?.[1]
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
