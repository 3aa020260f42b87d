import { ignoreRefusal } from '../data/column-rights.js'
import type { DataReader } from '../data/data-reader.js'
import { operationOn } from '../data/authorization.js'
import { ODataError } from '../errors/odata-error.js'
import type { ODataResponse } from '../http/odata-response.js'
import { originalSet } from '../edm/model-view.js'
import type { CollectionSource, EntitySource, RequestTarget } from '../query/request-target.js'
import type { Projection } from '../query/projection.js'
import { isCollection, querySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { forEachValue, isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { checkReadonlyTarget } from './fixed-properties.js'
import { bindRequest, isChange } from './bind-request.js'
import type { Binding, RequestSession } from './request-session.js'

type Result = PromiseOrValue<ODataResponse | undefined>

/** Authorizes a read that is bound. */
type AuthorizeRead = (session: RequestSession) => PromiseOrValue<undefined>

/**
 * Returns the step that binds a request with the column rights of its caller. A request is bound to the whole model
 * first, so that requests without hidden columns share their plans. If `authorize` hides columns, it is bound again, to a
 * view of the model without them; so is a request that has failed, because messages depend on the names of the model.
 *
 * @param authorizeRead may hide columns that were not known to be hidden
 */
export function bindForCaller(authorizeRead: AuthorizeRead): (session: RequestSession) => Result {
  const authorizeInView = (session: RequestSession): PromiseOrValue<undefined> =>
    mapValue(authorizeNamed(session, authorizeRead), () => {
      const { binding, columns, service } = session
      if (columns === undefined) return undefined
      const view = columns.hidden.size === 0 ? undefined : service.views.of(columns.hidden)
      if (isChange(binding)) {
        // Changes use the elements of the model, but fail in the same way as if it lacked the hidden names.
        if (view !== undefined) bindRequest(session, view)
        return undefined
      }
      if (binding.view?.key === view?.key) {
        service.views.noteRead(view)
        return undefined
      }
      const inView = bindRequest(session, view)
      if ('status' in inView) return undefined
      session.binding = inView
      return authorizesRead(inView) ? authorizeInView(session) : undefined
    })
  const authorize = (session: RequestSession): Result =>
    mapValue(authorizeFirst(session), () => authorizeEarly(session, authorizeInView))
  return (session) => {
    let bound: Binding | ODataResponse
    try {
      bound = bindInLikelyView(session) ?? bindRequest(session)
    } catch (error) {
      return errorInView(error, session, authorize)
    }
    if ('status' in bound) return responseInView(bound, session)
    session.binding = bound
    return authorize(session)
  }
}

/**
 * Makes the first call of an asynchronous `authorize` for a read. Most reads need no other, and the steps that use its
 * result are then synchronous: a promise for each of them would take longer than the steps.
 */
function authorizeFirst(session: RequestSession): PromiseOrValue<unknown> {
  const { binding, columns, service } = session
  const source = querySource(binding.plan.target)
  if (columns === undefined || source === undefined || binding.read?.authorizes === undefined)
    return undefined
  const isSingle = columns.derived.from(source.set) === undefined
  if (!isSingle || !service.readerOptions.authorization.isAsynchronous) return undefined
  const reader = session.reader()
  if (isPromiseLike(reader)) return undefined
  const operation = operationOn(source, binding.read.authorizes)
  return columns.storing(() => reader.authorizeColumns(operation, source.set))
}

/** Calls `authorize` early. Reads authorize everything here, so later calls of theirs are new ones. */
function authorizeEarly<T>(
  session: RequestSession,
  authorize: (session: RequestSession) => PromiseOrValue<T>,
): PromiseOrValue<T> {
  const { columns } = session
  if (columns === undefined) return authorize(session)
  const early = columns.early(() => authorize(session))
  return mapValue(early, (result) => {
    if (session.binding.read?.authorizes !== undefined) columns.forgetResults()
    return result
  })
}

/** Matches most URIs that {@link authorizesOnce} excludes. */
const namesOthers = /.\/|[?&]search=|expand=/s

/**
 * Binds a read to the view that it probably needs, before `authorize` is called: then it is bound only once.
 *
 * @returns undefined for requests that are invalid in the view, and for those that may call `authorize` for other
 * operations, or have another error, when they are bound to the model
 */
function bindInLikelyView(session: RequestSession): Binding | undefined {
  const { request, service, settings, version } = session
  const { likely, isRestricted } = service.views
  if (likely === undefined || namesOthers.test(request.relativeUri)) return undefined
  if (isRestricted || settings.analytics !== undefined || version === '1.0') return undefined
  try {
    const bound = bindRequest(session, likely)
    return 'status' in bound || !authorizesOnce(bound) ? undefined : bound
  } catch {
    return undefined
  }
}

/** Returns true for reads of stored properties that call `authorize` only for the entities that they address. */
function authorizesOnce({ plan, read }: Binding): boolean {
  const { options, target } = plan
  const source = querySource(target)
  if (source === undefined || read?.authorizes === undefined) return false
  const collection = source.kind === 'KeyedEntity' ? source.collection : source
  if (collection.kind !== 'EntitySet' || options.custom.some(([name]) => name === 'search')) return false
  if (options.system.has('$expand') || options.system.get('$select')?.includes('/') === true) return false
  const { entityType } = originalSet(source.set)
  return [entityType, ...entityType.derivedTypes].every((type) => type.computedProperties.length === 0)
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
  authorize: (session: RequestSession) => Result,
): Result {
  const { columns, request, service } = session
  if (columns === undefined || !(error instanceof ODataError)) throw error
  if (error.status !== 501 && error.status >= 500) throw error
  const touched = touchedSets(session)
  if (touched.size === 0 || request.isAborted) throw error
  return mapValue(authorizeSets(session, touched), () => {
    if (columns.hidden.size === 0) throw error
    const bound = bindRequest(session, service.views.of(columns.hidden))
    if ('status' in bound) return bound
    if (isChange(bound)) throw error
    session.binding = bound
    return authorize(session)
  })
}

/**
 * Responds to OPTIONS in the view of the caller. A refusal is ignored: browsers send OPTIONS without credentials.
 *
 * @throws ODataError ResourceNotFound if the address names a hidden column
 */
function responseInView(response: ODataResponse, session: RequestSession): PromiseOrValue<ODataResponse> {
  const { columns, service } = session
  const touched = touchedSets(session)
  if (columns === undefined || touched.size === 0) return response
  return mapValue(
    ignoreRefusal(() => authorizeSets(session, touched)),
    () => {
      if (columns.hidden.size === 0) return response
      const inView = bindRequest(session, service.views.of(columns.hidden))
      return 'status' in inView ? inView : response
    },
  )
}

/** Finds the entity sets that a request names. */
function touchedSets(session: RequestSession): ReadonlySet<string> {
  const touched = new Set<string>()
  try {
    bindRequest(session, session.service.views.tracking(touched))
  } catch {
    // The entity sets are known now.
  }
  return touched
}

function authorizeSets(session: RequestSession, paths: Iterable<string>): PromiseOrValue<undefined> {
  return mapValue(session.reader(), (reader) =>
    forEachValue([...paths], (path) => {
      const set = session.service.views.setAt(path)
      return ignoreRefusal(() =>
        reader.authorizeColumns({ kind: 'read', entitySet: path, expandDepth: 0 }, set),
      )
    }),
  )
}

/** Authorizes the target of a request, and the entity sets that it only names. */
function authorizeNamed(session: RequestSession, authorizeRead: AuthorizeRead): PromiseOrValue<unknown> {
  const authorized = authorizeColumns(session, authorizeRead)
  const { plan, view } = session.binding
  const { prepared, options } = plan
  const select = options.system.get('$select')
  if (select === undefined || view !== undefined) return authorized
  if (!select.includes('/') && !options.system.has('$expand')) return authorized
  prepared.namedSets ??= namedSets(session)
  const { namedSets: sets } = prepared
  return sets.length === 0 ? authorized : mapValue(authorized, () => authorizeSets(session, sets))
}

/** Finds the sets of navigation properties in `$select` and `$expand` that the response does not contain. */
function namedSets(session: RequestSession): readonly string[] {
  const named = new Set<string>()
  bindRequest(session, session.service.views.tracking(named))
  named.delete(querySource(session.binding.plan.target)?.set.path ?? '')
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
function authorizeColumns(session: RequestSession, authorizeRead: AuthorizeRead): PromiseOrValue<undefined> {
  const { binding } = session
  if (binding.read?.authorizes !== undefined) return authorizeRead(session)
  if (authorizesRead(binding)) return authorizeExport(session)
  const operations = addressedColumns(session)
  if (operations.length === 0) return undefined
  return authorizeOperations(session, operations)
}

function authorizeOperations(
  session: RequestSession,
  operations: readonly AuthorizeColumns[],
): PromiseOrValue<undefined> {
  const authorized = mapValue(session.reader(), (reader) =>
    forEachValue(operations, (operation) => ignoreRefusal(() => operation(reader))),
  )
  return mapValue(authorized, (): undefined => {
    const { binding, columns } = session
    if (isChange(binding) && columns !== undefined)
      checkReadonlyTarget(binding.plan.target, binding.method, columns)
  })
}

/** Returns true if `authorize` filters the query of a read: for feeds, entries and exports. */
function authorizesRead(binding: Binding): boolean {
  return (
    binding.read?.authorizes !== undefined || (binding.plan.target.kind === 'EntitySet' && !isChange(binding))
  )
}

function authorizeExport(session: RequestSession): PromiseOrValue<undefined> {
  const { target } = session.binding.plan
  if (target.kind !== 'EntitySet') return undefined
  const { collection } = target
  const query = { ...session.query, inlineCount: false }
  return mapValue(session.reader(), (reader) =>
    mapValue(reader.authorize(collection, query), (): undefined => undefined),
  )
}

type AuthorizeColumns = (reader: DataReader) => PromiseOrValue<unknown>

/** Returns the operations of a request that names columns in its path, or in a filter of one entity. */
function addressedColumns(session: RequestSession): readonly AuthorizeColumns[] {
  const { target } = session.binding.plan
  const changes = isChange(session.binding)
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
