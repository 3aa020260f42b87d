import type { ProviderCall } from '../../../provider/provider-call.js'
import type { V4Service } from '../v4-service.js'
import type { V4Change, V4ChangeResult } from './v4-change.js'
import { headersOfChange, resultOf } from './v4-change.js'
import { V4ChangeSet } from './v4-change-set.js'

/**
 * Sends a change, or adds it to the change set of the call.
 *
 * @throws ODataError for a response that is not successful
 */
export async function sendChange(
  service: V4Service,
  change: V4Change,
  call: ProviderCall,
): Promise<V4ChangeResult> {
  const { changeSet } = call
  if (changeSet instanceof V4ChangeSet && change.method !== 'GET') return changeSet.add(change, call)
  const { method, path, body } = change
  const response = await service.client.send({
    method,
    path,
    headers: headersOfChange(change),
    body: body === undefined ? undefined : JSON.stringify(body),
    call,
  })
  return resultOf(response, change, call)
}
