import { isRecord } from '../../../util/is-record.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { Property } from '../../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandMediaType, demandObject, demandStatus, demandString, shown } from '../demands.js'
import { jsonEntry } from '../feeds.js'
import { entities, inSamples, missingValues, toMany } from '../needs.js'
import type { Sample } from '../sample.js'
import { entityAddress, presentValues, setAddress } from '../sample.js'

const feed = 'MS-ODATA 2.2.6.3.2 (entity set in verbose JSON)'
const entry = 'MS-ODATA 2.2.6.3.3 (entity type as a JSON object)'
const simple = 'MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)'

interface ValuesOfType {
  readonly sample: Sample
  readonly property: Property
  readonly values: readonly unknown[]
}

/** How the values of some types must look. */
function valueCheck(
  id: string,
  level: 'MUST' | 'SHOULD',
  title: string,
  types: readonly PrimitiveTypeName[],
  isRight: (value: unknown) => boolean,
): Check {
  const found = inSamples(`a property of type ${types.join(' or ')}`, (sample): ValuesOfType | undefined => {
    for (const property of sample.set.entityType.properties) {
      if (!isPrimitive(property.type) || !types.includes(property.type)) continue
      const values = presentValues(sample, property)
      if (values.length > 0) return { sample, property, values }
    }
    return undefined
  })
  return check({
    id,
    level,
    title,
    spec: simple,
    needs: { ...found, missing: missingValues(types, 'without a value in the entities that were read') },
    run: async (audit, { sample, property, values }) => {
      const row = sample.rows.find((one) => one[property.name] !== null) ?? {}
      const answer = await audit.getJson(entityAddress(sample.set, row))
      const alone = jsonEntry(answer)[property.name]
      const wrong = [alone, ...values].find((value) => !isRight(value))
      demand(wrong === undefined, `'${property.name}' must not be written as ${shown(wrong)}.`, answer)
    },
  })
}

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
const isInteger = (value: unknown): boolean => Number.isInteger(value)

/** Verbose JSON. */
export const jsonFormatChecks: readonly Check[] = [
  check({
    id: 'ODATA-JSON-001',
    level: 'MUST',
    title: 'A JSON document is an object with the member "d" alone.',
    spec: 'MS-ODATA 2.2.6.3.1 (retrieving entities)',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=1`)
      demandStatus(answer, 200)
      const keys = Object.keys(demandObject(answer.json(), 'The document', answer))
      demand(keys.join() === 'd', `The only member must be "d", not ${shown(keys)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-JSON-002',
    level: 'MUST',
    title: 'A feed of version 2 has its entities in "results".',
    spec: feed,
    needs: entities(),
    run: async (audit, { set }) => {
      const headers = { Accept: 'application/json', MaxDataServiceVersion: '2.0' }
      const answer = await audit.get(`${setAddress(set)}?$top=1`, headers)
      const content = demandObject(answer.json(), 'The document', answer)['d']
      demand(isRecord(content) && Array.isArray(content['results']), '"d" must have "results".', answer)
    },
  }),
  check({
    id: 'ODATA-JSON-003',
    level: 'MUST',
    title: 'JSON is of type application/json.',
    spec: 'MS-ODATA 2.2.5.2 (Content-Type)',
    needs: entities(),
    run: async (audit, { set }) => {
      demandMediaType(await audit.getJson(`${setAddress(set)}?$top=1`), 'application/json')
    },
  }),
  check({
    id: 'ODATA-JSON-004',
    level: 'MUST',
    title: 'Every entity has __metadata with its uri and its type.',
    spec: entry,
    needs: entities(),
    run: async (audit, { set, rows }) => {
      const model = await audit.service.model()
      const uris = new Set<string>()
      for (const row of rows) {
        const metadata = demandObject(row['__metadata'], '"__metadata"')
        const uri = demandString(metadata['uri'], '"uri"')
        demand(!uris.has(uri), `'${uri}' must be the address of one entity only.`)
        uris.add(uri)
        const type = model?.entityTypes.get(demandString(metadata['type'], '"type"'))
        demand(
          type?.isOrInherits(set.entityType) === true,
          `"type" must be ${set.entityType.qualifiedName} or derived from it, not ${shown(metadata['type'])}.`,
        )
      }
    },
  }),
  check({
    id: 'ODATA-JSON-005',
    level: 'MUST',
    title: 'Navigation properties are deferred: {"__deferred":{"uri":...}}.',
    spec: 'MS-ODATA 2.2.6.3.9 (deferred content)',
    needs: toMany,
    run: (_audit, { sample }) => {
      for (const { name } of sample.set.entityType.navigationProperties) {
        for (const row of sample.rows) {
          const deferred = demandObject(row[name], name)['__deferred']
          demandString(demandObject(deferred, '"__deferred"')['uri'], '"uri"')
        }
      }
    },
  }),
  check({
    id: 'ODATA-JSON-006',
    level: 'MUST',
    title: 'The addresses in JSON are absolute.',
    spec: entry,
    needs: entities(),
    run: (_audit, { rows }) => {
      for (const row of rows) {
        const uri = demandObject(row['__metadata'], '"__metadata"')['uri']
        demand(isText(uri, /^https?:\/\//), `"uri" must be absolute, not ${shown(uri)}.`)
      }
    },
  }),
  valueCheck(
    'ODATA-JSON-010',
    'MUST',
    'Edm.DateTime is written as "/Date(milliseconds)/".',
    ['Edm.DateTime'],
    (value) => isText(value, /^\/Date\(-?\d+\)\/$/),
  ),
  valueCheck(
    'ODATA-JSON-011',
    'MUST',
    'Edm.DateTimeOffset is written as "/Date(milliseconds+minutes)/".',
    ['Edm.DateTimeOffset'],
    (value) => isText(value, /^\/Date\(-?\d+(?:[+-]\d{4})?\)\/$/),
  ),
  valueCheck('ODATA-JSON-012', 'MUST', 'Edm.Int64 is written as a string.', ['Edm.Int64'], (value) =>
    isText(value, /^-?\d+$/),
  ),
  valueCheck('ODATA-JSON-013', 'MUST', 'Edm.Decimal is written as a string.', ['Edm.Decimal'], (value) =>
    isText(value, /^-?\d+(?:\.\d+)?$/),
  ),
  valueCheck(
    'ODATA-JSON-014',
    'MUST',
    'Whole numbers up to Edm.Int32 are written as numbers.',
    ['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32'],
    isInteger,
  ),
  valueCheck(
    'ODATA-JSON-015',
    'MUST',
    'Edm.Boolean is written as true or false.',
    ['Edm.Boolean'],
    (value) => typeof value === 'boolean',
  ),
  valueCheck(
    'ODATA-JSON-016',
    'MUST',
    'Edm.Guid is written as 32 digits in five groups.',
    ['Edm.Guid'],
    (value) => isText(value, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i),
  ),
  valueCheck(
    'ODATA-JSON-017',
    'MUST',
    'Edm.Time is written as a duration of less than a day.',
    ['Edm.Time'],
    (value) => isText(value, /^P(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?|0+D(?:T.*)?)$/),
  ),
  valueCheck('ODATA-JSON-018', 'MUST', 'Edm.Binary is written in base64.', ['Edm.Binary'], (value) =>
    isText(value, /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/),
  ),
  valueCheck(
    'ODATA-JSON-019',
    'MUST',
    'Edm.Double and Edm.Single are written as numbers, or as strings of numbers.',
    ['Edm.Double', 'Edm.Single'],
    (value) => typeof value === 'number' || isText(value, /^(?:-?\d+(?:\.\d+)?(?:E[+-]?\d+)?|NaN|-?INF)$/i),
  ),
]
