import { fc, runs } from '../../support/random.js'
import type { Row } from '../../../lib/evaluation/row.js'
import { EntityBytes } from '../../../lib/providers/memory/entity-bytes.js'
import { timeMark } from '../../../lib/providers/memory/entity-slab.js'
import { KeptEntities } from '../../../lib/providers/memory/kept-entities.js'
import { RenderingBudget } from '../../../lib/providers/memory/rendering-budget.js'

const times = ['2024-01-02T03:04:05Z', '2024-01-02T03:04:06Z'] as const
const mark = timeMark(times[0])

const pieces = fc.constantFrom('a', 'é', '\u{1F600}', times[0], mark, 'x'.repeat(300), `y${mark}z`)

type Step =
  | { readonly kind: 'page'; readonly from: number; readonly count: number; readonly time: number }
  | { readonly kind: 'change'; readonly row: number; readonly text: string }
  | { readonly kind: 'clear'; readonly plan: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('page'),
      from: fc.nat(30),
      count: fc.integer({ min: 1, max: 12 }),
      time: fc.nat(1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change'), row: fc.nat(30), text: textOf(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear'), plan: fc.nat(2) }) },
)

function textOf(most: number): fc.Arbitrary<string> {
  return fc.array(pieces, { maxLength: most }).map((parts) => `<${parts.join('')}>`)
}

describe('The memory for written entities', () => {
  it('MUST never be more than allowed, and what it gives out MUST be right', () => {
    fc.assert(
      fc.property(
        fc.array(textOf(4), { minLength: 31, maxLength: 31 }),
        fc.array(fc.tuple(step, fc.nat(2)), { minLength: 5, maxLength: 60 }),
        fc.constantFrom(0, 500, 5_000, 12_000, 1_000_000),
        (given, steps, limit) => {
          const budget = new RenderingBudget(limit)
          const plans = [0, 1, 2].map(() => new KeptEntities(budget))
          const texts = [...given]
          const rows: Row[] = texts.map((_, index) => ({ index }))
          for (const [one, number] of steps) {
            if (one.kind === 'clear') plans[one.plan]?.clear()
            else if (one.kind === 'change') {
              const gone = rows[one.row] ?? {}
              for (const plan of plans) plan.forget(gone)
              rows[one.row] = {}
              texts[one.row] = one.text
            } else {
              const page = { ...one, time: times[one.time] ?? '', texts, rows, number: budget.nextRequest() }
              expectPage(plans[number] as KeptEntities, page)
            }
            expect(budget.used).toBeLessThanOrEqual(limit)
          }
          for (const plan of plans) plan.clear()
          expect(budget.used).toBe(0)
          expect(plans.every(({ isEmpty }) => isEmpty)).toBe(true)
        },
      ),
      { numRuns: runs(500) },
    )
  })

  it('MUST not change what has been given out', () => {
    const kept = new KeptEntities(new RenderingBudget(1_000_000))
    const row = {}
    const place = kept.keep(row, `<${mark}>`, 0, { number: 1, time: times[0] })
    const first = place?.slab.bytesOf(place.index, 1, times[0])
    const second = place?.slab.bytesOf(place.index, 1, times[1])
    kept.keep({}, 'next', 0, { number: 2, time: times[1] })
    kept.forget(row)
    expect([first, second].map(String)).toEqual([`<${times[0]}>`, `<${times[1]}>`])
  })

  it('MUST stay for a request that walks over more than there is room for', () => {
    const budget = new RenderingBudget(40_000)
    const kept = new KeptEntities(budget)
    const rows = Array.from({ length: 200 }, (_, index) => ({ index }))
    const walk = (): number => {
      const request = { number: budget.nextRequest(), time: times[0] }
      let found = 0
      for (const row of rows) {
        const known = kept.find(row)
        if (known !== undefined) found++
        const place = known ?? kept.keep(row, 'x'.repeat(500), 0, request)
        if (place !== undefined) place.slab.lastUsed = request.number
      }
      return found
    }
    walk()
    const found = walk()
    expect(found).toBeGreaterThan(40)
    expect(walk()).toBe(found)
  })
})

interface Page {
  readonly from: number
  readonly count: number
  readonly time: string
  readonly texts: readonly string[]
  readonly rows: readonly Row[]
  readonly number: number
}

/** Asks for some rows, keeping those that are not kept yet. */
function expectPage(kept: KeptEntities, { from, count, time, texts, rows, number }: Page): void {
  const end = Math.min(rows.length, from + count)
  const bytes = new EntityBytes(time)
  const expected: string[] = []
  for (let index = from; index < end;) {
    const row = rows[index] as Row
    const text = texts[index] ?? ''
    const place = kept.find(row) ?? kept.keep(row, `${text},`, index, { number, time })
    if (place === undefined) break
    place.slab.lastUsed = number
    const length = place.slab.countFrom(place.index, rows, index, end)
    bytes.add(place, length)
    expected.push(...texts.slice(index, index + length))
    index += length
  }
  if (expected.length === 0) return
  const taken = bytes.take(1)
  expect(Buffer.concat(taken.pieces).toString()).toBe(expected.join(',').replaceAll(mark, time))
  const inline = expected.map((_, index) => from + index).reduce((a, b) => a + b)
  expect(taken.inlineCount).toBe(inline)
}
