import type { EntitySet } from '../../../edm/edm-model.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandMediaType, demandObject, demandStatus, demandString, shown } from '../demands.js'
import { jsonEntry } from '../feeds.js'
import { atomRoot } from '../atom-documents.js'
import { entities, sampleWhere } from '../needs.js'
import { entityAddress, identityOf, simpleProperties } from '../sample.js'
import type { Row, Sample } from '../sample.js'

const uri2 = 'MS-ODATA 2.2.3.5 (URI 2)'

/** Simple properties and their values, for comparison. */
function valuesOf(set: EntitySet, row: Row): string {
  return JSON.stringify(simpleProperties(set).map(({ name }) => [name, row[name] ?? null]))
}

function firstRow({ rows }: Sample): Row {
  return rows[0] ?? {}
}

const integerKeys = sampleWhere(
  'entities with a key of type Edm.Int32',
  ({ set: { entityType } }) => entityType.key.length === 1 && entityType.key[0]?.type === 'Edm.Int32',
)

/** A number that is no key of the sample. */
function freeNumber({ set, rows }: Sample): number {
  const name = set.entityType.key[0]?.name ?? ''
  const used = new Set(rows.map((row) => row[name]))
  let number = 2_147_483_000
  while (used.has(number)) number--
  return number
}

/** Entities by their keys. */
export const entityChecks: readonly Check[] = [
  check({
    id: 'ODATA-ENTITY-001',
    level: 'MUST',
    title: 'An entity is addressed by the key predicate behind its entity set.',
    spec: uri2,
    needs: entities(),
    run: async (audit, { set, rows }) => {
      for (const row of rows.slice(0, 3)) {
        const answer = await audit.getJson(entityAddress(set, row))
        const entry = jsonEntry(answer)
        const [wanted, given] = [row, entry].map((one) => identityOf(set, one))
        demand(wanted === given, `The entity must have the key ${wanted}, not ${given}.`, answer)
      }
    },
  }),
  check({
    id: 'ODATA-ENTITY-002',
    level: 'MUST',
    title: 'An entity has the same values alone and in the feed.',
    spec: uri2,
    needs: entities(),
    run: async (audit, sample) => {
      const answer = await audit.getJson(entityAddress(sample.set, firstRow(sample)))
      const [wanted, given] = [firstRow(sample), jsonEntry(answer)].map((one) => valuesOf(sample.set, one))
      demand(wanted === given, `The values must be ${shown(wanted)}, not ${shown(given)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-ENTITY-003',
    level: 'MUST',
    title: '__metadata.uri is the address of the entity.',
    spec: 'MS-ODATA 2.2.6.3.3 (entity type as a JSON object)',
    needs: entities(),
    run: async (audit, sample) => {
      const { set } = sample
      const metadata = demandObject(firstRow(sample)['__metadata'], '"__metadata"')
      const answer = await audit.getJson(demandString(metadata['uri'], '"uri"'))
      const [wanted, given] = [firstRow(sample), jsonEntry(answer)].map((one) => identityOf(set, one))
      demand(wanted === given, `The entity there must have the key ${wanted}, not ${given}.`, answer)
    },
  }),
  check({
    id: 'ODATA-ENTITY-004',
    level: 'MUST',
    title: 'An entity is an Atom entry for a client that asks for no format.',
    spec: 'MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)',
    needs: entities(),
    run: async (audit, sample) => {
      const answer = await audit.get(entityAddress(sample.set, firstRow(sample)))
      demandMediaType(answer, 'application/atom+xml')
      atomRoot(answer, 'entry')
    },
  }),
  check({
    id: 'ODATA-ENTITY-005',
    level: 'MUST',
    title: 'A key that no entity has is answered with 404.',
    spec: 'MS-ODATA 2.2.8 (error responses)',
    needs: integerKeys,
    run: async (audit, sample) => {
      const answer = await audit.get(`${encodeURIComponent(sample.set.path)}(${freeNumber(sample)})`)
      demandStatus(answer, 404)
    },
  }),
  check({
    id: 'ODATA-ENTITY-006',
    level: 'MUST',
    title: 'What would be a part of an entity that does not exist is answered with 404 too.',
    spec: 'MS-ODATA 2.2.8 (error responses)',
    needs: integerKeys,
    run: async (audit, sample) => {
      const [property] = simpleProperties(sample.set)
      const answer = await audit.get(
        `${encodeURIComponent(sample.set.path)}(${freeNumber(sample)})/${property?.name ?? ''}`,
      )
      demandStatus(answer, 404)
    },
  }),
]
