import type { ODataError } from '../../errors/odata-error.js'
import { errorAt } from '../../errors/odata-error.js'
import { truncate } from '../../util/describe-value.js'

/** The text of a number: a JavaScript number would round Edm.Int64 and Edm.Decimal. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** A map, because `__proto__` is special in objects. */
export type JsonObject = ReadonlyMap<string, JsonValue>
type JsonArray = readonly JsonValue[]
export type JsonValue = string | boolean | null | JsonNumber | JsonArray | JsonObject

/** Maximum nesting of arrays and objects. */
const MAX_DEPTH = 100

/** The codes of the space, the tab, the line feed and the carriage return. */
const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d]
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const plainString = /[^"\\\u0000-\u001f]*/y
const word = /true|false|null/y

/**
 * Parses JSON without rounding numbers, and with the position of errors. `JSON.parse` does neither.
 *
 * @throws ODataError BadRequest with the position for malformed JSON, for more than 100 levels, and for
 * duplicate members,
 * which parsers interpret differently
 * @spec RFC 8259
 */
export function parseJson(text: string): JsonValue {
  return new JsonParser(text).document()
}

class JsonParser {
  private position = 0

  constructor(private readonly text: string) {}

  document(): JsonValue {
    if (this.text.startsWith('\ufeff')) this.position = 1
    const value = this.value(0)
    this.skip()
    if (this.position < this.text.length) throw this.unexpected()
    return value
  }

  private value(depth: number): JsonValue {
    this.skip()
    switch (this.text[this.position]) {
      case '{':
        return this.object(depth + 1)
      case '[':
        return this.array(depth + 1)
      case '"':
        return this.string()
      default:
        return this.scalar()
    }
  }

  private object(depth: number): JsonObject {
    this.open(depth)
    const members = new Map<string, JsonValue>()
    if (this.accept('}')) return members
    do {
      this.skip()
      if (this.text[this.position] !== '"') throw this.unexpected()
      const start = this.position
      const name = this.string()
      if (members.has(name)) throw this.error('Duplicate member', start)
      if (!this.accept(':')) throw this.unexpected()
      members.set(name, this.value(depth))
    } while (this.accept(','))
    if (!this.accept('}')) throw this.unexpected()
    return members
  }

  private array(depth: number): JsonArray {
    this.open(depth)
    const items: JsonValue[] = []
    if (this.accept(']')) return items
    do items.push(this.value(depth))
    while (this.accept(','))
    if (!this.accept(']')) throw this.unexpected()
    return items
  }

  private open(depth: number): void {
    if (depth > MAX_DEPTH) throw this.error(`Arrays and objects are nested deeper than ${MAX_DEPTH}`)
    this.position++
  }

  private string(): string {
    const start = this.position + 1
    this.position = start
    this.match(plainString)
    if (this.text[this.position] === '"') return this.text.slice(start, this.position++)
    while (this.text[this.position] === '\\') {
      this.position += 2
      this.match(plainString)
    }
    if (this.text[this.position] !== '"') throw this.unexpected()
    this.position++
    try {
      return JSON.parse(this.text.slice(start - 1, this.position)) as string
    } catch {
      throw this.error('The body is not JSON: invalid escape sequence in this string', start - 1)
    }
  }

  private scalar(): JsonValue {
    const { position, text } = this
    if (this.match(word)) return text[position] === 'n' ? null : text[position] === 't'
    if (!this.match(number)) throw this.unexpected()
    return new JsonNumber(text.slice(position, this.position))
  }

  /** Consumes what the pattern matches. Does not create the match: bodies have many. */
  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.position
    if (!pattern.test(this.text)) return false
    this.position = pattern.lastIndex
    return true
  }

  /** Skips white space. */
  private skip(): void {
    while (WHITE_SPACE.includes(this.text.charCodeAt(this.position))) this.position++
  }

  private accept(character: string): boolean {
    this.skip()
    if (this.text[this.position] !== character) return false
    this.position++
    return true
  }

  private unexpected(): ODataError {
    const { text, position } = this
    if (position >= text.length) return this.error('The body is not JSON: unexpected end', text.length)
    const character = String.fromCodePoint(text.codePointAt(position) ?? 0)
    return this.error(`The body is not JSON: unexpected ${JSON.stringify(character)}`)
  }

  private error(message: string, position = this.position): ODataError {
    return errorAt(message, this.text, position, 'BadRequest')
  }
}

export function isObject(json: JsonValue | undefined): json is JsonObject {
  return json instanceof Map
}

export function isArray(json: JsonValue | undefined): json is readonly JsonValue[] {
  return Array.isArray(json)
}

/** Describes a value for error messages. */
export function describeJson(json: JsonValue): string {
  if (typeof json === 'string') return `the string '${truncate(json)}'`
  if (json instanceof JsonNumber) return truncate(json.text)
  if (isArray(json)) return 'an array'
  return isObject(json) ? 'an object' : String(json)
}
