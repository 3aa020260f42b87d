import type { BatchRequest } from '../batch/batch-part.js'
import type { ContentIdReferences } from '../batch/inner-target.js'
import type { BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import { ODataError } from '../errors/odata-error.js'
import type { ChangeQueue } from '../provider/change-set.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue, waitOrAbort } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { repeatabilityOf } from '../http/repeatability.js'
import type { BatchRequests } from './batch-requests.js'
import { createScope } from './batch-requests.js'
import { changeSetError, failedChangeSet } from './failed-change-set.js'
import { sendFinalQueue } from './final-queue.js'
import { RepeatableRequests } from './repeatable-requests.js'
import type { RequestChangeSet } from './request-change-set.js'

/** The maximum number of changes that are sent together: their responses are created without yielding. */
const MAX_QUEUED_CHANGES = 50

/**
 * Responds to all requests of a change set, or with the first error, after all changes have been rolled back.
 *
 * @param readBack `readBack` of the call of a single change
 */
export function respondToChangeSet(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  readBack?: object,
): PromiseOrValue<BatchResponse> {
  const [first] = requests
  if (first === undefined) return { kind: 'ChangeSet', responses: [] }
  return requests.length === 1 && canBeLone(first, batch)
    ? loneChange(first, batch, readBack)
    : changeTogether(first, requests, batch)
}

/** @param first of the requests */
async function changeTogether(
  first: BatchRequest,
  requests: readonly BatchRequest[],
  batch: BatchRequests,
): Promise<BatchResponse> {
  try {
    const { observation, service, settings } = batch.session
    const repeated =
      service.repeatable &&
      (await repeatChangeSet(requests, batch, new RepeatableRequests(batch.session, service.repeatable)))
    if (repeated !== undefined) return repeated
    // `authorize` and subscribers of diagnostics would notice that changes are not made one after the other.
    const willQueue = requests.length > 1 && observation === undefined && settings.authorize === undefined
    const attempt = async (): Promise<BatchResponse> =>
      (await attemptChanges(requests, batch, willQueue)) ??
      required(await attemptChanges(requests, batch, false))
    return await service.retries.run(attempt, batch.work)
  } catch (thrown) {
    return changeSetError(await batch.failure(thrown, first), batch)
  }
}

/** Returns false if a request must not run outside of a change set. */
function canBeLone({ uri }: BatchRequest, batch: BatchRequests): boolean {
  const { plans, provider, settings } = batch.session.service
  if (settings.authorize !== undefined) return false
  if (provider.functions === undefined) return true
  try {
    return !plans.of(batch.targetOf(uri)).prepared.isCall
  } catch {
    return false
  }
}

/** Responds to the only request of a change set as to one outside of change sets. */
function loneChange(
  request: BatchRequest,
  batch: BatchRequests,
  readBack: object | undefined,
): PromiseOrValue<BatchResponse> {
  const references = batch.references.openChangeSet()
  const responding = batch.respond(request, createScope(references, { readBack }))
  return mapValue(responding, (response): BatchResponse => {
    if (response.status >= 400) return failedChangeSet(response, batch)
    references.publish()
    return { kind: 'ChangeSet', responses: [response] }
  })
}

/**
 * Makes all changes of a change set, or rolls them back.
 *
 * @param willQueue true if the first changes are sent together where the provider supports that
 * @returns undefined when these were not all made: without them, the attempt succeeds or finds out why
 * @throws errors of the change set itself
 */
async function attemptChanges(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  willQueue: boolean,
): Promise<BatchResponse | undefined> {
  const { session, work } = batch
  const references = batch.references.openChangeSet()
  const changeSet = await session.beginChangeSet(willQueue)
  try {
    const isAtomic = changeSet !== undefined || requests.length === 1
    const scope = createScope(references, { changeSet, refusal: isAtomic ? undefined : notAtomic() })
    if (changeSet?.isFinal === true) return await sendFinalQueue(requests, batch, references, changeSet)
    const queue = changeSet?.provided.queue
    const responses =
      changeSet === undefined || queue === undefined
        ? []
        : await respondTogether(requests, batch, references, changeSet, queue)
    if (responses === undefined) {
      await changeSet?.rollBack()
      return undefined
    }
    for (const request of requests.slice(responses.length)) {
      work.throwIfAborted()
      const responding = session.within(changeSet, () => batch.respond(request, scope))
      const response = isPromiseLike(responding) ? await waitOrAbort(responding, work.signal) : responding
      if (response.status >= 400) {
        await changeSet?.rollBack()
        return failedChangeSet(response, batch)
      }
      responses.push(response)
    }
    work.throwIfAborted()
    await changeSet?.commit()
    references.publish()
    return { kind: 'ChangeSet', responses }
  } catch (thrown) {
    await changeSet?.rollBack()
    throw thrown
  }
}

/**
 * Responds to a change set with repeatable requests. Requests without an id have that of another one.
 *
 * @returns undefined for other change sets
 */
async function repeatChangeSet(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  repeatable: RepeatableRequests,
): Promise<BatchResponse | undefined> {
  const { session, work } = batch
  const sent = requests.map(({ headers }) => repeatabilityOf((name) => headers.get(name)))
  const first = sent.find((one) => one !== undefined)
  if (first === undefined) return undefined
  const caller = await repeatable.caller()
  const identified = requests.map(({ body, headers, method, uri }, index) => {
    const override = headers.get('x-http-method') ?? headers.get('x-http-method-override')
    const content = { method: override?.toUpperCase() ?? method, relativeUri: batch.addressOf(uri), body }
    const own = sent[index]
    return own === undefined
      ? repeatable.identify(first, caller, content, index)
      : repeatable.identify(own, caller, content)
  })
  let references = batch.references.openChangeSet()
  const responses = await repeatable.execute(identified, work.signal, async (changeSet, observers) => {
    references = batch.references.openChangeSet()
    const executed: PartResponse[] = []
    for (const [index, request] of requests.entries()) {
      work.signal.throwIfAborted()
      const scope = createScope(references, { changeSet, onAuthorized: observers[index] })
      const responding = session.within(changeSet, () => batch.respond(request, scope))
      const response = await waitOrAbort(Promise.resolve(responding), work.signal)
      executed.push(response)
      if (response.status >= 400) break
    }
    return executed
  })
  const failed = responses.find(({ status }) => status >= 400)
  if (failed !== undefined) return failedChangeSet(failed, batch)
  const complete = responses.map((response, index) => {
    const { contentId, headers, partContentId } = required(requests[index])
    const location = response.headers.Location ?? response.headers['Content-Location']
    references.add(contentId, location)
    return { ...response, contentId: headers.get('content-id'), partContentId }
  })
  references.publish()
  return { kind: 'ChangeSet', responses: complete }
}

/**
 * Responds to the first requests of a change set, as many as can be queued.
 *
 * @returns undefined when not all of their changes were made
 */
async function respondTogether(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  references: ContentIdReferences,
  changeSet: RequestChangeSet,
  queue: ChangeQueue,
): Promise<PartResponse[] | undefined> {
  await batch.awaitCaller()
  const responses: PartResponse[] = []
  for (;;) {
    const next = requests.slice(responses.length, responses.length + MAX_QUEUED_CHANGES)
    const pending = enqueue(next, batch, references, changeSet, queue)
    await waitOrAbort(Promise.resolve(queue.send()), batch.work.signal)
    for (const responding of pending) {
      const response = await responding
      if (response === undefined || response.status >= 400) return undefined
      responses.push(response)
    }
    if (pending.length < MAX_QUEUED_CHANGES) return responses
    await batch.yield()
  }
}

/** Adds changes to a queue, up to a request that does something else. @returns their responses */
function enqueue(
  requests: readonly BatchRequest[],
  batch: BatchRequests,
  references: ContentIdReferences,
  changeSet: RequestChangeSet,
  queue: ChangeQueue,
): readonly PromiseOrValue<PartResponse | undefined>[] {
  const scope = createScope(references, { changeSet, mustQueue: true })
  const pending: PromiseOrValue<PartResponse | undefined>[] = []
  changeSet.isQueueing = true
  for (const request of requests) {
    const responding = catchValue<PartResponse | undefined>(
      () => batch.dispatch(request, scope),
      () => undefined,
    )
    if (queue.length === pending.length) break
    pending.push(responding)
  }
  changeSet.isQueueing = false
  return pending
}

function notAtomic(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'This service can make only one change in a change set. Send each change in a change set of its own.',
  })
}
