import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import {
  assert,
  assertEqual,
  assertMediaType,
  assertObject,
  assertStatus,
  assertString,
  preview,
} from '../assertions.js'
import type { Check } from '../check.js'
import { section } from '../check.js'
import { jsonEntry, metadataOf } from '../json-documents.js'
import { entities, toMany, valueOfType } from '../needs.js'

const entry = section('MS-ODATA 2.2.6.3.3 (entity type as a JSON object)', entities())
const document = section('MS-ODATA 2.2.6.3.1 (retrieving entities)', entities())
const feed = section('MS-ODATA 2.2.6.3.2 (entity set in verbose JSON)', entities())
const contentType = section('MS-ODATA 2.2.5.2 (Content-Type)', entities())
const deferred = section('MS-ODATA 2.2.6.3.9 (deferred content)', toMany)

const documents: readonly Check[] = [
  document.must('ODATA-JSON-001', 'The only member of a document is "d".', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$top=1`)
    assertStatus(response, 200)
    const names = Object.keys(assertObject(response.json(), 'The document'))
    assertEqual('The members', names, ['d'])
  }),
  feed.must('ODATA-JSON-002', 'A feed of version 2 has "results".', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$top=1`, { MaxDataServiceVersion: '2.0' })
    const feed = assertObject(assertObject(response.json(), 'The document')['d'], '"d"')
    assert(Array.isArray(feed['results']), '"d" must have "results".')
  }),
  contentType.must('ODATA-JSON-003', 'The type of JSON is application/json.', async (audit, { address }) => {
    assertMediaType(await audit.getJson(`${address}?$top=1`), 'application/json')
  }),
  entry.must('ODATA-JSON-004', 'Entities have a __metadata.uri and type.', async (audit, { type, rows }) => {
    const model = await audit.service.model()
    const uris = new Set<string>()
    for (const row of rows) {
      const metadata = metadataOf(row)
      const uri = assertString(metadata['uri'], '"uri"')
      assert(!uris.has(uri), `'${uri}' must be the address of one entity only.`)
      uris.add(uri)
      const rowType = assertString(metadata['type'], '"type"')
      assert(
        model?.entityTypes.get(rowType)?.isOrInherits(type) === true,
        `"type" must be ${type.qualifiedName} or derived from it, not '${rowType}'.`,
      )
    }
  }),
  deferred.must('ODATA-JSON-005', 'Navigation properties are deferred.', (_audit, { sample }) => {
    for (const { name } of sample.type.navigationProperties) {
      for (const row of sample.rows) {
        const deferred = assertObject(row[name], name)['__deferred']
        assertString(assertObject(deferred, '"__deferred"')['uri'], '"uri"')
      }
    }
  }),
  entry.must('ODATA-JSON-006', 'The addresses in JSON are absolute.', (_audit, { rows }) => {
    for (const row of rows) {
      const { uri } = metadataOf(row)
      assert(isString(uri, /^https?:\/\//), `"uri" must be absolute, not ${preview(uri)}.`)
    }
  }),
]

function isString(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

/** The JSON representation of the values of some types. */
type ValueRule = readonly [
  id: string,
  types: readonly PrimitiveTypeName[],
  title: string,
  representation: RegExp | ((value: unknown) => boolean),
]

const valueRules: readonly ValueRule[] = [
  [
    'ODATA-JSON-010',
    ['Edm.DateTime'],
    'Edm.DateTime is serialized as "/Date(milliseconds)/".',
    /^\/Date\(-?\d+\)\/$/,
  ],
  [
    'ODATA-JSON-011',
    ['Edm.DateTimeOffset'],
    'Edm.DateTimeOffset is serialized as "/Date(milliseconds+minutes)/".',
    /^\/Date\(-?\d+(?:[+-]\d{4})?\)\/$/,
  ],
  ['ODATA-JSON-012', ['Edm.Int64'], 'Edm.Int64 is serialized as a string.', /^-?\d+$/],
  ['ODATA-JSON-013', ['Edm.Decimal'], 'Edm.Decimal is serialized as a string.', /^-?\d+(?:\.\d+)?$/],
  [
    'ODATA-JSON-014',
    ['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32'],
    'Integers up to Edm.Int32 are serialized as numbers.',
    Number.isInteger,
  ],
  [
    'ODATA-JSON-015',
    ['Edm.Boolean'],
    'Edm.Boolean is serialized as true or false.',
    (value) => typeof value === 'boolean',
  ],
  [
    'ODATA-JSON-016',
    ['Edm.Guid'],
    'Edm.Guid is serialized as 32 digits in five groups.',
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ],
  [
    'ODATA-JSON-017',
    ['Edm.Time'],
    'Edm.Time is serialized as a duration of less than a day.',
    /^P(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?|0+D(?:T.*)?)$/,
  ],
  [
    'ODATA-JSON-018',
    ['Edm.Binary'],
    'Edm.Binary is serialized in base64.',
    /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  ],
  [
    'ODATA-JSON-019',
    ['Edm.Double', 'Edm.Single'],
    'Edm.Double and Edm.Single are serialized as numbers or as strings of numbers.',
    (value) => typeof value === 'number' || isString(value, /^(?:-?\d+(?:\.\d+)?(?:E[+-]?\d+)?|NaN|-?INF)$/i),
  ],
]

const simpleValues = 'MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)'

function valueCheck([id, types, title, representation]: ValueRule): Check {
  const isValid = (value: unknown): boolean =>
    representation instanceof RegExp ? isString(value, representation) : representation(value)
  return section(simpleValues, valueOfType(types)).must(
    id,
    title,
    async (audit, { sample, row, property }) => {
      const { name } = property
      const response = await audit.getJson(sample.addressOf(row))
      const values = [jsonEntry(response)[name], ...sample.valuesOf(property)]
      const invalid = values.findIndex((value) => !isValid(value))
      assert(invalid < 0, `'${name}' must not be serialized as ${preview(values[invalid])}.`)
    },
  )
}

/** Verbose JSON. */
export const jsonFormatChecks: readonly Check[] = [...documents, ...valueRules.map(valueCheck)]
