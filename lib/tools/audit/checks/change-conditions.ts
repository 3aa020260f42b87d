import { nameOfType } from '../../../edm/edm-model.js'
import type { EntityType, Property } from '../../../edm/edm-model.js'
import { skip } from '../check-outcome.js'
import type { Created, Creatable } from '../created-entity.js'
import {
  anyCreatable,
  bodyOf,
  change,
  creatable,
  create,
  insert,
  reread,
  taggedCreatable,
} from '../created-entity.js'
import type { AuditRun } from '../audit-run.js'
import { sendBatch } from '../batch-messages.js'
import type { Check, Need } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandStatus, shown, demandObject } from '../demands.js'
import { jsonFeed, jsonEntry } from '../feeds.js'
import { setAddress, entityAddress } from '../sample.js'
import { metadataNamespace } from '../../../xml/namespaces.js'
import { attributeOf } from '../../../xml/xml-element.js'
import { atomRoot } from '../atom-documents.js'
import { sampleWhere } from '../needs.js'
import type { Sample } from '../sample.js'

const etag = 'MS-ODATA 2.2.5.4 (ETag)'

const ifMatch = 'MS-ODATA 2.2.5.5 (If-Match)'
const changeSets = 'MS-ODATA 2.2.7.6.2 (change sets)'

function conditional(
  id: string,
  level: 'MUST' | 'SHOULD',
  title: string,
  run: (audit: AuditRun, subject: Creatable, created: Created) => Promise<void>,
): Check {
  return check({
    id,
    level,
    title,
    spec: ifMatch,
    writes: true,
    needs: taggedCreatable,
    run: async (audit, subject) => run(audit, subject, await create(audit, subject)),
  })
}

/** Conditions of changes. */
const conditions: readonly Check[] = [
  conditional(
    'ODATA-COND-010',
    'MUST',
    'A change with an ETag that is not that of the entity is answered with 412, and changes nothing.',
    async (audit, { text }, created) => {
      const headers = { 'If-Match': 'W/"audit"' }
      demandStatus(await change(audit, 'MERGE', created, { [text.name]: 'lost' }, headers), 412)
      const row = await reread(audit, created)
      demand(row[text.name] !== 'lost', `'${text.name}' must not have changed.`)
    },
  ),
  conditional(
    'ODATA-COND-011',
    'MUST',
    'A deletion with an ETag that is not that of the entity is answered with 412, and deletes nothing.',
    async (audit, _subject, created) => {
      demandStatus(await change(audit, 'DELETE', created, undefined, { 'If-Match': 'W/"audit"' }), 412)
      demandStatus(await audit.getJson(created.uri), 200)
    },
  ),
  conditional(
    'ODATA-COND-012',
    'MUST',
    'A change of an entity whose token changes with it makes the ETag that was before useless.',
    async (audit, { text }, created) => {
      if (created.etag === undefined) skip('The entity has no ETag.')
      demandStatus(await change(audit, 'MERGE', created, { [text.name]: 'first' }), 204, 200)
      const now = (await audit.getJson(created.uri)).header('etag')
      if (now === created.etag) skip('The token does not change with the entity.')
      demandStatus(await change(audit, 'MERGE', created, { [text.name]: 'second' }), 412)
    },
  ),
  conditional(
    'ODATA-COND-013',
    'SHOULD',
    'A change of an entity with an ETag but without If-Match is refused.',
    async (audit, { text }, { etag: _etag, ...created }) => {
      demandClientError(
        await change(audit, 'MERGE', { ...created, etag: undefined }, { [text.name]: 'unasked' }),
      )
    },
  ),
]

/** The name of a number beside the key; empty when there is none. */
function numberOf({ properties }: EntityType): string {
  const isNumber = ({ type, isKey, concurrencyMode }: Property): boolean =>
    /Int/.test(nameOfType(type)) && !isKey && concurrencyMode !== 'Fixed'
  return properties.find(isNumber)?.name ?? ''
}

/** Bodies that mean nothing. */
const bodies: readonly Check[] = [
  check({
    id: 'ODATA-WRITE-020',
    level: 'MUST',
    title: 'A body that is not well-formed is refused.',
    spec: 'MS-ODATA 2.2.7.1 (insert)',
    writes: true,
    needs: anyCreatable,
    run: async (audit, { sample }) => {
      const address = setAddress(sample.set)
      const json = { 'Content-Type': 'application/json' }
      demandClientError(await audit.send('POST', address, { headers: json, body: '{"audit"' }))
      const atom = { 'Content-Type': 'application/atom+xml' }
      demandClientError(await audit.send('POST', address, { headers: atom, body: '<entry>' }))
    },
  }),
  check({
    id: 'ODATA-WRITE-021',
    level: 'MUST',
    title: 'A body of a type that the service does not know is refused.',
    spec: 'MS-ODATA 2.2.5.2 (Content-Type)',
    writes: true,
    needs: anyCreatable,
    run: async (audit, { sample }) => {
      const headers = { 'Content-Type': 'application/x-audit' }
      demandClientError(await audit.send('POST', setAddress(sample.set), { headers, body: 'audit' }))
    },
  }),
  check({
    id: 'ODATA-WRITE-022',
    level: 'MUST',
    title: 'A value that is none of the type of its property is refused.',
    spec: 'MS-ODATA 2.2.7.1 (insert)',
    writes: true,
    needs: creatable(
      'an entity set with numbers in which entities can be made',
      (type) => numberOf(type) !== '',
    ),
    run: async (audit, subject) => {
      // Else it could be refused for something else.
      await create(audit, subject)
      const name = numberOf(subject.sample.set.entityType)
      demandClientError(await insert(audit, subject, { ...bodyOf(subject), [name]: 'audit' }))
    },
  }),
  check({
    id: 'ODATA-SAFE-020',
    level: 'MUST',
    title: 'A body with a document type declaration is refused: entities are never resolved.',
    spec: 'MS-ODATA 5.1 (security considerations)',
    writes: true,
    needs: anyCreatable,
    run: async (audit, { sample }) => {
      const headers = { 'Content-Type': 'application/atom+xml' }
      const dtd = '<!DOCTYPE entry [<!ENTITY audit SYSTEM "file:///etc/hostname">]>'
      const entry = '<entry xmlns="http://www.w3.org/2005/Atom"><title>&audit;</title></entry>'
      demandClientError(await audit.send('POST', setAddress(sample.set), { headers, body: dtd + entry }))
    },
  }),
]

/** Change sets. */
const batches: readonly Check[] = [
  check({
    id: 'ODATA-BATCH-020',
    level: 'MUST',
    title: 'A change set is made as a whole or not at all.',
    spec: changeSets,
    writes: true,
    needs: anyCreatable,
    run: async (audit, subject) => {
      const { text, sample } = subject
      const created = await create(audit, subject)
      const headers = { 'Content-Type': 'application/json', 'If-Match': created.etag ?? '*' }
      const body = JSON.stringify({ [text.name]: 'half' })
      const missing = { method: 'DELETE', address: 'AuditNoSuchSet(1)', headers: {} }
      const merge = { method: 'MERGE', address: audit.service.relative(created.uri), headers, body }
      const { answer, parts } = await sendBatch(audit, [[merge, missing]])
      const failed = parts.flatMap(({ answers }) => answers).some(({ status }) => status >= 400)
      demand(failed, 'The change set must fail.', answer)
      const row = await reread(audit, created)
      demand(row[text.name] !== 'half', `'${text.name}' of ${sample.set.path} must not have changed.`, answer)
    },
  }),
  check({
    id: 'ODATA-BATCH-021',
    level: 'MUST',
    title:
      'A change set that succeeds is answered with a part for each change, and what is behind it sees them.',
    spec: changeSets,
    writes: true,
    needs: anyCreatable,
    run: async (audit, subject) => {
      const { text } = subject
      const created = await create(audit, subject)
      const headers = { 'Content-Type': 'application/json', 'If-Match': created.etag ?? '*' }
      const body = JSON.stringify({ [text.name]: 'whole' })
      const merge = { method: 'MERGE', address: audit.service.relative(created.uri), headers, body }
      const read = {
        method: 'GET',
        address: audit.service.relative(created.uri),
        headers: { Accept: 'application/json' },
      }
      const { answer, parts } = await sendBatch(audit, [[merge], read])
      const [set, after] = parts
      demand(
        set?.isChangeSet === true && set.answers.length === 1,
        'The first part must be a change set.',
        answer,
      )
      const status = set.answers[0]?.status
      demand(status === 204 || status === 200, `The change must be made, not ${shown(status)}.`, answer)
      demand(
        after?.answers[0]?.body.includes('"whole"') === true,
        'The second part must see the change.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-BATCH-022',
    level: 'MUST',
    title: 'Within a change set $<Content-ID> is the entity that an insert has made.',
    spec: changeSets,
    writes: true,
    needs: anyCreatable,
    run: async (audit, subject) => {
      const { sample, text } = subject
      const probe = await create(audit, subject)
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      const mark = `audit ${Date.now() % 100_000}`
      const post = {
        method: 'POST',
        address: setAddress(sample.set),
        headers,
        body: JSON.stringify({ ...bodyOf(subject), [text.name]: 'before' }),
        contentId: '1',
      }
      const merge = {
        method: 'MERGE',
        address: '$1',
        headers: { ...headers, 'If-Match': '*' },
        body: JSON.stringify({ [text.name]: mark }),
        contentId: '2',
      }
      const { answer, parts } = await sendBatch(audit, [[post, merge]])
      const location = parts[0]?.answers[0]?.headers.get('location')
      if (location !== undefined) {
        audit.finally(async () => {
          await audit.send('DELETE', location, { headers: { 'If-Match': '*' } })
        })
      }
      const statuses = parts.flatMap(({ answers }) => answers).map(({ status }) => status)
      demand(
        statuses.join() === '201,204' || statuses.join() === '201,200',
        `Both must be made, not ${shown(statuses)}.`,
        answer,
      )
      const row = await reread(audit, { ...probe, uri: location ?? '' })
      demand(
        row[text.name] === mark,
        `'${text.name}' must be '${mark}', not ${shown(row[text.name])}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-WRITE-030',
    level: 'MUST',
    title: 'The audit leaves nothing behind: what was made and deleted is not in its entity set.',
    spec: 'MS-ODATA 2.2.7.4 (delete)',
    writes: true,
    needs: anyCreatable,
    run: async (audit, subject) => {
      const created = await create(audit, subject)
      await change(audit, 'DELETE', created)
      const { sample, text } = subject
      const query = `$filter=${text.name}%20eq%20%27audit%27&$top=1`
      const answer = await audit.getJson(`${setAddress(sample.set)}?${query}`)
      const left = jsonFeed(answer).rows.length
      demand(left === 0, `There must be no entity with '${text.name}' eq 'audit'.`, answer)
    },
  }),
]

/** Changes on conditions, change sets, and bodies that are refused. */
export const changeConditionChecks: readonly Check[] = [...conditions, ...bodies, ...batches]

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
