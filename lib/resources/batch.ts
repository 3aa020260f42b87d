import type { BatchPart } from '../batch/batch-part.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { ResponseSource, BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import { batchContentType, createBatchBoundary, serializeBatch } from '../batch/serialize-batch.js'
import { SharedCounts } from '../data/shared-counts.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { respondToChangeSet } from './batch-change-set.js'
import type { BatchScope } from './batch-requests.js'
import { BatchRequests, ownScope } from './batch-requests.js'
import { changeSetError } from './failed-change-set.js'
import type { RequestSession, ResourceMethods } from './request-session.js'
import type { PreparedResponse } from './service-state.js'
import type { StartedPart } from './started-part.js'
import { discardPart, PartTurn } from './started-part.js'

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

/** The maximum number of requests that share a read snapshot, or start together. */
const MAX_SNAPSHOT_REQUESTS = 20

/** Responds to the parts of one batch in their order, as fast as the client receives the responses. */
class BatchRun implements ResponseSource {
  private readonly requests: BatchRequests
  private nextPart = 0
  private ready: StartedPart[] = []
  /** The reads from {@link nextPart} that have been authorized. */
  private prepared: PreparedResponse[] = []
  /** Of the last change and the next part; see {@link ProviderCall.readBack}. */
  private readBack: object | undefined
  private readonly counts = new SharedCounts()
  /** Of changes: each begins its own change set. */
  private readonly own: BatchScope
  private readonly reads: BatchScope
  private readonly readsTogether: BatchScope

  constructor(
    private readonly session: RequestSession,
    private readonly parts: readonly BatchPart[],
  ) {
    this.requests = new BatchRequests(session)
    this.own = ownScope(this.requests.references)
    this.reads = { ...this.own, counts: this.counts }
    this.readsTogether = { ...this.reads, readGroup: this.reads }
  }

  next(): PromiseOrValue<BatchResponse | undefined> {
    const { request } = this.session
    // The end of the multipart would look as if there were no further parts.
    if (this.nextPart < this.parts.length && request.isAborted) request.signal.throwIfAborted()
    if (this.ready.length === 0 && this.isRead(this.nextPart) && this.isRead(this.nextPart + 1)) {
      const isConcurrent = this.session.service.provider.concurrentReads === true
      if (isConcurrent && this.requests.isTurnOver) return this.requests.yield().then(() => this.next())
      this.requests.resolveCaller()
      this.respondTogether(isConcurrent ? this.startReads : this.respondToReads)
    }
    const started = this.ready.shift()
    if (started === undefined) return this.respondToPart()
    started.turn?.begin()
    return started.response
  }

  private isRead(index: number): boolean {
    return this.parts[index]?.kind === 'Request'
  }

  private respondTogether(work: () => void): void {
    const { settings, canPrepareReads } = this.session
    const isAuthorizing = settings.authorize !== undefined && canPrepareReads
    if (!isAuthorizing) this.session.readSnapshot(work)
    else if (work === this.startReads) work()
    else if (this.prepareReads()) this.session.readSnapshot(work)
  }

  /**
   * Authorizes consecutive reads before they share a read snapshot, during which no application code must run. Calls of
   * `authorize` that are asynchronous wait together: only the first read waits, and is read outside of the snapshot.
   *
   * @returns false if the next read cannot be part of a snapshot
   */
  private prepareReads(): boolean {
    const { requests } = this
    while (this.prepared.length < MAX_SNAPSHOT_REQUESTS && !requests.work.isOver && !requests.isTurnOver) {
      if (this.prepared.at(-1)?.isAuthorized === false) break
      const part = this.parts[this.nextPart + this.prepared.length]
      const prepared = part?.kind === 'Request' ? requests.prepare(part.request, this.reads) : undefined
      if (prepared === undefined) break
      this.prepared.push(prepared)
    }
    return this.isReady()
  }

  /** Returns true if the next read has been authorized. */
  private isReady(): boolean {
    const [next] = this.prepared
    return next?.isWaiting === false && next.isAuthorized
  }

  /** Responds to consecutive reads, up to one that returns a promise. */
  private readonly respondToReads = (): void => {
    const isPrepared = this.prepared.length > 0
    for (let count = 0; count < MAX_SNAPSHOT_REQUESTS && this.isRead(this.nextPart); count++) {
      if (isPrepared && !this.isReady()) return
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
      const turn = (this.requests.turn = new PartTurn())
      this.ready.push({ response: this.respondToPart(), turn })
      this.requests.turn = undefined
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
    const prepared = this.prepared.shift()
    // The first part always starts.
    const { turn, work } = this.requests
    if (this.nextPart > 1 && work.isOver) return this.refuse(part)
    const start = performance.now()
    const { readBack } = this
    const isChange = part.kind === 'ChangeSet'
    const isFollowed = isChange && part.requests.length === 1 && isReadBack(part, this.parts[this.nextPart])
    this.readBack = isFollowed ? part : undefined
    if (isChange) this.counts.clear()
    if (isChange && !part.isLone)
      return work.measure(start, respondToChangeSet(part.requests, this.requests, this.readBack))
    // A write outside of change sets is a change set of one, with the response of a request.
    const request = isChange ? required(part.requests[0]) : part.request
    const scope = isChange ? this.own : turn === undefined ? this.reads : this.readsTogether
    const shared = isChange ? this.readBack : readBack
    const own = shared === undefined ? scope : { ...scope, readBack: shared }
    return work.measure(start, mapValue(this.requests.respond(request, own, prepared), this.toBatchResponse))
  }

  private readonly toBatchResponse = (part: PartResponse): BatchResponse => {
    const response = this.requests.work.stream(part)
    // A slow client takes long to read it.
    if (response !== part) this.counts.clear()
    return { kind: 'Response', response }
  }

  /** Responds to a part that does not start, because the time is over. */
  private refuse(part: BatchPart): PromiseOrValue<BatchResponse> {
    const [request] = part.kind === 'Request' ? [part.request] : part.requests
    if (request === undefined) return { kind: 'ChangeSet', responses: [] }
    // Reported once, whatever the number of parts.
    const { work } = this.requests
    work.timeout ??= this.session.report(work.createTimeout())
    return mapValue(this.requests.errorPart(work.timeout, request), (response) =>
      part.kind === 'ChangeSet' && !part.isLone
        ? changeSetError(response, this.requests)
        : { kind: 'Response', response },
    )
  }

  close(): void {
    this.nextPart = this.parts.length
    this.ready.splice(0).forEach(discardPart)
  }
}

/** Matches query options that are, or may decode to, `$select`. */
const selectsProperties = /[?&][^=&]*(?:%|select)/

/** Returns true if the part after a change reads all properties of the resource that the change addresses. */
function isReadBack(
  { requests: [change] }: Extract<BatchPart, { kind: 'ChangeSet' }>,
  next: BatchPart | undefined,
): boolean {
  if (change === undefined || next?.kind !== 'Request') return false
  const { uri } = next.request
  if (!uri.startsWith(change.uri)) return false
  const options = uri.slice(change.uri.length)
  return options === '' || (options.startsWith('?') && !selectsProperties.test(options))
}
