import type { Property } from '../../../edm/edm-model.js'
import { nameOfType } from '../../../edm/edm-model.js'
import {
  assert,
  assertClientError,
  assertEqual,
  assertMediaType,
  assertRejected,
  assertStatus,
  preview,
  skip,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { integers } from '../filter-check.js'
import { assertEmptyFeed, assertSameOrder, jsonFeed, readPages } from '../json-documents.js'
import type { PropertyFilter } from '../needs.js'
import { anyService, entities, isAllowed, property } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { keyOf } from '../sample.js'
import { compareNumbers } from '../values.js'

const evaluation = 'MS-ODATA 2.2.3.6.1.2 (order of evaluation)'
const topSpec = 'MS-ODATA 2.2.3.6.1.8 ($top)'
const skipSpec = 'MS-ODATA 2.2.3.6.1.7 ($skip)'
const orderBySpec = 'MS-ODATA 2.2.3.6.1.6 ($orderby)'
const filterSpec = 'MS-ODATA 2.2.3.6.1.4 ($filter)'

function sortable(description: string, where: NonNullable<PropertyFilter['where']>) {
  return property(description, {
    types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
    where: (one, sample) => isAllowed(one, 'sortable') && where(one, sample),
  })
}

// The default order of many services is the order of the keys.
const numbers = sortable('a property of numbers to sort by', ({ isKey }) => !isKey)

const numbersAndKeys = sortable(
  'a property of numbers to sort by and a key that is a number',
  ({ isKey }: Property, { type }) => !isKey && type.key.every((one) => /Int/.test(nameOfType(one.type))),
)

const nullableNumbers = sortable(
  'a property to sort by that is null in some entities',
  ({ name }, { rows }) => rows.some((row) => row[name] === null),
)

async function query(audit: AuditRun, { address }: Sample, options: string): Promise<readonly Row[]> {
  return (await readPages(audit, `${address}?${options}`)).rows
}

/** Queries a slice of a result and compares it with the whole result. */
async function assertSlice(
  audit: AuditRun,
  sample: Sample,
  whole: string,
  slice: string,
  [start, end]: readonly [number, number?],
): Promise<void> {
  const expected = (await query(audit, sample, whole)).slice(start, end)
  assertSameOrder(sample.type, await query(audit, sample, slice), expected, slice)
}

/** Asserts that rows are ascending, or descending with a factor of -1. The position of null is not judged. */
function assertSorted(rows: readonly Row[], name: string, factor: 1 | -1): void {
  const present = rows.filter((row) => row[name] !== null)
  for (const [index, row] of present.slice(1).entries()) {
    const before = present[index] ?? {}
    assert(
      (compareNumbers(before[name], row[name]) ?? 0) * factor <= 0,
      `'${name}' must be ${factor === 1 ? 'ascending' : 'descending'}: ${preview(before[name])} is before ${preview(row[name])}.`,
    )
  }
}

const top = section(topSpec, entities())
const firstRows = section(topSpec, entities(3))
const nextRows = section(skipSpec, entities(3))
const pages = section(evaluation, entities(4))
const empty = section(skipSpec, entities())

const topAndSkip: readonly Check[] = [
  firstRows.must('ODATA-QUERY-001', '$top=n returns the first n entities.', (audit, sample) =>
    assertSlice(audit, sample, '$top=5', '$top=2', [0, 2]),
  ),
  nextRows.must('ODATA-QUERY-002', '$skip=n omits the first n entities.', (audit, sample) =>
    assertSlice(audit, sample, '$top=5', '$skip=2&$top=3', [2]),
  ),
  pages.must('ODATA-QUERY-003', 'Pages of $skip and $top have each entity once.', async (audit, sample) => {
    const keys: string[] = []
    for (let skipped = 0; skipped < 8; skipped += 2) {
      const rows = await query(audit, sample, `$skip=${skipped}&$top=2`)
      keys.push(...rows.map((row) => keyOf(sample.type, row)))
    }
    assertEqual('The number of different entities', new Set(keys).size, keys.length)
    assertEqual('The number of entities', keys.length, Math.min(8, sample.rows.length))
  }),
  top.must('ODATA-QUERY-004', '$top=0 returns an empty feed.', async (audit, { address }) => {
    await assertEmptyFeed(audit, `${address}?$top=0`)
  }),
  empty.must('ODATA-QUERY-005', '$skip beyond the end returns an empty feed.', async (audit, { address }) => {
    await assertEmptyFeed(audit, `${address}?$skip=2000000000`)
  }),
]

const orderBy = section(orderBySpec, numbers)
const terms = section(orderBySpec, numbersAndKeys)
const sort = section(evaluation, numbers)
const nulls = section(orderBySpec, nullableNumbers)
const filtered = section(evaluation, integers)

const ordering: readonly Check[] = [
  orderBy.must('ODATA-QUERY-010', '$orderby is ascending by default.', async (audit, { sample, name }) => {
    for (const order of [name, `${name}%20asc`]) {
      assertSorted(await query(audit, sample, `$orderby=${order}`), name, 1)
    }
  }),
  orderBy.must('ODATA-QUERY-011', '$orderby with desc is descending.', async (audit, { sample, name }) => {
    assertSorted(await query(audit, sample, `$orderby=${name}%20desc`), name, -1)
  }),
  orderBy.must('ODATA-QUERY-012', '$orderby returns all entities.', async (audit, { sample, name }) => {
    if (!sample.isComplete) skip('The entity set is too large.')
    const rows = await query(audit, sample, `$orderby=${name}`)
    const keys = new Set(rows.map((row) => keyOf(sample.type, row)))
    assertEqual('The number of different entities', keys.size, sample.rows.length)
    assertEqual('The number of entities', rows.length, keys.size)
  }),
  terms.must('ODATA-QUERY-013', '$orderby can have several terms.', async (audit, { sample, name }) => {
    const key = sample.type.key[0]?.name ?? ''
    const rows = await query(audit, sample, `$orderby=${name},${key}%20desc`)
    for (const [index, row] of rows.slice(1).entries()) {
      const before = rows[index] ?? {}
      const isOrdered = row[name] !== before[name] || (compareNumbers(before[key], row[key]) ?? 0) >= 0
      assert(isOrdered, `'${key}' must be descending where '${name}' is ${preview(row[name])}.`)
    }
  }),
  sort.must('ODATA-QUERY-014', '$orderby applies before $skip and $top.', async (audit, { sample, name }) => {
    const order = `$orderby=${name}%20desc`
    await assertSlice(audit, sample, `${order}&$top=5`, `${order}&$skip=1&$top=2`, [1, 3])
  }),
  nulls.should('ODATA-QUERY-015', 'Null is the smallest $orderby value.', async (audit, { sample, name }) => {
    if (!sample.isComplete) skip('The entity set is too large.')
    const ascending = await query(audit, sample, `$orderby=${name}`)
    assertEqual(`The first '${name}'`, ascending[0]?.[name], null)
    const descending = await query(audit, sample, `$orderby=${name}%20desc`)
    assertEqual(`The last '${name}' of a descending order`, descending.at(-1)?.[name], null)
  }),
  filtered.must(
    'ODATA-QUERY-016',
    '$filter applies before $skip and $top.',
    async (audit, { sample, name, literal }) => {
      const filter = `$filter=${name}%20ge%20${literal}`
      await assertSlice(audit, sample, `${filter}&$top=4`, `${filter}&$skip=1&$top=2`, [1, 3])
    },
  ),
]

const formatSpec = 'MS-ODATA 2.2.3.6.1.5 ($format)'
const format = section(formatSpec, entities())
const unknownFormat = section(formatSpec, anyService)

const formats: readonly Check[] = [
  format.must('ODATA-QUERY-020', '$format=json overrides Accept.', async (audit, { address }) => {
    const response = await audit.getAtom(`${address}?$top=1&$format=json`)
    assertStatus(response, 200)
    assertMediaType(response, 'application/json')
  }),
  format.must('ODATA-QUERY-021', '$format=atom overrides Accept.', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$top=1&$format=atom`)
    assertStatus(response, 200)
    assertMediaType(response, 'application/atom+xml')
  }),
  unknownFormat.must('ODATA-QUERY-022', 'An unknown $format is rejected.', async (audit) => {
    assertClientError(await audit.get('?$format=audit'))
  }),
]

type InvalidOption = readonly [
  id: string,
  level: 'must' | 'should',
  title: string,
  spec: string,
  query: string,
]

const systemOptions = 'MS-ODATA 2.2.3.6.1 (system query options)'
const functions = 'MS-ODATA 2.2.3.6.1.1.5 (canonical functions)'

const invalidOptions: readonly InvalidOption[] = [
  ['ODATA-QUERY-030', 'must', 'A negative $top is rejected.', topSpec, '$top=-1'],
  ['ODATA-QUERY-031', 'must', 'A malformed $top is rejected.', topSpec, '$top=audit'],
  ['ODATA-QUERY-032', 'must', 'A negative $skip is rejected.', skipSpec, '$skip=-1'],
  ['ODATA-QUERY-033', 'must', 'A malformed $filter is rejected.', filterSpec, '$filter=%28audit'],
  [
    'ODATA-QUERY-034',
    'must',
    '$filter with an unknown property is rejected.',
    filterSpec,
    '$filter=AuditNoSuchProperty%20eq%201',
  ],
  [
    'ODATA-QUERY-035',
    'must',
    '$orderby with an unknown property is rejected.',
    orderBySpec,
    '$orderby=AuditNoSuchProperty',
  ],
  ['ODATA-QUERY-036', 'should', 'An unknown system query option is rejected.', systemOptions, '$audit=1'],
  [
    'ODATA-QUERY-037',
    'must',
    '$filter with an unknown function is rejected.',
    functions,
    '$filter=auditnosuchfunction%281%29%20eq%201',
  ],
]

const custom = section('MS-ODATA 2.2.3.6.3 (custom query options)', entities(2))

/** `$top`, `$skip`, `$orderby`, `$format` and invalid options. */
export const queryOptionChecks: readonly Check[] = [
  ...topAndSkip,
  ...ordering,
  ...formats,
  ...invalidOptions.map(([id, level, title, spec, options]) =>
    section(spec, entities())[level](id, title, async (audit, { address }) => {
      assertRejected(await audit.getJson(`${address}?${options}`))
    }),
  ),
  custom.must('ODATA-QUERY-040', 'Custom query options have no effect.', async (audit, { address, type }) => {
    const expected = jsonFeed(await audit.getJson(`${address}?$top=2`))
    const response = await audit.getJson(`${address}?$top=2&auditOption=1`)
    assertSameOrder(type, jsonFeed(response).rows, expected.rows, 'A custom option')
  }),
]
