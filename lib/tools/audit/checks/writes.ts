import { nameOfType } from '../../../edm/edm-model.js'
import { skip } from '../check-outcome.js'
import type { Created, Creatable } from '../created-entity.js'
import {
  anyCreatable,
  bodyOf,
  chosenKeys,
  change,
  create,
  createdInAtom,
  insert,
  reread,
} from '../created-entity.js'
import type { AuditRun } from '../audit-run.js'
import type { Check, Need } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandStatus, shown } from '../demands.js'
import { identityOf, setAddress, simpleProperties } from '../sample.js'
import { jsonEntry } from '../feeds.js'
import type { Row } from '../sample.js'
import { plainText } from '../values.js'
import { escapeText } from '../../../xml/escape-xml.js'
import { dataNamespace, metadataNamespace, atomNamespace, schemeNamespace } from '../../../xml/namespaces.js'
import { isoText, ticksOf } from '../literals.js'

const insertSpec = 'MS-ODATA 2.2.7.1 (insert)'
const updateSpec = 'MS-ODATA 2.2.7.3 (update)'
const deleteSpec = 'MS-ODATA 2.2.7.4 (delete)'

/** Checks on an entity of the audit's own. */
function writing(
  id: string,
  level: 'MUST' | 'SHOULD',
  title: string,
  spec: string,
  run: (audit: AuditRun, subject: Creatable, created: Created) => Promise<void>,
  needs: Need<Creatable> = anyCreatable,
): Check {
  return check({
    id,
    level,
    title,
    spec,
    writes: true,
    needs,
    run: async (audit, subject) => run(audit, subject, await create(audit, subject)),
  })
}

/** Demands that the free text is what it was changed to, and that nothing else has changed but versions. */
function demandChanged({ sample, text }: Creatable, before: Row, after: Row, wanted: string): void {
  demand(after[text.name] === wanted, `'${text.name}' must be '${wanted}', not ${shown(after[text.name])}.`)
  for (const { name, concurrencyMode, storeGeneratedPattern } of simpleProperties(sample.set)) {
    const mayChange = concurrencyMode === 'Fixed' || (storeGeneratedPattern ?? 'None') !== 'None'
    if (name === text.name || mayChange) continue
    const [left, right] = [before, after].map((row) => JSON.stringify(row[name]))
    demand(left === right, `'${name}' must stay ${left}, but is ${right}.`)
  }
}

/** The entity as Atom. */
function atomBody({ sample }: Creatable, body: Readonly<Record<string, unknown>>): string {
  const elements = simpleProperties(sample.set).flatMap(({ name, type }) => {
    if (!(name in body)) return []
    const value = body[name]
    if (value === null) return [`<d:${name} m:null="true"/>`]
    const ticks = type === 'Edm.DateTime' ? ticksOf(value) : undefined
    const text = ticks === undefined ? plainText(value) : isoText(ticks)
    const attribute = type === 'Edm.String' ? '' : ` m:type="${nameOfType(type)}"`
    return [`<d:${name}${attribute}>${escapeText(text)}</d:${name}>`]
  })
  const names = `xmlns="${atomNamespace}" xmlns:d="${dataNamespace}" xmlns:m="${metadataNamespace}"`
  const category = `<category term="${sample.set.entityType.qualifiedName}" scheme="${schemeNamespace}"/>`
  return `<entry ${names}>${category}<title/><author><name/></author><content type="application/xml"><m:properties>${elements.join('')}</m:properties></content></entry>`
}

/** Inserts, updates and deletions. */
export const writeChecks: readonly Check[] = [
  writing(
    'ODATA-WRITE-001',
    'MUST',
    'POST to an entity set is answered with 201, the new entity, and its address in Location.',
    insertSpec,
    async (audit, { sample }, { row, uri }) => {
      const found = await audit.getJson(uri)
      const [wanted, given] = [row, jsonEntry(found)].map((one) => identityOf(sample.set, one))
      demand(wanted === given, `The entity at Location must have the key ${wanted}, not ${given}.`, found)
    },
  ),
  writing(
    'ODATA-WRITE-002',
    'MUST',
    'A new entity has the values that it was made with.',
    insertSpec,
    async (audit, { text }, created) => {
      const row = await reread(audit, created)
      demand(row[text.name] === 'audit', `'${text.name}' must be 'audit', not ${shown(row[text.name])}.`)
    },
  ),
  writing(
    'ODATA-WRITE-003',
    'MUST',
    'MERGE changes the properties that it names, and no others.',
    updateSpec,
    async (audit, subject, created) => {
      const before = await reread(audit, created)
      demandStatus(await change(audit, 'MERGE', created, { [subject.text.name]: 'merged' }), 204, 200)
      demandChanged(subject, before, await reread(audit, created), 'merged')
    },
  ),
  writing(
    'ODATA-WRITE-004',
    'MUST',
    'PUT puts the properties in the place of those that were there.',
    updateSpec,
    async (audit, subject, created) => {
      const before = await reread(audit, created)
      const names = new Set(subject.sample.set.entityType.properties.map(({ name }) => name))
      const kept = Object.entries(before).filter(([name]) => names.has(name))
      const body = { ...Object.fromEntries(kept), [subject.text.name]: 'replaced' }
      demandStatus(await change(audit, 'PUT', created, body), 204, 200)
      demandChanged(subject, before, await reread(audit, created), 'replaced')
    },
  ),
  writing(
    'ODATA-WRITE-005',
    'MUST',
    'An entity that was deleted is not there any more.',
    deleteSpec,
    async (audit, _subject, created) => {
      demandStatus(await change(audit, 'DELETE', created), 204, 200)
      demandStatus(await audit.getJson(created.uri), 404)
    },
  ),
  writing(
    'ODATA-WRITE-006',
    'MUST',
    'X-HTTP-Method says which method a POST stands for.',
    'MS-ODATA 2.2.5.8 (X-HTTP-Method)',
    async (audit, { text }, created) => {
      const headers = { 'X-HTTP-Method': 'MERGE' }
      demandStatus(await change(audit, 'POST', created, { [text.name]: 'tunnelled' }, headers), 204, 200)
      const row = await reread(audit, created)
      demand(
        row[text.name] === 'tunnelled',
        `'${text.name}' must be 'tunnelled', not ${shown(row[text.name])}.`,
      )
    },
  ),
  writing(
    'ODATA-WRITE-007',
    'MUST',
    'PUT to a property changes it alone.',
    'MS-ODATA 2.2.7.3 (update of a property)',
    async (audit, subject, created) => {
      const before = await reread(audit, created)
      const { name } = subject.text
      const target = { ...created, uri: `${created.uri}/${name}` }
      demandStatus(await change(audit, 'PUT', target, { [name]: 'property' }), 204, 200)
      demandChanged(subject, before, await reread(audit, created), 'property')
    },
  ),
  writing(
    'ODATA-WRITE-008',
    'MUST',
    'PUT to $value of a property changes it to the text of the body.',
    'MS-ODATA 2.2.7.3 (update of a property)',
    async (audit, subject, { uri, etag, ...created }) => {
      const condition: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag }
      const headers = { 'Content-Type': 'text/plain', ...condition }
      const address = `${uri}/${subject.text.name}/$value`
      demandStatus(await audit.send('PUT', address, { headers, body: 'raw text' }), 204, 200)
      const row = await reread(audit, { uri, etag, ...created })
      demand(
        row[subject.text.name] === 'raw text',
        `It must be 'raw text', not ${shown(row[subject.text.name])}.`,
      )
    },
  ),
  writing(
    'ODATA-WRITE-009',
    'MUST',
    'A second entity with the same key is refused.',
    insertSpec,
    async (audit, subject, { row }) => {
      const name = subject.sample.set.entityType.key[0]?.name ?? ''
      demandClientError(await insert(audit, subject, { ...bodyOf(subject), [name]: row[name] }))
    },
    chosenKeys,
  ),
  check({
    id: 'ODATA-WRITE-010',
    level: 'MUST',
    title: 'A new entity may be sent in Atom.',
    spec: insertSpec,
    writes: true,
    needs: anyCreatable,
    run: async (audit, subject) => {
      // Whether the service takes such a copy at all is for the format that is easier.
      const { row } = await create(audit, subject)
      const body = { ...row, ...bodyOf(subject) }
      const [key] = subject.sample.set.entityType.key
      if (key !== undefined && (key.storeGeneratedPattern ?? 'None') !== 'None') delete body[key.name]
      if (subject.sample.set.entityType.properties.some(({ type }) => typeof type !== 'string')) {
        skip('The entity has complex properties.')
      }
      const headers = { 'Content-Type': 'application/atom+xml', Accept: 'application/atom+xml' }
      const answer = await audit.send('POST', setAddress(subject.sample.set), {
        headers,
        body: atomBody(subject, body),
      })
      demandStatus(answer, 201)
      createdInAtom(audit, answer)
    },
  }),
]
