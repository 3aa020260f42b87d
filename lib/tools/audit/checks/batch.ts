import type { EntityType } from '../../../edm/edm-model.js'
import { isRecord } from '../../../util/is-record.js'
import { assert, assertClientError, assertEqual, assertObject, assertStatus } from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import type { BatchRequest } from '../batch-messages.js'
import { assertPart, sendBatch } from '../batch-messages.js'
import type { Created } from '../created-entity.js'
import { changeSection, deleteLater, newBody, reread } from '../created-entity.js'
import { jsonEntry } from '../json-documents.js'
import { anyService, entities } from '../needs.js'
import { keyOf } from '../sample.js'

const spec = 'MS-ODATA 2.2.7.6 (batches)'
const batch = section(spec, entities())
const invalidBatch = section(spec, anyService)

function read(address: string): BatchRequest {
  return { method: 'GET', address, headers: { Accept: 'application/json' } }
}

/** Returns the key of the entity in the body of a part. */
function keyIn(type: EntityType, body: string): string {
  let document: unknown
  try {
    document = JSON.parse(body)
  } catch {
    assert(false, 'The body of a part must be JSON as in Accept.')
  }
  const entity = isRecord(document) ? document['d'] : undefined
  return keyOf(type, assertObject(entity, 'The entity of a part'))
}

const several = section(spec, entities(2))

/** Batches that read. */
export const batchChecks: readonly Check[] = [
  batch.must('ODATA-BATCH-001', 'A batch returns 202 and a part per request.', async (audit, { address }) => {
    const request = read(`${address}?$top=1`)
    const result = await sendBatch(audit, [request, request, { method: 'GET', address: '$metadata' }])
    const { response, parts } = result
    assertStatus(response, 202)
    assertEqual('The number of parts', parts.length, 3)
    for (const index of [0, 1, 2]) assertPart(result, index)
  }),
  several.must('ODATA-BATCH-002', 'Responses have the order of the requests.', async (audit, sample) => {
    const rows = sample.rows.slice(0, 4)
    const result = await sendBatch(
      audit,
      rows.map((row) => read(sample.addressOf(row))),
    )
    for (const [index, row] of rows.entries()) {
      const actual = keyIn(sample.type, assertPart(result, index).body)
      assertEqual(`The key in part ${index + 1}`, actual, keyOf(sample.type, row))
    }
  }),
  batch.must('ODATA-BATCH-003', 'An invalid request does not stop a batch.', async (audit, { address }) => {
    const request = read(`${address}?$top=1`)
    const result = await sendBatch(audit, [request, read('AuditNoSuchSet'), request])
    for (const [index, status] of [200, 404, 200].entries()) assertPart(result, index, status)
  }),
  batch.must('ODATA-BATCH-004', 'Requests can have absolute addresses.', async (audit, { address }) => {
    assertPart(await sendBatch(audit, [read(audit.service.urlOf(`${address}?$top=1`))]), 0)
  }),
  batch.must('ODATA-BATCH-005', 'Batches do not change responses.', async (audit, { firstAddress, type }) => {
    const single = await audit.getJson(firstAddress)
    const result = await sendBatch(audit, [read(firstAddress)])
    const { body, headers } = assertPart(result, 0)
    const contentType = headers.get('content-type') ?? ''
    const isJson = contentType.startsWith('application/json')
    assert(isJson, `The part must be application/json, not '${contentType}'.`)
    assertEqual('The key', keyIn(type, body), keyOf(type, jsonEntry(single)))
  }),
  invalidBatch.must('ODATA-BATCH-006', 'A batch that is not multipart/mixed is rejected.', async (audit) => {
    const headers = { 'Content-Type': 'application/json' }
    assertClientError(await audit.send('POST', '$batch', { headers, body: '{}' }))
  }),
  invalidBatch.must('ODATA-BATCH-007', 'A batch without a boundary is rejected.', async (audit) => {
    const headers = { 'Content-Type': 'multipart/mixed' }
    assertClientError(await audit.send('POST', '$batch', { headers, body: '--a\r\n\r\n--a--\r\n' }))
  }),
  invalidBatch.should('ODATA-BATCH-008', '$batch rejects other methods than POST.', async (audit) => {
    assertClientError(await audit.get('$batch'))
  }),
]

const changeSet = changeSection('MS-ODATA 2.2.7.6.2 (change sets)')
const jsonBody = { 'Content-Type': 'application/json' }

function merge(audit: AuditRun, { uri, etag = '*' }: Created, body: unknown): BatchRequest {
  const headers = { ...jsonBody, 'If-Match': etag }
  return { method: 'MERGE', address: audit.service.relative(uri), headers, body: JSON.stringify(body) }
}

/** Change sets. */
export const changeSetChecks: readonly Check[] = [
  changeSet.must('ODATA-BATCH-020', 'A change set is atomic.', async (audit, created, { text }) => {
    const invalid = { method: 'DELETE', address: 'AuditNoSuchSet(1)' }
    const requests = [merge(audit, created, { [text]: 'half' }), invalid]
    const { parts } = await sendBatch(audit, [requests])
    const hasFailed = parts.flatMap(({ responses }) => responses).some(({ status }) => status >= 400)
    assert(hasFailed, 'The change set must fail.')
    const row = await reread(audit, created)
    assert(row[text] !== 'half', `'${text}' must not have changed.`)
  }),
  changeSet.must(
    'ODATA-BATCH-021',
    'A change set returns a response for each change, and later requests see the changes.',
    async (audit, created, { text }) => {
      const address = audit.service.relative(created.uri)
      const requests = [[merge(audit, created, { [text]: 'whole' })], read(address)]
      const { parts } = await sendBatch(audit, requests)
      const [first, second] = parts
      const isChangeSet = first?.isChangeSet === true && first.responses.length === 1
      assert(isChangeSet, 'The first part must be a change set.')
      const status = first.responses[0]?.status
      assert(status === 204 || status === 200, `The status must be 204 or 200, not ${status}.`)
      const isChanged = second?.responses[0]?.body.includes('"whole"') === true
      assert(isChanged, 'The second part must contain the change.')
    },
  ),
  changeSet.must(
    'ODATA-BATCH-022',
    '$<Content-ID> is the entity that an insert of the change set created.',
    async (audit, _created, subject) => {
      const { sample, text } = subject
      const headers = { ...jsonBody, Accept: 'application/json' }
      const value = `audit ${Date.now() % 100_000}`
      const insert = {
        method: 'POST',
        address: sample.address,
        headers,
        body: JSON.stringify({ ...newBody(subject), [text]: 'before' }),
        contentId: '1',
      }
      const update = {
        method: 'MERGE',
        address: '$1',
        headers: { ...headers, 'If-Match': '*' },
        body: JSON.stringify({ [text]: value }),
        contentId: '2',
      }
      const { parts } = await sendBatch(audit, [[insert, update]])
      const uri = parts[0]?.responses[0]?.headers.get('location')
      if (uri !== undefined) deleteLater(audit, uri)
      const statuses = parts.flatMap(({ responses }) => responses.map(({ status }) => status)).join()
      const hasSucceeded = statuses === '201,204' || statuses === '201,200'
      assert(hasSucceeded, `The statuses must be 201 and 204, not ${statuses}.`)
      assertEqual(`'${text}'`, (await reread(audit, { uri: uri ?? '' }))[text], value)
    },
  ),
]
