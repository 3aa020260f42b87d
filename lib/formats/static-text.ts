/** The static text around a value. */
export interface Delimiters {
  readonly opening: string
  readonly closing: string
}

/** The forms in which the values of a property are serialized. */
export interface ValueForms {
  readonly ofValue: Delimiters
  /** For values that the format treats differently. Absent without such values. */
  readonly ofException?: Delimiters | undefined
  /** The whole text of null. */
  readonly whenNull: string
}

/** The form in which a value was serialized: an index of {@link ByForm}. */
export type Form = typeof OF_VALUE | typeof OF_EXCEPTION | typeof OF_NULL
export const OF_VALUE = 0
export const OF_EXCEPTION = 1
export const OF_NULL = 2

/** Text that depends on the form of the value before it. */
export type ByForm = readonly [ofValue: string, ofException: string, ofNull: string]

/**
 * The static text before a value, by its own form and that of the preceding value: the end of the preceding value, the
 * separator, and the start of this value. For null, it includes the value.
 */
export interface TextBefore {
  readonly value: ByForm
  readonly exception: ByForm
  readonly null: ByForm
}

/**
 * Merges the static text of an entry, part by part. Each string that is concatenated for a row creates an object, and
 * is copied again when the entry is encoded.
 */
export class StaticTextBuilder {
  private before: ByForm = ['', '', '']

  /** Adds text that is the same for all rows. */
  add(text: string): void {
    this.before = appended(this.before, text)
  }

  /** Adds a value. */
  addValue({ ofValue, ofException = ofValue, whenNull }: ValueForms): TextBefore {
    const { before } = this
    this.before = [ofValue.closing, ofException.closing, '']
    return {
      value: appended(before, ofValue.opening),
      exception: appended(before, ofException.opening),
      null: appended(before, whenNull),
    }
  }

  /** Returns the text after the last value. */
  end(): ByForm {
    return this.before
  }
}

function appended(before: ByForm, text: string): ByForm {
  const [ofValue, ofException, ofNull] = before
  return [flat(ofValue, text), flat(ofException, text), flat(ofNull, text)]
}

/** Concatenates two strings into one object. `+` refers to both, which V8 would have to follow for each row. */
function flat(start: string, end: string): string {
  return [start, end].join('')
}
