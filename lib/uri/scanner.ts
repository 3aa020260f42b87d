import type { ODataErrorCode } from '../errors/error-codes.js'
import type { ODataError } from '../errors/odata-error.js'
import { errorAt } from '../errors/syntax-error.js'

const identifier = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*/uy
const nameCharacter = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}_']/uy
const space = /[ \t]+/y

/** A place in a text that moves forward as the text is understood. */
export class Scanner {
  position = 0

  /**
   * @param source the decoded text
   * @param label what the text is, for error messages: `$filter`
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

  /** True when a word that begins here cannot belong to what is before it. */
  get isSeparated(): boolean {
    const before = this.source[this.position - 1]
    return before === ' ' || before === '\t' || before === ')'
  }

  /** True when there was a space or tab to skip. */
  skipSpace(): boolean {
    const next = this.source[this.position]
    return (next === ' ' || next === '\t') && this.match(space) !== undefined
  }

  /** Moves over a character if it is the next one. */
  accept(character: string): boolean {
    if (this.source[this.position] !== character) return false
    this.position++
    return true
  }

  /** Moves over what a sticky pattern finds here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.source)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  /** A name as CSDL allows it. */
  identifier(): string | undefined {
    return this.match(identifier)
  }

  /** True when the text goes on with a character that would make the word before it longer. */
  get insideWord(): boolean {
    // The characters that usually follow a word need no regular expression.
    const next = this.source[this.position]
    if (next === ')' || next === ',' || next === ' ') return false
    nameCharacter.lastIndex = this.position
    return nameCharacter.test(this.source)
  }

  /** An error at a place, by default here. */
  error(message: string, position = this.position): ODataError {
    return errorAt(`${this.label}: ${message}`, this.source, position, this.code)
  }
}
