import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ChunkSource } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import { headerValue } from '../http/response-headers.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/** The response to one request of a batch. */
export interface PartResponse {
  readonly status: number
  /** `Content-ID` is replaced, and `Content-Length` unless the body is streamed. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a response without body, such as to HEAD. A source is streamed. */
  readonly body: Uint8Array | string | ChunkSource | undefined
  /** The Content-ID of the request headers: clients expect it where they have sent it. */
  readonly contentId: string | undefined
  /** The Content-ID of the part headers. */
  readonly partContentId: string | undefined
}

/**
 * The response to one part of a batch. A failed change set has a single response, that of its error, nested or not.
 */
export type BatchResponse =
  | { readonly kind: 'Response'; readonly response: PartResponse }
  | { readonly kind: 'ChangeSet'; readonly responses: readonly PartResponse[] }

/** Minimum characters of a chunk. */
const CHUNK_LENGTH = 16_384

/** Creates a boundary that clients cannot predict, so that no body can contain it. */
export function createBatchBoundary(): string {
  return `batchresponse_${randomUUID()}`
}

/** Returns the `Content-Type` of a response. Some clients require that the boundary is last and without quotes. */
export function batchContentType(boundary: string): string {
  return `multipart/mixed; boundary=${boundary}`
}

/** Supplies the responses of a batch. */
export interface ResponseSource {
  /** Returns the next response, undefined at the end. Synchronous if the response is available. */
  next(): PromiseOrValue<BatchResponse | undefined>
  /** Called when no more responses are needed. */
  close(): void
}

/**
 * Serializes the response to a batch in the exact form that clients expect: lines end in CRLF, and a part without body has
 * an additional empty line, without which some clients misread the next part.
 *
 * @param boundary see {@link createBatchBoundary}
 * @param responses read one by one, as chunks are needed. Closing the result early closes it.
 * @example
 * const response = { status: 202, headers, body: serializeBatch(boundary, responses) }
 * @spec MS-ODATA 2.2.7.6.2
 */
export function serializeBatch(boundary: string, responses: ResponseSource): ChunkSource {
  return new BatchDocument(boundary, responses)
}

class BatchDocument implements ChunkSource {
  readonly kind = 'ChunkSource'
  /** Chunks to send and bodies to stream, in order. */
  private readonly chunks: (string | Uint8Array | ChunkSource)[] = []
  private text = ''
  private isComplete = false

  constructor(
    private readonly boundary: string,
    private readonly responses: ResponseSource,
  ) {}

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    while (this.needsMore) {
      const response = this.responses.next()
      if (isPromiseLike(response)) return this.nextAfter(response)
      this.add(response)
    }
    return this.take()
  }

  async close(): Promise<void> {
    this.isComplete = true
    this.responses.close()
    for (const chunk of this.chunks.splice(0)) if (isChunkSource(chunk)) await chunk.close()
  }

  private async nextAfter(
    first: Promise<BatchResponse | undefined>,
  ): Promise<string | Uint8Array | undefined> {
    this.add(await first)
    while (this.needsMore) {
      const response = this.responses.next()
      this.add(isPromiseLike(response) ? await response : response)
    }
    return this.take()
  }

  private take(): PromiseOrValue<string | Uint8Array | undefined> {
    const [chunk] = this.chunks
    if (chunk !== undefined && isChunkSource(chunk)) return this.nextOfBody(chunk)
    this.chunks.shift()
    return chunk
  }

  private async nextOfBody(body: ChunkSource): Promise<string | Uint8Array | undefined> {
    const chunk = await body.next()
    if (chunk !== undefined) return chunk
    await body.close()
    if (this.chunks[0] === body) this.chunks.shift()
    return this.next()
  }

  private get needsMore(): boolean {
    return this.chunks.length === 0 && !this.isComplete
  }

  private add(response: BatchResponse | undefined): void {
    if (response === undefined) {
      this.text += `--${this.boundary}--\r\n`
      this.isComplete = true
    } else if (response.kind === 'Response') this.addResponse(this.boundary, response.response)
    else this.addChangeSet(response.responses)
    if (this.isComplete || this.text.length >= CHUNK_LENGTH) this.endChunk()
  }

  private addChangeSet(responses: readonly PartResponse[]): void {
    const inner = `changesetresponse_${randomUUID()}`
    this.text += `--${this.boundary}\r\nContent-Type: ${batchContentType(inner)}\r\n\r\n`
    for (const response of responses) this.addResponse(inner, response)
    this.text += `--${inner}--\r\n`
  }

  private addResponse(boundary: string, response: PartResponse): void {
    const { status } = response
    const body = status === 204 || status === 304 ? undefined : response.body
    this.text +=
      `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n` +
      `${contentIdLine(response.partContentId)}\r\nHTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n` +
      `${contentIdLine(response.contentId)}${headerLines(response.headers, body)}\r\n`
    if (typeof body === 'string') this.text += body
    else if (body !== undefined) {
      this.endChunk()
      this.chunks.push(body)
    }
    this.text += '\r\n'
  }

  private endChunk(): void {
    this.chunks.push(this.text)
    this.text = ''
  }
}

function contentIdLine(contentId: string | undefined): string {
  return contentId === undefined || contentId === '' ? '' : `Content-ID: ${headerValue(contentId)}\r\n`
}

/** Headers for connections, caches and browsers, which only see the batch, and headers that are added here. */
const OMITTED_HEADERS = [
  'Cache-Control',
  'Connection',
  'Content-ID',
  'Content-Length',
  'Content-Security-Policy',
  'Keep-Alive',
  'Transfer-Encoding',
]

/** Spellings of header names, because some clients compare them case-sensitively; empty for omitted headers. */
const canonicalNames: ReadonlyMap<string, string> = new Map(
  [
    'Accept-Ranges',
    'Allow',
    'Content-Disposition',
    'Content-Language',
    'Content-Location',
    'Content-Range',
    'Content-Type',
    'DataServiceId',
    'DataServiceVersion',
    'ETag',
    'Last-Modified',
    'Location',
    'Preference-Applied',
    'Retry-After',
    'Vary',
    'WWW-Authenticate',
    'X-Content-Type-Options',
  ]
    .map((name) => ({ name, sent: name }))
    .concat(OMITTED_HEADERS.map((name) => ({ name, sent: '' })))
    .flatMap(({ name, sent }): [string, string][] => [
      [name, sent],
      [name.toLowerCase(), sent],
    ]),
)

/** Returns the name of a header in a part; empty if it is omitted. */
function sentName(name: string): string {
  return canonicalNames.get(name) ?? canonicalNames.get(name.toLowerCase()) ?? name
}

/** Orders headers: type, length and version, then the others in their order. */
function headerLines(headers: PartResponse['headers'], body: PartResponse['body']): string {
  const length = lengthOf(headers, body)
  const { type, others } = linesOf(headers)
  return length === undefined ? type + others : `${type}Content-Length: ${length}\r\n${others}`
}

/** Returns the number of bytes of a body. A streamed body has the length of its Content-Length header, if any. */
function lengthOf(headers: PartResponse['headers'], body: PartResponse['body']): number | string | undefined {
  if (body === undefined) return undefined
  return isChunkSource(body) ? headers['Content-Length'] : Buffer.byteLength(body)
}

/** The lines before and after Content-Length. */
interface HeaderLines {
  readonly type: string
  readonly others: string
}

/** Responses of the same type share one frozen object of headers. */
const cachedLines = new WeakMap<PartResponse['headers'], HeaderLines>()

function linesOf(headers: PartResponse['headers']): HeaderLines {
  let lines = cachedLines.get(headers)
  if (lines === undefined) {
    lines = formatHeaderLines(headers)
    if (Object.isFrozen(headers)) cachedLines.set(headers, lines)
  }
  return lines
}

function formatHeaderLines(headers: PartResponse['headers']): HeaderLines {
  let type = ''
  let version = ''
  let others = ''
  for (const given of Object.keys(headers)) {
    const name = sentName(given)
    if (name === '') continue
    const line = `${name}: ${headerValue(headers[given] ?? '')}\r\n`
    if (name === 'Content-Type') type = line
    else if (name === 'DataServiceVersion') version = line
    else others += line
  }
  return { type, others: version + others }
}
