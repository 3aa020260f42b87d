import { isPrimitive, nameOfType } from '../../../edm/edm-model.js'
import type { EntityType } from '../../../edm/edm-model.js'
import {
  assert,
  assertClientError,
  assertEqual,
  assertMediaType,
  assertStatus,
  assertString,
  preview,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { assertEntityAt, assertSameOrder, jsonEntry, jsonFeed, metadataOf } from '../json-documents.js'
import { entities, sampleWhere } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { keyOf, keysOf, simpleProperties } from '../sample.js'
import { namedKeyPredicate } from '../values.js'
import { atomRoot } from '../xml-documents.js'

const uri1 = 'MS-ODATA 2.2.3.5 (URI 1)'
const set = section(uri1, entities())
const feed = section('MS-ODATA 2.2.5.1 (Accept), 2.2.6.2.1', entities())
const several = section(uri1, entities(2))
const entries = section('MS-ODATA 2.2.6.3.3 (entity type as a JSON object)', entities())
const keys = section('MC-CSDL 2.1.5', entities())
const head = section('RFC 9110 9.3.2', entities())
const fullOrder = section('MS-ODATA 2.2.3.6.1.2 (a full order)', entities(2))

/** Entity sets without query options. */
export const entitySetChecks: readonly Check[] = [
  feed.should('ODATA-SET-001', 'By default, an entity set is in Atom.', async (audit, { address }) => {
    const response = await audit.get(`${address}?$top=1`)
    assertStatus(response, 200)
    assertMediaType(response, 'application/atom+xml')
    const type = response.mediaType.parameters.get('type') ?? 'feed'
    assertEqual(`The parameter 'type'`, type, 'feed')
  }),
  several.must('ODATA-SET-002', 'An entity set has each entity once.', (_audit, { address, type, rows }) => {
    const keys = keysOf(type, rows)
    const repeated = keys.find((key, index) => keys.indexOf(key) !== index)
    assert(repeated === undefined, `${address} must have the entity ${repeated} once.`)
  }),
  entries.must('ODATA-SET-003', 'Every entity has all properties of its type.', async ({ service }) => {
    for (const { set, type, rows } of await service.allSamples()) {
      for (const row of rows) {
        const missing = type.properties.find(({ name }) => !(name in row))
        assert(
          missing === undefined,
          `The entity ${keyOf(type, row)} of ${set.path} must have '${missing?.name}'.`,
        )
      }
    }
  }),
  keys.must('ODATA-SET-004', 'Key properties are not null.', (_audit, { type, rows }) => {
    for (const { name, type: keyType } of type.key) {
      const invalid = isPrimitive(keyType) ? rows.find((row) => (row[name] ?? null) === null) : undefined
      assert(invalid === undefined, `'${name}' must have a value: ${preview(invalid)}.`)
    }
  }),
  set.should('ODATA-SET-005', 'Empty parentheses have no effect.', async (audit, { address, type }) => {
    const expected = jsonFeed(await audit.getJson(`${address}?$top=3`))
    const response = await audit.getJson(`${address}()?$top=3`)
    assertSameOrder(type, jsonFeed(response).rows, expected.rows, `${address}()`)
  }),
  head.should('ODATA-SET-006', 'HEAD is GET without a body.', async (audit, { address }) => {
    const got = await audit.get(`${address}?$top=1`)
    const response = await audit.send('HEAD', `${address}?$top=1`)
    assertStatus(response, got.status)
    assert(response.body.length === 0, 'There must be no body.')
    assertEqual('The Content-Type', response.mediaType.essence, got.mediaType.essence)
  }),
  fullOrder.must('ODATA-SET-007', 'The order of entities is stable.', async (audit, { address, type }) => {
    const first = jsonFeed(await audit.getJson(`${address}?$top=20`))
    const response = await audit.getJson(`${address}?$top=20`)
    assertSameOrder(type, jsonFeed(response).rows, first.rows, 'The second response')
  }),
]

const entity = section('MS-ODATA 2.2.3.5 (URI 2)', entities())
const integerKey = section(
  'MS-ODATA 2.2.8 (error responses)',
  sampleWhere(
    'entities with a key of type Edm.Int32',
    ({ type: { key } }) => key.length === 1 && key[0]?.type === 'Edm.Int32',
  ),
)

function simpleValues(type: EntityType, row: Row): string {
  return JSON.stringify(simpleProperties(type).map(({ name }) => [name, row[name] ?? null]))
}

/** Returns the address of an entity that does not exist. */
function missingEntity({ address, type, rows }: Sample): string {
  const used = new Set(rows.map((row) => row[type.key[0]?.name ?? '']))
  let key = 2_147_483_000
  while (used.has(key)) key--
  return `${address}(${key})`
}

const entry = section('MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)', entities())

/** Entities by key. */
export const entityChecks: readonly Check[] = [
  entity.must('ODATA-ENTITY-001', 'A key predicate addresses an entity.', async (audit, sample) => {
    for (const row of sample.rows.slice(0, 3)) {
      await assertEntityAt(audit, sample.addressOf(row), sample.type, row)
    }
  }),
  entity.must(
    'ODATA-ENTITY-002',
    'An entity has the same values as in its set.',
    async (audit, { firstAddress, first, type }) => {
      const response = await audit.getJson(firstAddress)
      const actual = simpleValues(type, jsonEntry(response))
      assertEqual('The values', actual, simpleValues(type, first))
    },
  ),
  entries.must('ODATA-ENTITY-003', '__metadata.uri is the address of the entity.', async (audit, sample) => {
    await assertFirstAt(audit, assertString(metadataOf(sample.first)['uri'], '"uri"'), sample)
  }),
  entry.should('ODATA-ENTITY-004', 'By default, an entity is in Atom.', async (audit, { firstAddress }) => {
    const response = await audit.get(firstAddress)
    assertMediaType(response, 'application/atom+xml')
    atomRoot(response, 'entry')
  }),
  integerKey.must('ODATA-ENTITY-005', 'An unknown key returns 404.', async (audit, sample) => {
    assertStatus(await audit.get(missingEntity(sample)), 404)
  }),
  integerKey.must('ODATA-ENTITY-006', 'A property of an unknown key returns 404.', async (audit, sample) => {
    const [property] = simpleProperties(sample.type)
    assertStatus(await audit.get(`${missingEntity(sample)}/${property?.name ?? ''}`), 404)
  }),
]

const keyPredicates = 'MS-ODATA 2.2.3.4 (key predicates)'
const compoundKeys = sampleWhere(
  'entities with a key of several properties',
  ({ type: { key } }) => key.length > 1,
)
const stringKeys = sampleWhere(
  'entities with a string as their key',
  ({ type: { key } }) => key.length === 1 && key[0]?.type === 'Edm.String',
)
const compound = section(keyPredicates, compoundKeys)
const percentEncoding = section('RFC 3986 2.1', stringKeys)

async function assertFirstAt(audit: AuditRun, address: string, { type, first }: Sample): Promise<void> {
  await assertEntityAt(audit, address, type, first)
}

function keyText({ type: { key } }: Sample, row: Row): string {
  return String(row[key[0]?.name ?? ''])
}

/** Percent-encodes quotes and parentheses too. */
function encodeFully(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const single = section(
  keyPredicates,
  sampleWhere('entities with a key of one property', ({ type: { key } }) => key.length === 1),
)
const numeric = section(
  keyPredicates,
  sampleWhere(
    'entities with a number as their key',
    ({ type: { key } }) => key.length === 1 && key.every(({ type }) => /Int/.test(nameOfType(type))),
  ),
)
const anyKey = section(keyPredicates, entities())
const quotes = section('MS-ODATA 2.2.2 (Edm.String)', stringKeys)

/** Key predicates. */
export const keyPredicateChecks: readonly Check[] = [
  single.must('ODATA-KEY-001', 'A key of one property can have its name.', async (audit, sample) => {
    const predicate = namedKeyPredicate(sample.type.key, sample.first)
    await assertFirstAt(audit, sample.address + predicate, sample)
  }),
  compound.must('ODATA-KEY-002', 'A compound key can have any order.', async (audit, sample) => {
    const { type, address, first } = sample
    await assertFirstAt(audit, address + namedKeyPredicate(type.key, first), sample)
    await assertFirstAt(audit, address + namedKeyPredicate([...type.key].reverse(), first), sample)
  }),
  compound.must(
    'ODATA-KEY-003',
    'An incomplete key returns 400 or 404.',
    async (audit, { address, type, first }) => {
      assertStatus(await audit.get(address + namedKeyPredicate(type.key.slice(0, 1), first)), 400, 404)
    },
  ),
  numeric.must('ODATA-KEY-004', 'A key of another type returns 400 or 404.', async (audit, { address }) => {
    assertStatus(await audit.get(`${address}('audit')`), 400, 404)
  }),
  anyKey.must('ODATA-KEY-005', 'A malformed key predicate is rejected.', async (audit, { address }) => {
    assertClientError(await audit.get(`${address}(,)`))
  }),
  percentEncoding.must('ODATA-KEY-006', 'A key predicate can be percent-encoded.', async (audit, sample) => {
    await assertFirstAt(audit, encodeFully(decodeURIComponent(sample.firstAddress)), sample)
  }),
  quotes.must('ODATA-KEY-007', 'A quote in a key is doubled.', async (audit, sample) => {
    const row = sample.rows.find((one) => keyText(sample, one).includes("'"))
    if (row !== undefined) await assertEntityAt(audit, sample.addressOf(row), sample.type, row)
    else assertStatus(await audit.get(`${sample.address}('o''audit''')`), 404)
  }),
  percentEncoding.must('ODATA-KEY-008', 'Keys can have special characters.', async (audit, sample) => {
    const special = sample.rows.filter((row) => !/^[A-Za-z0-9]*$/.test(keyText(sample, row)))
    for (const row of [...special, ...sample.rows].slice(0, 8)) {
      await assertEntityAt(audit, sample.addressOf(row), sample.type, row)
    }
  }),
]
