import { inspect } from 'node:util'
import type { AuthorizedQuery } from '../data/permissions.js'
import { navigationSteps } from '../data/navigation-steps.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ChunkSource, ODataResponse } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import { timeOfResponse } from '../http/response-headers.js'
import { meters } from '../diagnostics/measurement.js'
import { expressionKey } from '../query/expression-key.js'
import type { Expression } from '../query/expression.js'
import { computedExpression } from '../query/computed-expression.js'
import type { EntityQuery } from '../query/entity-query.js'
import type { Projection } from '../query/projection.js'
import { shownProperties } from '../query/projection.js'
import { isFunction } from '../edm/edm-model.js'
import { isScan } from '../data/pushdown.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { querySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, catchValue, mapValue } from '../util/promise-or-value.js'
import type { CachedPage, PendingPage } from './page-cache.js'
import { chunksOf, fillTimes } from './page-cache.js'
import type { SharedPages } from './shared-pages.js'
import type { RequestPlan } from './request-plan.js'
import type { RequestSession, ResourceRoute } from './request-session.js'

/** The store has no page, or was searched already. */
const NO_PAGES = { get: () => undefined }

/** The key of a page without the version of its data. */
interface Address {
  readonly text: string
  /** True if it was requested before. */
  readonly isKnown: boolean
}

/** Responds with a cached page if the version of its data is the current one. */
export function serveCachedPage(session: RequestSession): PromiseOrValue<ODataResponse | undefined> {
  const { binding, request, scope, settings } = session
  const { plan, read } = binding
  const { prepared } = plan
  // Plans of changes have no query, and share what is prepared with those of reads.
  if (read === undefined) return undefined
  prepared.isCacheable ??= isCacheable(plan)
  if (!prepared.isCacheable) return undefined
  if (scope?.changeSet !== undefined || request.method === 'POST') return undefined
  const { pages, sharedPages } = session.service
  const isNew = plan.occurrence === 'first' && sharedPages === undefined
  const text = isNew ? '' : addressOf(session)
  const address = { text, isKnown: !isNew && (pages.knows(text) || plan.occurrence === 'second') }
  // Reading the version takes SQLite as long as reading a row. Other processes may have shared the page.
  if (!address.isKnown && sharedPages === undefined) {
    if (meters.current !== undefined) meters.current.pages.miss++
    return undefined
  }
  const entitySets =
    settings.authorize === undefined ? (prepared.entitySets ??= entitySetsOf(session)) : entitySetsOf(session)
  const version = dataVersionOf(session, entitySets)
  return isPromiseLike(version)
    ? version.then((later) => lookUp(session, address, entitySets, later))
    : lookUp(session, address, entitySets, version)
}

/** Caches the response, once it is complete, if {@link serveCachedPage} has found that it should be. */
export function cachePage(response: ODataResponse, session: RequestSession): PromiseOrValue<ODataResponse> {
  const { pendingPage } = session
  const { status, headers, body } = response
  if (pendingPage === undefined || status !== 200 || body === undefined) return response
  const recorder = new PageRecorder(session, pendingPage, response)
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const whole = recorder.add(body)
    return mapValue(recorder.finish(), () => ({ status, headers, body: whole }))
  }
  return isChunkSource(body) ? { status, headers, body: new RecordedSource(body, recorder) } : response
}

/**
 * Returns false for single entities, which are cheaper to read than to look up, and for functions, whose results can
 * differ.
 */
function isCacheable({ prepared, target }: RequestPlan<ResourceRoute>): boolean {
  const { isCall, query, route } = prepared
  const isSingle = target.kind === 'Entity' && query?.projection.expansions.length === 0
  const isPage = target.kind === 'ServiceDocument' || route.read?.authorizes !== undefined
  return isPage && !isCall && !isSingle && !callsFunctions(query)
}

/** Returns true if a page contains results of functions, which may depend on the caller and the time. */
function callsFunctions(query: EntityQuery | undefined): boolean {
  if (query === undefined) return false
  const { filter, orderBy, projection } = query
  const expressions = [
    ...(filter === undefined ? [] : [filter]),
    ...orderBy.map(({ expression }) => expression),
  ]
  return showsFunctions(projection) || expressions.some(isScan)
}

function showsFunctions(projection: Projection): boolean {
  const { entityType, expansions } = projection
  return (
    (entityType.computedProperties.length > 0 &&
      shownProperties(projection).some(({ computed }) => computed !== undefined && isFunction(computed))) ||
    expansions.some((expansion) => showsFunctions(expansion.projection))
  )
}

/** Returns the names of all entity sets that a request reads: those of its path, expansions, filters and restrictions. */
function entitySetsOf(session: RequestSession): readonly string[] {
  const names = new Set<string>()
  const source = querySource(session.binding.plan.target)
  if (source === undefined) return []
  const { conditions, counting = [], orderBy, query, restrictions } = session.authorized
  addPath(source, names)
  addShown(query.projection, names)
  addGroups(query, names)
  for (const { expression } of orderBy) addSteps(expression, names)
  for (const expressions of [conditions.restrictions, conditions.filters, counting, ...restrictions.all]) {
    for (const expression of expressions) addSteps(expression, names)
  }
  return [...names]
}

/** Adds the sets whose rows are grouped instead of those of an analytical set. */
function addGroups({ grouping }: EntityQuery, names: Set<string>): void {
  if (grouping?.source === undefined) return
  const { paths, set } = grouping.source
  names.delete(grouping.analytical.set.path)
  names.add(set.path)
  for (const path of paths.values()) addSteps(path, names)
}

function addPath(source: CollectionSource | EntitySource, names: Set<string>): void {
  names.add(source.set.path)
  if (source.kind === 'KeyedEntity') addPath(source.collection, names)
  else if (source.kind === 'RelatedEntities' || source.kind === 'RelatedEntity') addPath(source.source, names)
}

function addShown({ entityType, expansions, set }: Projection, names: Set<string>): void {
  names.add(set.path)
  for (const property of entityType.computedProperties) {
    const expression = computedExpression(set, property)
    if (expression !== undefined) addSteps(expression, names)
  }
  for (const { projection } of expansions) addShown(projection, names)
}

function addSteps(expression: Expression, names: Set<string>): void {
  for (const { restriction, target } of navigationSteps(expression)) {
    names.add(target.path)
    if (restriction !== undefined) addSteps(restriction, names)
  }
}

function dataVersionOf(
  session: RequestSession,
  entitySets: readonly string[],
): PromiseOrValue<string | number | undefined> {
  if (entitySets.length === 0) return ''
  if (session.service.provider.dataVersion === undefined) return undefined
  const calls = session.providerCalls()
  const version = isPromiseLike(calls)
    ? calls.then((later) => later.dataVersion(entitySets))
    : calls.dataVersion(entitySets)
  return isPromiseLike(version) ? Promise.resolve(version).then(checkedVersion) : checkedVersion(version)
}

function checkedVersion(version: unknown): string | number | undefined {
  if (version === undefined || typeof version === 'string' || Number.isFinite(version)) {
    return version as string | number | undefined
  }
  throw new TypeError(
    `dataVersion() of a provider must return a string, a finite number or undefined, not ${inspect(version)}.`,
  )
}

/**
 * @param shared pages of other processes that are still to be searched
 * @throws ODataError PreconditionFailed for an If-Match that does not match, as without the cache
 */
function lookUp(
  session: RequestSession,
  address: Address,
  entitySets: readonly string[],
  dataVersion: string | number | undefined,
  shared: Pick<SharedPages, 'get'> | undefined = session.service.sharedPages,
): PromiseOrValue<ODataResponse | undefined> {
  if (dataVersion === undefined) return undefined
  const { binding, request, service } = session
  const { pages } = service
  const version = `${typeof dataVersion} ${String(dataVersion)}`
  const key = `${String(version.length)} ${version}\n${address.text}`
  const cached = pages.get(key)
  if (cached === undefined) {
    const found = entitySets.length === 0 ? undefined : shared?.get(key)
    if (found !== undefined)
      return found.then((page) => {
        if (page !== undefined) pages.set(key, page)
        return lookUp(session, address, entitySets, dataVersion, NO_PAGES)
      })
    if (meters.current !== undefined) meters.current.pages.miss++
    if (pages.admits(address.text, version) && address.isKnown)
      session.pendingPage = { key, entitySets, dataVersion }
    return undefined
  }
  if (meters.current !== undefined) meters.current.pages[shared === NO_PAGES ? 'shared' : 'hit']++
  const hasTime = cached.timePositions.length > 0
  const { status, headers, chunks } = hasTime ? withPresentTime(cached, key, session) : cached
  if (binding.plan.target.kind === 'Entity') isNotModified(request, { etag: headers.ETag })
  return { status, headers, body: chunks.length === 1 ? chunks[0] : new CachedSource(chunks) }
}

/**
 * Returns everything that the bytes of a response depend on, apart from the data and the options of the service. No part
 * contains a line feed, except for the restrictions of `authorize`.
 */
function addressOf(session: RequestSession): string {
  const { binding, language, request, settings, version } = session
  const { negotiated, read, view } = binding
  const { serviceRoot, relativeUri } = request
  const isRestricted = settings.authorize !== undefined && read?.authorizes !== undefined
  const restrictions = isRestricted ? `${view?.key ?? ''}\n${restrictionsKey(session.authorized)}` : ''
  const contentType = negotiated?.contentType ?? ''
  const tag = language?.language.tag ?? ''
  return `${contentType}\n${tag}\n${version}\n${serviceRoot}\n${relativeUri}\n${restrictions}`
}

function restrictionsKey({ conditions, counting = [], orderBy, restrictions }: AuthorizedQuery): string {
  const order = orderBy.map(({ expression }) => expression)
  const groups = [conditions.restrictions, conditions.filters, counting, order, ...restrictions.all]
  return groups.map((group) => group.map(expressionKey).join('&')).join('\n')
}

/** Sets the time of the response in copies of the chunks, because the chunks may still be sent to another client. */
function withPresentTime(page: CachedPage, key: string, { service }: RequestSession): CachedPage {
  const time = timeOfResponse()
  if (page.time === time) return page
  const bytes = Buffer.concat(page.chunks, page.byteLength)
  for (const position of page.timePositions) bytes.write(time, position, 'latin1')
  const present = { ...page, time, chunks: chunksOf(bytes) }
  service.pages.set(key, present)
  return present
}

/** Collects the chunks of a response while it is sent. */
class PageRecorder {
  private readonly time = timeOfResponse()
  private readonly timePositions: number[] = []
  private chunks: Buffer[] = []
  private byteLength = 0

  constructor(
    private readonly session: RequestSession,
    private readonly pending: PendingPage,
    private readonly response: ODataResponse,
  ) {}

  /** @returns the bytes to send, with the time of the response */
  add(chunk: string | Uint8Array): Uint8Array {
    // A provider may reuse the memory of its bytes when they have been sent.
    const copy = Buffer.from(chunk as string)
    for (const position of fillTimes(copy, this.time)) this.timePositions.push(this.byteLength + position)
    this.byteLength += copy.byteLength
    if (this.isTooLarge) this.chunks = []
    else this.chunks.push(copy)
    return copy
  }

  /** Caches the page if the data have not changed while it was read. */
  finish(): PromiseOrValue<void> {
    const { session, pending } = this
    if (this.isTooLarge || !this.isComplete) return
    return catchValue(
      () =>
        mapValue(dataVersionOf(session, pending.entitySets), (version) => {
          if (version === pending.dataVersion && this.isComplete) this.store()
        }),
      () => undefined,
    )
  }

  private get isTooLarge(): boolean {
    return this.byteLength > this.session.service.pages.maxBytesOf(this.pending.key)
  }

  /** A provider may end its rows early when the client has left. Messages belong to one response only. */
  private get isComplete(): boolean {
    const { messages, request } = this.session
    return !request.isAborted && (messages === undefined || messages.all.length === 0)
  }

  private store(): void {
    const { byteLength } = this
    const { status, headers } = this.response
    const chunks = chunksOf(Buffer.concat(this.chunks, byteLength))
    const page: CachedPage = {
      status,
      headers: chunks.length === 1 ? headers : { ...headers, 'Content-Length': String(byteLength) },
      chunks,
      byteLength,
      time: this.time,
      timePositions: Uint32Array.from(this.timePositions),
    }
    const { pages, sharedPages } = this.session.service
    pages.set(this.pending.key, page)
    if (this.pending.entitySets.length > 0) sharedPages?.set(this.pending.key, page)
  }
}

/** A document that is recorded while it is sent. */
class RecordedSource implements ChunkSource {
  readonly kind = 'ChunkSource'

  constructor(
    private readonly source: ChunkSource,
    private readonly recorder: PageRecorder,
  ) {}

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    return mapValue(this.source.next(), (chunk) =>
      chunk === undefined ? mapValue(this.recorder.finish(), () => undefined) : this.recorder.add(chunk),
    )
  }

  close(): PromiseOrValue<void> {
    return this.source.close()
  }
}

/** The chunks of a cached page. */
class CachedSource implements ChunkSource {
  readonly kind = 'ChunkSource'
  private index = 0

  constructor(private readonly chunks: readonly Buffer[]) {}

  next(): Buffer | undefined {
    return this.chunks[this.index++]
  }

  close(): void {
    this.index = this.chunks.length
  }
}
