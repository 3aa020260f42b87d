import { ODataError } from '../errors/odata-error.js'
import type { PartLocation } from './batch-error.js'
import { batchError, batchLimitExceeded, quote } from './batch-error.js'
import type { BatchLimits, BatchPart, BatchRequest } from './batch-part.js'
import { HeaderReader } from './header-block.js'
import type { MediaType } from './multipart-type.js'
import { areAmbiguousBoundaries, parseMediaType } from './multipart-type.js'
import type { MultipartContent } from './split-multipart.js'
import { MultipartSplitter } from './split-multipart.js'

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])

/**
 * Parses a whole batch, so that none of its requests is executed if any part is malformed.
 *
 * Lines end in CRLF or LF. Text before the first and after the last delimiter, blank lines, and missing or wrong headers of
 * parts without consequences are ignored. Everything that parsers may interpret differently is an error.
 *
 * @param body the body of the request. The result references its chunks, which must not be modified later. After an error
 * it is read to its end, because clients do not read the response while they send; only after too many bytes reading
 * stops, and the iterable is not closed.
 * @param boundary see {@link batchBoundary}
 * @throws ODataError BadRequest with part and byte offset for a malformed batch; LimitExceeded with the name of the limit
 * in its details; PayloadTooLarge for too many bytes
 * @example
 * const parts = await parseBatch(request.body(), batchBoundary(request.header('content-type')), limits)
 * @spec MS-ODATA 2.2.7.6
 */
export async function parseBatch(
  body: AsyncIterable<Uint8Array> | Uint8Array,
  boundary: string,
  limits: BatchLimits,
): Promise<readonly BatchPart[]> {
  const parser = new BatchParser(boundary, limits)
  if (body instanceof Uint8Array) {
    if (body.length > limits.batchBytes) throw batchLimitExceeded('batchBytes', limits)
    parser.push(body)
    return parser.end()
  }
  // Leaving for-await would close the source, and with it the connection, which the response needs.
  const chunks = body[Symbol.asyncIterator]()
  let bytes = 0
  let error: ODataError | undefined
  for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
    bytes += step.value.length
    if (bytes > limits.batchBytes) throw batchLimitExceeded('batchBytes', limits)
    error ??= errorOf(parser, step.value)
  }
  if (error !== undefined) throw error
  return parser.end()
}

function errorOf(parser: BatchParser, chunk: Uint8Array): ODataError | undefined {
  try {
    parser.push(chunk)
    return undefined
  } catch (error) {
    if (error instanceof ODataError) return error
    throw error
  }
}

class BatchParser {
  private readonly splitter: MultipartSplitter
  private readonly parts: BatchPart[] = []
  private requests = 0
  private read: ReadPart | undefined

  constructor(
    private readonly boundary: string,
    private readonly limits: BatchLimits,
  ) {
    this.splitter = new MultipartSplitter(boundary)
  }

  push(chunk: Uint8Array): void {
    this.splitter.push(chunk, this.addPart)
  }

  end(): readonly BatchPart[] {
    this.splitter.end(this.addPart)
    checkClosed(this.splitter, this.boundary, 'batch')
    return this.parts
  }

  private readonly addPart = (content: MultipartContent): void => {
    if (this.parts.length >= this.limits.batchParts) throw batchLimitExceeded('batchParts', this.limits)
    const repeated = this.read && repeatedRead(content, this.read)
    if (repeated !== undefined) {
      this.parts.push({ kind: 'Request', request: this.count(repeated) })
      return
    }
    const { chunk, start, end, offset } = content
    const location: PartLocation = { part: this.parts.length + 1 }
    const reader = new HeaderReader(chunk.subarray(start, end), offset, location)
    const headers = reader.headers()
    const { type, boundary, boundaryError } = contentTypeOf(headers, offset, location)
    if (type === 'application/http') this.parts.push(this.lonePart(headers, reader, content))
    else if (type !== 'multipart/mixed') {
      throw batchError(
        `The Content-Type of a part must be application/http or multipart/mixed, not ${quote(type)}.`,
        offset,
        location,
      )
    } else if (boundary === undefined) {
      throw batchError(
        `The Content-Type of the change set ${boundaryError ?? 'has no boundary'}.`,
        offset,
        location,
      )
    } else this.parts.push({ kind: 'ChangeSet', requests: this.changeSet(reader, boundary), isLone: false })
  }

  private lonePart(
    headers: ReadonlyMap<string, string>,
    reader: HeaderReader,
    content: MultipartContent,
  ): BatchPart {
    reader.skipBlankLines()
    const { index } = reader
    const request = this.count(parseRequest(headers, reader))
    if (changing.has(request.method)) return { kind: 'ChangeSet', requests: [request], isLone: true }
    this.read = readPart(content, index, request)
    return { kind: 'Request', request }
  }

  private changeSet(reader: HeaderReader, boundary: string): readonly BatchRequest[] {
    const { location, position } = reader
    if (areAmbiguousBoundaries(this.boundary, boundary)) {
      throw batchError(
        `The boundary ${quote(boundary)} of the change set is ambiguous with that of the batch.`,
        position,
        location,
      )
    }
    const requests: BatchRequest[] = []
    const contentIds = new Set<string>()
    const splitter = new MultipartSplitter(boundary, position)
    const add = (content: MultipartContent): void => {
      if (requests.length >= this.limits.changeSetRequests) {
        throw batchLimitExceeded('changeSetRequests', this.limits)
      }
      const request = this.changeSetRequest(
        content,
        { part: location.part, request: requests.length + 1 },
        contentIds,
      )
      requests.push(request)
    }
    splitter.push(reader.rest, add)
    splitter.end(add)
    checkClosed(splitter, boundary, 'change set', location)
    return requests
  }

  private changeSetRequest(
    { chunk, start, end, offset }: MultipartContent,
    location: PartLocation,
    contentIds: Set<string>,
  ): BatchRequest {
    const reader = new HeaderReader(chunk.subarray(start, end), offset, location)
    const headers = reader.headers()
    const { type } = contentTypeOf(headers, offset, location)
    if (type !== 'application/http') {
      const message =
        type === 'multipart/mixed'
          ? 'A change set cannot contain a change set.'
          : `The Content-Type within a change set must be application/http, not ${quote(type)}.`
      throw batchError(message, offset, location)
    }
    const request = this.count(parseRequest(headers, reader))
    const { method, contentId } = request
    if (!changing.has(method)) {
      throw batchError(
        `A change set accepts only POST, PUT, MERGE, PATCH and DELETE, not ${quote(method)}.`,
        offset,
        location,
      )
    }
    if (contentId !== undefined) {
      if (contentIds.has(contentId)) {
        throw batchError(`Duplicate Content-ID ${quote(contentId)}.`, offset, location)
      }
      contentIds.add(contentId)
    }
    return request
  }

  private count(request: BatchRequest): BatchRequest {
    if (++this.requests > this.limits.batchRequests) throw batchLimitExceeded('batchRequests', this.limits)
    return request
  }
}

/** A read request, and the text of its part around the URI. */
interface ReadPart {
  readonly before: string
  readonly after: string
  readonly request: BatchRequest
}

const plainUri = /^[!-~]+$/

/**
 * @param content the part of the request
 * @param lineStart the index of the request line in the part
 * @returns undefined if the request line has an unusual form, or the request a body
 */
function readPart(
  { text, start, end }: MultipartContent,
  lineStart: number,
  request: BatchRequest,
): ReadPart | undefined {
  const { method, uri, body } = request
  if (text === undefined || body.length > 0 || !plainUri.test(uri)) return undefined
  const lineIndex = start + lineStart
  if (!text.startsWith(`${method} ${uri} HTTP/1.1`, lineIndex)) return undefined
  const uriStart = lineIndex + method.length + 1
  return { before: text.slice(start, uriStart), after: text.slice(uriStart + uri.length, end), request }
}

/**
 * Returns the request of a part that differs from another one only in its URI; undefined for other parts. Most clients
 * send all reads of a batch with the same headers, and comparing text takes a fifth of the time of parsing it.
 */
function repeatedRead(
  { text, start, end }: MultipartContent,
  { before, after, request }: ReadPart,
): BatchRequest | undefined {
  const uriStart = start + before.length
  const uriEnd = end - after.length
  if (uriEnd <= uriStart) return undefined
  if (!text?.startsWith(before, start) || !text.startsWith(after, uriEnd)) return undefined
  const uri = text.slice(uriStart, uriEnd)
  if (!plainUri.test(uri)) return undefined
  const { method, headers, body, contentId, partContentId } = request
  return { method, uri, headers, body, contentId, partContentId }
}

function contentTypeOf(
  headers: ReadonlyMap<string, string>,
  offset: number,
  location: PartLocation,
): MediaType {
  const contentType = headers.get('content-type')
  if (contentType === undefined) throw batchError('Content-Type is missing.', offset, location)
  return parseMediaType(contentType)
}

/** Some commands remove line ends from form data. */
const LOST_LINES_HINT = ' With curl, use --data-binary instead of -d, which removes line ends.'

/**
 * Rejects a multipart body without closing delimiter. A truncated body may contain only some of the intended
 * requests.
 */
function checkClosed(
  { hasBegun, isClosed, offset }: MultipartSplitter,
  boundary: string,
  what: 'batch' | 'change set',
  location?: PartLocation,
): void {
  if (isClosed) return
  const message = hasBegun
    ? `The ${what} does not end with the line '--${boundary}--'.`
    : `The ${what} does not contain the line '--${boundary}', which its Content-Type requires.${what === 'batch' ? LOST_LINES_HINT : ''}`
  throw batchError(message, offset, location)
}

const methodPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/

const versionPattern = /^HTTP\/\d(?:\.\d)?$/

const lengthPattern = /^\d{1,15}$/

const asciiPattern = /^[\x20-\x7e]{1,255}$/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const none = Buffer.alloc(0)

/**
 * Parses the request of an `application/http` part.
 *
 * @param partHeaders the headers of the part
 * @param reader positioned after them
 * @throws ODataError BadRequest for a malformed request
 * @spec MS-ODATA 2.2.7.6.1, RFC 9112 3
 */
function parseRequest(partHeaders: ReadonlyMap<string, string>, reader: HeaderReader): BatchRequest {
  reader.skipBlankLines()
  const error = errorFactory(reader, reader.position)
  checkEncoding(partHeaders.get('content-transfer-encoding'), error)
  // The service rejects long URIs with 414.
  const { method, uri } = requestLine(reader.line(Infinity), error)
  const headers = reader.headers()
  const partContentId = contentIdOf(partHeaders, error)
  return {
    method,
    uri,
    headers,
    body: bodyOf(reader, headers.get('content-length'), error),
    contentId: partContentId ?? contentIdOf(headers, error),
    partContentId,
  }
}

/** @param message a sentence without full stop */
type CreateError = (message: string) => Error

function errorFactory({ location }: HeaderReader, position: number): CreateError {
  return (message) => batchError(`${message}.`, position, location)
}

/**
 * Rejects encoded bodies. Clients omit the header or send arbitrary values: only two of them mean that the body is
 * encoded.
 */
function checkEncoding(encoding: string | undefined, error: CreateError): void {
  if (encoding !== undefined && /^(?:base64|quoted-printable)$/i.test(encoding)) {
    throw error(`Content-Transfer-Encoding must be binary, not ${quote(encoding)}`)
  }
}

/**
 * Parses a request line. Some clients do not encode spaces in queries: the URI is between the first and the last
 * space.
 */
function requestLine(line: string | undefined, error: CreateError): Pick<BatchRequest, 'method' | 'uri'> {
  if (line === undefined) throw error('The request is missing')
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const method = line.slice(0, Math.max(first, 0))
  const uri = line.slice(first + 1, Math.max(last, first + 1)).trim()
  if (!methodPattern.test(method) || uri === '' || !versionPattern.test(line.slice(last + 1))) {
    throw error(`Expected a request line such as 'GET Products HTTP/1.1', not ${quote(line)}`)
  }
  return { method: method.toUpperCase(), uri: decoded(uri, error) }
}

/** Lines are decoded as Latin-1; URIs that are not percent-encoded are UTF-8. */
function decoded(uri: string, error: CreateError): string {
  if (!/[\x80-\xff]/.test(uri)) return uri
  try {
    return utf8.decode(Buffer.from(uri, 'latin1'))
  } catch {
    throw error(`The URI is not UTF-8: ${quote(uri)}`)
  }
}

/**
 * Returns the body of a part, which the delimiter ends. A smaller Content-Length is respected, because some clients
 * add line ends; a larger one is ignored. Without Content-Length, a body of line ends is empty.
 */
function bodyOf(reader: HeaderReader, length: string | undefined, error: CreateError): Buffer {
  if (length !== undefined && !lengthPattern.test(length)) {
    throw error(`Content-Length must be a number, not ${quote(length)}`)
  }
  if (length === undefined) return reader.isRestBlank ? none : reader.rest
  const { rest } = reader
  if (Number(length) <= rest.length) return rest.subarray(0, Number(length))
  return reader.isRestBlank ? none : rest
}

/** Validates the Content-ID of a request. It is repeated in response headers and used in URIs. */
function contentIdOf(headers: ReadonlyMap<string, string>, error: CreateError): string | undefined {
  const contentId = headers.get('content-id')
  if (contentId === undefined || contentId === '') return undefined
  if (asciiPattern.test(contentId)) return contentId
  throw error(`Content-ID must be at most 255 printable ASCII characters, not ${quote(contentId)}`)
}
