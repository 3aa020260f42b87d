import { ODataError } from '../errors/odata-error.js'
import { quote } from './batch-error.js'

/** A media type with its parameters. Unlike in `Accept`, the case of values counts: boundaries are compared by it. */
export interface MediaType {
  /** `multipart/mixed`, in lower case. */
  readonly type: string
  /** The boundary, if there is a good one. */
  readonly boundary: string | undefined
  /** What is wrong with the boundary, if it is not good: the end of a sentence. */
  readonly boundaryError: string | undefined
}

// Blanks are matched in one place each, so that no text can make the pattern try many ways. Without quotes more is
// taken than RFC 2045 allows: clients forget them.
const parameter =
  /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"\\]+))[ \t]*)?/y
/** The characters of RFC 2046 5.1.1 and some more that cannot be mistaken; a blank must not be the last. */
const boundaryPattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]{0,69}[\x21\x23-\x5b\x5d-\x7e]$/

/**
 * Reads the `Content-Type` of what may be multipart.
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

/** Who reads the first of two and who reads the last would see different parts. */
function chooseBoundary([boundary, ...others]: readonly string[]): Omit<MediaType, 'type'> {
  if (boundary === undefined) return { boundary: undefined, boundaryError: 'has no boundary' }
  if (others.length > 0) return { boundary: undefined, boundaryError: 'has two boundaries' }
  if (boundaryPattern.test(boundary)) return { boundary, boundaryError: undefined }
  return {
    boundary: undefined,
    boundaryError: `names the boundary ${quote(boundary)}, which must be 1 to 70 printable characters of ASCII without quotes`,
  }
}

/**
 * The boundary of a batch, from the `Content-Type` of the request.
 *
 * @throws ODataError UnsupportedMediaType when the body is not `multipart/mixed`, BadRequest when its boundary is
 * missing or cannot be one
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

/**
 * Whether two boundaries, one within the other, would make lines that mean something in both.
 */
export function areAmbiguousBoundaries(outer: string, inner: string): boolean {
  return inner === outer || inner === `${outer}--` || outer === `${inner}--`
}
