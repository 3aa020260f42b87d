import type { ODataErrorCode } from '../errors/error-codes.js'
import type { ODataError } from '../errors/odata-error.js'
import { errorAt } from '../errors/odata-error.js'

const identifier = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*/uy
const nameCharacter = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}_']/uy
/** Queries in template strings of a client have line breaks too. */
const space = /[ \t\r\n]+/y
const spaces: readonly (string | undefined)[] = [' ', '\t', '\r', '\n']

/** A text with a position, which advances while the text is parsed. */
export class Scanner {
  position = 0

  /**
   * @param source the decoded text
   * @param label name of the text in error messages: `$filter`
   * @param code code of the errors
   */
  constructor(
    readonly source: string,
    readonly label: string,
    private readonly code: ODataErrorCode = 'InvalidSystemQueryOption',
  ) {}

  get atEnd(): boolean {
    return this.position >= this.source.length
  }

  /** True if a word that begins here is separate from the preceding text. */
  get isSeparated(): boolean {
    const before = this.source[this.position - 1]
    return before === ')' || spaces.includes(before)
  }

  /** Skips white space. Returns true if there was any. */
  skipSpace(): boolean {
    return spaces.includes(this.source[this.position]) && this.match(space) !== undefined
  }

  /** Skips a character if it is the next one. Returns true if it was. */
  accept(character: string): boolean {
    if (this.source[this.position] !== character) return false
    this.position++
    return true
  }

  /** Skips and returns the match of a sticky pattern. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.source)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  /** Reads a CSDL identifier. */
  identifier(): string | undefined {
    return this.match(identifier)
  }

  /** True if the next character would be part of the preceding word. */
  get insideWord(): boolean {
    nameCharacter.lastIndex = this.position
    return nameCharacter.test(this.source)
  }

  /** Creates a syntax error at a position, by default the current one. */
  error(message: string, position = this.position): ODataError {
    return errorAt(`${this.label}: ${message}`, this.source, position, this.code)
  }
}
