/** The static text around a value. */
export interface Delimiters {
  readonly opening: string
  readonly closing: string
  /** Replaces value and delimiters for null. */
  readonly whenNull: string
}

/** The position of a part within an entry: an index of {@link TextBefore}. */
export type PartPosition = typeof AFTER_VALUE | typeof AFTER_NULL
/** After a value, or at the beginning of the first entry. */
export const AFTER_VALUE = 0
/** After null, or at the beginning of another entry. */
export const AFTER_NULL = 1

/** The static text before a part. */
export type TextBefore = readonly [afterValue: string, afterNull: string]

/**
 * Merges the static text of an entry: the end of a value, the separator, and the start of the next value. Each string
 * that is concatenated for a row creates an object, and is copied again when the entry is encoded.
 */
export class StaticTextBuilder {
  private before: TextBefore

  /** @param separator between two entries */
  constructor(separator: string) {
    this.before = ['', separator]
  }

  /** Adds text that is the same for all rows. */
  add(text: string): void {
    this.before = appended(this.before, text)
  }

  /** Adds a value. Returns the text before it, and the text that replaces both for null. */
  addValue({ opening, closing, whenNull }: Delimiters): { ofValue: TextBefore; ofNull: TextBefore } {
    const { before } = this
    this.before = [closing, '']
    return { ofValue: appended(before, opening), ofNull: appended(before, whenNull) }
  }

  /** Returns the text after the last value. */
  end(): TextBefore {
    return this.before
  }
}

function appended([afterValue, afterNull]: TextBefore, text: string): TextBefore {
  return [flat(afterValue, text), flat(afterNull, text)]
}

/** Concatenates two strings into one object. `+` refers to both, which V8 would have to follow for each row. */
function flat(start: string, end: string): string {
  return [start, end].join('')
}
