import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandMediaType, demandStatus, shown } from '../demands.js'
import { demandSameOrder, identitiesOf, jsonFeed } from '../feeds.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import { entities } from '../needs.js'
import { identityOf, setAddress } from '../sample.js'

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
