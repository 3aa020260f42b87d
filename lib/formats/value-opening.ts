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

/** In which form the value before was written, whose closing is still to come. */
interface OpenValue {
  form: 0 | 1 | 2
}

/** By form: of a value, of an exception, of null. */
type ByForm = readonly [string, string, string]

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
    { ofValue, ofException = ofValue, whenNull }: ValueForms,
  ) {
    this.value = followedBy(before, ofValue.opening)
    this.exception = followedBy(before, ofException.opening)
    this.null = followedBy(before, whenNull)
  }

  /** What stands before the content of a value. */
  ofValue(): string {
    const { open } = this
    const text = this.value[open.form]
    open.form = 0
    return text
  }

  /** The same of a value that is an exception. */
  ofException(): string {
    const { open } = this
    const text = this.exception[open.form]
    open.form = 1
    return text
  }

  /** All that is written of no value. */
  ofNull(): string {
    const { open } = this
    const text = this.null[open.form]
    open.form = 2
    return text
  }
}

/** Puts the texts of an entry together, part by part. */
export class EntryTexts {
  private readonly open: OpenValue = { form: 0 }
  private before: ByForm = nothingOpen

  /** A text that stands there whatever the row is. */
  add(text: string): void {
    this.before = followedBy(this.before, text)
  }

  /** A value, whose writer has to call the opening just once for each row. */
  addValue(forms: ValueForms): ValueOpening {
    const { ofValue, ofException = ofValue } = forms
    const opening = new ValueOpening(this.open, this.before, forms)
    this.before = [ofValue.closing, ofException.closing, '']
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

function followedBy([ofValue, ofException, ofNull]: ByForm, text: string): ByForm {
  return [ofValue + text, ofException + text, ofNull + text]
}
