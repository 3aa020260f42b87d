import { isRecord } from '../../util/is-record.js'
import type { BatchedResponse, BatchFormat, BatchResponses } from './upstream-batches.js'

const GROUP = 'changes'

/**
 * Batches in JSON, which services of OData 4.01 accept.
 *
 * @spec OData JSON Format 4.01, 19 (batch requests and responses)
 */
export const jsonBatch: BatchFormat = {
  accept: 'application/json',
  serialize({ requests, isChangeSet }) {
    const all = requests.map(({ path, id, ...request }, index) => ({
      id,
      ...(isChangeSet ? { atomicityGroup: GROUP } : {}),
      // Without it, services may run the requests of a group concurrently.
      ...(index === 0 ? {} : { dependsOn: [requests[index - 1]?.id] }),
      url: path,
      ...request,
    }))
    return { contentType: 'application/json', body: JSON.stringify({ requests: all }) }
  },
  parse: responsesIn,
}

/** @throws Error for text that is not a JSON object with responses */
function responsesIn(text: string): BatchResponses {
  const document: unknown = JSON.parse(text)
  const responses = isRecord(document) ? document.responses : undefined
  if (!Array.isArray(responses)) throw new Error('It has no responses.')
  const byId = new Map(
    responses.filter(isRecord).map((one) => [nameOf(one.id) ?? nameOf(one.atomicityGroup) ?? GROUP, one]),
  )
  const all = new Map([...byId].map(([id, one]) => [id, responseOf(one)]))
  // A service may send one response for the group, with its name as id or without id.
  const ofChangeSet = all.get(GROUP)
  all.delete(GROUP)
  return { byId: all, ofChangeSet }
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** @throws Error for a response without a status */
function responseOf({ status, headers, body }: Record<string, unknown>): BatchedResponse {
  if (!Number.isInteger(status)) throw new Error('A response has no status.')
  const text =
    body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {
    status: Number(status),
    headers: Object.fromEntries(
      Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [
        name.toLowerCase(),
        String(value),
      ]),
    ),
    text: () => Promise.resolve(text),
  }
}
