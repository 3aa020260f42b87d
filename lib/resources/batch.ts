import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import { ContentIdReferences } from '../batch/content-id-references.js'
import { innerTarget } from '../batch/inner-target.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { AnswerSource, BatchAnswer, PartResponse } from '../batch/write-batch.js'
import { batchContentType, newBatchBoundary, writeBatch } from '../batch/write-batch.js'
import { ODataError } from '../errors/odata-error.js'
import { asksToTryAgain } from '../errors/try-again.js'
import { BatchedRequest } from '../http/batched-request.js'
import { errorResponse } from '../http/error-response.js'
import type { ChangeSet } from '../provider/change-set.js'
import { endChangeSet } from '../provider/ended-change-sets.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike, recovered, whenThere } from '../util/maybe-promise.js'
import { nextTurn } from '../util/next-turn.js'
import { untilAbandoned } from '../util/until-abandoned.js'
import type { RequestScope } from './data-door.js'
import { partResponse } from './part-response.js'
import { withReplays } from './replay.js'
import type { ResourceContext, ResourceMethods } from './resource-context.js'

/** URI 9: several requests in one. @spec MS-ODATA 2.2.7.6 */
export const batch: ResourceMethods<'Batch'> = {
  async POST(_target, context) {
    const { request, settings } = context
    const boundary = batchBoundary(request.header('content-type'))
    const body = request.body()
    const whole = await body.whole?.(settings.limits.batchBytes)
    const parts = await parseBatch(whole ?? body, boundary, settings.limits)
    const ownBoundary = newBatchBoundary()
    const headers = {
      ...context.headers(batchContentType(ownBoundary)),
      'Cache-Control': 'no-cache',
    }
    return { status: 202, headers, body: writeBatch(ownBoundary, new BatchRun(context, parts)) }
  },
}

/** In milliseconds. */
const longestTurn = 5

/** How the requests of a part make their changes. */
type Changes = Pick<RequestScope, 'changeSet' | 'refusal'>

/** Each request makes its own changes, which happen all or not at all. */
const ownChanges: Changes = { changeSet: undefined, refusal: undefined }

/** Answers the parts of one batch, one after the other, each when the answer before it has been taken. */
class BatchRun implements AnswerSource {
  private readonly service: ServiceAddress
  private readonly references: ContentIdReferences
  /** Watched from the start: what nobody waits for any more is not done. */
  private readonly signal: AbortSignal
  private turnStart = performance.now()
  private done = 0

  constructor(
    private readonly context: ResourceContext,
    private readonly parts: readonly BatchPart[],
  ) {
    const { serviceRoot, signal } = context.request
    this.service = { root: serviceRoot, path: new URL(serviceRoot).pathname }
    this.references = new ContentIdReferences(this.service)
    this.signal = signal
  }

  next(): MaybePromise<BatchAnswer | undefined> {
    const part = this.parts[this.done]
    if (part === undefined || this.signal.aborted) return undefined
    this.done++
    if (part.kind === 'ChangeSet' && !part.isLone) return this.changeSet(part.requests)
    // A write that stands alone is a change set of one, and answered like a request.
    const request = part.kind === 'Request' ? part.request : part.requests[0]
    return request === undefined
      ? this.next()
      : whenThere(this.answer(request, this.references, ownChanges), asAnswer)
  }

  close(): void {
    this.done = this.parts.length
  }

  /** When one request fails, nothing of the others has happened, and its error is the answer to them all. */
  private async changeSet(requests: readonly BatchRequest[]): Promise<BatchAnswer> {
    const [first] = requests
    if (first === undefined) return { kind: 'ChangeSet', responses: [] }
    try {
      return await withReplays(() => this.attempt(requests), this.signal)
    } catch (thrown) {
      // None of the requests is to blame.
      return this.failed(await this.failure(thrown, { ...first, contentId: undefined }))
    }
  }

  /** Makes all changes of a change set, or takes them back. @throws what is the fault of none of the requests */
  private async attempt(requests: readonly BatchRequest[]): Promise<BatchAnswer> {
    const references = this.references.openChangeSet()
    const responses: PartResponse[] = []
    let changeSet: ChangeSet | undefined
    try {
      changeSet = await this.context.beginChangeSet()
      const isAtomic = changeSet !== undefined || requests.length === 1
      const changes = { changeSet, refusal: isAtomic ? undefined : notAtomic() }
      for (const request of requests) {
        this.signal.throwIfAborted()
        const answered = this.answer(request, references, changes)
        const response = isPromiseLike(answered) ? await untilAbandoned(answered, this.signal) : answered
        if (response.status >= 400) {
          await this.rollBack(changeSet)
          return this.failed(response)
        }
        responses.push(response)
      }
      this.signal.throwIfAborted()
      await changeSet?.commit()
    } catch (thrown) {
      await this.rollBack(changeSet)
      throw thrown
    }
    references.keep()
    return { kind: 'ChangeSet', responses }
  }

  /** One error for a whole change set: in its place, or alone within it. */
  private failed(response: PartResponse): BatchAnswer {
    return this.context.settings.nestChangeSetErrors
      ? { kind: 'ChangeSet', responses: [response] }
      : { kind: 'Response', response }
  }

  /** The answer is what made it necessary, also when the provider fails in it. */
  private async rollBack(changeSet: ChangeSet | undefined): Promise<void> {
    if (changeSet !== undefined) endChangeSet(changeSet)
    try {
      await changeSet?.rollBack()
    } catch (thrown) {
      this.context.report(thrown)
    }
  }

  private answer(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): MaybePromise<PartResponse> {
    return recovered(
      () => whenThere(this.giveWay(), () => this.dispatch(request, references, changes)),
      (thrown) => {
        if (changes.changeSet !== undefined && asksToTryAgain(thrown)) throw thrown
        return this.failure(thrown, request)
      },
    )
  }

  private dispatch(
    request: BatchRequest,
    references: ContentIdReferences,
    { changeSet, refusal }: Changes,
  ): MaybePromise<PartResponse> {
    const inner = this.innerRequest(request, this.targetOf(request.uri, references))
    const scope = new PartScope(changeSet, refusal, references)
    const answered = this.context.dispatch(inner, scope)
    const response = whenThere(answered, (whole) => partResponse(whole, request))
    if (request.contentId === undefined) return response
    return whenThere(response, (part) => {
      references.add(request.contentId, part.headers.Location)
      return part
    })
  }

  /** Providers may have everything at hand; others, and the news that the client has left, must get a turn too. */
  private giveWay(): Promise<void> | undefined {
    return performance.now() - this.turnStart < longestTurn ? undefined : this.nextTurn()
  }

  private async nextTurn(): Promise<void> {
    await nextTurn()
    this.turnStart = performance.now()
  }

  private failure(thrown: unknown, request: BatchRequest): MaybePromise<PartResponse> {
    const error = this.context.report(thrown)
    return partResponse(errorResponse(error, this.innerRequest(request, request.uri)), request)
  }

  private innerRequest({ method, headers, body: bytes }: BatchRequest, target: string): BatchedRequest {
    const { context } = this
    return new BatchedRequest({ method, target, headers, bytes }, context.request, () => context.caller())
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

/** What a request shares with the others of its batch. */
class PartScope implements RequestScope {
  constructor(
    readonly changeSet: ChangeSet | undefined,
    readonly refusal: ODataError | undefined,
    private readonly references: ContentIdReferences,
  ) {}

  resolveReference(uri: string): string | undefined {
    return this.references.resolve(uri)
  }
}

function asAnswer(response: PartResponse): BatchAnswer {
  return { kind: 'Response', response }
}

function notAtomic(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'The data of this service can be changed by one request at a time only: send each in a change set of its own.',
  })
}
