import { ODataError } from '../errors/odata-error.js'
import { percentDecode } from './percent-encoding.js'
import { parseLiteral } from './parse-literal.js'
import { Scanner } from './scanner.js'
import type { KeyPredicateSyntax, KeyValueSyntax, PathSegmentSyntax } from './syntax-tree.js'

/** A relative URI, split before it was decoded. */
interface SplitUri {
  /** The decoded segments of the path below the service root; empty for the service root. */
  readonly segments: readonly string[]
  /** The part after the first `?`, still encoded. */
  readonly query: string
}

/**
 * Splits a relative URI, path and query below the service root, into segments and query.
 *
 * The path is split at slashes outside of quotes: proxies decode `%2F`, and some clients do not encode it, so
 * `Files('%2Fa%2Fb')`, `Files('/a/b')` and `Files(%27/a/b%27)` must all be one segment. Each segment is decoded once, and
 * nothing is normalized: `..` is an ordinary name.
 *
 * @param uri still encoded, for instance `req.url`
 * @throws ODataError BadRequest for broken escapes and for empty segments in the middle
 * @spec MS-ODATA 2.2.3.1
 */
export function splitRelativeUri(uri: string): SplitUri {
  const mark = uri.indexOf('?')
  const path = withoutAuthority(mark < 0 ? uri : uri.slice(0, mark))
  const query = mark < 0 ? '' : uri.slice(mark + 1)
  const raw = path === '' || path === '/' ? [] : splitOutsideQuotes(path.replace(/^\/+/, ''))
  // A single trailing slash has no effect.
  if (raw.at(-1) === '') raw.pop()
  if (raw.includes('')) {
    throw new ODataError('BadRequest', { message: 'The resource path has an empty segment.' })
  }
  return { segments: raw.map(percentDecode), query }
}

/** Removes `http://host` from a URI in absolute form. */
function withoutAuthority(path: string): string {
  if (path.startsWith('/')) return path
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path)
  return scheme === null ? path : path.slice(scheme[0].length)
}

function splitOutsideQuotes(path: string): string[] {
  if (!path.includes("'") && !path.includes('%27')) return path.split('/')
  const segments: string[] = []
  let quoted = false
  let start = 0
  for (let index = 0; index < path.length; index++) {
    const character = path[index]
    if (character === "'") quoted = !quoted
    else if (character === '%' && path.startsWith('27', index + 1)) quoted = !quoted
    else if (character === '/' && !quoted) {
      segments.push(path.slice(start, index))
      start = index + 1
    }
  }
  segments.push(path.slice(start))
  // Unbalanced quotes are treated like other characters.
  return quoted ? path.split('/') : segments
}

/**
 * Parses a decoded segment of a resource path: a name, optionally followed by a key predicate.
 *
 *     segment = name [ "(" [ keyValue *( "," keyValue ) ] ")" ]
 *     keyValue = [ name "=" ] literal
 *
 * @throws ODataError BadRequest for an invalid key predicate
 * @spec MS-ODATA 2.2.3.1
 */
export function parsePathSegment(text: string): PathSegmentSyntax {
  const opening = text.indexOf('(')
  if (opening < 0) return { name: text }
  const scanner = new Scanner(text, 'Resource path', 'BadRequest')
  scanner.position = opening + 1
  return { name: text.slice(0, opening), key: parseKeyPredicate(scanner) }
}

function parseKeyPredicate(scanner: Scanner): KeyPredicateSyntax {
  const values: KeyValueSyntax[] = []
  scanner.skipSpace()
  if (!scanner.accept(')')) {
    do values.push(parseKeyValue(scanner))
    while (scanner.accept(','))
    if (!scanner.accept(')')) throw scanner.error("Expected ',' or ')'")
  }
  if (!scanner.atEnd) throw scanner.error('Unexpected characters after the key predicate')
  return { values }
}

function parseKeyValue(scanner: Scanner): KeyValueSyntax {
  scanner.skipSpace()
  const start = scanner.position
  const name = scanner.identifier()
  scanner.skipSpace()
  const named = name !== undefined && scanner.accept('=')
  if (named) scanner.skipSpace()
  // Literals such as `guid'…'` and `true` begin like a name.
  else scanner.position = start
  const literal = parseLiteral(scanner)
  if (literal === undefined) throw scanner.error(`Expected a literal. ${keyHint(scanner)}`)
  scanner.skipSpace()
  return named ? { name, literal } : { literal }
}

const bareWord = /[\p{L}\p{Nd}_.-]{1,40}(?=[),]|$)/uy

/** Returns an example of a valid key predicate, with the text of the invalid one. */
function keyHint(scanner: Scanner): string {
  const name = scanner.source.slice(0, scanner.source.indexOf('(')).slice(0, 100)
  const word = scanner.match(bareWord)
  const text = word === undefined ? 'abc' : word
  if (word !== undefined) scanner.position -= word.length
  return `Write ${name}(1) for a number, ${name}('${text}') for a string`
}
