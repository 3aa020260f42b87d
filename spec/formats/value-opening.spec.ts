import { fc, runs } from '../support/random.js'
import type { ValueForm, ValueOpening } from '../../lib/formats/value-opening.js'
import { EntryTexts } from '../../lib/formats/value-opening.js'

type Written = 'value' | 'exception' | 'null'

interface Value {
  readonly ofValue: ValueForm
  readonly ofException: ValueForm | undefined
  readonly whenNull: string
}

type Part = { readonly text: string } | { readonly value: Value } | { readonly other: string }

const text = fc.string({ maxLength: 3 })
const form: fc.Arbitrary<ValueForm> = fc.record({ opening: text, closing: text })
const value: fc.Arbitrary<Value> = fc.record({
  ofValue: form,
  ofException: fc.option(form, { nil: undefined }),
  whenNull: text,
})
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text }),
  fc.record({ value }),
  fc.record({ value }),
  fc.record({ other: text }),
)

/** All texts one by one. */
function expected(parts: readonly Part[], written: readonly Written[]): string {
  return parts
    .map((part, index) => {
      if ('text' in part) return part.text
      if ('other' in part) return part.other
      const { ofValue, ofException = ofValue, whenNull } = part.value
      if (written[index] === 'null') return whenNull
      const { opening, closing } = written[index] === 'value' ? ofValue : ofException
      return `${opening}<${String(index)}>${closing}`
    })
    .join('')
}

/** What writes the parts of an entry, each of which is told how its value is written. */
function writers(parts: readonly Part[]): readonly ((written: Written) => string)[] {
  const texts = new EntryTexts()
  const all: ((written: Written) => string)[] = []
  const writeValue = (opening: ValueOpening, index: number) => (written: Written) => {
    if (written === 'null') return opening.ofNull()
    return `${written === 'value' ? opening.ofValue() : opening.ofException()}<${String(index)}>`
  }
  parts.forEach((part, index) => {
    if ('text' in part) {
      texts.add(part.text)
      all.push(() => '')
    } else if ('value' in part) all.push(writeValue(texts.addValue(part.value), index))
    else {
      const before = texts.end()
      all.push(() => (before?.() ?? '') + part.other)
    }
  })
  const last = texts.end()
  return [...all, () => last?.() ?? '']
}

describe('The texts around the values of an entry', () => {
  it('MUST be those of its parts, one behind the other, for every row', () => {
    const written = fc.constantFrom<Written>('value', 'exception', 'null')
    const entry = fc
      .array(part, { maxLength: 12 })
      .chain((parts) =>
        fc.tuple(
          fc.constant(parts),
          fc.array(fc.array(written, { minLength: parts.length, maxLength: parts.length }), { maxLength: 4 }),
        ),
      )
    fc.assert(
      fc.property(entry, ([parts, rows]) => {
        const all = writers(parts)
        for (const row of rows) {
          const entry = all.map((write, index) => write(row[index] ?? 'value')).join('')
          expect(entry).toBe(expected(parts, row))
        }
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST not depend on an entry that was left in the middle', () => {
    const texts = new EntryTexts()
    texts.add('{')
    const first = texts.addValue({ ofValue: { opening: '"a":"', closing: '"' }, whenNull: '"a":null' })
    texts.add(',')
    const second = texts.addValue({ ofValue: { opening: '"b":"', closing: '"' }, whenNull: '"b":null' })
    texts.add('}')
    const end = texts.end()
    const whole = (): string => `${first.ofValue()}1${second.ofNull()}${end?.() ?? ''}`
    expect(whole()).toBe('{"a":"1","b":null}')
    first.ofNull()
    expect(whole()).toBe('{"a":"1","b":null}')
    second.ofValue()
    expect(whole()).toBe('{"a":"1","b":null}')
  })
})
