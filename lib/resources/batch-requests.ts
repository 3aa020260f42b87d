import type { BatchRequest } from '../batch/batch-part.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { addressOfService, ContentIdReferences, innerTarget } from '../batch/inner-target.js'
import type { PartResponse } from '../batch/serialize-batch.js'
import { isRetryable, ODataError } from '../errors/odata-error.js'
import { BatchedRequest } from '../http/batched-request.js'
import { errorResponse } from '../http/error-response.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { yieldToEventLoop } from '../util/time-slice.js'
import { BatchWork } from './batch-work.js'
import { partResponse } from './part-response.js'
import type { RequestSession } from './request-session.js'
import type { PreparedResponse, RequestScope } from './service-state.js'
import type { PartTurn } from './started-part.js'

/** Time for which requests of a batch run before it yields to other requests of the service. */
const TURN_MS = 3

/** The scope of the requests of a batch, or of one of its change sets. */
export interface BatchScope extends RequestScope {
  readonly references: ContentIdReferences
}

/**
 * Returns the scope of requests, by default outside of a change set: each begins its own. Scopes have all members in the
 * same order: spreading a scope and adding a member would create a hidden class each time.
 */
export function createScope(
  references: ContentIdReferences,
  members: Partial<Omit<BatchScope, 'references'>> = {},
): BatchScope {
  const {
    changeSet,
    mustQueue = false,
    refusal,
    counts,
    onAuthorized,
    keyReads,
    readGroup,
    readBack,
  } = members
  return { changeSet, mustQueue, refusal, counts, onAuthorized, keyReads, readGroup, readBack, references }
}

/** Responds to single requests of a batch. */
export class BatchRequests {
  readonly work: BatchWork
  /** Of the requests outside of change sets. */
  readonly references: ContentIdReferences
  /** That of the read that starts, together with others. */
  turn: PartTurn | undefined
  private readonly service: ServiceAddress
  private turnStart = performance.now()
  private resolveContext = (): PromiseOrValue<unknown> => this.session.caller()

  constructor(readonly session: RequestSession) {
    const { request, settings } = session
    this.work = new BatchWork(request, settings.limits.batchTime)
    this.service = addressOfService(request.serviceRoot)
    this.references = new ContentIdReferences(this.service)
  }

  /**
   * Resolves the context before a read snapshot begins, during which no application code must run.
   *
   * @returns a promise if the context is pending
   */
  resolveCaller(): Promise<void> | undefined {
    try {
      const caller = this.resolveContext()
      return isPromiseLike(caller) ? this.awaitCaller().catch(this.failContext) : undefined
    } catch {
      // Each request throws the same error.
      return undefined
    }
  }

  private readonly failContext = (error: unknown): void => {
    this.resolveContext = () => {
      throw error
    }
  }

  /** Waits for the context, so that the requests that follow need not wait. */
  async awaitCaller(): Promise<void> {
    const caller = await this.resolveContext()
    this.resolveContext = () => caller
  }

  /** Returns the address of a request below the service, unless it begins with a reference to another request. */
  addressOf(uri: string): string {
    const target = innerTarget(uri, this.service)
    return target !== undefined && 'target' in target ? target.target : uri
  }

  /** Yields to the event loop first if the batch has run for long: reads may never wait for anything. */
  respond(
    request: BatchRequest,
    scope: BatchScope,
    prepared?: PreparedResponse,
    now = performance.now(),
  ): PromiseOrValue<PartResponse> {
    return now - this.turnStart >= TURN_MS && this.turn === undefined
      ? this.yield().then(() => this.respondNow(request, scope, prepared))
      : this.respondNow(request, scope, prepared)
  }

  /** Binds and authorizes a read that {@link respond} then responds to; undefined for an invalid address. */
  prepare(request: BatchRequest, scope: BatchScope): PreparedResponse | undefined {
    let target: string
    try {
      target = this.targetOf(request.uri)
    } catch {
      return undefined
    }
    const { observation, service } = this.session
    return service.prepare(this.innerRequest(request, target), scope, observation)
  }

  get isTurnOver(): boolean {
    return performance.now() - this.turnStart >= TURN_MS
  }

  async yield(): Promise<void> {
    await yieldToEventLoop()
    this.turnStart = performance.now()
  }

  private respondNow(
    request: BatchRequest,
    scope: BatchScope,
    prepared?: PreparedResponse,
  ): PromiseOrValue<PartResponse> {
    try {
      const response = this.dispatch(request, scope, prepared)
      if (!isPromiseLike(response)) return response
      return response.catch((thrown: unknown) => this.failedPart(thrown, request, scope))
    } catch (thrown) {
      return this.failedPart(thrown, request, scope)
    }
  }

  dispatch(
    request: BatchRequest,
    scope: BatchScope,
    prepared?: PreparedResponse,
  ): PromiseOrValue<PartResponse> {
    const { session, turn } = this
    const responding =
      prepared?.respond() ??
      session.dispatch(this.innerRequest(request, this.targetOf(request.uri, scope.references)), scope)
    // A body that is read after the commit would not be part of the transaction.
    const isBuffered = scope.changeSet !== undefined
    const response = mapValue(responding, (whole) =>
      partResponse(whole, request, this.work, isBuffered, turn),
    )
    if (request.contentId === undefined) return response
    return mapValue(response, (part) => {
      scope.references.add(request.contentId, part.headers.Location ?? part.headers['Content-Location'])
      return part
    })
  }

  private failedPart(
    thrown: unknown,
    request: BatchRequest,
    { changeSet }: BatchScope,
  ): PromiseOrValue<PartResponse> {
    if (changeSet !== undefined && isRetryable(thrown)) throw thrown
    return this.failure(thrown, request)
  }

  failure(thrown: unknown, request: BatchRequest): PromiseOrValue<PartResponse> {
    return this.errorPart(this.session.report(thrown), request)
  }

  errorPart(error: ODataError, request: BatchRequest): PromiseOrValue<PartResponse> {
    const response = errorResponse(error, this.innerRequest(request, request.uri), this.session.settings)
    return partResponse(response, request, this.work, true)
  }

  private innerRequest({ method, headers, body: bytes }: BatchRequest, relativeUri: string): BatchedRequest {
    return new BatchedRequest(
      { method, relativeUri, headers, bytes },
      this.session,
      this.work,
      this.resolveContext,
    )
  }

  targetOf(uri: string, references = this.references): string {
    const target = innerTarget(uri, this.service)
    if (target === undefined) {
      throw new ODataError('ResourceNotFound', {
        message: `'${uri.slice(0, 200)}' is not below this service.`,
      })
    }
    return 'target' in target ? target.target : references.targetOf(target)
  }
}
