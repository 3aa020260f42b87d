import type { BatchRequest } from '../batch/batch-part.js'
import type { ContentIdReferences } from '../batch/inner-target.js'
import type { BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import type { QueueObserver } from '../data/queued-calls.js'
import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { addressWriter } from '../formats/row-errors.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, waitOrAbort } from '../util/promise-or-value.js'
import type { BatchRequests } from './batch-requests.js'
import { createScope } from './batch-requests.js'
import { failedChangeSet } from './failed-change-set.js'
import type { RequestChangeSet } from './request-change-set.js'

/**
 * Adds the changes of all requests of a change set to its final queue, sends the queue once, and returns the responses.
 *
 * @returns the error of the first request that cannot be queued: then nothing is sent
 * @throws the error of the provider if the changes are not made
 */
export async function sendFinalQueue(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  references: ContentIdReferences,
  changeSet: RequestChangeSet,
): Promise<BatchResponse> {
  const { signal } = batch.work
  await batch.awaitCaller()
  const queued = new QueuedChanges()
  changeSet.queueObserver = queued
  changeSet.isQueueing = true
  const scope = createScope(references, { changeSet })
  const pending: PromiseOrValue<PartResponse>[] = []
  for (const request of requests) {
    signal.throwIfAborted()
    const untilQueued = queued.next()
    const length = changeSet.provided.queue?.length
    const responding = batch.session.within(changeSet, () => batch.respond(request, scope))
    let early = isPromiseLike(responding)
      ? await waitOrAbort(Promise.race([responding, untilQueued]), signal)
      : responding
    // The provider has refused the change, or has made it without the queue.
    const isQueued = changeSet.provided.queue?.length !== length
    if (!isQueued) early ??= await waitOrAbort(Promise.resolve(responding), signal)
    if (early !== undefined && early.status >= 400) {
      await changeSet.rollBack()
      return failedChangeSet(early, batch)
    }
    const key = changeSet.provided.queue?.insertedKey
    queued.addReference(references, request, batch.session.request.serviceRoot, key)
    pending.push(responding)
  }
  changeSet.isQueueing = false
  signal.throwIfAborted()
  await changeSet.commit()
  const responses: PartResponse[] = []
  for (const responding of pending) responses.push(await responding)
  references.publish()
  return { kind: 'ChangeSet', responses }
}

/** The changes that requests add to a final queue. */
class QueuedChanges implements QueueObserver {
  private resolve = (): void => undefined
  private inserted: { readonly set: EntitySet; readonly entity: Row } | undefined

  /** Returns a promise that is fulfilled when the next change has been added. */
  next(): Promise<undefined> {
    this.inserted = undefined
    return new Promise((resolve) => {
      this.resolve = () => resolve(undefined)
    })
  }

  onCall(): void {
    this.resolve()
  }

  onInsert(set: EntitySet, entity: Row): void {
    this.inserted = { set, entity }
  }

  /**
   * Adds the reference to the entity that the last request inserts.
   *
   * @param key its key, or a stand-in for a generated one; undefined if the provider does not return any
   */
  addReference(
    references: ContentIdReferences,
    { contentId }: BatchRequest,
    serviceRoot: string,
    key: Row | undefined,
  ): void {
    if (this.inserted === undefined) return
    const { set, entity } = this.inserted
    const row = { ...entity, ...key }
    const hasKey = set.entityType.key.every(({ name }) => row[name] !== undefined && row[name] !== null)
    if (hasKey) references.add(contentId, serviceRoot + addressWriter(set)(row))
    else references.addUnknown(contentId)
  }
}
