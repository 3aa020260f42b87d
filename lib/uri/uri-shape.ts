import { parseLiteral } from './parse-literal.js'
import { formDecode } from './percent-encoding.js'
import type { SystemQueryOption } from './parse-query-options.js'
import { Scanner } from './scanner.js'
import type { LiteralSyntax } from './syntax-tree.js'

/** A URI without the values in its filter and its range. */
export interface UriShape {
  /** Equal for URIs with the same path, names and syntax. */
  readonly key: string
  /** The decoded options that URIs of the same shape can differ in. */
  readonly values: readonly (readonly [SystemQueryOption, string])[]
  /** The shape of `$filter`. */
  readonly filter?: string | undefined
}

/**
 * Returns the shape of a filter: the lexical form of each literal takes its place. The parser reads filters of the same
 * shape into syntax trees that differ only in their literals, or rejects them all: the text between literals consists of
 * ASCII characters that mean the same before and after every literal of a form.
 *
 * @param source the decoded filter
 * @returns undefined for filters with invalid literals or other characters
 */
export function filterShape(source: string): string | undefined {
  const scanner = new Scanner(source, '$filter')
  let text = ''
  let from = 0
  while (!scanner.atEnd) {
    const start = scanner.position
    const end = wordEnd(source, start)
    const isLiteral = end === start ? startsLiteral(source, start) : source[end] === "'"
    if (!isLiteral) {
      if (end === start && !isPunctuation(source.charCodeAt(start))) return undefined
      scanner.position = Math.max(end, start + 1)
      continue
    }
    const literal = literalAt(scanner)
    if (literal === undefined) return undefined
    text += `${source.slice(from, start)}'${literal.form}`
    from = scanner.position
  }
  return from === 0 ? source : text + source.slice(from)
}

function literalAt(scanner: Scanner): LiteralSyntax | undefined {
  try {
    return parseLiteral(scanner)
  } catch {
    // The parser of the whole filter reports the error, or an earlier one.
    return undefined
  }
}

/** Returns the end of the ASCII word that starts at a position, or the position without a word. */
function wordEnd(source: string, start: number): number {
  if (isDigit(source.charCodeAt(start))) return start
  let end = start
  while (isWordCharacter(source.charCodeAt(end))) end++
  return end
}

function startsLiteral(source: string, start: number): boolean {
  const code = source.charCodeAt(start)
  return isDigit(code) || code === 0x27 || (code === 0x2d && isDigit(source.charCodeAt(start + 1)))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || isDigit(code)
}

/** Returns true for space, tab, parentheses, comma and slash. */
function isPunctuation(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x28 || code === 0x29 || code === 0x2c || code === 0x2f
}

const digits = /^\d{1,10}$/
const variableOptions: readonly (readonly [SystemQueryOption, string])[] = [
  ['$filter', '$filter='],
  ['$skip', '$skip='],
  ['$top', '$top='],
]

/**
 * Returns the shape of a URI with a filter or a range.
 *
 * @param uri path and query below the service root
 * @returns undefined for other URIs, and for those whose values cannot be separated
 */
export function uriShape(uri: string): UriShape | undefined {
  const query = uri.indexOf('?') + 1
  const values: (readonly [SystemQueryOption, string])[] = []
  let filter: string | undefined
  let key = uri.slice(0, query)
  for (let start = query, end = query; query > 0 && end < uri.length; start = end + 1) {
    end = endOfOption(uri, start)
    const option = variableOptions.find(([, prefix]) => uri.startsWith(prefix, start))
    let text = uri.slice(start, end)
    if (option !== undefined) {
      const [name, prefix] = option
      const value = decoded(text.slice(prefix.length))
      if (name === '$filter') filter = value === undefined ? undefined : filterShape(value)
      const shape = name === '$filter' ? filter : digits.exec(value ?? '') && '0'
      if (value === undefined || typeof shape !== 'string') return undefined
      values.push([name, value])
      text = prefix + shape
    }
    key += end < uri.length ? `${text}&` : text
  }
  return values.length === 0 ? undefined : { key, values, filter }
}

function endOfOption(uri: string, start: number): number {
  const end = uri.indexOf('&', start)
  return end < 0 ? uri.length : end
}

/** Returns undefined for text that is not percent-encoded UTF-8, which the parser of the query reports. */
function decoded(text: string): string | undefined {
  try {
    return formDecode(text)
  } catch {
    return undefined
  }
}
