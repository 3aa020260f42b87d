import { batchFault, quote } from './batch-fault.js'
import type { BatchRequest } from './batch-part.js'
import type { HeaderReader } from './header-block.js'

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
 * @throws ODataError BadRequest when it is none
 * @spec MS-ODATA 2.2.7.6.1, RFC 9112 3
 */
export function parseRequest(partHeaders: ReadonlyMap<string, string>, reader: HeaderReader): BatchRequest {
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

/** What nearly all clients write, and nothing can be wrong with. */
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
 * Where a body ends is told by the delimiter. A shorter length is obeyed, since some clients write more line ends than
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
