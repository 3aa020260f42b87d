import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import { ContentIdReferences, innerTarget } from '../batch/inner-target.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { ResponseSource, BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import { batchContentType, createBatchBoundary, serializeBatch } from '../batch/serialize-batch.js'
import { ODataError, isRetryable } from '../errors/odata-error.js'
import { BatchedRequest } from '../http/batched-request.js'
import { closeBody } from '../http/odata-response.js'
import { errorResponse } from '../http/error-response.js'
import type { ODataRequest } from '../http/odata-request.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { yieldToEventLoop } from '../util/yield-to-event-loop.js'
import { waitOrAbort } from '../util/wait-or-abort.js'
import type { RequestChangeSet } from './request-change-set.js'
import type { PartReading } from './part-response.js'
import { partResponse } from './part-response.js'
import { withReplays } from './replay.js'
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
      ...session.headers(batchContentType(ownBoundary)),
      'Cache-Control': 'no-cache',
    }
    return { status: 202, headers, body: serializeBatch(ownBoundary, new BatchRun(session, parts)) }
  },
}

/** In milliseconds. */
const longestTurn = 3

/** So many requests are answered before the first answer is sent. */
const mostTogether = 20

/** How the requests of a part make their changes. */
type Changes = Pick<RequestScope, 'changeSet' | 'refusal'>

/** Each request makes its own changes, which happen all or not at all. */
const ownChanges: Changes = { changeSet: undefined, refusal: undefined }

/** Answers the parts of one batch, one after the other, each when the answer before it has been taken. */
class BatchRun implements ResponseSource {
  private readonly service: ServiceAddress
  private readonly references: ContentIdReferences
  private turnStart = performance.now()
  private done = 0
  /** Answers that have not been taken yet, in their order. */
  private ready: PromiseOrValue<BatchResponse | undefined>[] = []
  private readonly caller = (): PromiseOrValue<unknown> => this.session.caller()

  constructor(
    private readonly session: RequestSession,
    private readonly parts: readonly BatchPart[],
  ) {
    this.service = addressOf(session.request.serviceRoot)
    this.references = new ContentIdReferences(this.service)
  }

  next(): PromiseOrValue<BatchResponse | undefined> {
    if (this.session.request.isAborted) return undefined
    if (this.ready.length === 0 && this.isReading(this.done) && this.isReading(this.done + 1)) {
      this.askForCaller()
      this.session.readSnapshot(this.answerReads)
    }
    return this.ready.shift() ?? this.answerNext()
  }

  private isReading(index: number): boolean {
    return this.parts[index]?.kind === 'Request'
  }

  /** Before what is read together, in which nothing of the application must be called. */
  private askForCaller(): void {
    try {
      this.caller()
    } catch {
      // Whoever needs to know is told the same.
    }
  }

  /** Answers some requests in a row that change nothing, up to one that has to wait. */
  private readonly answerReads = (): void => {
    for (let count = 0; count < mostTogether && this.isReading(this.done); count++) {
      const answer = this.answerNext()
      this.ready.push(answer)
      // Each begins when the one before has been answered.
      if (isPromiseLike(answer)) return
    }
  }

  private answerNext(): PromiseOrValue<BatchResponse | undefined> {
    const part = this.parts[this.done]
    if (part === undefined) return undefined
    this.done++
    if (part.kind === 'ChangeSet' && !part.isLone) return this.changeSet(part.requests)
    // A write that stands alone is a change set of one, and answered like a request.
    const request = part.kind === 'Request' ? part.request : part.requests[0]
    return request === undefined
      ? this.answerNext()
      : asAnswer(this.answer(request, this.references, ownChanges))
  }

  close(): void {
    this.done = this.parts.length
    for (const answer of this.ready.splice(0)) closeAnswer(answer)
  }

  /** Only changes need it: to ask for it costs more than to read an entity. */
  private get signal(): AbortSignal {
    return this.session.request.signal
  }

  /** When one request fails, nothing of the others has happened, and its error is the answer to them all. */
  private async changeSet(requests: readonly BatchRequest[]): Promise<BatchResponse> {
    const [first] = requests
    if (first === undefined) return { kind: 'ChangeSet', responses: [] }
    try {
      return await withReplays(() => this.attempt(requests), this.signal)
    } catch (thrown) {
      // None of the requests is to blame.
      const response = await this.failure(thrown, first)
      return this.failed({ ...response, contentId: undefined, partContentId: undefined })
    }
  }

  /** Makes all changes of a change set, or takes them back. @throws what is the fault of none of the requests */
  private async attempt(requests: readonly BatchRequest[]): Promise<BatchResponse> {
    const references = this.references.openChangeSet()
    const responses: PartResponse[] = []
    const { signal } = this
    const changeSet = await this.session.beginChangeSet()
    try {
      const isAtomic = changeSet !== undefined || requests.length === 1
      const changes = { changeSet, refusal: isAtomic ? undefined : notAtomic() }
      for (const request of requests) {
        signal.throwIfAborted()
        const answered = this.session.within(changeSet, () => this.answer(request, references, changes))
        const response = isPromiseLike(answered) ? await waitOrAbort(answered, signal) : answered
        if (response.status >= 400) {
          await changeSet?.rollBack()
          return this.failed(response)
        }
        responses.push(response)
      }
      signal.throwIfAborted()
      await changeSet?.commit()
    } catch (thrown) {
      await changeSet?.rollBack()
      throw thrown
    }
    references.publish()
    return { kind: 'ChangeSet', responses }
  }

  /** One error for a whole change set: in its place, or alone within it. */
  private failed(response: PartResponse): BatchResponse {
    return this.session.settings.nestChangeSetErrors
      ? { kind: 'ChangeSet', responses: [response] }
      : { kind: 'Response', response }
  }

  private answer(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): PromiseOrValue<PartResponse> {
    const turn = this.giveWay()
    return turn === undefined
      ? this.answerNow(request, references, changes)
      : turn.then(() => this.answerNow(request, references, changes))
  }

  private answerNow(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): PromiseOrValue<PartResponse> {
    try {
      const answered = this.dispatch(request, references, changes)
      if (!isPromiseLike(answered)) return answered
      return answered.catch((thrown: unknown) => this.failedPart(thrown, request, changes))
    } catch (thrown) {
      return this.failedPart(thrown, request, changes)
    }
  }

  private failedPart(
    thrown: unknown,
    request: BatchRequest,
    { changeSet }: Changes,
  ): PromiseOrValue<PartResponse> {
    if (changeSet !== undefined && isRetryable(thrown)) throw thrown
    return this.failure(thrown, request)
  }

  private dispatch(
    request: BatchRequest,
    references: ContentIdReferences,
    { changeSet, refusal }: Changes,
  ): PromiseOrValue<PartResponse> {
    const inner = this.innerRequest(request, this.targetOf(request.uri, references))
    const scope = new PartScope(changeSet, refusal, references)
    const answered = this.session.dispatch(inner, scope)
    // A body that is read after the commit would not be part of the transaction.
    const reading = new BodyReading(this.session.request, changeSet !== undefined)
    const response = mapValue(answered, (whole) => partResponse(whole, request, reading))
    if (request.contentId === undefined) return response
    return mapValue(response, (part) => {
      references.add(request.contentId, part.headers.Location ?? part.headers['Content-Location'])
      return part
    })
  }

  /** Providers may have everything at hand; others, and the news that the client has left, must get a turn too. */
  private giveWay(): Promise<void> | undefined {
    return performance.now() - this.turnStart < longestTurn ? undefined : this.yield()
  }

  private async yield(): Promise<void> {
    await yieldToEventLoop()
    this.turnStart = performance.now()
  }

  private failure(thrown: unknown, request: BatchRequest): PromiseOrValue<PartResponse> {
    const error = this.session.report(thrown)
    const response = errorResponse(error, this.innerRequest(request, request.uri))
    return partResponse(response, request, new BodyReading(this.session.request, true))
  }

  private innerRequest({ method, headers, body: bytes }: BatchRequest, target: string): BatchedRequest {
    return new BatchedRequest({ method, target, headers, bytes }, this.session.request, this.caller)
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

/** There are few, unless clients make names up. */
const addresses = new BoundedCache<string, ServiceAddress>(20)

function addressOf(root: string): ServiceAddress {
  let address = addresses.get(root)
  if (address === undefined) {
    address = { root, path: new URL(root).pathname }
    addresses.set(root, address)
  }
  return address
}

/** What a request shares with the others of its batch. */
class PartScope implements RequestScope {
  constructor(
    readonly changeSet: RequestChangeSet | undefined,
    readonly refusal: ODataError | undefined,
    private readonly references: ContentIdReferences,
  ) {}

  resolveReference(uri: string): string | undefined {
    return this.references.resolve(uri)
  }
}

class BodyReading implements PartReading {
  constructor(
    private readonly request: ODataRequest,
    readonly isComplete: boolean,
  ) {}

  get signal(): AbortSignal {
    return this.request.signal
  }
}

/** Closes the body of a response that is not sent. */
function closeAnswer(answer: PromiseOrValue<BatchResponse | undefined>): void {
  const close = async (): Promise<void> => {
    const given = await answer
    if (given?.kind === 'Response') await closeBody(given.response)
  }
  close().catch(() => undefined)
}

function asAnswer(response: PromiseOrValue<PartResponse>): PromiseOrValue<BatchResponse> {
  return isPromiseLike(response)
    ? response.then((whole) => ({ kind: 'Response', response: whole }))
    : { kind: 'Response', response }
}

function notAtomic(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'The data of this service can be changed by one request at a time only: send each in a change set of its own.',
  })
}
