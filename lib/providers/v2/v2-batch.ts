import { randomUUID } from 'node:crypto'
import { createHeaderCache, HeaderReader } from '../../batch/header-block.js'
import { batchBoundary } from '../../batch/multipart-type.js'
import { MultipartSplitter } from '../../batch/split-multipart.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { required } from '../../util/required.js'
import type { BatchItem, ChangeResult } from '../upstream/upstream-change.js'
import { headersOfChange, resultOf } from '../upstream/upstream-change.js'
import { badGateway, upstreamError } from '../upstream/upstream-errors.js'
import { idOf } from '../upstream/upstream-change-set.js'
import type { UpstreamClient } from '../upstream/upstream-client.js'
import type { UpstreamRequest } from '../upstream/upstream-request.js'
import type { BatchedResponse } from '../upstream/upstream-service.js'
import type { V2Service } from './v2-service.js'

/**
 * Sends changes as one change set of a batch.
 *
 * @param call of the batch, whose headers the request has
 * @returns the results in the order of the changes
 * @throws ODataError for the first response that is not successful: then no change has been made
 * @spec MS-ODATA 2.2.7.6
 */
export async function sendV2Batch(
  service: V2Service,
  items: readonly BatchItem[],
  call: ProviderCall,
): Promise<readonly ChangeResult[]> {
  const responses = await postBatch(service.client, changeSetText(service, items), call)
  const index = responses.findIndex(({ status }) => status >= 400)
  const failed = responses[index]
  // A failed change set has one response.
  if (failed !== undefined) throw await upstreamError(failed, 'a change set in a batch')
  return Promise.all(
    items.map(({ change, call: own }, position) => {
      const one = responses[position]
      if (one === undefined) throw missingResponse()
      return resultOf(one, change, own)
    }),
  )
}

/**
 * Sends a read in a batch, whose body has no URL that servers would refuse.
 *
 * @throws ODataError if there is no response to it
 */
export async function sendLongRead(
  client: UpstreamClient,
  { path, headers = {}, call }: UpstreamRequest,
): Promise<BatchedResponse> {
  const language = call?.language === undefined ? {} : { 'accept-language': call.language }
  const part = `${partHeaders}\r\nGET ${path} HTTP/1.1\r\n${headerLines({ ...headers, ...language })}\r\n`
  const [response] = await postBatch(client, part, call)
  if (response === undefined) throw missingResponse()
  return response
}

const partHeaders = 'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n'

/** @param part the only part of the batch, with its headers */
async function postBatch(
  client: UpstreamClient,
  part: string,
  call: ProviderCall | undefined,
): Promise<readonly BatchedResponse[]> {
  const boundary = `batch_${randomUUID()}`
  const response = await client.send({
    method: 'POST',
    path: '$batch',
    headers: { accept: 'multipart/mixed', 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`,
    call,
  })
  if (response.status !== 202 && response.status !== 200) throw await upstreamError(response, 'POST $batch')
  return responsesIn(response.headers['content-type'], Buffer.from(await response.text(), 'utf8'))
}

function changeSetText({ protocol }: V2Service, items: readonly BatchItem[]): string {
  const boundary = `changeset_${randomUUID()}`
  const parts = items.map(({ change, call }, index) => {
    const body = change.body === undefined ? '' : JSON.stringify(change.body)
    const headers = {
      ...headersOfChange(change, protocol),
      'accept-language': call.language,
      'content-length': body === '' ? undefined : String(Buffer.byteLength(body)),
    }
    return (
      `--${boundary}\r\n${partHeaders}Content-ID: ${idOf(index)}\r\n\r\n` +
      `${change.method} ${change.path} HTTP/1.1\r\n${headerLines(headers)}\r\n${body}\r\n`
    )
  })
  return `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${parts.join('')}--${boundary}--`
}

function headerLines(headers: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
    .join('')
}

function missingResponse(): Error {
  return badGateway('The V2 service sent no response to a request of a batch.')
}

/** Returns the responses in a multipart body, those of change sets included. @throws ODataError for an invalid body */
function responsesIn(contentType: string | undefined, body: Buffer): readonly BatchedResponse[] {
  try {
    return [...partsOf(contentType, body)]
  } catch (error) {
    throw badGateway('The V2 service sent an invalid response to a batch.', error)
  }
}

function* partsOf(contentType: string | undefined, body: Buffer): Generator<BatchedResponse> {
  const contents: Buffer[] = []
  const splitter = new MultipartSplitter(batchBoundary(contentType))
  const add = ({ chunk, start, end }: { chunk: Buffer; start: number; end: number }): void => {
    contents.push(chunk.subarray(start, end))
  }
  splitter.push(body, add)
  splitter.end(add)
  for (const content of contents) {
    const reader = new HeaderReader(content, 0, { part: contents.indexOf(content) + 1 }, createHeaderCache())
    reader.skipBlankLines()
    const type = reader.headers().get('content-type')
    if (type?.startsWith('multipart/') === true) yield* partsOf(type, reader.rest)
    else yield responseOf(reader)
  }
}

function responseOf(reader: HeaderReader): BatchedResponse {
  reader.skipBlankLines()
  const status = /^HTTP\/\d\.\d (\d{3})/.exec(reader.line() ?? '')?.[1]
  const headers = Object.fromEntries(reader.headers())
  const text = reader.rest.toString('utf8').trim()
  return { status: Number(required(status)), headers, text: () => Promise.resolve(text) }
}
