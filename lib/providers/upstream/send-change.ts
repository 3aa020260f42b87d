import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { requestChange } from './request-change.js'
import type { UpstreamService } from './upstream-service.js'
import type { UpstreamChange, ChangeResult } from './upstream-change.js'
import { hasStatus } from './upstream-change.js'
import { queuedEntities, UpstreamChangeSet } from './upstream-change-set.js'

/**
 * Sends a change, or adds it to the change set of the call.
 *
 * @throws ODataError for a response that is not successful
 */
export async function sendChange(
  service: UpstreamService,
  change: UpstreamChange,
  call: ProviderCall,
): Promise<ChangeResult> {
  const { changeSet } = call
  if (changeSet instanceof UpstreamChangeSet && change.method !== 'GET') return changeSet.add(change, call)
  return requestChange(service.client, service.protocol, change, call)
}

/**
 * Sends the insertion of an entity, or adds it to the change set of the call, whose later changes can refer to it.
 *
 * @param collection path of the set in the service, percent-encoded
 * @param changeOf returns the change that inserts values
 * @throws ODataError as {@link sendChange}
 */
export async function sendInsert(
  service: UpstreamService,
  set: string,
  entity: Row,
  collection: string,
  changeOf: (values: Row) => Pick<UpstreamChange, 'headers' | 'body'>,
  call: ProviderCall,
): Promise<ChangeResult> {
  const { changeSet } = call
  const { path, values } = queuedEntities(call)?.collectionFor(set, entity) ?? {
    path: collection,
    values: entity,
  }
  const change: UpstreamChange = { method: 'POST', path, ...changeOf(values) }
  return changeSet instanceof UpstreamChangeSet
    ? changeSet.addInsert(set, entity, change, call)
    : sendChange(service, change, call)
}

/**
 * Sends a change that removes an entity or a link, or adds it to the change set of the call.
 *
 * @returns false if there is nothing to remove
 * @throws ODataError for another response that is not successful
 */
export async function sendRemoval(
  service: UpstreamService,
  removal: UpstreamChange,
  call: ProviderCall,
): Promise<boolean> {
  try {
    await sendChange(service, removal, call)
    return true
  } catch (error) {
    if (hasStatus(error, 404)) return false
    throw error
  }
}
