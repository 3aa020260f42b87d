import { ODataError } from '../errors/odata-error.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { BatchPlace } from './batch-fault.js'
import { batchFault, batchLimitExceeded, quote } from './batch-fault.js'
import type { BatchLimits, BatchPart, BatchRequest } from './batch-part.js'
import { HeaderReader, newKnownHeaders } from './header-block.js'
import type { MediaType } from './multipart-type.js'
import { areMistakable, parseMediaType } from './multipart-type.js'
import type { MultipartContent } from './split-multipart.js'
import { MultipartSplitter } from './split-multipart.js'

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])

/**
 * Reads a whole batch, so that nothing of it is done when its form is wrong anywhere.
 *
 * Lines may end in LF alone; text before the first delimiter and behind the last, blank lines, and headers of parts
 * that are missing or wrong without doing harm are passed over. Everything that two readers could understand
 * differently is an error.
 *
 * @param body the body of the request. Its pieces become part of the result: they must not be changed later. An
 * iterable is read to its end even when a fault was found before, since clients read no answer while they send; only
 * when there are too many bytes it is left where it is, and not closed.
 * @param boundary see {@link batchBoundary}
 * @throws ODataError BadRequest for faults of form, saying in which part and at which byte; LimitExceeded with the
 * name of the limit in its details; PayloadTooLarge for too many bytes
 * @example
 * const parts = await parseBatch(request, batchBoundary(request.headers['content-type']), limits)
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
  // Not for-await: leaving that closes the source, and with a request of Node the connection to be answered on.
  const pieces = body[Symbol.asyncIterator]()
  let bytes = 0
  let fault: ODataError | undefined
  for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
    bytes += step.value.length
    if (bytes > limits.batchBytes) throw batchLimitExceeded('batchBytes', limits)
    fault ??= faultOf(parser, step.value)
  }
  if (fault !== undefined) throw fault
  return parser.end()
}

function faultOf(parser: BatchParser, piece: Uint8Array): ODataError | undefined {
  try {
    parser.push(piece)
    return undefined
  } catch (error) {
    if (error instanceof ODataError) return error
    throw error
  }
}

/** So many types of parts are kept; those of change sets are all different. */
const mostTypes = 5

class BatchParser {
  private readonly splitter: MultipartSplitter
  private readonly parts: BatchPart[] = []
  private readonly known = newKnownHeaders()
  /** Most parts have the same type. */
  private readonly types = new BoundedCache<string, MediaType>(mostTypes)
  private requests = 0

  constructor(
    private readonly boundary: string,
    private readonly limits: BatchLimits,
  ) {
    this.splitter = new MultipartSplitter(boundary)
  }

  push(piece: Uint8Array): void {
    this.splitter.push(piece, this.addPart)
  }

  end(): readonly BatchPart[] {
    this.splitter.end(this.addPart)
    checkClosed(this.splitter, this.boundary, 'batch')
    return this.parts
  }

  private readonly addPart = ({ bytes, offset }: MultipartContent): void => {
    if (this.parts.length >= this.limits.batchParts) throw batchLimitExceeded('batchParts', this.limits)
    const place: BatchPlace = { part: this.parts.length + 1 }
    const reader = new HeaderReader(bytes, offset, place, this.known)
    const headers = reader.headers()
    const { type, boundary, fault } = this.contentTypeOf(headers, offset, place)
    if (type === 'application/http') this.parts.push(this.lonePart(headers, reader))
    else if (type !== 'multipart/mixed') {
      throw batchFault(
        `The Content-Type of a part must be application/http or multipart/mixed, not ${quote(type)}.`,
        offset,
        place,
      )
    } else if (boundary === undefined) {
      throw batchFault(`The Content-Type of the change set ${fault ?? 'names no boundary'}.`, offset, place)
    } else this.parts.push({ kind: 'ChangeSet', requests: this.changeSet(reader, boundary), isLone: false })
  }

  private lonePart(headers: ReadonlyMap<string, string>, reader: HeaderReader): BatchPart {
    const request = this.count(parseRequest(headers, reader))
    return changing.has(request.method)
      ? { kind: 'ChangeSet', requests: [request], isLone: true }
      : { kind: 'Request', request }
  }

  private changeSet(reader: HeaderReader, boundary: string): readonly BatchRequest[] {
    const { place, position } = reader
    if (areMistakable(this.boundary, boundary)) {
      throw batchFault(
        `The boundary ${quote(boundary)} of the change set cannot be told from that of the batch.`,
        position,
        place,
      )
    }
    const requests: BatchRequest[] = []
    const contentIds = new Set<string>()
    const splitter = new MultipartSplitter(boundary, position)
    const add = (content: MultipartContent): void => {
      if (requests.length >= this.limits.changeSetRequests) {
        throw batchLimitExceeded('changeSetRequests', this.limits)
      }
      const request = this.changeSetRequest(content, { ...place, request: requests.length + 1 }, contentIds)
      requests.push(request)
    }
    splitter.push(reader.rest, add)
    splitter.end(add)
    checkClosed(splitter, boundary, 'change set', place)
    return requests
  }

  private changeSetRequest(
    { bytes, offset }: MultipartContent,
    place: BatchPlace,
    contentIds: Set<string>,
  ): BatchRequest {
    const reader = new HeaderReader(bytes, offset, place, this.known)
    const headers = reader.headers()
    const { type } = this.contentTypeOf(headers, offset, place)
    if (type !== 'application/http') {
      const fault =
        type === 'multipart/mixed'
          ? 'A change set cannot hold another one.'
          : `The Content-Type within a change set must be application/http, not ${quote(type)}.`
      throw batchFault(fault, offset, place)
    }
    const request = this.count(parseRequest(headers, reader))
    const { method, contentId } = request
    if (!changing.has(method)) {
      throw batchFault(`A change set holds only what changes something, not ${quote(method)}.`, offset, place)
    }
    if (contentId !== undefined) {
      if (contentIds.has(contentId)) {
        throw batchFault(`The Content-ID ${quote(contentId)} is there twice.`, offset, place)
      }
      contentIds.add(contentId)
    }
    return request
  }

  private contentTypeOf(headers: ReadonlyMap<string, string>, offset: number, place: BatchPlace): MediaType {
    const contentType = headers.get('content-type')
    if (contentType === undefined) throw batchFault('There is no Content-Type.', offset, place)
    let type = this.types.get(contentType)
    if (type === undefined) {
      type = parseMediaType(contentType)
      this.types.set(contentType, type)
    }
    return type
  }

  private count(request: BatchRequest): BatchRequest {
    if (++this.requests > this.limits.batchRequests) throw batchLimitExceeded('batchRequests', this.limits)
    return request
  }
}

/** What commands for forms do to what they send. */
const lostLines = ' Were its line ends dropped when it was sent, as by curl -d? Use --data-binary.'

/** What breaks off may be half of what was meant. */
function checkClosed(
  { hasBegun, isClosed, offset }: MultipartSplitter,
  boundary: string,
  what: 'batch' | 'change set',
  place?: BatchPlace,
): void {
  if (isClosed) return
  const message = hasBegun
    ? `The ${what} is not closed by the line '--${boundary}--'.`
    : `The ${what} has no line '--${boundary}', although its Content-Type names that boundary.${what === 'batch' ? lostLines : ''}`
  throw batchFault(message, offset, place)
}

const methodPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/

const versionPattern = /^HTTP\/\d(?:\.\d)?$/

const lengthPattern = /^\d{1,15}$/

const asciiPattern = /^[\x20-\x7e]{1,255}$/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const none = Buffer.alloc(0)

/**
 * Reads the request that an `application/http` part holds.
 *
 * @param partHeaders the headers of the part
 * @param reader stands behind them
 * @throws ODataError BadRequest for an invalid body
 * @spec MS-ODATA 2.2.7.6.1, RFC 9112 3
 */
function parseRequest(partHeaders: ReadonlyMap<string, string>, reader: HeaderReader): BatchRequest {
  reader.skipBlankLines()
  const fault: Fault = faultAt(reader, reader.position)
  checkEncoding(partHeaders.get('content-transfer-encoding'), fault)
  // The service itself rejects a URI that is too long, with 414.
  const { method, uri } = requestLine(reader.line(Infinity), fault)
  const headers = reader.headers()
  const partContentId = contentIdOf(partHeaders, fault)
  return {
    method,
    uri,
    headers,
    body: bodyOf(reader, headers.get('content-length'), fault),
    contentId: partContentId ?? contentIdOf(headers, fault),
    partContentId,
  }
}

/** @param message a sentence without its full stop */
type Fault = (message: string) => Error

function faultAt({ place }: HeaderReader, position: number): Fault {
  return (message) => batchFault(`${message}.`, position, place)
}

/** Clients leave it out or write what they like. Two values would mean that the bytes are not those of the request. */
function checkEncoding(encoding: string | undefined, fault: Fault): void {
  if (encoding !== undefined && /^(?:base64|quoted-printable)$/i.test(encoding)) {
    throw fault(`Content-Transfer-Encoding must be binary, not ${quote(encoding)}`)
  }
}

/** The form of nearly all clients, which needs no further checks. */
const plainRequestLine = /^([A-Z]{1,40}) ([!-~]+) HTTP\/1\.1$/

/** Some clients do not encode blanks in queries: what is between the first and the last one is the URI. */
function requestLine(line: string | undefined, fault: Fault): Pick<BatchRequest, 'method' | 'uri'> {
  if (line === undefined) throw fault('There is no request')
  const [, plainMethod, plainUri] = plainRequestLine.exec(line) ?? []
  if (plainMethod !== undefined && plainUri !== undefined) return { method: plainMethod, uri: plainUri }
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const method = line.slice(0, Math.max(first, 0))
  const uri = line.slice(first + 1, Math.max(last, first + 1)).trim()
  if (!methodPattern.test(method) || uri === '' || !versionPattern.test(line.slice(last + 1))) {
    throw fault(`There must be a request line such as 'GET Products HTTP/1.1', not ${quote(line)}`)
  }
  return { method: method.toUpperCase(), uri: decoded(uri, fault) }
}

/** Lines are read byte by byte; a URI that is not encoded as it should be is UTF-8. */
function decoded(uri: string, fault: Fault): string {
  if (!/[\x80-\xff]/.test(uri)) return uri
  try {
    return utf8.decode(Buffer.from(uri, 'latin1'))
  } catch {
    throw fault(`The URI is not UTF-8: ${quote(uri)}`)
  }
}

/**
 * The delimiter ends a body. A shorter Content-Length is respected, since some clients write more line ends than
 * belong there; a length that is too large means nothing. Without one, line ends alone are what clients leave behind
 * the headers.
 */
function bodyOf(reader: HeaderReader, length: string | undefined, fault: Fault): Buffer {
  if (length !== undefined && !lengthPattern.test(length)) {
    throw fault(`Content-Length must be a number, not ${quote(length)}`)
  }
  if (length === undefined) return reader.isRestBlank ? none : reader.rest
  const { rest } = reader
  if (Number(length) <= rest.length) return rest.subarray(0, Number(length))
  return reader.isRestBlank ? none : rest
}

/** It is sent back in headers, and has to stand in URIs. */
function contentIdOf(headers: ReadonlyMap<string, string>, fault: Fault): string | undefined {
  const contentId = headers.get('content-id')
  if (contentId === undefined || contentId === '') return undefined
  if (asciiPattern.test(contentId)) return contentId
  throw fault(`Content-ID must be at most 255 printable characters of ASCII, not ${quote(contentId)}`)
}
