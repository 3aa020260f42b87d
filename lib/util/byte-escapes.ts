/** The escapes of a format in strings. */
export class ByteEscapes {
  /** By ASCII character: null for those that need none, undefined for those that writers refuse. */
  readonly escapes: readonly (Uint8Array | null | undefined)[]

  /**
   * @param special matches one character that needs an escape
   * @param escapeOf returns the escape of an ASCII character, at most six bytes
   */
  constructor(special: RegExp, escapeOf: (character: string) => string | undefined) {
    this.escapes = Array.from({ length: 0x80 }, (_, unit) => {
      const character = String.fromCharCode(unit)
      if (!special.test(character)) return null
      const escape = escapeOf(character)
      return escape === undefined ? undefined : Uint8Array.from(Buffer.from(escape))
    })
  }
}

/**
 * Bytes that a format has to escape in strings: control characters, the quotation mark, and those that equal one of two
 * values. Bits of a mask are ignored, so that one comparison finds two characters.
 */
export class EscapedBytes {
  private readonly quoteMask: number
  private readonly secondMask: number
  private readonly second: number
  private readonly third: number

  /**
   * @param quoteIgnored ignored bits of the quotation mark
   * @param third the same as the second value if there is only one
   */
  constructor(
    quoteIgnored: number,
    [second, secondIgnored]: readonly [value: number, ignoredBits: number],
    third: number,
  ) {
    this.quoteMask = ~fourTimes(quoteIgnored)
    this.second = fourTimes(second)
    this.secondMask = ~fourTimes(secondIgnored)
    this.third = fourTimes(third)
  }

  /** Returns a number whose bits of 0x80808080 are set if one of four bytes has to be escaped. */
  among(word: number): number {
    // Space and quotation mark are exchanged, so that the quotation mark follows the control characters.
    const low = (word & this.quoteMask) ^ 0x02020202
    const second = (word & this.secondMask) ^ this.second
    const third = word ^ this.third
    // Subtracting from a byte sets its highest bit if the byte was less, and did not have that bit.
    return ((low - 0x21212121) & ~low) | ((second - 0x01010101) & ~second) | ((third - 0x01010101) & ~third)
  }
}

function fourTimes(byte: number): number {
  return Math.imul(byte, 0x01010101)
}
