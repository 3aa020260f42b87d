import type { ProviderCall } from '../../../provider/provider-call.js'
import { ODataError } from '../../../errors/odata-error.js'
import { isRecord } from '../../../util/is-record.js'
import type { UpstreamRequest } from '../../upstream/upstream-request.js'
import type { UpstreamClient } from '../../upstream/upstream-client.js'
import type { BatchedResponse } from '../../upstream/upstream-service.js'
import { badGateway, upstreamError } from '../../upstream/upstream-errors.js'
import type { V4Service } from '../v4-service.js'
import { idOf } from '../../upstream/upstream-change-set.js'
import type { BatchItem, ChangeResult } from '../../upstream/upstream-change.js'
import { headersOfChange, resultOf } from '../../upstream/upstream-change.js'

const GROUP = 'changes'

/**
 * Sends changes as one atomicity group of a batch.
 *
 * @param call of the batch, whose headers the request has
 * @returns the results in the order of the changes
 * @throws ODataError for the first response that is not successful: then no change has been made
 * @spec OData JSON Format 4.01, 19 (batch requests and responses)
 */
export async function sendBatch(
  service: V4Service,
  items: readonly BatchItem[],
  call: ProviderCall,
): Promise<readonly ChangeResult[]> {
  const requests = items.map(({ change }, index) => ({
    id: idOf(index),
    atomicityGroup: GROUP,
    // Without it, services may run the requests of a group concurrently.
    ...(index === 0 ? {} : { dependsOn: [idOf(index - 1)] }),
    method: change.method,
    url: change.path,
    headers: {
      ...headersOfChange(change, service.protocol),
      ...(call.language && { 'accept-language': call.language }),
    },
    ...(change.body === undefined ? {} : { body: change.body }),
  }))
  const responses = await postBatch(service.client, requests, call)
  // A service may report success for requests before the one that failed, although nothing is committed.
  const failed = items.flatMap(({ change }, index) => {
    const one = responses.get(idOf(index))
    return one !== undefined && one.status >= 400 ? [{ what: `${change.method} in a batch`, one }] : []
  })
  // A service may send one response for the group, with its name as id or without id.
  const ofGroup = responses.get(GROUP)
  if (ofGroup !== undefined && ofGroup.status >= 400)
    failed.push({ what: 'an atomicity group', one: ofGroup })
  // 424 says that another request of the group has failed.
  const cause = failed.find(({ one }) => one.status !== 424) ?? failed[0]
  if (cause !== undefined) throw await upstreamError(cause.one, cause.what)
  return Promise.all(
    items.map(async ({ change, call: own }, index) => {
      const one = responses.get(idOf(index))
      if (one === undefined) throw badGateway('The V4 service sent no response to a request of a batch.')
      return resultOf(one, change, own)
    }),
  )
}

/**
 * Sends a read in a batch, whose body has no URL that servers would refuse.
 *
 * @throws ODataError if there is no response to it
 */
export async function sendLongRead(
  client: UpstreamClient,
  { method, path, headers, call }: UpstreamRequest,
): Promise<BatchedResponse> {
  const id = idOf(0)
  const responses = await postBatch(client, [{ id, method, url: path, headers }], call)
  const response = responses.get(id)
  if (response === undefined) throw badGateway('The V4 service sent no response to a request of a batch.')
  return response
}

/** Statuses of services without batches in JSON. */
const refusals: ReadonlySet<number> = new Set([404, 405, 406, 415, 501])

async function postBatch(
  client: UpstreamClient,
  requests: readonly object[],
  call: ProviderCall | undefined,
): Promise<ReadonlyMap<string, BatchedResponse>> {
  const response = await client.send({
    method: 'POST',
    path: '$batch',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ requests }),
    call,
  })
  if (refusals.has(response.status)) {
    response.discard()
    throw new ODataError('NotImplemented', {
      message: 'The upstream service does not accept batches in JSON, which this request needs.',
      cause: new Error(`The V4 service responds to POST $batch with status ${response.status}.`),
    })
  }
  if (response.status !== 200) throw await upstreamError(response, 'POST $batch')
  return batchedResponses(await response.text())
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** @throws ODataError for a response without a status */
function statusOf(status: unknown): number {
  if (Number.isInteger(status)) return Number(status)
  throw badGateway('The V4 service sent a response without a status in a batch.')
}

/** Returns the responses by the id of their request. */
function batchedResponses(text: string): ReadonlyMap<string, BatchedResponse> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw badGateway('The V4 service sent invalid JSON in the response to a batch.', error)
  }
  const responses = isRecord(document) ? document.responses : undefined
  if (!Array.isArray(responses)) throw badGateway('The V4 service sent no responses to a batch.')
  return new Map(
    responses.filter(isRecord).map(({ id, atomicityGroup, status, headers, body }) => [
      nameOf(id) ?? nameOf(atomicityGroup) ?? GROUP,
      {
        status: statusOf(status),
        headers: Object.fromEntries(
          Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [
            name.toLowerCase(),
            String(value),
          ]),
        ),
        text: () =>
          Promise.resolve(
            body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
          ),
      },
    ]),
  )
}
