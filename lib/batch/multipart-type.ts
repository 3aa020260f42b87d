import { ODataError } from '../errors/odata-error.js'
import { quote } from './batch-error.js'

/** A media type and its boundary, which is case-sensitive. */
export interface MediaType {
  /** `multipart/mixed`, in lower case. */
  readonly type: string
  /** The boundary, if it is valid. */
  readonly boundary: string | undefined
  /** Why there is no valid boundary: the end of a sentence. */
  readonly boundaryError: string | undefined
}

// White space is matched in one place each, so that no input causes backtracking. Accepts more characters without quotes
// than RFC 2045 allows, because clients omit the quotes.
const parameter =
  /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"\\]+))[ \t]*)?/y
/** Accepts more characters than RFC 2046 5.1.1, where they are unambiguous. The last must not be a space. */
const boundaryPattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]{0,69}[\x21\x23-\x5b\x5d-\x7e]$/

/**
 * Parses a `Content-Type` that may be multipart.
 *
 * @spec RFC 2046 5.1
 */
export function parseMediaType(text: string): MediaType {
  const semicolon = text.indexOf(';')
  const type = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase()
  const given = new Set<string>()
  parameter.lastIndex = semicolon < 0 ? text.length : semicolon
  while (parameter.lastIndex < text.length) {
    const start = parameter.lastIndex
    const match = parameter.exec(text)
    if (match === null) {
      return {
        type,
        boundary: undefined,
        boundaryError: `has malformed parameters at ${quote(text.slice(start))}`,
      }
    }
    const [, name = '', quoted, plain] = match
    if (name.toLowerCase() === 'boundary') given.add(plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'))
  }
  return { type, ...chooseBoundary([...given]) }
}

/** Rejects two different boundaries, which parsers interpret differently. */
function chooseBoundary([boundary, ...others]: readonly string[]): Omit<MediaType, 'type'> {
  if (boundary === undefined) return { boundary: undefined, boundaryError: 'has no boundary' }
  if (others.length > 0) return { boundary: undefined, boundaryError: 'has two boundaries' }
  if (boundaryPattern.test(boundary)) return { boundary, boundaryError: undefined }
  return {
    boundary: undefined,
    boundaryError: `names the boundary ${quote(boundary)}, which must be 1 to 70 printable ASCII characters without quotes`,
  }
}

/**
 * Returns the boundary of a batch from its `Content-Type`.
 *
 * @throws ODataError UnsupportedMediaType for other types than `multipart/mixed`, BadRequest for a missing or invalid
 * boundary
 * @example
 * batchBoundary('multipart/mixed; boundary=batch_1') // 'batch_1'
 * @spec MS-ODATA 2.2.7.6
 */
export function batchBoundary(contentType: string | undefined): string {
  const { type, boundary, boundaryError } = parseMediaType(contentType ?? '')
  if (type !== 'multipart/mixed') {
    const instead = contentType === undefined ? 'without Content-Type' : `as ${quote(contentType)}`
    throw new ODataError('UnsupportedMediaType', {
      message: `A batch must be sent as 'multipart/mixed; boundary=...', not ${instead}.`,
    })
  }
  if (boundary === undefined) {
    throw new ODataError('BadRequest', {
      message: `The Content-Type of the batch ${boundaryError ?? 'has no boundary'}.`,
    })
  }
  return boundary
}

/** Returns true if delimiters of a nested multipart could be those of the outer one. */
export function areAmbiguousBoundaries(outer: string, inner: string): boolean {
  return inner === outer || inner === `${outer}--` || outer === `${inner}--`
}
