import { parseLiteral } from './parse-literal.js'
import { Scanner } from './scanner.js'
import type { KeyPredicateSyntax, KeyValueSyntax, PathSegmentSyntax } from './syntax-tree.js'

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
