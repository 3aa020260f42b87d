import { ODataError } from '../../../errors/odata-error.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import { isRecord } from '../../../util/is-record.js'
import type { UpstreamResponse } from '../../upstream/upstream-request.js'
import { badGateway, passMessages, upstreamError } from '../../upstream/upstream-errors.js'
import { JSON_MEDIA_TYPE } from '../v4-pages.js'

/** A request that changes data, or calls an operation. */
export interface V4Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE' | 'GET'
  /** Relative to the service root, percent-encoded. */
  readonly path: string
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: object | undefined
}

/** The response to a successful change. */
export interface V4ChangeResult {
  readonly status: number
  readonly headers: UpstreamResponse['headers']
  /** Undefined for an empty body. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** The media type of JSON that has numbers of 64 bits and decimals as strings. */
const CONTENT_TYPE = 'application/json;IEEE754Compatible=true'

/** Returns the headers of a change, with those for its content. */
export function headersOfChange({ headers, body }: V4Change): Record<string, string> {
  const all = {
    accept: JSON_MEDIA_TYPE,
    ...(body === undefined ? {} : { 'content-type': CONTENT_TYPE }),
    ...headers,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** @throws ODataError for a response that is not successful */
export async function resultOf(
  response: Pick<UpstreamResponse, 'status' | 'headers' | 'text'>,
  { method, path }: V4Change,
  call: ProviderCall,
): Promise<V4ChangeResult> {
  const { status, headers } = response
  const what = `${method} ${path.split('?')[0] ?? ''}`
  if (status < 200 || status > 299) throw await upstreamError(response, what)
  passMessages(response, call)
  const text = await response.text()
  if (text === '') return { status, headers, body: undefined }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw badGateway(`The V4 service sent invalid JSON in the response to ${what}.`, error)
  }
  if (!isRecord(body)) throw badGateway(`The V4 service sent JSON that is not an object, to ${what}.`)
  return { status, headers, body }
}

/** Returns true if an error is the response of the V4 service to a request with a status. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ODataError {
  return error instanceof ODataError && statuses.includes(error.status)
}
