import { fc, runs } from '../support/random.js'
import type { Delimiters, PartPosition, TextBefore } from '../../lib/formats/static-text.js'
import { AFTER_NULL, AFTER_VALUE, StaticTextBuilder } from '../../lib/formats/static-text.js'

type Part = { readonly text: string } | { readonly value: Delimiters }

const text = fc.string({ maxLength: 3 })
const value: fc.Arbitrary<Delimiters> = fc.record({ opening: text, closing: text, whenNull: text })
const part: fc.Arbitrary<Part> = fc.oneof(fc.record({ text }), fc.record({ value }), fc.record({ value }))

/** Concatenates part after part. @param nulls which parts are null */
function expected(parts: readonly Part[], nulls: readonly boolean[]): string {
  return parts
    .map((part, index) => {
      if ('text' in part) return part.text
      const { opening, closing, whenNull } = part.value
      return nulls[index] === true ? whenNull : `${opening}<${String(index)}>${closing}`
    })
    .join('')
}

/** Serializes entries as the entry writer does: merged static text before each value. */
function entryWriter(
  parts: readonly Part[],
  separator: string,
): (nulls: readonly boolean[], isFirst: boolean) => string {
  const builder = new StaticTextBuilder(separator)
  const values: { readonly index: number; readonly ofValue: TextBefore; readonly ofNull: TextBefore }[] = []
  parts.forEach((part, index) => {
    if ('text' in part) builder.add(part.text)
    else values.push({ index, ...builder.addValue(part.value) })
  })
  const end = builder.end()
  return (nulls, isFirst) => {
    let entry = ''
    let place: PartPosition = isFirst ? AFTER_VALUE : AFTER_NULL
    for (const { index, ofValue, ofNull } of values) {
      const isNull = nulls[index] === true
      entry += isNull ? ofNull[place] : `${ofValue[place]}<${String(index)}>`
      place = isNull ? AFTER_NULL : AFTER_VALUE
    }
    return entry + end[place]
  }
}

describe('The static text around the values of an entry', () => {
  it('MUST be that of its parts, in their order, whichever values are null, with separators between entries', () => {
    const feed = fc.array(part, { maxLength: 12 }).chain((parts) =>
      fc.tuple(
        fc.constant(parts),
        text,
        fc.array(fc.array(fc.boolean(), { minLength: parts.length, maxLength: parts.length }), {
          maxLength: 4,
        }),
      ),
    )
    fc.assert(
      fc.property(feed, ([parts, separator, rows]) => {
        const write = entryWriter(parts, separator)
        const entries = rows.map((nulls, index) => write(nulls, index === 0)).join('')
        expect(entries).toBe(rows.map((nulls) => expected(parts, nulls)).join(separator))
      }),
      { numRuns: runs(2000) },
    )
  })
})
