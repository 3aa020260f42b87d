import type { EntityType } from '../../../edm/edm-model.js'
import { isPrimitive, isStoreGenerated, nameOfType } from '../../../edm/edm-model.js'
import { escapeText } from '../../../xml/escape-xml.js'
import { atomNamespace, dataNamespace, metadataNamespace, schemeNamespace } from '../../../xml/namespaces.js'
import { assert, assertClientError, assertEqual, assertStatus, skip } from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import type { Creatable, Created } from '../created-entity.js'
import {
  assertCreated,
  change,
  changeSection,
  creatable,
  insert,
  newBody,
  reread,
  writeSection,
} from '../created-entity.js'
import { assertEntityAt, jsonFeed } from '../json-documents.js'
import type { AuditResponse } from '../response.js'
import type { Row } from '../sample.js'
import { simpleProperties } from '../sample.js'
import { formatTicks, parseTicks, toText } from '../values.js'

const insertSpec = 'MS-ODATA 2.2.7.1 (insert)'
const inserts = changeSection(insertSpec)
const updates = changeSection('MS-ODATA 2.2.7.3 (update)')
const property = changeSection('MS-ODATA 2.2.7.3 (update of a property)')
const deletions = changeSection('MS-ODATA 2.2.7.4 (delete)')

/** Updates the text of an entity and checks that only it and the version have changed. */
async function assertUpdates(
  audit: AuditRun,
  created: Created,
  { sample, text }: Creatable,
  expected: string,
  update: (before: Row) => Promise<AuditResponse>,
): Promise<void> {
  const before = await reread(audit, created)
  assertStatus(await update(before), 204, 200)
  const after = await reread(audit, created)
  assertEqual(`'${text}'`, after[text], expected)
  for (const property of simpleProperties(sample.type)) {
    const { name, concurrencyMode } = property
    if (name === text || concurrencyMode === 'Fixed' || isStoreGenerated(property)) continue
    assertEqual(`'${name}'`, after[name], before[name])
  }
}

function formatAtom(type: EntityType, body: Row): string {
  const elements = simpleProperties(type).flatMap(({ name, type: propertyType }) => {
    const value = body[name]
    if (value === undefined) return []
    if (value === null) return [`<d:${name} m:null="true"/>`]
    const ticks = propertyType === 'Edm.DateTime' ? parseTicks(value) : undefined
    const text = ticks === undefined ? toText(value) : formatTicks(ticks)
    const attribute = propertyType === 'Edm.String' ? '' : ` m:type="${nameOfType(propertyType)}"`
    return [`<d:${name}${attribute}>${escapeText(text)}</d:${name}>`]
  })
  const namespaces = `xmlns="${atomNamespace}" xmlns:d="${dataNamespace}" xmlns:m="${metadataNamespace}"`
  return [
    `<entry ${namespaces}><category term="${type.qualifiedName}" scheme="${schemeNamespace}"/>`,
    '<title/><author><name/></author>',
    `<content type="application/xml"><m:properties>${elements.join('')}</m:properties></content></entry>`,
  ].join('')
}

const tunnels = changeSection('MS-ODATA 2.2.5.8 (X-HTTP-Method)')
const chosenKeys = changeSection(
  insertSpec,
  creatable(
    'an entity set in which clients choose the keys of new entities',
    ({ key }) => !key.some(isStoreGenerated),
  ),
)

/** Inserts, updates and deletions. */
export const writeChecks: readonly Check[] = [
  inserts.must(
    'ODATA-WRITE-001',
    'POST to an entity set returns 201, the new entity and its address in Location.',
    async (audit, { row, uri }, { sample }) => {
      await assertEntityAt(audit, uri, sample.type, row)
    },
  ),
  inserts.must('ODATA-WRITE-002', 'An insert stores the values.', async (audit, created, { text }) => {
    assertEqual(`'${text}'`, (await reread(audit, created))[text], 'audit')
  }),
  updates.must(
    'ODATA-WRITE-003',
    'MERGE changes only the properties of the request.',
    (audit, created, subject) =>
      assertUpdates(audit, created, subject, 'merged', () =>
        change(audit, 'MERGE', created, { [subject.text]: 'merged' }),
      ),
  ),
  updates.must('ODATA-WRITE-004', 'PUT replaces the properties.', (audit, created, subject) =>
    assertUpdates(audit, created, subject, 'replaced', (before) => {
      const names = subject.sample.type.properties.map(({ name }) => name)
      const body = Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)))
      return change(audit, 'PUT', created, { ...body, [subject.text]: 'replaced' })
    }),
  ),
  deletions.must('ODATA-WRITE-005', 'A deleted entity does not exist.', async (audit, created) => {
    assertStatus(await change(audit, 'DELETE', created), 204, 200)
    assertStatus(await audit.getJson(created.uri), 404)
  }),
  tunnels.must('ODATA-WRITE-006', 'X-HTTP-Method overrides POST.', async (audit, created, { text }) => {
    const headers = { 'X-HTTP-Method': 'MERGE' }
    assertStatus(await change(audit, 'POST', created, { [text]: 'tunnelled' }, headers), 204, 200)
    assertEqual(`'${text}'`, (await reread(audit, created))[text], 'tunnelled')
  }),
  property.must(
    'ODATA-WRITE-007',
    'PUT to a property changes only that property.',
    (audit, created, subject) =>
      assertUpdates(audit, created, subject, 'property', () => {
        const property = { ...created, uri: `${created.uri}/${subject.text}` }
        return change(audit, 'PUT', property, { [subject.text]: 'property' })
      }),
  ),
  property.must('ODATA-WRITE-008', 'PUT to $value changes a property.', async (audit, created, { text }) => {
    const { uri, etag } = created
    const headers = { 'Content-Type': 'text/plain', ...(etag === undefined ? {} : { 'If-Match': etag }) }
    const response = await audit.send('PUT', `${uri}/${text}/$value`, { headers, body: 'raw text' })
    assertStatus(response, 204, 200)
    assertEqual(`'${text}'`, (await reread(audit, created))[text], 'raw text')
  }),
  chosenKeys.must('ODATA-WRITE-009', 'A duplicate key is rejected.', async (audit, { row }, subject) => {
    const name = subject.sample.type.key[0]?.name ?? ''
    assertClientError(await insert(audit, subject, { ...newBody(subject), [name]: row[name] }))
  }),
  // An insert in JSON determines if the service accepts a copy.
  inserts.must('ODATA-WRITE-010', 'A new entity can be sent in Atom.', async (audit, { row }, subject) => {
    const { type, address } = subject.sample
    if (!type.properties.every((one) => isPrimitive(one.type))) skip('The entity has complex properties.')
    const body = { ...row, ...newBody(subject) }
    for (const one of type.key.filter(isStoreGenerated)) delete body[one.name]
    const response = await audit.send('POST', address, {
      headers: { 'Content-Type': 'application/atom+xml', Accept: 'application/atom+xml' },
      body: formatAtom(type, body),
    })
    assertCreated(audit, response)
    assert(response.xml().name === 'entry', 'The response must contain the new entity.')
  }),
]

const invalidInsert = writeSection(insertSpec)

/** Returns a number that is neither a key nor a concurrency token. */
function numberProperty({ properties }: EntityType): string | undefined {
  return properties.find(
    ({ type, isKey, concurrencyMode }) =>
      /Int/.test(nameOfType(type)) && !isKey && concurrencyMode !== 'Fixed',
  )?.name
}

async function assertRejectsBody(
  audit: AuditRun,
  { sample }: Creatable,
  contentType: string,
  body: string,
): Promise<void> {
  const headers = { 'Content-Type': contentType }
  assertClientError(await audit.send('POST', sample.address, { headers, body }))
}

const contentTypes = writeSection('MS-ODATA 2.2.5.2 (Content-Type)')
const number = changeSection(
  insertSpec,
  creatable(
    'an entity set with numbers in which entities can be created',
    (type) => numberProperty(type) !== undefined,
  ),
)
const secure = writeSection('MS-ODATA 5.1 (security considerations)')

/** Invalid request bodies. */
export const invalidBodyChecks: readonly Check[] = [
  invalidInsert.must('ODATA-WRITE-020', 'A malformed body is rejected.', async (audit, subject) => {
    await assertRejectsBody(audit, subject, 'application/json', '{"audit"')
    await assertRejectsBody(audit, subject, 'application/atom+xml', '<entry>')
  }),
  contentTypes.must('ODATA-WRITE-021', 'A body of an unknown type is rejected.', (audit, subject) =>
    assertRejectsBody(audit, subject, 'application/x-audit', 'audit'),
  ),
  // Starts with a valid insert, which shows that the value is the reason for the rejection.
  number.must('ODATA-WRITE-022', 'A value of another type is rejected.', async (audit, _created, subject) => {
    const name = numberProperty(subject.sample.type) ?? ''
    assertClientError(await insert(audit, subject, { ...newBody(subject), [name]: 'audit' }))
  }),
  secure.must('ODATA-SAFE-020', 'A document type declaration is rejected.', (audit, subject) => {
    const dtd = '<!DOCTYPE entry [<!ENTITY audit SYSTEM "file:///etc/hostname">]>'
    const entry = `<entry xmlns="${atomNamespace}"><title>&audit;</title></entry>`
    return assertRejectsBody(audit, subject, 'application/atom+xml', dtd + entry)
  }),
]

/** Runs after all other checks. */
export const leftoverChecks: readonly Check[] = [
  deletions.must(
    'ODATA-WRITE-030',
    'The entities that the audit created and deleted do not exist.',
    async (audit, created, { sample, text }) => {
      await change(audit, 'DELETE', created)
      const response = await audit.getJson(`${sample.address}?$filter=${text}%20eq%20%27audit%27&$top=1`)
      const what = `The number of entities with '${text}' eq 'audit'`
      assertEqual(what, jsonFeed(response).rows.length, 0)
    },
  ),
]
