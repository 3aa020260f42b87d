import type { Check, Need } from './check.js'
import { check } from './check.js'
import type { Condition } from './judge-filter.js'
import { judgeFilter } from './judge-filter.js'
import type { PropertySubject } from './needs.js'
import { property } from './needs.js'
import type { Sample } from './sample.js'
import { isPlainText, toNumber } from './values.js'

/** A check that asks with `$filter`, and judges by the entities that were read before. */
export interface FilterCheck<Subject> {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD'
  readonly title: string
  readonly spec: string
  readonly needs: Need<Subject>
  readonly conditions: (subject: Subject) => readonly Condition[]
}

export function filterCheck<Subject extends { readonly sample: Sample }>({
  conditions,
  ...rest
}: FilterCheck<Subject>): Check {
  return check({
    ...rest,
    run: async (audit, subject) => {
      for (const condition of conditions(subject)) await judgeFilter(audit, subject.sample, condition)
    },
  })
}

/** Beyond this, sums and products may leave the range of a type. */
const small = 1_000_000

const isSmall = (value: unknown): boolean => Math.abs(Number(value)) <= small

/** A whole number of which arithmetic never overflows. */
export const integers: Need<PropertySubject> = property('a property of small whole numbers', {
  types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte'],
  all: (values) => values.every(isSmall),
})

/** The same where some entities have no number. */
export const nullableIntegers: Need<PropertySubject> = property(
  'a property that is a number in some entities and null in others',
  {
    types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
    all: (values) => values.every(isSmall),
    where: ({ name }, { rows }) => rows.some((row) => row[name] === null),
  },
)

export const decimals: Need<PropertySubject> = property('a property of type Edm.Decimal with fractions', {
  types: ['Edm.Decimal'],
  all: (values) => values.every(isSmall),
  usable: (value) => {
    const number = toNumber(value)
    return number !== undefined && !Number.isInteger(Number(number.toString()))
  },
})

export const plainTexts: Need<PropertySubject> = property('a property of type Edm.String with plain words', {
  types: ['Edm.String'],
  usable: (value) => isPlainText(value) && value.length >= 4 && /[A-Za-z]{3}/.test(value),
})
