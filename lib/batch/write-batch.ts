import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { headerValue } from '../http/response-headers.js'

/** The answer to one request of a batch. */
export interface PartResponse {
  readonly status: number
  /** `Content-Length` and `Content-ID` are written anew. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none, also for the answer to HEAD. */
  readonly body: Uint8Array | string | undefined
  /** The one of the request. */
  readonly contentId: string | undefined
}

/**
 * The answer to one part of a batch. A change set that failed is answered with a single response, that of its error,
 * alone or within a change set.
 */
export type BatchAnswer =
  | { readonly kind: 'Response'; readonly response: PartResponse }
  | { readonly kind: 'ChangeSet'; readonly responses: readonly PartResponse[] }

/** Characters of text that are put together before they are given out. */
const pieceSize = 16_384

/** A boundary that no body can hold by chance or by intent. */
export function newBatchBoundary(): string {
  return `batchresponse_${randomUUID()}`
}

/** The `Content-Type` of an answer. Some clients understand the boundary only last and without quotes. */
export function batchContentType(boundary: string): string {
  return `multipart/mixed; boundary=${boundary}`
}

/**
 * Writes the answer to a batch, byte by byte as clients expect it: lines end in CRLF, and a part without body has an
 * empty line more, where the body would be; some clients else take the next part for one.
 *
 * @param boundary see {@link newBatchBoundary}
 * @param answers taken one by one; the next when the one before has been given out or is too short for that
 * @returns pieces in order. When the consumer stops early, `answers` is closed.
 * @example
 * for await (const piece of writeBatch(boundary, answers)) response.write(piece)
 * @spec MS-ODATA 2.2.7.6.2
 */
export async function* writeBatch(
  boundary: string,
  answers: AsyncIterable<BatchAnswer> | Iterable<BatchAnswer>,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  let text = ''
  for await (const answer of answers) {
    for (const piece of partPieces(boundary, answer)) {
      if (typeof piece === 'string') text += piece
      else {
        if (text !== '') yield text
        text = ''
        yield piece
      }
    }
    if (text.length >= pieceSize) {
      yield text
      text = ''
    }
  }
  yield `${text}--${boundary}--\r\n`
}

function* partPieces(boundary: string, answer: BatchAnswer): Generator<string | Uint8Array> {
  if (answer.kind === 'Response') {
    yield* responsePieces(boundary, answer.response)
    return
  }
  const inner = `changesetresponse_${randomUUID()}`
  yield `--${boundary}\r\nContent-Type: ${batchContentType(inner)}\r\n\r\n`
  for (const response of answer.responses) yield* responsePieces(inner, response)
  yield `--${inner}--\r\n`
}

function* responsePieces(boundary: string, response: PartResponse): Generator<string | Uint8Array> {
  const { status, contentId } = response
  const body = status === 204 || status === 304 ? undefined : response.body
  const id = contentId === undefined ? '' : `Content-ID: ${headerValue(contentId)}\r\n`
  const head =
    `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n` +
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${id}${headerLines(response.headers, body)}\r\n`
  if (body === undefined || typeof body === 'string') {
    yield `${head}${body ?? ''}\r\n`
    return
  }
  yield head
  yield body
  yield '\r\n'
}

/** How headers are written; some clients compare them so, although they should not. */
const canonicalNames: ReadonlyMap<string, string> = new Map(
  [
    'Accept-Ranges',
    'Allow',
    'Cache-Control',
    'Content-Disposition',
    'Content-Language',
    'Content-Range',
    'Content-Security-Policy',
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

/** They speak of the connection, or are written from what is known here. */
const leftOut: ReadonlySet<string> = new Set([
  'connection',
  'content-id',
  'content-length',
  'keep-alive',
  'transfer-encoding',
])

/** Type, length and version, then the others in the order in which they are given. */
function headerLines(headers: PartResponse['headers'], body: PartResponse['body']): string {
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  const { type, others } = linesOf(headers)
  return type + length + others
}

/** What stands before the length and what behind it. */
interface HeaderLines {
  readonly type: string
  readonly others: string
}

/** Answers of the same type share their headers, which then are frozen. */
const kept = new WeakMap<PartResponse['headers'], HeaderLines>()

function linesOf(headers: PartResponse['headers']): HeaderLines {
  let lines = kept.get(headers)
  if (lines === undefined) {
    lines = writeLines(headers)
    if (Object.isFrozen(headers)) kept.set(headers, lines)
  }
  return lines
}

function writeLines(headers: PartResponse['headers']): HeaderLines {
  let type = ''
  let version = ''
  let others = ''
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (leftOut.has(key)) continue
    const line = `${canonicalNames.get(key) ?? name}: ${headerValue(value)}\r\n`
    if (key === 'content-type') type = line
    else if (key === 'dataserviceversion') version = line
    else others += line
  }
  return { type, others: version + others }
}
