/** The texts around a value. */
export interface ValueForm {
  readonly opening: string
  readonly closing: string
}

/** The ways in which one property is written. */
export interface ValueForms {
  readonly ofValue: ValueForm
  /** Of values that its notation treats differently. Absent: there are none. */
  readonly ofException?: ValueForm | undefined
  /** All that is written when there is no value. */
  readonly whenNull: string
}

/** The ways in which a value can be written, as indexes of {@link ByForm}. */
const ofValue = 0
const ofException = 1
const ofNull = 2

/** In which form the value before was written, whose closing is still to come. */
interface OpenValue {
  form: typeof ofValue | typeof ofException | typeof ofNull
}

type ByForm = readonly [ofValue: string, ofException: string, ofNull: string]

const nothingOpen: ByForm = ['', '', '']

/**
 * The text before a value, up to where its content begins: what closes the value before, what stands between the two,
 * and the opening. It is put together once. For each row a text more is a string more that is made, and copied when all
 * becomes bytes.
 */
export class ValueOpening {
  private readonly value: ByForm
  private readonly exception: ByForm
  private readonly null: ByForm

  /** @param before what stands before the opening, by the form of the value before */
  constructor(
    private readonly open: OpenValue,
    before: ByForm,
    value: ValueForm,
    exception: ValueForm,
    whenNull: string,
  ) {
    this.value = followedBy(before, value.opening)
    this.exception = followedBy(before, exception.opening)
    this.null = followedBy(before, whenNull)
  }

  /** What stands before the content of a value. */
  ofValue(): string {
    const { open } = this
    const text = this.value[open.form]
    open.form = ofValue
    return text
  }

  /** The same of a value that is an exception. */
  ofException(): string {
    const { open } = this
    const text = this.exception[open.form]
    open.form = ofException
    return text
  }

  /** All that is written of no value. */
  ofNull(): string {
    const { open } = this
    const text = this.null[open.form]
    open.form = ofNull
    return text
  }
}

/** Puts the texts of an entry together, part by part. */
export class EntryTexts {
  private readonly open: OpenValue = { form: ofValue }
  private before: ByForm = nothingOpen

  /** A text that stands there whatever the row is. */
  add(text: string): void {
    this.before = followedBy(this.before, text)
  }

  /** A value, whose writer has to call the opening just once for each row. */
  addValue({ ofValue: value, ofException: exception = value, whenNull }: ValueForms): ValueOpening {
    const opening = new ValueOpening(this.open, this.before, value, exception, whenNull)
    this.before = [value.closing, exception.closing, '']
    return opening
  }

  /**
   * Ends what has been added up to here, before something else, or the end.
   *
   * @returns undefined when there is nothing to be written
   */
  end(): (() => string) | undefined {
    const { before, open } = this
    this.before = nothingOpen
    return before.every((text) => text === '') ? undefined : () => before[open.form]
  }
}

function followedBy(before: ByForm, text: string): ByForm {
  return [before[ofValue] + text, before[ofException] + text, before[ofNull] + text]
}
