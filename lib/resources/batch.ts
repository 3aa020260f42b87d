import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import { ContentIdReferences } from '../batch/content-id-references.js'
import { innerTarget } from '../batch/inner-target.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { BatchAnswer, PartResponse } from '../batch/write-batch.js'
import { batchContentType, newBatchBoundary, writeBatch } from '../batch/write-batch.js'
import { ODataError } from '../errors/odata-error.js'
import { asksToTryAgain } from '../errors/try-again.js'
import { BatchedRequest } from '../http/batched-request.js'
import { errorResponse } from '../http/error-response.js'
import type { ChunkSource } from '../http/odata-response.js'
import type { ChangeSet } from '../provider/change-set.js'
import { nextTurn } from '../util/next-turn.js'
import type { RequestScope } from './data-door.js'
import { partResponse } from './part-response.js'
import { withReplays } from './replay.js'
import type { ResourceContext, ResourceMethods } from './resource-context.js'

/** URI 9: several requests in one. @spec MS-ODATA 2.2.7.6 */
export const batch: ResourceMethods<'Batch'> = {
  async POST(_target, context) {
    const { request, settings } = context
    const boundary = batchBoundary(request.header('content-type'))
    const parts = await parseBatch(request.body(), boundary, settings.limits)
    const ownBoundary = newBatchBoundary()
    const headers = {
      ...context.headers(batchContentType(ownBoundary)),
      'Cache-Control': 'no-cache',
    }
    const answers = new BatchRun(context).answers(parts)
    return { status: 202, headers, body: batchBody(writeBatch(ownBoundary, answers)) }
  },
}

/** The answers as they are made. */
function batchBody(pieces: AsyncGenerator<string | Uint8Array, void>): ChunkSource {
  return {
    kind: 'ChunkSource',
    async next() {
      const { done, value } = await pieces.next()
      return done === true ? undefined : value
    },
    async close() {
      await pieces.return()
    },
  }
}

/** In milliseconds. */
const longestTurn = 5

/** How the requests of a part make their changes. */
type Changes = Pick<RequestScope, 'changeSet' | 'refusal'>

/** Each request makes its own changes, which happen all or not at all. */
const ownChanges: Changes = { changeSet: undefined, refusal: undefined }

/** Answers the parts of one batch, one after the other, each when the answer before it has been taken. */
class BatchRun {
  private readonly service: ServiceAddress
  private readonly references: ContentIdReferences
  /** Watched from the start: what nobody waits for any more is not done. */
  private readonly signal: AbortSignal
  private turnStart = performance.now()

  constructor(private readonly context: ResourceContext) {
    const { serviceRoot, signal } = context.request
    this.service = { root: serviceRoot, path: new URL(serviceRoot).pathname }
    this.references = new ContentIdReferences(this.service)
    this.signal = signal
  }

  async *answers(parts: readonly BatchPart[]): AsyncGenerator<BatchAnswer> {
    for (const part of parts) {
      if (this.signal.aborted) return
      if (part.kind === 'ChangeSet' && !part.isLone) {
        yield await this.changeSet(part.requests)
      } else {
        // A write that stands alone is a change set of one, and answered like a request.
        for (const request of part.kind === 'Request' ? [part.request] : part.requests) {
          const response = await this.answer(request, this.references, ownChanges)
          yield { kind: 'Response', response }
        }
      }
    }
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
        const response = await this.answer(request, references, changes)
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
    try {
      await changeSet?.rollBack()
    } catch (thrown) {
      this.context.report(thrown)
    }
  }

  private async answer(
    request: BatchRequest,
    references: ContentIdReferences,
    changes: Changes,
  ): Promise<PartResponse> {
    try {
      await this.giveWay()
      const inner = this.innerRequest(request, this.targetOf(request.uri, references))
      const resolveReference = (uri: string): string | undefined => references.resolve(uri)
      const answered = await this.context.dispatch(inner, { ...changes, resolveReference })
      const response = await partResponse(answered, request)
      references.add(request.contentId, response.headers.Location)
      return response
    } catch (thrown) {
      if (changes.changeSet !== undefined && asksToTryAgain(thrown)) throw thrown
      return this.failure(thrown, request)
    }
  }

  /** Providers may have everything at hand; others, and the news that the client has left, must get a turn too. */
  private async giveWay(): Promise<void> {
    if (performance.now() - this.turnStart < longestTurn) return
    await nextTurn()
    this.turnStart = performance.now()
  }

  private failure(thrown: unknown, request: BatchRequest): Promise<PartResponse> {
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

function notAtomic(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'The data of this service can be changed by one request at a time only: send each in a change set of its own.',
  })
}
