import type { DataReader } from '../data/data-reader.js'
import { formatSeconds } from '../edm/instant.js'
import { ODataError } from '../errors/odata-error.js'
import { entityPathWriter, pathOf } from '../formats/entity-address.js'
import { nextQuery, sameEntitiesQuery } from '../formats/next-link.js'
import type { ODataResponse } from '../http/odata-response.js'
import { prefersChanges } from '../http/response-headers.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { literalAs } from '../query/bind-literal.js'
import type { EntityQuery } from '../query/entity-query.js'
import { optionsWhere } from '../query/query-option-rules.js'
import type { CollectionSource } from '../query/request-target.js'
import { parseSkipToken } from '../uri/parse-query-options.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ChangeOptions } from './change-token.js'
import { changeOptionsOf, ChangeTokens, hasToken } from './change-token.js'
import type { PageDocument } from './page-response.js'
import { pageResponse } from './page-response.js'
import type { RequestSession } from './request-session.js'

/** Options that select a part of the entities, or others: their changes cannot be found. */
const untracked = optionsWhere(({ tracking }) => tracking === 'never')
/** Options of a first load that a delta link does not have. */
const notOfDeltas = optionsWhere(({ tracking }) => tracking === 'never' || tracking === 'firstLoad')

/**
 * Responds with a page of a service that tracks changes: a delta if the request has `!deltatoken`, else entities, with a
 * delta link on the last page.
 */
export async function trackedPage(
  session: RequestSession,
  collection: CollectionSource,
  document: PageDocument,
): Promise<ODataResponse> {
  const received = session.binding.plan.options
  // Links of a time in which the set was tracked.
  if (isUntracked(session, collection) && hasToken(received)) throw gone(session, collection)
  const options = changeOptionsOf(received)
  const { '!deltatoken': token, '!deltastart': start, '!deltaend': end } = options
  const isDelta = token !== undefined
  checkCombination(options)
  const reader = await session.reader()
  const withoutChanges = (reason: string): PromiseOrValue<ODataResponse> => {
    if (!isDelta && start === undefined) return pageResponse(session, collection, document)
    throw new ODataError('BadRequest', { message: reason })
  }
  const reason = reasonAgainst(session, collection, isDelta)
  if (reason !== undefined) return withoutChanges(reason)
  const tokens = new ChangeTokens(session.authorized)
  try {
    // First: other conditions than those of the token are Gone, even if no changes can be found for them.
    tokens.check(options)
    const condition = reader.changes.reasonAgainst(collection.set, session.authorized.conditions)
    if (condition !== undefined) return await withoutChanges(condition)
    if (isDelta) return await deltaResponse(session, collection, document, { reader, tokens, token, end })
    return await firstLoad(session, collection, document, { reader, tokens, start })
  } catch (error) {
    throw error instanceof ODataError && error.code === 'Gone' ? gone(session, collection, error) : error
  }
}

/** @throws ODataError BadRequest for options that exclude each other */
function checkCombination(options: ChangeOptions): void {
  const isDelta = options['!deltatoken'] !== undefined
  const other = isDelta ? '!deltastart' : '!deltaend'
  if (options[other] === undefined) return
  throw new ODataError('BadRequest', {
    message: `${other} cannot be used ${isDelta ? 'with' : 'without'} !deltatoken.`,
  })
}

/** Returns the reason why a request has no changes; undefined if it has some, whatever its conditions are. */
function reasonAgainst(
  session: RequestSession,
  collection: CollectionSource,
  isDelta: boolean,
): string | undefined {
  const { query, scope, version } = session
  const excluded = isDelta ? notOfDeltas : untracked
  const option = excluded.find((name) => query.received.system.has(name))
  if (option !== undefined) return `${option} cannot be used with !deltatoken or !deltastart.`
  if (collection.kind !== 'EntitySet' || query.grouping !== undefined)
    return 'Only entity sets have change tracking.'
  if (version === '1.0') return 'Version 1.0 of the protocol has no delta links.'
  if (scope?.changeSet !== undefined) return 'Changes cannot be read in a change set.'
  return isUntracked(session, collection) ? `'${collection.set.path}' has no change tracking.` : undefined
}

function isUntracked({ service }: RequestSession, collection: CollectionSource): boolean {
  return collection.kind === 'EntitySet' && !service.tracked.has(collection.set.path)
}

interface FirstLoad {
  readonly reader: DataReader
  readonly tokens: ChangeTokens
  readonly start: string | undefined
}

/** Responds with a page whose next links carry the position of the first page, and whose last page has it in its delta link. */
async function firstLoad(
  session: RequestSession,
  collection: CollectionSource,
  document: PageDocument,
  { reader, tokens, start }: FirstLoad,
): Promise<ODataResponse> {
  if (start === undefined && session.query.seek !== undefined)
    return pageResponse(session, collection, document)
  // Before anything is read: later changes are in the first delta.
  const token = start ?? tokens.create(await retried(session, () => reader.changes.position(collection.set)))
  // A cached page could have a position whose changes are not known any more.
  session.pendingPage = undefined
  if (token === undefined) return pageResponse(session, collection, document)
  const changes = {
    nextOptions: `!deltastart=${token}`,
    deltaLink: signedLinkOf(session, collection, `!deltatoken='${token}'`),
    path: pathOf(collection),
  }
  const response = await pageResponse(session, collection, { ...document, changes })
  if (!prefersChanges(session.request)) return response
  return { ...response, headers: { ...response.headers, 'Preference-Applied': 'odata.track-changes' } }
}

interface Delta extends Omit<FirstLoad, 'start'> {
  readonly token: string
  /** The token of the position up to which the delta link of the last page covers; undefined on the first page. */
  readonly end: string | undefined
}

async function deltaResponse(
  session: RequestSession,
  collection: CollectionSource,
  document: PageDocument,
  { reader, tokens, token, end }: Delta,
): Promise<ODataResponse> {
  const { set } = collection
  const { query, settings } = session
  const position = tokens.positionIn(token, '!deltatoken')
  checkPlace(query)
  const context = session.writeContext(reader)
  const read = (): ReturnType<typeof reader.changes.page> => reader.changes.page(session.authorized, position)
  const { page, removed, position: reached, next } = await retried(session, read)
  const endToken = end ?? tokens.create(reached) ?? token
  const pathOfRow = entityPathWriter(set)
  const tokenOption = `!deltatoken='${token}'`
  const nextOptions = `${tokenOption}&!deltaend=${endToken}`
  const root = `${context.root}${pathOf(collection)}?`
  const changes = {
    nextOptions,
    next: next && root + nextQuery(query, next, 0, settings.nextTop, nextOptions),
    deltaLink: signedLinkOf(session, collection, `!deltatoken='${endToken}'`),
    path: pathOf(collection),
    removed: removed.map(({ key, at }) => ({
      id: context.root + pathOfRow(key),
      when: at === undefined ? context.updated : `${formatSeconds(at.getTime())}Z`,
    })),
  }
  return pageResponse(session, collection, { ...document, changes }, page)
}

/** Reads changes. Providers that number them then, in the database, can conflict with other processes. */
function retried<T>({ request, service }: RequestSession, read: () => PromiseOrValue<T>): Promise<T> {
  return service.retries.run(read, request)
}

/** @throws ODataError BadRequest for a `$skiptoken` that is not a key: providers compare it in different ways */
function checkPlace({ projection, received }: EntityQuery): void {
  const { key } = projection.entityType
  const token = received.system.get('$skiptoken')
  if (token === undefined) return
  const isKey = parseSkipToken(token).every((literal, index) => {
    const value = literalAs(literal, key[index]?.type as PrimitiveTypeName)?.value
    return value !== undefined && value !== null
  })
  if (!isKey)
    throw new ODataError('BadRequest', { message: '$skiptoken of a delta must be a key of the set.' })
}

/** Returns the address of the same entities, or of their changes. */
function linkOf({ query, request }: RequestSession, collection: CollectionSource, option = ''): string {
  const options = sameEntitiesQuery(query, option)
  return `${request.serviceRoot}${pathOf(collection)}${options === '' ? '' : `?${options}`}`
}

function signedLinkOf(session: RequestSession, collection: CollectionSource, option: string): string {
  const link = linkOf(session, collection, option)
  return session.linkSigner === undefined ? link : session.linkSigner.sign(link)
}

function gone(session: RequestSession, collection: CollectionSource, cause?: ODataError): ODataError {
  return new ODataError('Gone', {
    message: 'The changes since this token are not known any more. Load the set again.',
    details: { location: linkOf(session, collection) },
    cause,
  })
}
