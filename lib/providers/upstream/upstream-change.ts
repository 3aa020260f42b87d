import { ODataError } from '../../errors/odata-error.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { isRecord } from '../../util/is-record.js'
import { badGateway, passMessages, upstreamError } from './upstream-errors.js'
import type { UpstreamResponse } from './upstream-request.js'

/** A request that changes data, or calls an operation. */
export interface UpstreamChange {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'MERGE' | 'DELETE' | 'GET'
  /** Relative to the service root, percent-encoded. */
  readonly path: string
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: object | undefined
}

/** The response to a successful change. */
export interface ChangeResult {
  readonly status: number
  readonly headers: UpstreamResponse['headers']
  /** Undefined for an empty body. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** A change of a change set, and the call that it belongs to. */
export interface BatchItem {
  readonly change: UpstreamChange
  readonly call: ProviderCall
}

/** Returns the headers of a change, with those for its content. */
export function headersOfChange(
  { headers, body }: UpstreamChange,
  { accept, contentType }: Readonly<Record<'accept' | 'contentType', string>>,
): Record<string, string> {
  const all = {
    accept,
    ...(body === undefined ? {} : { 'content-type': contentType }),
    ...headers,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** @throws ODataError for a response that is not successful */
export async function resultOf(
  response: Pick<UpstreamResponse, 'status' | 'headers' | 'text'>,
  { method, path }: UpstreamChange,
  call: ProviderCall,
): Promise<ChangeResult> {
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
    throw badGateway(`The upstream service sent invalid JSON in the response to ${what}.`, error)
  }
  if (!isRecord(body)) throw badGateway(`The upstream service sent JSON that is not an object, to ${what}.`)
  return { status, headers, body }
}

/** Returns true if an error is the response of the upstream service to a request with a status. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ODataError {
  return error instanceof ODataError && statuses.includes(error.status)
}
