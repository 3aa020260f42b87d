import { ignoreRefusal } from '../data/column-rights.js'
import type { DataReader } from '../data/data-reader.js'
import { operationOn } from '../data/authorization.js'
import { ODataError } from '../errors/odata-error.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, EntitySource, RequestTarget } from '../query/request-target.js'
import type { Projection } from '../query/projection.js'
import { isCollection, querySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { checkReadonlyTarget } from './fixed-properties.js'
import type { RequestSession, ResourceRoute } from './request-session.js'
import type { ServiceView } from './service-views.js'

type Result = PromiseOrValue<ODataResponse | undefined> | undefined

/** The steps that need the column rights of the caller. */
export interface PlanningSteps {
  /** Parses, routes and binds a request; synchronous. */
  readonly bind: readonly ((session: RequestSession) => ODataResponse | undefined)[]
  /** Authorizes a read whose query is bound. */
  readonly authorize: (session: RequestSession) => PromiseOrValue<undefined>
}

/**
 * Returns the step that plans a request with the column rights of its caller. A request is bound to the whole model
 * first, so that requests without hidden columns share their plans. If `authorize` hides columns, it is bound again, to a
 * view of the model without them; so is a request that has failed, because messages depend on the names of the model.
 */
export function planForCaller({ bind, authorize }: PlanningSteps): (session: RequestSession) => Result {
  const bindAll = (session: RequestSession): ODataResponse | undefined => {
    for (const step of bind) {
      const response = step(session)
      if (response !== undefined) return response
    }
    return undefined
  }
  const rebind: Rebind = (session, view) => {
    session.view = view
    return bindAll(session)
  }
  const authorizeInView = (session: RequestSession): PromiseOrValue<undefined> =>
    mapValue(authorizeNamed(session, authorize, rebind), () => {
      const { columns, service } = session
      if (columns === undefined || columns.hidden.size === 0) return undefined
      const view = service.views.of(columns.hidden)
      if (isChange(session)) {
        checkInView(session, view, rebind)
        return undefined
      }
      if (session.view?.key === view.key) return undefined
      rebind(session, view)
      return authorizesRead(session) ? authorizeInView(session) : undefined
    })
  return (session) => {
    let response: ODataResponse | undefined
    try {
      response = bindAll(session)
    } catch (error) {
      return errorInView(error, session, rebind, () =>
        authorizeEarly(session, () => authorizeInView(session)),
      )
    }
    return response === undefined
      ? authorizeEarly(session, () => authorizeInView(session))
      : responseInView(response, session, rebind)
  }
}

/** @returns the response to OPTIONS, which needs no data */
type Rebind = (session: RequestSession, view: ServiceView<ResourceRoute>) => ODataResponse | undefined

/** Calls `authorize` early. Reads authorize everything here, so later calls of theirs are new ones. */
function authorizeEarly<T>(session: RequestSession, work: () => PromiseOrValue<T>): PromiseOrValue<T> {
  const { columns } = session
  if (columns === undefined) return work()
  return mapValue(columns.early(work), (result) => {
    if (session.read?.authorizes !== undefined) columns.forgetResults()
    return result
  })
}

/** Changes use the elements of the model, but fail in the same way as if it lacked the hidden names. */
function checkInView(session: RequestSession, view: ServiceView<ResourceRoute>, rebind: Rebind): void {
  const { plan, handler, method } = session
  rebind(session, view)
  Object.assign(session, { plan, handler, method, read: undefined, view: undefined })
}

/**
 * Binds a request that has failed in the view of its caller. A read may succeed there, for example without
 * `sap:required-in-filter` of a hidden column.
 *
 * @param authorize authorizes a read that succeeds
 * @throws the error that the request has in the view
 */
function errorInView(
  error: unknown,
  session: RequestSession,
  rebind: Rebind,
  authorize: () => Result,
): Result {
  const { columns, request, service } = session
  if (columns === undefined || !(error instanceof ODataError)) throw error
  if (error.status !== 501 && error.status >= 500) throw error
  const touched = touchedSets(session, rebind)
  if (touched.size === 0 || request.isAborted) throw error
  return mapValue(authorizeSets(session, touched), () => {
    if (columns.hidden.size === 0) throw error
    const response = rebind(session, service.views.of(columns.hidden))
    if (response !== undefined) return response
    if (isChange(session)) throw error
    return authorize()
  })
}

/**
 * Responds to OPTIONS in the view of the caller. A refusal is ignored: browsers send OPTIONS without credentials.
 *
 * @throws ODataError ResourceNotFound if the address names a hidden column
 */
function responseInView(
  response: ODataResponse,
  session: RequestSession,
  rebind: Rebind,
): PromiseOrValue<ODataResponse | undefined> {
  const { columns, service } = session
  const touched = touchedSets(session, rebind)
  if (columns === undefined || touched.size === 0) return response
  return mapValue(
    ignoreRefusal(() => authorizeSets(session, touched)),
    () => (columns.hidden.size === 0 ? response : rebind(session, service.views.of(columns.hidden))),
  )
}

/** Finds the entity sets that a request names. */
function touchedSets(session: RequestSession, rebind: Rebind): ReadonlySet<string> {
  const touched = new Set<string>()
  try {
    rebind(session, session.service.views.tracking(touched))
  } catch {
    // The entity sets are known now.
  }
  return touched
}

async function authorizeSets(session: RequestSession, paths: Iterable<string>): Promise<void> {
  const reader = await session.reader()
  for (const path of paths) {
    const set = session.service.views.setAt(path)
    await ignoreRefusal(() => reader.authorizeColumns({ kind: 'read', entitySet: path, expandDepth: 0 }, set))
  }
}

/** Authorizes the target of a request, and the entity sets that it only names. */
function authorizeNamed(
  session: RequestSession,
  authorize: PlanningSteps['authorize'],
  rebind: Rebind,
): PromiseOrValue<unknown> {
  const authorized = authorizeColumns(session, authorize)
  const { meaning, options } = session.plan
  const select = options.system.get('$select')
  if (select === undefined || session.view !== undefined) return authorized
  if (!select.includes('/') && !options.system.has('$expand')) return authorized
  meaning.namedSets ??= namedSets(session, rebind)
  const { namedSets: sets } = meaning
  return sets.length === 0 ? authorized : mapValue(authorized, () => authorizeSets(session, sets))
}

/** Finds the sets of navigation properties in `$select` and `$expand` that the response does not contain. */
function namedSets(session: RequestSession, rebind: Rebind): readonly string[] {
  const { handler, method, negotiated, plan, read } = session
  const named = new Set<string>()
  try {
    rebind(session, session.service.views.tracking(named))
  } finally {
    Object.assign(session, { handler, method, negotiated, plan, read, view: undefined })
  }
  named.delete(querySource(plan.target)?.set.path ?? '')
  const remove = ({ expansions }: Projection): void => {
    for (const { projection } of expansions) {
      named.delete(projection.set.path)
      remove(projection)
    }
  }
  remove(session.query.projection)
  return [...named]
}

/** Calls `authorize` to find the restricted columns of the target. The handler authorizes the request itself. */
function authorizeColumns(
  session: RequestSession,
  authorize: PlanningSteps['authorize'],
): PromiseOrValue<undefined> {
  if (session.read?.authorizes !== undefined) return authorize(session)
  if (authorizesRead(session)) return authorizeExport(session)
  const operations = addressedColumns(session)
  if (operations.length === 0) return undefined
  return authorizeOperations(session, operations)
}

async function authorizeOperations(
  session: RequestSession,
  operations: readonly ((reader: DataReader) => PromiseOrValue<unknown>)[],
): Promise<undefined> {
  const reader = await session.reader()
  for (const operation of operations) await ignoreRefusal(() => operation(reader))
  if (isChange(session) && session.columns !== undefined)
    checkReadonlyTarget(session.plan.target, session.method, session.columns)
  return undefined
}

function isChange({ method, plan }: RequestSession): boolean {
  return method !== 'GET' && method !== 'HEAD' && !plan.meaning.route.isCall
}

/** Returns true if `authorize` filters the query of a read: for feeds, entries and exports. */
function authorizesRead(session: RequestSession): boolean {
  return (
    session.read?.authorizes !== undefined || (session.plan.target.kind === 'EntitySet' && !isChange(session))
  )
}

async function authorizeExport(session: RequestSession): Promise<undefined> {
  const { target } = session.plan
  const reader = await session.reader()
  if (target.kind === 'EntitySet')
    await reader.authorize(target.collection, { ...session.query, inlineCount: false })
}

type AuthorizeColumns = (reader: DataReader) => PromiseOrValue<unknown>

/** Returns the operations of a request that names columns in its path, or in a filter of one entity. */
function addressedColumns(session: RequestSession): readonly AuthorizeColumns[] {
  const { target } = session.plan
  const changes = isChange(session)
  const source = sourceOf(target, changes)
  if (source === undefined) return []
  const operations: AuthorizeColumns[] = [(reader) => reader.authorizePath(source, 'read')]
  if (target.kind === 'EntityCount' && !isCollection(target.of)) {
    const { of } = target
    operations.push((reader) => reader.authorize(of, session.query, true))
  }
  if (changes && 'path' in target)
    operations.push((reader) => reader.authorizeColumns(operationOn(source, 'update'), source.set))
  if (changes && !('path' in target))
    operations.push((reader) => reader.authorizeColumns(operationOn(source, 'link'), source.set))
  return operations
}

/** Returns the entities whose columns the path of a request names. */
function sourceOf(target: RequestTarget, isChange: boolean): CollectionSource | EntitySource | undefined {
  switch (target.kind) {
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return target.owner.kind === 'ReturnedValue' ? undefined : target.owner
    case 'EntityCount':
      return target.of
    case 'Links':
      return isChange ? target.source : target.linked
    case 'EntitySet':
      return target.collection.kind === 'RelatedEntities' ? target.collection.source : undefined
    case 'Entity':
    case 'MediaResource': {
      const { entity } = target
      const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
      return over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity' ? over.source : undefined
    }
    default:
      return undefined
  }
}
