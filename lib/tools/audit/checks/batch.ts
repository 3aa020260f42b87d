import { isRecord } from '../../../util/is-record.js'
import type { Answer } from '../answer.js'
import type { AnsweredPart, BatchPart } from '../batch-messages.js'
import { sendBatch } from '../batch-messages.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandStatus } from '../demands.js'
import { entities, nothing } from '../needs.js'
import { entityAddress, identityOf, setAddress } from '../sample.js'
import type { Row } from '../sample.js'
import type { EntitySet } from '../../../edm/edm-model.js'

const spec = 'MS-ODATA 2.2.7.6 (batches)'

function read(address: string): BatchPart {
  return { method: 'GET', address, headers: { Accept: 'application/json' } }
}

/** The only answer to a part that reads. */
function demandPart(parts: readonly AnsweredPart[], index: number, status: number, answer: Answer): string {
  const part = parts[index]?.answers[0]
  demand(part !== undefined, `There must be an answer to part ${index + 1}.`, answer)
  demand(
    part.status === status,
    `The status of part ${index + 1} must be ${status}, not ${part.status}.`,
    answer,
  )
  return part.body
}

/** The key of an entity in a part. */
function keyIn(set: EntitySet, body: string, answer: Answer): string {
  let document: unknown
  try {
    document = JSON.parse(body)
  } catch {
    demand(false, 'A part must have the JSON that was asked for.', answer)
  }
  const content = isRecord(document) ? document['d'] : undefined
  demand(isRecord(content), 'A part must have an entity.', answer)
  return identityOf(set, content)
}

/** Batches that read. */
export const batchChecks: readonly Check[] = [
  check({
    id: 'ODATA-BATCH-001',
    level: 'MUST',
    title: 'A batch is answered with 202 and a part for each of its parts.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const address = `${setAddress(set)}?$top=1`
      const { answer, parts } = await sendBatch(audit, [
        read(address),
        read(address),
        { method: 'GET', address: '$metadata' },
      ])
      demandStatus(answer, 202)
      demand(parts.length === 3, `There must be 3 parts, not ${parts.length}.`, answer)
      for (const index of [0, 1, 2]) demandPart(parts, index, 200, answer)
    },
  }),
  check({
    id: 'ODATA-BATCH-002',
    level: 'MUST',
    title: 'The parts of the answer are in the order of the requests.',
    spec,
    needs: entities(2),
    run: async (audit, { set, rows }) => {
      const chosen: readonly Row[] = rows.slice(0, 4)
      const { answer, parts } = await sendBatch(
        audit,
        chosen.map((row) => read(entityAddress(set, row))),
      )
      for (const [index, row] of chosen.entries()) {
        const given = keyIn(set, demandPart(parts, index, 200, answer), answer)
        const wanted = identityOf(set, row)
        demand(given === wanted, `Part ${index + 1} must be the entity ${wanted}, not ${given}.`, answer)
      }
    },
  }),
  check({
    id: 'ODATA-BATCH-003',
    level: 'MUST',
    title: 'A request that fails does not stop those behind it.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const address = `${setAddress(set)}?$top=1`
      const { answer, parts } = await sendBatch(audit, [read(address), read('AuditNoSuchSet'), read(address)])
      demandPart(parts, 0, 200, answer)
      demandPart(parts, 1, 404, answer)
      demandPart(parts, 2, 200, answer)
    },
  }),
  check({
    id: 'ODATA-BATCH-004',
    level: 'MUST',
    title: 'Requests in a batch may have absolute addresses.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const address = audit.service.addressOf(`${setAddress(set)}?$top=1`)
      const { answer, parts } = await sendBatch(audit, [read(address)])
      demandPart(parts, 0, 200, answer)
    },
  }),
  check({
    id: 'ODATA-BATCH-005',
    level: 'MUST',
    title: 'What comes in a batch is what would come without.',
    spec,
    needs: entities(),
    run: async (audit, { set, rows }) => {
      const address = entityAddress(set, rows[0] ?? {})
      const alone = await audit.getJson(address)
      const { answer, parts } = await sendBatch(audit, [read(address)])
      const body = demandPart(parts, 0, 200, answer)
      const type = parts[0]?.answers[0]?.headers.get('content-type') ?? ''
      demand(type.startsWith('application/json'), `The part must be application/json, not '${type}'.`, answer)
      demand(
        keyIn(set, body, answer) === keyIn(set, alone.text, alone),
        'The entity must be the same.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-BATCH-006',
    level: 'MUST',
    title: 'A batch that is not multipart/mixed is refused.',
    spec,
    needs: nothing,
    run: async (audit) => {
      const headers = { 'Content-Type': 'application/json' }
      demandClientError(await audit.send('POST', '$batch', { headers, body: '{}' }))
    },
  }),
  check({
    id: 'ODATA-BATCH-007',
    level: 'MUST',
    title: 'A batch without a boundary is refused.',
    spec,
    needs: nothing,
    run: async (audit) => {
      const headers = { 'Content-Type': 'multipart/mixed' }
      demandClientError(await audit.send('POST', '$batch', { headers, body: '--a\r\n\r\n--a--\r\n' }))
    },
  }),
  check({
    id: 'ODATA-BATCH-008',
    level: 'SHOULD',
    title: '$batch is for POST only.',
    spec,
    needs: nothing,
    run: async (audit) => {
      demandClientError(await audit.get('$batch'))
    },
  }),
]
