import { ODataError } from '../../errors/odata-error.js'
import type { ODataErrorCode } from '../../errors/error-codes.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { isRecord } from '../../util/is-record.js'
import { MAX_MESSAGE_LENGTH, jsonOf, readErrorDocument } from './error-document.js'
import type { UpstreamResponse } from './upstream-request.js'

/**
 * Creates the error for an upstream service that cannot be reached, or whose response cannot be used.
 *
 * @param reason for the log
 * @param message for the client
 */
export function badGateway(
  reason: string,
  cause?: unknown,
  message = 'The upstream service failed.',
): ODataError {
  return new ODataError('BadGateway', {
    message,
    cause: new Error(reason, cause === undefined ? undefined : { cause }),
  })
}

/** Creates the error for content that an upstream service must not send. @param sentence continues "The upstream service" */
export function invalidContent(sentence: string): ODataError {
  const message = `The upstream service ${sentence}`
  return badGateway(message, undefined, message)
}

/** Creates the error for an invalid value. It names the type of the value, and not the value itself: it can be confidential. */
export function invalidValue(place: string, type: string, value: unknown): ODataError {
  const found = value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return invalidContent(
    `sent an invalid value of ${place}: a value of the JSON type ${found} that is not a valid ${type}.`,
  )
}

/** Creates the error for an upstream service that does not respond in time. */
export function gatewayTimeout(reason: string): ODataError {
  return new ODataError('GatewayTimeout', {
    message: 'The upstream service did not respond in time.',
    cause: new Error(reason),
  })
}

/**
 * Creates the error for a part of a query that the upstream service has refused, and that it will not be sent again.
 *
 * @param reason for the log: continues "The upstream service"
 */
export function refusedQuery(reason: string): ODataError {
  return new ODataError('NotImplemented', {
    message: 'The upstream service does not support this query.',
    details: { pushdownChanged: true },
    cause: new Error(`The upstream service ${reason}.`),
  })
}

const codes: ReadonlyMap<number, ODataErrorCode> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'ResourceNotFound'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [412, 'PreconditionFailed'],
  [413, 'PayloadTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'UnprocessableContent'],
  [423, 'Locked'],
  [428, 'PreconditionRequired'],
  [429, 'TooManyRequests'],
  [501, 'NotImplemented'],
])

/** Says that a proxy in front of the service requires credentials, which the client does not have. */
const PROXY_AUTHENTICATION_REQUIRED = 407

/**
 * Creates the error for a response that is not successful. Status, code, message, target and details of errors of the
 * client are passed on, and 503 with `Retry-After`. Bodies of errors of the server can contain statements and stack traces.
 */
export async function upstreamError(
  response: Pick<UpstreamResponse, 'status' | 'headers' | 'text'>,
  what: string,
): Promise<ODataError> {
  const { status, headers } = response
  const text = await response.text()
  const reason = `The upstream service responds to ${what} with status ${status}.`
  const retryAfter = secondsOf(headers['retry-after'])
  const hidden = new Error(text.slice(0, MAX_MESSAGE_LENGTH))
  if (status === 503)
    return new ODataError('ServiceUnavailable', {
      message: 'The upstream service is temporarily unavailable.',
      details: retryAfter === undefined ? {} : { retryAfter },
      cause: new Error(reason, { cause: hidden }),
    })
  const isOfClient =
    (status >= 400 && status < 500 && status !== PROXY_AUTHENTICATION_REQUIRED) || status === 501
  if (!isOfClient) return badGateway(reason, hidden)
  const { code, message, target, details = [] } = readErrorDocument(text)
  const challenge = headers['www-authenticate']
  return new ODataError(codes.get(status) ?? 'BadRequest', {
    status,
    upstreamCode: code,
    ...(message === undefined ? {} : { message }),
    target,
    errorDetails: details,
    details: {
      ...(status === 401 && challenge !== undefined ? { wwwAuthenticate: challenge } : {}),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      language: headers['content-language'],
    },
    cause: new Error(reason),
  })
}

/** Returns the seconds of the header `Retry-After`, which can be a date. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000))
}

const severities = ['success', 'info', 'warning', 'error'] as const

/** Adds the messages of a successful response to those for the client. */
export function passMessages(
  { headers }: Pick<UpstreamResponse, 'headers'>,
  { messages }: ProviderCall,
): void {
  const ofV4 = headers['sap-messages']
  const ofV2 = headers['sap-message']
  if (ofV4 === undefined && ofV2 === undefined) return
  const given = jsonOf(ofV4 ?? ofV2 ?? '')
  // In OData V2, further messages are details of the first one.
  const all = isRecord(given)
    ? [given, ...(Array.isArray(given.details) ? (given.details as unknown[]) : [])]
    : given
  if (!Array.isArray(all)) return
  for (const one of all.filter(isRecord)) {
    const { code, message, numericSeverity, severity, target } = one
    if (typeof message !== 'string') continue
    messages.add({
      code: typeof code === 'string' ? code : '',
      message,
      severity:
        severities.find((known) => known === severity) ?? severities[Number(numericSeverity) - 1] ?? 'info',
      ...(typeof target === 'string' ? { target } : {}),
    })
  }
}
