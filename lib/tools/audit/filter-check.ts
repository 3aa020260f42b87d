import type { Decimal } from '../../edm/decimal.js'
import { assert, skip } from './assertions.js'
import type { AuditRun, Check, Need } from './check.js'
import { section } from './check.js'
import { readPages } from './json-documents.js'
import type { PropertySubject } from './needs.js'
import { property } from './needs.js'
import type { Row, Sample } from './sample.js'
import { keyOf, keysOf } from './sample.js'
import { compareNumbers, fold, isPlainString, parseTicks, toNumber } from './values.js'

/** True if an entity satisfies a condition. Undefined where the specification leaves it open. */
export type Verdict = boolean | undefined

/** A condition and its meaning. */
export interface Condition {
  /** The value of `$filter`, not percent-encoded. */
  readonly filter: string
  readonly matches: (row: Row) => Verdict
}

/** Returns a condition on one value. Entities without that value are not judged. */
export function condition<Value>(
  filter: string,
  read: (row: Row) => Value | undefined,
  test: (value: Value) => Verdict,
): Condition {
  return {
    filter,
    matches: (row) => {
      const value = read(row)
      return value === undefined ? undefined : test(value)
    },
  }
}

export function decimalOf(name: string): (row: Row) => Decimal | undefined {
  return (row) => toNumber(row[name])
}

export function numberOf(name: string): (row: Row) => number | undefined {
  return (row) => {
    const number = toNumber(row[name])
    return number === undefined ? undefined : Number(number.toString())
  }
}

export function stringOf(name: string): (row: Row) => string | undefined {
  return ({ [name]: value }) => (typeof value === 'string' ? value : undefined)
}

export function ticksOf(name: string): (row: Row) => number | undefined {
  return (row) => parseTicks(row[name])
}

/** Returns undefined for strings that only some databases distinguish. */
export function isSameString(text: string, expected: string): Verdict {
  if (text === expected) return true
  return fold(text) === fold(expected) ? undefined : false
}

type DefineFilterCheck<Subject> = (
  id: string,
  title: string,
  conditions: (subject: Subject) => readonly Condition[],
) => Check

/** Creates checks of one section that compare the results of `$filter` with the sample. */
export function filterSection<Subject extends { readonly sample: Sample }>(
  spec: string,
  needs: Need<Subject>,
): { readonly must: DefineFilterCheck<Subject>; readonly should: DefineFilterCheck<Subject> } {
  const { must, should } = section(spec, needs)
  const define =
    (defineCheck: typeof must): DefineFilterCheck<Subject> =>
    (id, title, conditions) =>
      defineCheck(id, title, async (audit, subject) => {
        for (const one of conditions(subject)) await checkCondition(audit, subject.sample, one)
      })
  return { must: define(must), should: define(should) }
}

/**
 * Checks the result of a filter. In sets that are larger than the sample, missing entities may be on later pages:
 * only the received ones are judged.
 */
async function checkCondition(
  audit: AuditRun,
  sample: Sample,
  { filter, matches }: Condition,
): Promise<void> {
  const { address, type, rows, isComplete } = sample
  const result = await readPages(audit, `${address}?$filter=${encodeURIComponent(filter)}`)
  const [page] = result.pages
  const received = new Set(keysOf(type, result.rows))
  const wrong = result.rows.filter((row) => matches(row) === false)
  assert(
    wrong.length === 0,
    `$filter=${filter} must not return ${listKeys(keysOf(type, wrong))}, for which it is false.`,
    page,
  )
  const missing = rows.filter((row) => matches(row) === true && !received.has(keyOf(type, row)))
  const isMissing = missing.length > 0 && (isComplete || received.size === 0)
  assert(
    !isMissing,
    `$filter=${filter} must return ${listKeys(keysOf(type, missing))}, for which it is true.`,
    page,
  )
}

function listKeys(keys: readonly string[]): string {
  const others = keys.length > 3 ? ` and ${keys.length - 3} more` : ''
  return keys.slice(0, 3).join(' ') + others
}

/** Returns a `$filter`, percent-encoded, and the number of entities for which it is true. */
export function countableFilter({ sample, name, literal, value }: PropertySubject): {
  readonly query: string
  readonly count: number
} {
  if (!sample.isComplete) skip('The entity set is too large.')
  const selected = sample.rows.filter((row) => (compareNumbers(row[name], value) ?? -1) >= 0)
  return { query: `$filter=${name}%20ge%20${literal}`, count: selected.length }
}

/** Returns true for numbers whose sums and products stay in the range of every type. */
const isSmall = (value: unknown): boolean => Math.abs(Number(value)) <= 1_000_000

export const integers: Need<PropertySubject> = property('a property of small integers', {
  types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte'],
  isJudgeable: isSmall,
})

export const nullableNumbers: Need<PropertySubject> = property(
  'a property that is a number in some entities and null in others',
  {
    types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
    isJudgeable: isSmall,
    where: ({ name }, { rows }) => rows.some((row) => row[name] === null),
  },
)

export const decimals: Need<PropertySubject> = property('a property of type Edm.Decimal with fractions', {
  types: ['Edm.Decimal'],
  isJudgeable: isSmall,
  isUsable: (value) => !Number.isInteger(Number(toNumber(value)?.toString() ?? 0)),
})

export const plainStrings: Need<PropertySubject> = property(
  'a property of type Edm.String with plain words',
  {
    types: ['Edm.String'],
    isUsable: (value) => isPlainString(value) && value.length >= 4 && /[A-Za-z]{3}/.test(value),
  },
)
