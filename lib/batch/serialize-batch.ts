import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ChunkSource } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import { headerValue } from '../http/response-headers.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/** The answer to one request of a batch. */
export interface PartResponse {
  readonly status: number
  /** `Content-ID` is written anew, and `Content-Length` unless the body is streamed. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none, also for the response to HEAD. A source is streamed. */
  readonly body: Uint8Array | string | ChunkSource | undefined
  /** The Content-ID among the headers of the request. Clients look for it where they have written it, and only there. */
  readonly contentId: string | undefined
  /** The Content-ID among the headers of the part that holds the request. */
  readonly partContentId: string | undefined
}

/**
 * The answer to one part of a batch. A change set that failed is answered with a single response, that of its error,
 * alone or within a change set.
 */
export type BatchResponse =
  | { readonly kind: 'Response'; readonly response: PartResponse }
  | { readonly kind: 'ChangeSet'; readonly responses: readonly PartResponse[] }

/** Characters of text that are put together before they are given out. */
const CHUNK_LENGTH = 16_384

/** A boundary that no body can hold by chance or by intent. */
export function createBatchBoundary(): string {
  return `batchresponse_${randomUUID()}`
}

/** The `Content-Type` of an answer. Some clients understand the boundary only last and without quotes. */
export function batchContentType(boundary: string): string {
  return `multipart/mixed; boundary=${boundary}`
}

/** Where the answers to a batch come from. */
export interface ResponseSource {
  /** The next answer, undefined at the end. No promise is made for what is there already. */
  next(): PromiseOrValue<BatchResponse | undefined>
  /** Called when no more is wanted. */
  close(): void
}

/**
 * Writes the answer to a batch, byte by byte as clients expect it: lines end in CRLF, and a part without body has an
 * empty line more, where the body would be; some clients else take the next part for one.
 *
 * @param boundary see {@link createBatchBoundary}
 * @param answers taken one by one; the next when the one before has been given out or is too short for that
 * @returns pieces in order. When it is closed early, `answers` is closed.
 * @example
 * return { status: 202, headers, body: writeBatch(boundary, answers) }
 * @spec MS-ODATA 2.2.7.6.2
 */
export function serializeBatch(boundary: string, answers: ResponseSource): ChunkSource {
  return new BatchDocument(boundary, answers)
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
      const answer = this.responses.next()
      if (isPromiseLike(answer)) return this.nextAfter(answer)
      this.add(answer)
    }
    return this.take()
  }

  async close(): Promise<void> {
    this.isComplete = true
    this.responses.close()
    for (const piece of this.chunks.splice(0)) if (isChunkSource(piece)) await piece.close()
  }

  private async nextAfter(
    first: Promise<BatchResponse | undefined>,
  ): Promise<string | Uint8Array | undefined> {
    this.add(await first)
    while (this.needsMore) this.add(await this.responses.next())
    return this.take()
  }

  private take(): PromiseOrValue<string | Uint8Array | undefined> {
    const [piece] = this.chunks
    if (piece !== undefined && isChunkSource(piece)) return this.nextOfBody(piece)
    this.chunks.shift()
    return piece
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

  private add(answer: BatchResponse | undefined): void {
    if (answer === undefined) {
      this.text += `--${this.boundary}--\r\n`
      this.isComplete = true
    } else if (answer.kind === 'Response') this.addResponse(this.boundary, answer.response)
    else this.addChangeSet(answer.responses)
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

/** How headers are written; some clients compare them so, although they should not. */
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
  ].map((name) => [name.toLowerCase(), name]),
)

/** Headers that concern the connection, caches or browsers, which see the batch as a whole, or are added here. */
const OMITTED_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-id',
  'content-length',
  'content-security-policy',
  'keep-alive',
  'transfer-encoding',
])

/** Type, length and version, then the others in the order in which they are given. */
function headerLines(headers: PartResponse['headers'], body: PartResponse['body']): string {
  const length = lengthOf(headers, body)
  const { type, others } = linesOf(headers)
  return length === undefined ? type + others : `${type}Content-Length: ${length}\r\n${others}`
}

/** A streamed body has the length of its Content-Length header, if any. */
function lengthOf(headers: PartResponse['headers'], body: PartResponse['body']): number | string | undefined {
  if (body === undefined) return undefined
  return isChunkSource(body) ? headers['Content-Length'] : Buffer.byteLength(body)
}

/** What stands before the length and what behind it. */
interface HeaderLines {
  readonly type: string
  readonly others: string
}

/** Answers of the same type share their headers, which then are frozen. */
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
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (OMITTED_HEADERS.has(key)) continue
    const line = `${canonicalNames.get(key) ?? name}: ${headerValue(value)}\r\n`
    if (key === 'content-type') type = line
    else if (key === 'dataserviceversion') version = line
    else others += line
  }
  return { type, others: version + others }
}
