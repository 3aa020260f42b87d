import { MAX_DECIMAL_LENGTH } from '../edm/primitive-types/decimal.js'
import type { Scanner } from './scanner.js'
import type { LiteralForm, LiteralSyntax } from './syntax-tree.js'

const prefix = /(?:datetimeoffset|datetime|time|guid|binary)'/iy
// The short prefix of binary literals, the only one that is case-sensitive.
const shortBinary = /X'/y
const constant = /(?:null|true|false)/y
// The grammar of the specification has `Nan`; XML and clients use `NaN`.
const special = /(?:Na[Nn]|-?INF)(?:[dDfF](?![A-Za-z]))?/y
const number = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y
const suffix = /[lLmMdDfF]/y
/** A space before a time zone: the plus sign of a client that did not encode it. */
const zoneBehindSpace = /(:\d\d(?:\.\d+)?) (?=\d\d:?\d\d$)/

const prefixForms: Readonly<Record<string, LiteralForm>> = {
  datetimeoffset: 'DateTimeOffset',
  datetime: 'DateTime',
  time: 'Time',
  guid: 'Guid',
  binary: 'Binary',
}

const suffixForms: Readonly<Record<string, LiteralForm>> = {
  l: 'Int64',
  m: 'Decimal',
  d: 'Double',
  f: 'Single',
}

/**
 * Reads a literal of any type. Returns undefined, and reads nothing, if this position has no literal.
 *
 * @spec MS-ODATA 2.2.2 (literal forms of the simple types)
 */
export function parseLiteral(scanner: Scanner): LiteralSyntax | undefined {
  const position = scanner.position
  const literal =
    parseString(scanner, position) ??
    parsePrefixed(scanner, position) ??
    parseConstant(scanner, position) ??
    parseNumber(scanner, position)
  if (literal !== undefined && scanner.insideWord) {
    // Names such as `nullable` and `INFO` can begin like a literal. After digits or a quote, a letter is an error.
    if (isWord(literal.form)) {
      scanner.position = position
      return undefined
    }
    throw scanner.error('Unexpected character after a literal')
  }
  return literal
}

function isWord(form: LiteralForm): boolean {
  return form === 'Null' || form === 'Boolean' || form === 'Real' || form === 'Double' || form === 'Single'
}

/** Parses a string: literal = "'" *( character / "''" ) "'" */
function parseString(scanner: Scanner, position: number): LiteralSyntax | undefined {
  if (!scanner.accept("'")) return undefined
  const { source } = scanner
  for (let index = scanner.position; ; index++) {
    index = source.indexOf("'", index)
    if (index < 0) throw scanner.error('The string that starts here has no closing quote', position)
    if (source[index + 1] !== "'") {
      const text = source.slice(scanner.position, index).replaceAll("''", "'")
      scanner.position = index + 1
      return { kind: 'Literal', form: 'String', text, position }
    }
    index++
  }
}

/** Parses a literal with a prefix: literal = prefix "'" *character "'" */
function parsePrefixed(scanner: Scanner, position: number): LiteralSyntax | undefined {
  const opening = scanner.match(prefix) ?? scanner.match(shortBinary)
  if (opening === undefined) return undefined
  const end = scanner.source.indexOf("'", scanner.position)
  if (end < 0) throw scanner.error('The string that starts here has no closing quote', scanner.position - 1)
  const text = scanner.source.slice(scanner.position, end)
  scanner.position = end + 1
  const form = prefixForms[opening.slice(0, -1).toLowerCase()] ?? 'Binary'
  if (form === 'DateTimeOffset')
    return { kind: 'Literal', form, text: text.replace(zoneBehindSpace, '$1+'), position }
  return { kind: 'Literal', form, text, position }
}

/** Parses a constant: literal = "null" / "true" / "false" / "NaN" / [ "-" ] "INF" */
function parseConstant(scanner: Scanner, position: number): LiteralSyntax | undefined {
  const word = scanner.match(constant)
  if (word !== undefined)
    return { kind: 'Literal', form: word === 'null' ? 'Null' : 'Boolean', text: word, position }
  const found = scanner.match(special)
  if (found === undefined) return undefined
  const ending = /[dDfF]$/.exec(found.slice(1))?.[0]
  // The F of INF itself is not a suffix.
  const bare = ending === undefined || /^-?INF$/.test(found) ? found : found.slice(0, -1)
  const form = bare === found ? 'Real' : suffixForms[found.slice(-1).toLowerCase()]
  return { kind: 'Literal', form: form ?? 'Real', text: bare === 'Nan' ? 'NaN' : bare, position }
}

/** Parses a number: literal = [ "-" ] 1*DIGIT [ "." 1*DIGIT ] [ "E" [ sign ] 1*DIGIT ] [ "L" / "M" / "D" / "F" ] */
function parseNumber(scanner: Scanner, position: number): LiteralSyntax | undefined {
  number.lastIndex = position
  const match = number.exec(scanner.source)
  if (match === null) return undefined
  const [text, fraction, exponent] = match
  if (text.length > MAX_DECIMAL_LENGTH)
    throw scanner.error(`A number must not have more than ${MAX_DECIMAL_LENGTH} characters`, position)
  scanner.position += text.length
  const letter = scanner.match(suffix)?.toLowerCase()
  if (letter === undefined) {
    const form = fraction === undefined && exponent === undefined ? 'Integer' : 'Real'
    return { kind: 'Literal', form, text, position }
  }
  // Decimals may have an exponent: SAP Cloud SDK writes 0.0000001 as 1e-7M.
  if (letter === 'l' && (fraction !== undefined || exponent !== undefined))
    throw scanner.error('A number with the suffix L must not have a fraction or an exponent', position)
  return { kind: 'Literal', form: suffixForms[letter] ?? 'Real', text, position }
}
