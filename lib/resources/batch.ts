import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { addressOfService, ContentIdReferences, innerTarget } from '../batch/inner-target.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { ResponseSource, BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import { batchContentType, createBatchBoundary, serializeBatch } from '../batch/serialize-batch.js'
import { SharedCounts } from '../data/shared-counts.js'
import { isRetryable, ODataError } from '../errors/odata-error.js'
import { BatchedRequest } from '../http/batched-request.js'
import { errorResponse } from '../http/error-response.js'
import { isFunctionCall } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue, waitOrAbort } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { yieldToEventLoop } from '../util/time-slice.js'
import { BatchWork } from './batch-work.js'
import { partResponse } from './part-response.js'
import type { StartedPart } from './started-part.js'
import { discardPart, PartTurn } from './started-part.js'
import type { ChangeQueue } from '../provider/change-set.js'
import type { RequestChangeSet } from './request-change-set.js'
import type { RequestSession, ResourceMethods } from './request-session.js'
import type { RequestScope } from './service-state.js'

/** URI 9: several requests in one. @spec MS-ODATA 2.2.7.6 */
export const batch: ResourceMethods<'Batch'> = {
  async POST(_target, session) {
    const { request, settings } = session
    const boundary = batchBoundary(request.header('content-type'))
    const body = request.body()
    const whole = await body.whole?.(settings.limits.batchBytes)
    const parts = await parseBatch(whole ?? body, boundary, settings.limits)
    const ownBoundary = createBatchBoundary()
    const headers = {
      ...session.headers(),
      'Content-Type': batchContentType(ownBoundary),
      'Cache-Control': 'no-cache',
    }
    return { status: 202, headers, body: serializeBatch(ownBoundary, new BatchRun(session, parts)) }
  },
}

/** Time for which requests of a batch run before it yields to other requests of the service. */
const TURN_MS = 3

/** The maximum number of requests that share a read snapshot, or start together. */
const MAX_SNAPSHOT_REQUESTS = 20

/** The change set of a request, or the reason why it cannot be part of one. */
type Changes = Pick<RequestScope, 'changeSet' | 'mustQueue' | 'refusal'> &
  Partial<Pick<RequestScope, 'counts'>>

/** Requests outside of a change set: each begins its own. */
const ownChanges: Changes = { changeSet: undefined, mustQueue: false, refusal: undefined }

/** The maximum number of changes that are sent together: their responses are created without yielding. */
const MAX_QUEUED_CHANGES = 50

/** Responds to the parts of one batch in their order, as fast as the client receives the responses. */
class BatchRun implements ResponseSource {
  private readonly service: ServiceAddress
  private readonly references: ContentIdReferences
  private turnStart = performance.now()
  private readonly work: BatchWork
  private nextPart = 0
  private ready: StartedPart[] = []
  /** That of the read that starts, together with others. */
  private turn: PartTurn | undefined
  private readonly counts = new SharedCounts()
  private readonly reads: Changes = { ...ownChanges, counts: this.counts }
  private caller = (): PromiseOrValue<unknown> => this.session.caller()

  constructor(
    private readonly session: RequestSession,
    private readonly parts: readonly BatchPart[],
  ) {
    const { request, settings } = session
    this.work = new BatchWork(request, settings.limits.batchTime)
    this.service = addressOfService(request.serviceRoot)
    this.references = new ContentIdReferences(this.service)
  }

  next(): PromiseOrValue<BatchResponse | undefined> {
    const { request } = this.session
    // The end of the multipart would look as if there were no further parts.
    if (this.nextPart < this.parts.length && request.isAborted) request.signal.throwIfAborted()
    if (this.ready.length === 0 && this.isRead(this.nextPart) && this.isRead(this.nextPart + 1)) {
      const isConcurrent = this.session.service.provider.concurrentReads === true
      if (isConcurrent && this.isTurnOver) return this.yield().then(() => this.next())
      this.resolveCaller()
      this.session.readSnapshot(isConcurrent ? this.startReads : this.respondToReads)
    }
    const started = this.ready.shift()
    if (started === undefined) return this.respondToPart()
    started.turn?.begin()
    return started.response
  }

  private isRead(index: number): boolean {
    return this.parts[index]?.kind === 'Request'
  }

  /** Resolves the context before a read snapshot begins, during which no application code must run. */
  private resolveCaller(): void {
    try {
      this.caller()
    } catch {
      // Each request throws the same error.
    }
  }

  /** Responds to consecutive reads, up to one that returns a promise. */
  private readonly respondToReads = (): void => {
    for (let count = 0; count < MAX_SNAPSHOT_REQUESTS && this.isRead(this.nextPart); count++) {
      const response = this.respondToPart()
      this.ready.push({ response })
      if (isPromiseLike(response)) return
    }
  }

  /** Starts consecutive reads without waiting for one another. */
  private readonly startReads = (): void => {
    for (let count = 0; count < MAX_SNAPSHOT_REQUESTS && this.isRead(this.nextPart); count++) {
      const isAlone = this.callsFunction(this.nextPart)
      if (isAlone && count > 0) return
      const turn = (this.turn = new PartTurn())
      this.ready.push({ response: this.respondToPart(), turn })
      this.turn = undefined
      if (isAlone) return
    }
  }

  /** Returns true for requests that may call a function, which may change data that other reads depend on. */
  private callsFunction(index: number): boolean {
    const part = this.parts[index]
    const names = Object.keys(this.session.service.provider.functions ?? {})
    if (part?.kind !== 'Request' || names.length === 0) return false
    const [path = ''] = part.request.uri.split('?')
    return path.includes('%') || names.some((name) => path.includes(name))
  }

  private respondToPart(): PromiseOrValue<BatchResponse | undefined> {
    const part = this.parts[this.nextPart]
    if (part === undefined) return undefined
    this.nextPart++
    // The first part always starts.
    if (this.nextPart > 1 && this.work.isOver) return this.refuse(part)
    const start = performance.now()
    if (part.kind === 'ChangeSet') this.counts.clear()
    if (part.kind === 'ChangeSet' && !part.isLone) {
      return this.work.measure(start, this.changeSet(part.requests))
    }
    // A write outside of change sets is a change set of one, with the response of a request.
    const [request, changes] =
      part.kind === 'Request' ? [part.request, this.reads] : [required(part.requests[0]), ownChanges]
    const responding = mapValue(this.respond(request, this.references, changes), this.toBatchResponse)
    return this.work.measure(start, responding)
  }

  private readonly toBatchResponse = (part: PartResponse): BatchResponse => {
    const response = this.work.stream(part)
    // A slow client takes long to read it.
    if (response !== part) this.counts.clear()
    return { kind: 'Response', response }
  }

  /** Responds to a part that does not start, because the time is over. */
  private refuse(part: BatchPart): PromiseOrValue<BatchResponse> {
    const [request] = part.kind === 'Request' ? [part.request] : part.requests
    if (request === undefined) return { kind: 'ChangeSet', responses: [] }
    // Reported once, whatever the number of parts.
    this.work.timeout ??= this.session.report(this.work.createTimeout())
    return mapValue(this.errorPart(this.work.timeout, request), (response) =>
      part.kind === 'ChangeSet' && !part.isLone
        ? this.changeSetError(response)
        : { kind: 'Response', response },
    )
  }

  close(): void {
    this.nextPart = this.parts.length
    this.ready.splice(0).forEach(discardPart)
  }

  /** Responds to all requests of a change set, or with the first error, after all changes have been rolled back. */
  private async changeSet(requests: readonly BatchRequest[]): Promise<BatchResponse> {
    const [first, ...others] = requests
    if (first === undefined) return { kind: 'ChangeSet', responses: [] }
    const isLone = others.length === 0
    if (isLone && this.canBeLone(first)) return this.loneChange(first)
    try {
      const { observation, settings } = this.session
      // `authorize` and subscribers of diagnostics would notice that changes are not made one after the other.
      const willQueue = !isLone && observation === undefined && settings.authorize === undefined
      const attempt = async (): Promise<BatchResponse> =>
        (await this.attempt(requests, willQueue)) ?? required(await this.attempt(requests, false))
      return await this.session.service.retries.run(attempt, this.work.signal)
    } catch (thrown) {
      return this.changeSetError(await this.failure(thrown, first))
    }
  }

  /** Returns false if a request must not run outside of a change set. */
  private canBeLone({ uri }: BatchRequest): boolean {
    const { plans, provider, settings } = this.session.service
    if (settings.authorize !== undefined) return false
    if (provider.functions === undefined) return true
    try {
      return !isFunctionCall(plans.of(this.targetOf(uri, this.references)).target)
    } catch {
      return false
    }
  }

  /** Responds to the only request of a change set as to one outside of change sets. */
  private async loneChange(request: BatchRequest): Promise<BatchResponse> {
    const references = this.references.openChangeSet()
    const response = await this.respond(request, references, ownChanges)
    if (response.status >= 400) return this.failedChangeSet(response)
    references.publish()
    return { kind: 'ChangeSet', responses: [response] }
  }

  /**
   * Makes all changes of a change set, or rolls them back.
   *
   * @param willQueue true if the first changes are sent together where the provider supports that
   * @returns undefined when these were not all made: without them, the attempt succeeds or finds out why
   * @throws errors of the change set itself
   */
  private async attempt(
    requests: readonly BatchRequest[],
    willQueue: boolean,
  ): Promise<BatchResponse | undefined> {
    const { session } = this
    const { signal } = this.work
    const references = this.references.openChangeSet()
    const changeSet = await session.beginChangeSet(willQueue)
    try {
      const isAtomic = changeSet !== undefined || requests.length === 1
      const changes = { changeSet, mustQueue: false, refusal: isAtomic ? undefined : notAtomic() }
      const queue = changeSet?.provided.queue
      const responses =
        changeSet === undefined || queue === undefined
          ? []
          : await this.respondTogether(requests, references, changeSet, queue)
      if (responses === undefined) {
        await changeSet?.rollBack()
        return undefined
      }
      for (const request of requests.slice(responses.length)) {
        signal.throwIfAborted()
        const responding = session.within(changeSet, () => this.respond(request, references, changes))
        const response = isPromiseLike(responding) ? await waitOrAbort(responding, signal) : responding
        if (response.status >= 400) {
          await changeSet?.rollBack()
          return this.failedChangeSet(response)
        }
        responses.push(response)
      }
      signal.throwIfAborted()
      await changeSet?.commit()
      references.publish()
      return { kind: 'ChangeSet', responses }
    } catch (thrown) {
      await changeSet?.rollBack()
      throw thrown
    }
  }

  /**
   * Responds to the first requests of a change set, as many as can be queued.
   *
   * @returns undefined when not all of their changes were made
   */
  private async respondTogether(
    requests: readonly BatchRequest[],
    references: ContentIdReferences,
    changeSet: RequestChangeSet,
    queue: ChangeQueue,
  ): Promise<PartResponse[] | undefined> {
    // Changes are added without waiting.
    const caller = await this.caller()
    this.caller = () => caller
    const responses: PartResponse[] = []
    for (;;) {
      const next = requests.slice(responses.length, responses.length + MAX_QUEUED_CHANGES)
      const pending = this.enqueue(next, references, changeSet, queue)
      await waitOrAbort(Promise.resolve(queue.send()), this.work.signal)
      for (const responding of pending) {
        const response = await responding
        if (response === undefined || response.status >= 400) return undefined
        responses.push(response)
      }
      if (pending.length < MAX_QUEUED_CHANGES) return responses
      await this.yield()
    }
  }

  /** Adds changes to a queue, up to a request that does something else. @returns their responses */
  private enqueue(
    requests: readonly BatchRequest[],
    references: ContentIdReferences,
    changeSet: RequestChangeSet,
    queue: ChangeQueue,
  ): readonly PromiseOrValue<PartResponse | undefined>[] {
    const changes = { changeSet, mustQueue: true, refusal: undefined }
    const pending: PromiseOrValue<PartResponse | undefined>[] = []
    changeSet.isQueueing = true
    for (const request of requests) {
      const responding = catchValue<PartResponse | undefined>(
        () => this.dispatch(request, references, changes),
        () => undefined,
      )
      if (queue.length === pending.length) break
      pending.push(responding)
    }
    changeSet.isQueueing = false
    return pending
  }

  /** Returns the error of a change set, which replaces the multipart or is nested in it. */
  private failedChangeSet(response: PartResponse): BatchResponse {
    return this.session.settings.nestChangeSetErrors
      ? { kind: 'ChangeSet', responses: [response] }
      : { kind: 'Response', response }
  }

  /** Returns an error that has the Content-ID of no request. */
  private changeSetError(response: PartResponse): BatchResponse {
    return this.failedChangeSet({ ...response, contentId: undefined, partContentId: undefined })
  }

  /** Yields to the event loop first if the batch has run for long: reads may never wait for anything. */
  private respond(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): PromiseOrValue<PartResponse> {
    return this.isTurnOver && this.turn === undefined
      ? this.yield().then(() => this.respondNow(request, references, changes))
      : this.respondNow(request, references, changes)
  }

  private get isTurnOver(): boolean {
    return performance.now() - this.turnStart >= TURN_MS
  }

  private async yield(): Promise<void> {
    await yieldToEventLoop()
    this.turnStart = performance.now()
  }

  private respondNow(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): PromiseOrValue<PartResponse> {
    try {
      const response = this.dispatch(request, references, changes)
      if (!isPromiseLike(response)) return response
      return response.catch((thrown: unknown) => this.failedPart(thrown, request, changes))
    } catch (thrown) {
      return this.failedPart(thrown, request, changes)
    }
  }

  private dispatch(
    request: BatchRequest,
    references: ContentIdReferences,
    { changeSet, mustQueue, refusal, counts }: Changes,
  ): PromiseOrValue<PartResponse> {
    const { session, turn } = this
    const inner = this.innerRequest(request, this.targetOf(request.uri, references))
    const scope = { changeSet, mustQueue, refusal, references, counts }
    const responding = session.dispatch(inner, scope)
    // A body that is read after the commit would not be part of the transaction.
    const isBuffered = changeSet !== undefined
    const response = mapValue(responding, (whole) =>
      partResponse(whole, request, this.work, isBuffered, turn),
    )
    if (request.contentId === undefined) return response
    return mapValue(response, (part) => {
      references.add(request.contentId, part.headers.Location ?? part.headers['Content-Location'])
      return part
    })
  }

  private failedPart(
    thrown: unknown,
    request: BatchRequest,
    { changeSet }: Changes,
  ): PromiseOrValue<PartResponse> {
    if (changeSet !== undefined && isRetryable(thrown)) throw thrown
    return this.failure(thrown, request)
  }

  private failure(thrown: unknown, request: BatchRequest): PromiseOrValue<PartResponse> {
    return this.errorPart(this.session.report(thrown), request)
  }

  private errorPart(error: ODataError, request: BatchRequest): PromiseOrValue<PartResponse> {
    const response = errorResponse(error, this.innerRequest(request, request.uri), this.session.settings)
    return partResponse(response, request, this.work, true)
  }

  private innerRequest({ method, headers, body: bytes }: BatchRequest, relativeUri: string): BatchedRequest {
    return new BatchedRequest({ method, relativeUri, headers, bytes }, this.session, this.work, this.caller)
  }

  private targetOf(uri: string, references: ContentIdReferences): string {
    const target = innerTarget(uri, this.service)
    if (target === undefined) {
      throw new ODataError('ResourceNotFound', {
        message: `'${uri.slice(0, 200)}' is not below this service.`,
      })
    }
    return 'target' in target ? target.target : references.targetOf(target)
  }
}

function notAtomic(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'This service can make only one change in a change set. Send each change in a change set of its own.',
  })
}
