import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandMediaType, demandStatus, shown, demandObject, demandString } from '../demands.js'
import { demandSameOrder, identitiesOf, jsonFeed, jsonEntry } from '../feeds.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import { entities, sampleWhere } from '../needs.js'
import { identityOf, setAddress, entityAddress, simpleProperties } from '../sample.js'
import type { EntitySet } from '../../../edm/edm-model.js'
import { atomRoot } from '../atom-documents.js'
import type { Row, Sample } from '../sample.js'

const uri1 = 'MS-ODATA 2.2.3.5 (URI 1)'

/** Feeds: entity sets as they are. */
export const entitySetChecks: readonly Check[] = [
  check({
    id: 'ODATA-SET-001',
    level: 'MUST',
    title: 'An entity set is an Atom feed for a client that asks for no format.',
    spec: 'MS-ODATA 2.2.5.1 (Accept), 2.2.6.2.1',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.get(`${setAddress(set)}?$top=1`)
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/atom+xml')
      const type = answer.mediaType?.parameters.get('type')
      demand(
        type === undefined || type === 'feed',
        `The parameter 'type' must be feed, not '${type}'.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-SET-002',
    level: 'MUST',
    title: 'An entity set shows each entity once.',
    spec: uri1,
    needs: entities(2),
    run: (_audit, { set, rows }) => {
      const keys = identitiesOf(set, rows)
      const doubled = keys.find((key, index) => keys.indexOf(key) !== index)
      demand(doubled === undefined, `${set.path} must show the entity ${doubled} once.`)
    },
  }),
  check({
    id: 'ODATA-SET-003',
    level: 'MUST',
    title: 'Every entity has all properties that its type declares.',
    spec: 'MS-ODATA 2.2.6.3.3 (entity type as a JSON object)',
    needs: entities(),
    run: async ({ service }) => {
      for (const { set, rows } of await service.allSamples()) {
        for (const row of rows) {
          const missing = set.entityType.properties.find(({ name }) => !(name in row))
          demand(
            missing === undefined,
            `The entity ${identityOf(set, row)} of ${set.path} must have '${missing?.name}'.`,
          )
        }
      }
    },
  }),
  check({
    id: 'ODATA-SET-004',
    level: 'MUST',
    title: 'No key of an entity is null.',
    spec: 'MC-CSDL 2.1.5',
    needs: entities(),
    run: (_audit, { set, rows }) => {
      for (const { name, type } of set.entityType.key) {
        if (!isPrimitive(type)) continue
        const broken = rows.find((row) => row[name] === null || row[name] === undefined)
        demand(broken === undefined, `'${name}' must have a value: ${shown(broken)}.`)
      }
    },
  }),
  check({
    id: 'ODATA-SET-005',
    level: 'SHOULD',
    title: 'The name of an entity set may be followed by empty parentheses.',
    spec: uri1,
    needs: entities(),
    run: async (audit, { set }) => {
      const plain = jsonFeed(await audit.getJson(`${setAddress(set)}?$top=3`))
      const answer = await audit.getJson(`${setAddress(set)}()?$top=3`)
      demandSameOrder(set, plain.rows, jsonFeed(answer).rows, `${set.path}()`, answer)
    },
  }),
  check({
    id: 'ODATA-SET-006',
    level: 'SHOULD',
    title: 'HEAD is answered like GET, without a body.',
    spec: 'RFC 9110 9.3.2',
    needs: entities(),
    run: async (audit, { set }) => {
      const address = `${setAddress(set)}?$top=1`
      const got = await audit.get(address)
      const answer = await audit.send('HEAD', address)
      demandStatus(answer, got.status)
      demand(answer.body.length === 0, 'There must be no body.', answer)
      const [given, wanted] = [answer, got].map((one) => one.mediaType?.essence)
      demand(given === wanted, `The Content-Type must be '${wanted}', not '${given}'.`, answer)
    },
  }),
  check({
    id: 'ODATA-SET-007',
    level: 'MUST',
    title: 'The same request gives the same entities in the same order again.',
    spec: 'MS-ODATA 2.2.3.6.1.2 (a full order)',
    needs: entities(2),
    run: async (audit, { set }) => {
      const address = `${setAddress(set)}?$top=20`
      const first = jsonFeed(await audit.getJson(address))
      const answer = await audit.getJson(address)
      demandSameOrder(set, first.rows, jsonFeed(answer).rows, 'The second answer', answer)
    },
  }),
]

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
