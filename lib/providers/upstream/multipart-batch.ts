import { randomUUID } from 'node:crypto'
import { HeaderReader } from '../../batch/header-block.js'
import { batchBoundary } from '../../batch/multipart-type.js'
import { MultipartSplitter } from '../../batch/split-multipart.js'
import { required } from '../../util/required.js'
import type {
  BatchedRequest,
  BatchedResponse,
  BatchFormat,
  BatchResponses,
  UpstreamBatch,
} from './upstream-batches.js'

/**
 * Batches of OData V2 and 4.0.
 *
 * @spec MS-ODATA 2.2.7.6; OData Protocol 4.01, 11.7.7 (multipart batch format)
 */
export const multipartBatch: BatchFormat = {
  accept: 'multipart/mixed',
  serialize({ requests, isChangeSet }) {
    const parts = requests.map(partOf)
    const part = isChangeSet ? changeSetOf(parts) : parts.join('')
    const boundary = `batch_${randomUUID()}`
    return {
      contentType: `multipart/mixed; boundary=${boundary}`,
      body: `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`,
    }
  },
  parse: (text, contentType, batch) => identified([...partsOf(contentType, Buffer.from(text))], batch),
}

function changeSetOf(parts: readonly string[]): string {
  const boundary = `changeset_${randomUUID()}`
  const all = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${all}--${boundary}--`
}

function partOf({ id, method, path, headers, body }: BatchedRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const length = body === undefined ? undefined : String(Buffer.byteLength(text))
  const lines = Object.entries({ ...headers, 'content-length': length })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
    .join('')
  return (
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n' +
    `Content-ID: ${id}\r\n\r\n${method} ${path} HTTP/1.1\r\n${lines}\r\n${text}`
  )
}

/** A response, and the Content-ID of its request if the service sends it. */
type Part = readonly [id: string | undefined, response: BatchedResponse]

/**
 * Assigns responses to requests: by Content-ID, or in their order. A failed change set has one response.
 *
 * @throws Error for more responses than requests
 */
function identified(parts: readonly Part[], { requests, isChangeSet }: UpstreamBatch): BatchResponses {
  if (parts.length > requests.length)
    throw new Error(`It has ${parts.length} responses to ${requests.length} requests.`)
  const byId = new Map(parts.flatMap(([id, one]) => (id === undefined ? [] : [[id, one] as const])))
  if (requests.every(({ id }) => byId.has(id))) return { byId }
  const responses = parts.map(([, response]) => response)
  const failed = responses.find(({ status }) => status >= 400)
  if (isChangeSet && failed !== undefined) return { byId: new Map(), ofChangeSet: failed }
  // A response to one request must not become that to another one.
  if (requests.some(({ id }) => byId.has(id))) return { byId }
  return { byId: new Map(responses.map((response, index) => [requests[index]?.id ?? '', response])) }
}

/**
 * Returns the responses in a multipart body, those of change sets included.
 *
 * @param isNested true for the body of a change set, which contains no other one
 * @throws Error for an invalid body
 */
function* partsOf(contentType: string | undefined, body: Buffer, isNested = false): Generator<Part> {
  const contents: Buffer[] = []
  const splitter = new MultipartSplitter(batchBoundary(contentType))
  const add = ({ chunk, start, end }: { chunk: Buffer; start: number; end: number }): void => {
    contents.push(chunk.subarray(start, end))
  }
  splitter.push(body, add)
  splitter.end(add)
  for (const [index, content] of contents.entries()) {
    const reader = new HeaderReader(content, 0, { part: index + 1 })
    reader.skipBlankLines()
    const headers = reader.headers()
    const type = headers.get('content-type')
    if (!isNested && type?.startsWith('multipart/') === true) yield* partsOf(type, reader.rest, true)
    else yield partIn(reader, headers.get('content-id'))
  }
}

function partIn(reader: HeaderReader, id: string | undefined): Part {
  reader.skipBlankLines()
  const status = /^HTTP\/\d\.\d (\d{3})/.exec(reader.line() ?? '')?.[1]
  const headers = Object.fromEntries(reader.headers())
  const text = reader.rest.toString('utf8').trim()
  const response = { status: Number(required(status)), headers, text: () => Promise.resolve(text) }
  return [id ?? headers['content-id'], response]
}
