import type { Property } from '../../../edm/edm-model.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { isRecord } from '../../../util/is-record.js'
import type { Check, Need } from '../check.js'
import { orElse } from '../check.js'
import type { Condition } from '../filter-check.js'
import {
  condition,
  filterSection,
  numberOf,
  isSameString,
  nullableNumbers,
  ticksOf,
} from '../filter-check.js'
import type { PropertyFilter, PropertySubject } from '../needs.js'
import { inSamples, isAllowed, property } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { compareNumbers, formatLiteral, formatTicks, isPlainString, parseTicks } from '../values.js'

/** Creates checks of the literals of a type. */
function typeSection(type: PrimitiveTypeName, filter: Omit<PropertyFilter, 'types'> = {}, suffix = '') {
  const needs = property(`a property of type ${type}${suffix}`, { ...filter, types: [type] })
  return filterSection('MS-ODATA 2.2.2 (simple types)', needs)
}

/** Compares the JSON values, which are canonical. */
function equality({ name, literal, value }: PropertySubject): readonly Condition[] {
  return [{ filter: `${name} eq ${literal}`, matches: (row) => row[name] !== null && row[name] === value }]
}

/** Comparisons with a whole millisecond, which are the same for every precision. */
function dateComparisons({ name, value, type }: PropertySubject): readonly Condition[] {
  const limit = parseTicks(value) ?? 0
  const later = limit + 1000
  const literal = formatLiteral(type, value)
  return [
    condition(`${name} ge ${literal}`, ticksOf(name), (ticks) => ticks >= limit),
    condition(`${name} lt ${literal}`, ticksOf(name), (ticks) => ticks < limit),
    // True for the value itself in services that ignore the time of day.
    condition(
      `${name} ge ${formatLiteral(type, `/Date(${later})/`)}`,
      ticksOf(name),
      (ticks) => ticks >= later,
    ),
  ]
}

/** Years that every calendar has. */
const isCommonDate = (value: unknown): boolean => {
  const ticks = parseTicks(value)
  return ticks !== undefined && /^[12]\d{3}-/.test(formatTicks(ticks))
}

/** Returns true for dates other than midnight, which show whether the time of day is compared. */
const hasTime = (value: unknown): boolean =>
  isCommonDate(value) && (parseTicks(value) ?? 0) % 86_400_000 !== 0

function dates(isUsable: (value: unknown) => boolean): Need<PropertySubject> {
  return property('a property of type Edm.DateTime', { types: ['Edm.DateTime'], isUsable })
}

interface MemberSubject {
  readonly sample: Sample
  readonly complex: Property
  readonly member: Property
  readonly value: string
}

const complexMembers: Need<MemberSubject> = inSamples('a complex property with plain strings', (sample) => {
  for (const complex of sample.type.properties) {
    if (isPrimitive(complex.type)) continue
    for (const member of complex.type.properties) {
      const values = sample.rows.map((row) => memberOf(row, complex, member))
      const isUsable = member.type === 'Edm.String' && isAllowed(member, 'filterable')
      const value = isUsable ? values.find(isPlainString) : undefined
      if (value !== undefined) return { sample, complex, member, value }
    }
  }
  return undefined
})

function memberOf(row: Row, complex: Property, member: Property): unknown {
  const value = row[complex.name]
  return isRecord(value) ? value[member.name] : undefined
}

const liftedOperators = filterSection('MS-ODATA 2.2.3.6.1.1 (lifted operators)', nullableNumbers)

/** Returns a comparison that is false for null. */
function orderComparison({ name, literal, value }: PropertySubject, operator: 'gt' | 'le'): Condition {
  return {
    filter: `${name} ${operator} ${literal}`,
    matches: (row) => {
      const order = compareNumbers(row[name], value)
      return order !== undefined && (operator === 'gt' ? order > 0 : order <= 0)
    },
  }
}

const dateTime = filterSection('MS-ODATA 2.2.2 (simple types)', orElse(dates(hasTime), dates(isCommonDate)))
const dateTimeOffset = typeSection(
  'Edm.DateTimeOffset',
  { isUsable: isCommonDate, isJudgeable: (value) => /^\/Date\(-?\d+(?:\+0000)?\)\/$/.test(String(value)) },
  ' in UTC',
)
const boolean = typeSection('Edm.Boolean', {}, ' that is true and false')
const guid = typeSection('Edm.Guid')
const time = typeSection('Edm.Time', { isUsable: (value) => /^PT\d\dH\d\dM\d\dS$/.test(String(value)) })
const int64 = typeSection('Edm.Int64')
const double = typeSection('Edm.Double', {
  isUsable: (value) => Math.abs(Number(value)) < 1e301 && Math.abs(Number(value)) > 1e-5,
})
const members = filterSection('MS-ODATA 2.2.3.6.1.1.3 (member expressions)', complexMembers)

/** `$filter` with the simple types, complex types and null. */
export const filterTypeChecks: readonly Check[] = [
  dateTime.must('ODATA-FILTER-020', '$filter compares Edm.DateTime with datetime literals.', dateComparisons),
  dateTimeOffset.must(
    'ODATA-FILTER-021',
    '$filter compares Edm.DateTimeOffset with datetimeoffset literals.',
    dateComparisons,
  ),
  boolean.must(
    'ODATA-FILTER-022',
    '$filter compares Edm.Boolean with literals and accepts it as a condition.',
    ({ name }) => [
      { filter: `${name} eq false`, matches: (row) => row[name] === false },
      { filter: name, matches: (row) => row[name] === true },
    ],
  ),
  guid.must(
    'ODATA-FILTER-023',
    '$filter compares Edm.Guid with guid literals.',
    ({ name, literal, value }) => [
      {
        filter: `${name} eq ${literal}`,
        matches: (row) => String(row[name]).toLowerCase() === String(value).toLowerCase(),
      },
    ],
  ),
  time.must('ODATA-FILTER-024', '$filter compares Edm.Time with time literals.', equality),
  int64.must('ODATA-FILTER-025', '$filter compares Edm.Int64 exactly.', ({ name, literal, value }) => [
    condition(
      `${name} eq ${literal}`,
      (row) => compareNumbers(row[name], value),
      (order) => order === 0,
    ),
  ]),
  double.must(
    'ODATA-FILTER-026',
    '$filter compares Edm.Double with literals that end in D.',
    ({ name, literal, value }) => [
      condition(`${name} ge ${literal}`, numberOf(name), (number) => number >= Number(value)),
    ],
  ),
  members.must(
    'ODATA-FILTER-027',
    '$filter addresses members of complex properties with /.',
    ({ complex, member, value }) => [
      {
        filter: `${complex.name}/${member.name} eq '${value}'`,
        matches: (row) => {
          const text = memberOf(row, complex, member)
          return typeof text === 'string' && isSameString(text, value)
        },
      },
    ],
  ),
  liftedOperators.must('ODATA-NULL-001', 'eq null is true for null only, ne null otherwise.', ({ name }) => [
    { filter: `${name} eq null`, matches: (row) => row[name] === null },
    { filter: `${name} ne null`, matches: (row) => row[name] !== null },
  ]),
  liftedOperators.must('ODATA-NULL-002', 'Null is neither less nor greater than a value.', (subject) => [
    orderComparison(subject, 'gt'),
    orderComparison(subject, 'le'),
  ]),
  liftedOperators.should('ODATA-NULL-003', 'ne is true for null and a value.', ({ name, literal, value }) => [
    { filter: `${name} ne ${literal}`, matches: (row) => compareNumbers(row[name], value) !== 0 },
  ]),
  liftedOperators.should('ODATA-NULL-004', 'The negation of a comparison with null is true.', (subject) => {
    const { filter, matches } = orderComparison(subject, 'gt')
    return [{ filter: `not (${filter})`, matches: (row) => matches(row) === false }]
  }),
  liftedOperators.should('ODATA-NULL-005', 'The result of arithmetic with null is null.', ({ name }) => [
    { filter: `${name} add 1 eq null`, matches: (row) => row[name] === null },
  ]),
]
