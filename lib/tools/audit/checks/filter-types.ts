import { isRecord } from '../../../util/is-record.js'
import type { Check, Need } from '../check.js'
import { orElse } from '../check.js'
import { filterCheck, nullableIntegers } from '../filter-check.js'
import type { Condition, Verdict } from '../judge-filter.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { Property } from '../../../edm/edm-model.js'
import { isoText, literalOf, ticksOf } from '../literals.js'
import type { PropertySubject } from '../needs.js'
import { inSamples, isFilterable, property } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { compareNumbers, folded, isPlainText, numberIn, ticksIn, toNumber } from '../values.js'

const simpleTypes = 'MS-ODATA 2.2.2 (simple types)'
const lifted = 'MS-ODATA 2.2.3.6.1.1 (lifted operators)'

/** Equal values of a type are written alike in JSON. */
function equal({ name, literal, value }: PropertySubject): readonly Condition[] {
  return [
    {
      filter: `${name} eq ${literal}`,
      isTrue: (row) => (row[name] === null ? false : row[name] === value),
    },
  ]
}

/** A whole millisecond parts dates alike, however fine they are. */
function parted({ name, value, type }: PropertySubject): readonly Condition[] {
  const limit = ticksOf(value) ?? 0
  const literal = literalOf(type, value)
  const later = literalOf(type, `/Date(${limit + 1000})/`)
  const verdict =
    (test: (ticks: number) => boolean) =>
    (row: Row): Verdict => {
      const ticks = ticksIn(row, name)
      return ticks === undefined ? undefined : test(ticks)
    }
  return [
    { filter: `${name} ge ${literal}`, isTrue: verdict((ticks) => ticks >= limit) },
    { filter: `${name} lt ${literal}`, isTrue: verdict((ticks) => ticks < limit) },
    // Where the time of day is lost, this is true of that value too.
    { filter: `${name} ge ${later}`, isTrue: verdict((ticks) => ticks >= limit + 1000) },
  ]
}

const inUtc = (value: unknown): boolean => /^\/Date\(-?\d+(?:\+0000)?\)\/$/.test(String(value))

/** Years of four digits that every calendar has. */
const isCommonDate = (value: unknown): boolean => {
  const ticks = ticksOf(value)
  return ticks !== undefined && /^[12]\d{3}-/.test(isoText(ticks))
}

/** Other than midnight: whether times are compared can be seen only by those. */
const hasTime = (value: unknown): boolean => isCommonDate(value) && (ticksOf(value) ?? 0) % 86_400_000 !== 0

function dates(usable: (value: unknown) => boolean): Need<PropertySubject> {
  return property('a property of type Edm.DateTime', { types: ['Edm.DateTime'], usable })
}

interface MemberSubject {
  readonly sample: Sample
  readonly complex: Property
  readonly member: Property
  readonly value: string
}

const complexMembers: Need<MemberSubject> = inSamples('a complex property with plain texts', (sample) => {
  for (const complex of sample.set.entityType.properties) {
    if (isPrimitive(complex.type)) continue
    for (const member of complex.type.properties) {
      if (member.type !== 'Edm.String' || !isFilterable(member)) continue
      const value = sample.rows.map((row) => memberIn(row, complex, member)).find(isPlainText)
      if (value !== undefined) return { sample, complex, member, value }
    }
  }
  return undefined
})

function memberIn(row: Row, complex: Property, member: Property): unknown {
  const value = row[complex.name]
  return isRecord(value) ? value[member.name] : undefined
}

/** `$filter` on properties of each type, and on null. */
export const filterTypeChecks: readonly Check[] = [
  filterCheck({
    id: 'ODATA-FILTER-020',
    level: 'MUST',
    title: '$filter compares Edm.DateTime with datetime literals.',
    spec: simpleTypes,
    needs: orElse(dates(hasTime), dates(isCommonDate)),
    conditions: parted,
  }),
  filterCheck({
    id: 'ODATA-FILTER-021',
    level: 'MUST',
    title: '$filter compares Edm.DateTimeOffset with datetimeoffset literals.',
    spec: simpleTypes,
    needs: property('a property of type Edm.DateTimeOffset in UTC', {
      types: ['Edm.DateTimeOffset'],
      usable: isCommonDate,
      all: (values) => values.every(inUtc),
    }),
    conditions: parted,
  }),
  filterCheck({
    id: 'ODATA-FILTER-022',
    level: 'MUST',
    title: '$filter compares Edm.Boolean with true and false, and takes a property for a condition.',
    spec: simpleTypes,
    needs: property('a property of type Edm.Boolean that is true and false', { types: ['Edm.Boolean'] }),
    conditions: ({ name }) => [
      { filter: `${name} eq false`, isTrue: (row) => row[name] === false },
      { filter: name, isTrue: (row) => row[name] === true },
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-023',
    level: 'MUST',
    title: '$filter compares Edm.Guid with guid literals.',
    spec: simpleTypes,
    needs: property('a property of type Edm.Guid', { types: ['Edm.Guid'] }),
    conditions: ({ name, literal, value }) => [
      {
        filter: `${name} eq ${literal}`,
        isTrue: (row) => String(row[name]).toLowerCase() === String(value).toLowerCase(),
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-024',
    level: 'MUST',
    title: '$filter compares Edm.Time with time literals.',
    spec: simpleTypes,
    needs: property('a property of type Edm.Time', {
      types: ['Edm.Time'],
      usable: (value) => /^PT\d\dH\d\dM\d\dS$/.test(String(value)),
    }),
    conditions: equal,
  }),
  filterCheck({
    id: 'ODATA-FILTER-025',
    level: 'MUST',
    title: '$filter compares Edm.Int64 exactly.',
    spec: simpleTypes,
    needs: property('a property of type Edm.Int64', { types: ['Edm.Int64'] }),
    conditions: ({ name, literal, value }) => [
      {
        filter: `${name} eq ${literal}`,
        isTrue: (row) => {
          const order = compareNumbers(numberIn(row, name), toNumber(value))
          return order === undefined ? undefined : order === 0
        },
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-026',
    level: 'MUST',
    title: '$filter compares Edm.Double with literals that end in D.',
    spec: simpleTypes,
    needs: property('a property of type Edm.Double', {
      types: ['Edm.Double'],
      usable: (value) => Math.abs(Number(value)) < 1e301 && Math.abs(Number(value)) > 1e-5,
    }),
    conditions: ({ name, literal, value }) => [
      {
        filter: `${name} ge ${literal}`,
        isTrue: (row) => {
          const number = row[name] === null ? Number.NaN : Number(row[name])
          return Number.isFinite(number) ? number >= Number(value) : undefined
        },
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-027',
    level: 'MUST',
    title: '$filter reaches members of complex properties with /.',
    spec: 'MS-ODATA 2.2.3.6.1.1.3 (member expressions)',
    needs: complexMembers,
    conditions: ({ complex, member, value }) => [
      {
        filter: `${complex.name}/${member.name} eq '${value}'`,
        isTrue: (row) => {
          const text = memberIn(row, complex, member)
          if (text === value) return true
          return typeof text === 'string' && folded(text) === folded(value) ? undefined : false
        },
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-NULL-001',
    level: 'MUST',
    title: 'eq null is true of null and of nothing else, ne null of everything else.',
    spec: lifted,
    needs: nullableIntegers,
    conditions: ({ name }) => [
      { filter: `${name} eq null`, isTrue: (row) => row[name] === null },
      { filter: `${name} ne null`, isTrue: (row) => row[name] !== null },
    ],
  }),
  filterCheck({
    id: 'ODATA-NULL-002',
    level: 'MUST',
    title: 'Null is neither less nor greater than anything.',
    spec: lifted,
    needs: nullableIntegers,
    conditions: (subject) => [ordered(subject, 'gt'), ordered(subject, 'le')],
  }),
  filterCheck({
    id: 'ODATA-NULL-003',
    level: 'SHOULD',
    title: 'Null is not equal to any value: ne is true of it.',
    spec: lifted,
    needs: nullableIntegers,
    conditions: ({ name, literal, value }) => [
      {
        filter: `${name} ne ${literal}`,
        isTrue: (row) => compareNumbers(numberIn(row, name), toNumber(value)) !== 0,
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-NULL-004',
    level: 'SHOULD',
    title: 'A comparison with null is false, so that not makes it true.',
    spec: lifted,
    needs: nullableIntegers,
    conditions: (subject) => [
      {
        filter: `not (${subject.name} gt ${subject.literal})`,
        isTrue: (row) => ordered(subject, 'gt').isTrue(row) === false,
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-NULL-005',
    level: 'SHOULD',
    title: 'What is calculated with null is null.',
    spec: lifted,
    needs: nullableIntegers,
    conditions: ({ name }) => [{ filter: `${name} add 1 eq null`, isTrue: (row) => row[name] === null }],
  }),
]

function ordered({ name, literal, value }: PropertySubject, operator: 'gt' | 'le'): Condition {
  return {
    filter: `${name} ${operator} ${literal}`,
    isTrue: (row) => {
      const order = compareNumbers(numberIn(row, name), toNumber(value))
      return order !== undefined && (operator === 'gt' ? order > 0 : order <= 0)
    },
  }
}
