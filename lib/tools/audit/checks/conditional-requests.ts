import { skip } from '../check-outcome.js'
import type { Check, Need } from '../check.js'
import { check } from '../check.js'
import { demand, demandObject, demandStatus } from '../demands.js'
import { metadataNamespace } from '../../../xml/namespaces.js'
import { attributeOf } from '../../../xml/xml-element.js'
import { atomRoot } from '../atom-documents.js'
import { jsonEntry } from '../feeds.js'
import { sampleWhere } from '../needs.js'
import { entityAddress } from '../sample.js'
import type { Sample } from '../sample.js'

const etag = 'MS-ODATA 2.2.5.4 (ETag)'
const ifNoneMatch = 'MS-ODATA 2.2.5.6 (If-None-Match)'

/** Sets whose type has a concurrency token. */
const taggedEntities: Need<Sample> = sampleWhere(
  'entities with a concurrency token',
  ({ set }) => set.entityType.concurrencyTokens.length > 0,
)

/** ETags of what is read. */
export const conditionalChecks: readonly Check[] = [
  check({
    id: 'ODATA-COND-001',
    level: 'MUST',
    title: 'An entity with a concurrency token has an ETag, the same in the header and in __metadata.',
    spec: etag,
    needs: taggedEntities,
    run: async (audit, { set, rows }) => {
      const answer = await audit.getJson(entityAddress(set, rows[0] ?? {}))
      const tag = answer.header('etag')
      demand(tag !== undefined, 'There must be the header ETag.', answer)
      const metadata = demandObject(jsonEntry(answer)['__metadata'], '"__metadata"', answer)
      demand(metadata['etag'] === tag, `"etag" must be ${tag}, not ${String(metadata['etag'])}.`, answer)
    },
  }),
  check({
    id: 'ODATA-COND-002',
    level: 'MUST',
    title: 'In Atom the ETag is m:etag of the entry.',
    spec: etag,
    needs: taggedEntities,
    run: async (audit, { set, rows }) => {
      const answer = await audit.getAtom(entityAddress(set, rows[0] ?? {}))
      const tag = attributeOf(atomRoot(answer, 'entry'), 'etag', metadataNamespace)
      demand(
        tag !== undefined && tag === answer.header('etag'),
        'm:etag must be the ETag of the header.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-COND-003',
    level: 'MUST',
    title: 'If-None-Match with the ETag is answered with 304 and no body.',
    spec: ifNoneMatch,
    needs: taggedEntities,
    run: async (audit, { set, rows }) => {
      const address = entityAddress(set, rows[0] ?? {})
      const tag = (await audit.getJson(address)).header('etag')
      if (tag === undefined) skip('The entity has no ETag.')
      const answer = await audit.get(address, { Accept: 'application/json', 'If-None-Match': tag })
      demandStatus(answer, 304)
      demand(answer.body.length === 0, 'There must be no body.', answer)
    },
  }),
  check({
    id: 'ODATA-COND-004',
    level: 'MUST',
    title: 'If-None-Match with another ETag is answered with the entity.',
    spec: ifNoneMatch,
    needs: taggedEntities,
    run: async (audit, { set, rows }) => {
      const address = entityAddress(set, rows[0] ?? {})
      demandStatus(
        await audit.get(address, { Accept: 'application/json', 'If-None-Match': 'W/"audit"' }),
        200,
      )
    },
  }),
  check({
    id: 'ODATA-COND-005',
    level: 'SHOULD',
    title: 'ETags are weak: W/"..."; the same entity is sent in several formats.',
    spec: etag,
    needs: taggedEntities,
    run: async (audit, { set, rows }) => {
      const answer = await audit.getJson(entityAddress(set, rows[0] ?? {}))
      const tag = answer.header('etag') ?? ''
      demand(/^W\/"[^"]*"$/.test(tag), `The ETag must be such as W/"1", not ${tag}.`, answer)
    },
  }),
]
