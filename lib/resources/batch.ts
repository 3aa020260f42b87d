import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { ResponseSource, BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import { batchContentType, createBatchBoundary, serializeBatch } from '../batch/serialize-batch.js'
import { KeyReads } from '../data/key-reads.js'
import { SharedCounts } from '../data/shared-counts.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { respondToChangeSet } from './batch-change-set.js'
import type { BatchScope } from './batch-requests.js'
import { BatchRequests, createScope } from './batch-requests.js'
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

/** Reads that start together. */
interface ReadsTogether {
  readonly scope: BatchScope
  readonly keyReads: KeyReads
}

/** A read that may respond when the entity that it addresses, or navigates from, has been read. */
interface PreparedRead {
  readonly part: StartedPart
  readonly request: BatchRequest
  readonly prepared: PreparedResponse
}

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
  private together: ReadsTogether | undefined

  constructor(
    private readonly session: RequestSession,
    private readonly parts: readonly BatchPart[],
  ) {
    this.requests = new BatchRequests(session)
    const { references } = this.requests
    this.own = createScope(references)
    this.reads = createScope(references, { counts: this.counts })
  }

  next(): PromiseOrValue<BatchResponse | undefined> {
    const { request } = this.session
    // The end of the multipart would look as if there were no further parts.
    if (this.nextPart < this.parts.length && request.isAborted) request.signal.throwIfAborted()
    if (this.ready.length === 0 && this.isRead(this.nextPart) && this.isRead(this.nextPart + 1)) {
      const { requests } = this
      const isConcurrent = this.session.service.provider.concurrentReads === true
      if (isConcurrent && requests.isTurnOver) return requests.yield().then(() => this.next())
      const start = performance.now()
      const caller = requests.resolveCaller()
      if (!isConcurrent) this.respondToReads()
      else if (caller === undefined) this.startReads()
      else return mapValue(requests.work.measure(start, caller), () => this.next())
    }
    const started = this.ready.shift()
    if (started === undefined) return this.respondToPart()
    started.turn?.begin()
    return started.response
  }

  /** False when the time is over. The first part always starts. */
  private get canStart(): boolean {
    return this.nextPart === 0 || !this.requests.work.isOver
  }

  /** Created on first access: few providers read concurrently. */
  private get readsTogether(): ReadsTogether {
    return (this.together ??= this.startTogether())
  }

  private startTogether(): ReadsTogether {
    const { counts, reads } = this
    const keyReads = new KeyReads()
    const scope = createScope(reads.references, { counts, readGroup: reads, keyReads })
    return { scope, keyReads }
  }

  private isRead(index: number): boolean {
    return this.parts[index]?.kind === 'Request'
  }

  /** Responds to consecutive reads in one read snapshot, up to one that returns a promise. */
  private respondToReads(): void {
    const { settings, canPrepareReads } = this.session
    const isAuthorizing = settings.authorize !== undefined && canPrepareReads
    if (!isAuthorizing || this.prepareReads()) this.session.readSnapshot(this.respondInSnapshot)
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

  private readonly respondInSnapshot = (): void => {
    const isPrepared = this.prepared.length > 0
    for (let count = 0; count < MAX_SNAPSHOT_REQUESTS && this.isRead(this.nextPart); count++) {
      if (isPrepared && !this.isReady()) return
      const response = this.respondToPart()
      this.ready.push({ response })
      if (isPromiseLike(response)) return
    }
  }

  /** Starts consecutive reads without waiting for one another. Those that read an entity by its key share a call. */
  private startReads(): void {
    const start = performance.now()
    const { requests } = this
    const sharing: PreparedRead[] = []
    for (let count = 0; count < MAX_SNAPSHOT_REQUESTS && this.isRead(this.nextPart); count++) {
      const isAlone = this.callsFunction(this.nextPart)
      if (isAlone && count > 0) break
      const part: StartedPart = { response: undefined, turn: new PartTurn() }
      this.ready.push(part)
      const { request } = this.parts[this.nextPart] as Extract<BatchPart, { kind: 'Request' }>
      // A read that follows a change may need no statement.
      const canPrepare = !isAlone && this.canStart && this.readBack === undefined
      const prepared = canPrepare ? requests.prepare(request, this.readsTogether.scope) : undefined
      if (prepared?.mayShareRead === true) {
        this.nextPart++
        sharing.push({ part, prepared, request })
      } else {
        if (prepared !== undefined) this.prepared.push(prepared)
        this.respondInTurn(part, () => this.respondToPart())
      }
      if (isAlone) return
    }
    if (sharing.length > 0) this.respondWhenRead(sharing, start)
  }

  /** Responds to reads when `authorize` has been called for all, and the entities that they share have been read. */
  private respondWhenRead(reads: readonly PreparedRead[], start: number): void {
    const pending = reads.map(({ prepared }) => prepared.shareRead()).filter((one) => one !== undefined)
    if (pending.length === 0) return this.respondToShared(reads, start)
    const authorizing = Promise.all(pending)
    void this.requests.work.measure(start, authorizing)
    const responding = authorizing.then(() => this.respondToShared(reads))
    for (const { part } of reads) part.response = responding.then(() => part.response)
  }

  private respondToShared(reads: readonly PreparedRead[], start?: number): void {
    const { work } = this.requests
    const loading = this.readsTogether.keyReads.load()
    if (loading !== undefined) void work.measure(start ?? performance.now(), loading)
    for (const read of reads) {
      const { sharedRead } = read.prepared
      const respond = (): StartedPart['response'] => this.respondToPrepared(read)
      read.part.response = sharedRead === undefined ? respond() : sharedRead.then(respond)
    }
  }

  /** Replaces a promise of the response, so that only the first of several parts is awaited. */
  private respondToPrepared({ part, prepared, request }: PreparedRead): StartedPart['response'] {
    this.respondInTurn(part, () => this.respondTo(request, this.readsTogether.scope, prepared))
    return part.response
  }

  private respondInTurn(part: StartedPart, respond: () => StartedPart['response']): void {
    const { requests } = this
    requests.turn = part.turn
    part.response = respond()
    requests.turn = undefined
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
    const { canStart } = this
    this.nextPart++
    const prepared = this.prepared.shift()
    if (!canStart) return this.refuse(part)
    const { turn, work } = this.requests
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
    const scope = isChange ? this.own : turn === undefined ? this.reads : this.readsTogether.scope
    const shared = isChange ? this.readBack : readBack
    const { counts, keyReads, readGroup, references } = scope
    const own =
      shared === undefined
        ? scope
        : createScope(references, { counts, keyReads, readGroup, readBack: shared })
    return this.respondTo(request, own, prepared, start)
  }

  private respondTo(
    request: BatchRequest,
    scope: BatchScope,
    prepared: PreparedResponse | undefined,
    start = performance.now(),
  ): PromiseOrValue<BatchResponse> {
    const { requests } = this
    return requests.work.measure(
      start,
      mapValue(requests.respond(request, scope, prepared, start), this.toBatchResponse),
    )
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
