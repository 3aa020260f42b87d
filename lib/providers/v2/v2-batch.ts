import { randomUUID } from 'node:crypto'
import { createHeaderCache, HeaderReader } from '../../batch/header-block.js'
import { batchBoundary } from '../../batch/multipart-type.js'
import { MultipartSplitter } from '../../batch/split-multipart.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { required } from '../../util/required.js'
import type { BatchItem, ChangeResult } from '../upstream/upstream-change.js'
import { headersOfChange, resultOf } from '../upstream/upstream-change.js'
import { badGateway, upstreamError } from '../upstream/upstream-errors.js'
import type { UpstreamResponse } from '../upstream/upstream-request.js'
import type { V2Service } from './v2-service.js'

type PartResponse = Pick<UpstreamResponse, 'status' | 'headers' | 'text'>

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
  const boundary = `batch_${randomUUID()}`
  const response = await service.client.send({
    method: 'POST',
    path: '$batch',
    headers: { accept: 'multipart/mixed', 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: batchText(service, items, boundary),
    call,
  })
  if (response.status !== 202 && response.status !== 200) throw await upstreamError(response, 'POST $batch')
  const responses = responsesIn(response.headers['content-type'], Buffer.from(await response.text(), 'utf8'))
  const index = responses.findIndex(({ status }) => status >= 400)
  const failed = responses[index]
  // A failed change set has one response.
  if (failed !== undefined) throw await upstreamError(failed, 'a change set in a batch')
  return Promise.all(
    items.map(({ change, call: own }, position) => {
      const one = responses[position]
      if (one === undefined) throw badGateway('The V2 service sent no response to a request of a batch.')
      return resultOf(one, change, own)
    }),
  )
}

function batchText({ protocol }: V2Service, items: readonly BatchItem[], boundary: string): string {
  const changes = `changeset_${randomUUID()}`
  const parts = items.map(({ change, call }, index) => {
    const body = change.body === undefined ? '' : JSON.stringify(change.body)
    const headers = {
      ...headersOfChange(change, protocol),
      ...(call.language === undefined ? {} : { 'accept-language': call.language }),
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return (
      `--${changes}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n` +
      `Content-ID: ${index + 1}\r\n\r\n${change.method} ${change.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}\r\n`
    )
  })
  return (
    `--${boundary}\r\nContent-Type: multipart/mixed; boundary=${changes}\r\n\r\n` +
    `${parts.join('')}--${changes}--\r\n--${boundary}--\r\n`
  )
}

/** Returns the responses in a multipart body, those of change sets included. @throws ODataError for an invalid body */
function responsesIn(contentType: string | undefined, body: Buffer): readonly PartResponse[] {
  try {
    return [...partsOf(contentType, body)]
  } catch (error) {
    throw badGateway('The V2 service sent an invalid response to a batch.', error)
  }
}

function* partsOf(contentType: string | undefined, body: Buffer): Generator<PartResponse> {
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

function responseOf(reader: HeaderReader): PartResponse {
  reader.skipBlankLines()
  const status = /^HTTP\/\d\.\d (\d{3})/.exec(reader.line() ?? '')?.[1]
  const headers = Object.fromEntries(reader.headers())
  const text = reader.rest.toString('utf8').trim()
  return { status: Number(required(status)), headers, text: () => Promise.resolve(text) }
}
