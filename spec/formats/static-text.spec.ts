import { fc, runs } from '../support/random.js'
import type { Delimiters, Form, TextBefore } from '../../lib/formats/static-text.js'
import { OF_EXCEPTION, OF_NULL, OF_VALUE, StaticTextBuilder } from '../../lib/formats/static-text.js'

interface Value {
  readonly ofValue: Delimiters
  readonly ofException: Delimiters | undefined
  readonly whenNull: string
}

type Part = { readonly text: string } | { readonly value: Value }

const text = fc.string({ maxLength: 3 })
const delimiters: fc.Arbitrary<Delimiters> = fc.record({ opening: text, closing: text })
const value: fc.Arbitrary<Value> = fc.record({
  ofValue: delimiters,
  ofException: fc.option(delimiters, { nil: undefined }),
  whenNull: text,
})
const part: fc.Arbitrary<Part> = fc.oneof(fc.record({ text }), fc.record({ value }), fc.record({ value }))

const form = fc.constantFrom<Form>(OF_VALUE, OF_EXCEPTION, OF_NULL)

/** Concatenates part after part. */
function expected(parts: readonly Part[], forms: readonly Form[]): string {
  return parts
    .map((part, index) => {
      if ('text' in part) return part.text
      const { ofValue, ofException = ofValue, whenNull } = part.value
      if (forms[index] === OF_NULL) return whenNull
      const { opening, closing } = forms[index] === OF_EXCEPTION ? ofException : ofValue
      return `${opening}<${String(index)}>${closing}`
    })
    .join('')
}

/** Serializes entries as the entry writer does: merged static text before each value. */
function entryWriter(parts: readonly Part[]): (forms: readonly Form[]) => string {
  const builder = new StaticTextBuilder()
  const values: { readonly index: number; readonly before: TextBefore }[] = []
  parts.forEach((part, index) => {
    if ('text' in part) builder.add(part.text)
    else values.push({ index, before: builder.addValue(part.value) })
  })
  const end = builder.end()
  return (forms) => {
    let entry = ''
    let previous: Form = OF_VALUE
    for (const { index, before } of values) {
      const form = forms[index] ?? OF_VALUE
      if (form === OF_NULL) entry += before.null[previous]
      else entry += `${(form === OF_VALUE ? before.value : before.exception)[previous]}<${String(index)}>`
      previous = form
    }
    return entry + end[previous]
  }
}

describe('The static text around the values of an entry', () => {
  it('MUST be that of its parts, in their order, for every form of every value', () => {
    const entry = fc
      .array(part, { maxLength: 12 })
      .chain((parts) =>
        fc.tuple(
          fc.constant(parts),
          fc.array(fc.array(form, { minLength: parts.length, maxLength: parts.length }), { maxLength: 4 }),
        ),
      )
    fc.assert(
      fc.property(entry, ([parts, rows]) => {
        const write = entryWriter(parts)
        for (const forms of rows) expect(write(forms)).toBe(expected(parts, forms))
      }),
      { numRuns: runs(2000) },
    )
  })
})
