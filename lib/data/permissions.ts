import type { EntitySet } from '../edm/edm-model.js'
import type { EntityOperation, Operation } from '../provider/authorize.js'
import type { Analytics } from '../query/analytics.js'
import type { EntityQuery } from '../query/entity-query.js'
import { keyOrder, orderOf, totalOrder } from '../query/entity-query.js'
import type { DerivedFrom } from '../query/derived-columns.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import type { GroupSource } from '../query/group-source.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { getOrCreate } from '../util/get-or-create.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { forEachValue, isPromiseLike, mapValue } from '../util/promise-or-value.js'
import type { Authorization } from './authorization.js'
import type { ColumnRights } from './column-rights.js'
import { computedSteps, navigationSteps } from './navigation-steps.js'
import { hasColumnRights, ignoreRefusal } from './column-rights.js'
import type { Conditions } from './pushdown.js'
import { unconditional } from './pushdown.js'
import { functionOperation, operationOn } from './authorization.js'
import type { Restrictions } from './restrictions.js'
import { PartRestrictions, unrestricted, withComputed } from './restrictions.js'
import { StepPermissions } from './step-permissions.js'

/** The conditions on the entities of a source, and on the entities on the path to them. */
export interface Authorized {
  readonly conditions: Conditions
  /** Restrictions of the path. */
  readonly restrictions: Restrictions
}

/**
 * A query in which all restrictions are resolved: reading it does not call `authorize` again. Equal queries with equal
 * conditions, orders and restrictions have equal results on the same data.
 */
export interface AuthorizedQuery extends Authorized {
  readonly query: EntityQuery
  /** A total order, with restrictions on its navigation steps. */
  readonly orderBy: readonly OrderByTerm[]
  /** Restrictions of the inline count, in addition to the conditions; undefined when entities are not counted. */
  readonly counting: readonly Expression[] | undefined
  /** Restrictions of the path and of all expansions. */
  readonly restrictions: Restrictions
}

const none: readonly Expression[] = []

/** Resolves the permissions of one request by calls of `authorize`, before any data is read. */
export class Permissions<Context> {
  /** Results for the rows that analytical sets group, by the path of their set. */
  private rows: Map<string, PromiseOrValue<readonly Expression[]>> | undefined
  /** Paths of the sets whose derived columns are known to be hidden or not. */
  private resolved: Set<string> | undefined
  private ownSteps: StepPermissions | undefined

  constructor(
    private readonly authorization: Authorization<Context>,
    private readonly context: Context,
    private readonly columns?: ColumnRights,
    private readonly analytics?: Analytics,
  ) {}

  private get steps(): StepPermissions {
    return (this.ownSteps ??= new StepPermissions(this))
  }

  /** False when the service has no `authorize` function. */
  get hasAuthorize(): boolean {
    return this.authorization.authorize !== undefined
  }

  /**
   * Calls `authorize`.
   *
   * @param set the set that the entities belong to, if the operation returns entities
   * @returns the conditions of entities that the caller may see; none without a filter
   */
  filters(operation: Operation, set: EntitySet | undefined): PromiseOrValue<readonly Expression[]> {
    const filters = this.ownFilters(operation, set)
    const from = set && this.columns?.derived.from(set)
    if (set === undefined || from === undefined || this.resolved?.has(set.path) === true) return filters
    return mapValue(filters, (own) => mapValue(this.resolveDerived(set, from), () => own))
  }

  /** Learns the columns of the entities from which columns of a set are derived, because they may be hidden. */
  private resolveDerived({ path }: EntitySet, { rows, steps }: DerivedFrom): PromiseOrValue<undefined> {
    this.resolved = (this.resolved ?? new Set()).add(path)
    const ofRows = rows && ignoreRefusal(() => this.readRows(rows))
    return mapValue(ofRows, () => this.steps.resolve(steps))
  }

  /** Calls `authorize` for the rows that an analytical set groups. */
  private readRows(set: EntitySet): PromiseOrValue<readonly Expression[]> {
    this.rows ??= new Map()
    return getOrCreate(this.rows, set.path, async () =>
      this.filters({ kind: 'read', entitySet: set.path, expandDepth: 0 }, set),
    )
  }

  private ownFilters(
    operation: Operation,
    set: EntitySet | undefined,
  ): PromiseOrValue<readonly Expression[]> {
    const { authorize } = this.authorization
    if (authorize === undefined) return none
    const { columns } = this
    const known = columns?.filtersOf(operation)
    if (known !== undefined) return known
    const result = authorize(operation, this.context)
    if (!isPromiseLike(result)) {
      const filters = this.filtersIn(result, operation, set)
      columns?.store(operation, filters)
      return filters
    }
    this.authorization.isAsynchronous = true
    const pending = Promise.resolve(result).then((returned) => {
      const filters = this.filtersIn(returned, operation, set)
      if (stored !== undefined) stored.filters = filters
      return filters
    })
    const stored = columns?.store(operation, pending)
    return pending
  }

  /** Parses a result of `authorize`, and adds its columns to those of the request. */
  private filtersIn(
    returned: unknown,
    operation: Operation,
    set: EntitySet | undefined,
  ): readonly Expression[] {
    const filter = hasColumnRights(returned) ? this.filterAndColumns(returned, operation, set) : returned
    return filter === undefined || filter === null ? none : this.authorization.filters(filter, operation, set)
  }

  private filterAndColumns(
    rights: Readonly<Record<string, unknown>>,
    operation: Operation,
    set: EntitySet | undefined,
  ): unknown {
    const columns = this.authorization.columns(rights, operation, set)
    if (set !== undefined) this.columns?.add(set, columns)
    return rights.filter
  }

  /** Returns the restrictions of the application for an operation, and the filter of the client. */
  conditions(
    operation: Operation,
    set: EntitySet,
    filter?: Expression,
    rows?: GroupSource,
  ): PromiseOrValue<Conditions> {
    if (!this.hasAuthorize)
      return filter === undefined ? unconditional : { restrictions: none, filters: [filter] }
    return mapValue(this.rowFilters(operation, set, rows), (restrictions) =>
      filter === undefined
        ? { restrictions, filters: [] }
        : mapValue(this.steps.restrict(filter), (restricted) => ({ restrictions, filters: [restricted] })),
    )
  }

  /** Returns the conditions of entities; for an analytical set that groups the rows of another set, those of both sets. */
  private rowFilters(
    operation: Operation,
    set: EntitySet,
    rows: GroupSource | undefined,
  ): PromiseOrValue<readonly Expression[]> {
    const filters = this.filters(operation, set)
    if (rows === undefined) return filters
    const { kind } = operation as Operation & { readonly kind: EntityOperation }
    return mapValue(filters, (own) => {
      const rowFilters =
        kind === 'read'
          ? this.readRows(rows.set)
          : this.filters({ kind, entitySet: rows.set.path, expandDepth: 0 }, rows.set)
      return mapValue(rowFilters, (ofRows) => [
        ...ofRows,
        ...own.map((one) => rows.map(one, 'InternalServerError')),
      ])
    })
  }

  private rowsOf(source: CollectionSource | EntitySource): GroupSource | undefined {
    const analytical = this.analytics?.setOf(source)
    return analytical && this.analytics?.sourceOf(analytical)
  }

  /** Authorizes an operation on entities, and the path to them. */
  source(
    source: CollectionSource | EntitySource,
    kind: EntityOperation,
    filter?: Expression,
  ): PromiseOrValue<Authorized> {
    const resolved = this.conditions(operationOn(source, kind), source.set, filter, this.rowsOf(source))
    return mapValue(resolved, (conditions) => {
      if (!this.hasAuthorize || isDirect(source)) return { conditions, restrictions: unrestricted }
      const restrictions = new PartRestrictions()
      return mapValue(this.resolvePath(source, restrictions), () => ({ conditions, restrictions }))
    })
  }

  /**
   * Authorizes the read of a query: entities, their path, their count, their order and all expansions.
   *
   * @param isCount whether only the number of the entities is read
   */
  query(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
    isCount: boolean,
  ): PromiseOrValue<AuthorizedQuery> {
    if (!this.hasAuthorize) return unrestrictedQuery(query)
    return isCount ? this.resolveCount(source, query) : this.resolveQuery(source, query)
  }

  private resolveQuery(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
  ): PromiseOrValue<AuthorizedQuery> {
    const { set } = source
    const rows = this.rowsOf(source)
    if (rows === undefined && isPlain(source, query)) return this.resolveEntity(source, query)
    const restrictions = new PartRestrictions()
    return mapValue(this.conditions(operationOn(source, 'read'), set, query.filter, rows), (conditions) => {
      const isCounted = query.inlineCount && isCollection(source)
      const countRights = isCounted ? this.rowFilters(operationOn(source, 'count'), set, rows) : undefined
      return mapValue(countRights, (counting) =>
        mapValue(this.orderOf(query, set), (orderBy) =>
          mapValue(this.resolvePath(source, restrictions), () =>
            mapValue(this.resolveExpansions(query.projection, 1, restrictions), () =>
              mapValue(this.resolveComputed(query), (computed) => ({
                query: this.restrictRows(query),
                conditions,
                orderBy,
                counting,
                restrictions: withComputed(restrictions, computed),
              })),
            ),
          ),
        ),
      )
    })
  }

  /** Resolves a query with one call of `authorize`. */
  private resolveEntity(source: EntitySource, query: EntityQuery): PromiseOrValue<AuthorizedQuery> {
    const filters = this.filters(operationOn(source, 'read'), source.set)
    return mapValue(filters, (own) => ({
      query,
      conditions: { restrictions: own, filters: none },
      orderBy: keyOrder(source.set.entityType),
      counting: undefined,
      restrictions: unrestricted,
    }))
  }

  private resolveCount(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
  ): PromiseOrValue<AuthorizedQuery> {
    return mapValue(this.source(source, 'count', query.filter), ({ conditions, restrictions }) =>
      mapValue(query.grouping === undefined ? [] : this.resolveComputed(query), (computed) => ({
        query: this.restrictRows(query),
        conditions,
        orderBy: [],
        counting: undefined,
        restrictions: withComputed(restrictions, computed),
      })),
    )
  }

  /** Resolves a path from its end to its start. */
  private resolvePath(
    source: CollectionSource | EntitySource,
    restrictions: PartRestrictions,
  ): PromiseOrValue<undefined> {
    switch (source.kind) {
      case 'EntitySet':
        return undefined
      case 'KeyedEntity':
        return this.resolvePath(source.collection, restrictions)
      case 'RelatedEntities':
      case 'RelatedEntity': {
        const entity = source.source
        return mapValue(this.filters(operationOn(entity, 'read'), entity.set), (filters) => {
          restrictions.add(entity, filters)
          return this.resolvePath(entity, restrictions)
        })
      }
      case 'ReturnedEntities':
      case 'ReturnedEntity':
        return mapValue(this.filters(functionOperation(source.call), source.set), (filters): undefined => {
          restrictions.add(source.call, filters)
        })
    }
  }

  /** @param depth the number of navigation properties between the entities of the request and these expansions */
  private resolveExpansions(
    { expansions }: Projection,
    depth: number,
    restrictions: PartRestrictions,
  ): PromiseOrValue<undefined> {
    return forEachValue(expansions, (expansion) => {
      const { set } = expansion.projection
      const navigation = expansion.navigation.name
      const operation: Operation = { kind: 'read', entitySet: set.path, navigation, expandDepth: depth }
      return mapValue(this.filters(operation, set), (filters) => {
        restrictions.add(expansion, filters)
        return this.resolveExpansions(expansion.projection, depth + 1, restrictions)
      })
    })
  }

  /**
   * Resolves the restrictions of the navigation properties that computed properties of a query use.
   *
   * @returns the restrictions of all steps
   */
  resolveComputed(
    query: Pick<EntityQuery, 'projection' | 'grouping'>,
  ): PromiseOrValue<readonly (readonly Expression[])[]> {
    if (!this.hasAuthorize) return []
    const steps = computedSteps(query)
    return mapValue(this.steps.resolve(steps), () =>
      steps.map((step) => {
        const restriction = this.steps.restrictionOf(step)
        return restriction === undefined ? none : [restriction]
      }),
    )
  }

  /** Restricts the paths of the rows that a query groups, whose steps {@link resolveComputed} has resolved. */
  restrictRows<Query extends Pick<EntityQuery, 'grouping'>>(query: Query): Query {
    const { grouping } = query
    if (grouping?.source === undefined || !this.hasAuthorize) return query
    const source = grouping.source.withPaths(this.restrictComputed)
    return { ...query, grouping: { ...grouping, source } }
  }

  /** Restricts the expression of a computed property, which {@link resolveComputed} has resolved. */
  readonly restrictComputed = <E extends Expression>(expression: E): E =>
    this.steps.restrictResolved(expression)

  private orderOf(
    { grouping, orderBy }: EntityQuery,
    set: EntitySet,
  ): PromiseOrValue<readonly OrderByTerm[]> {
    if (grouping !== undefined) return grouping.orderBy
    // Providers cache the compiled form of the same terms.
    if (orderBy.every(({ expression }) => navigationSteps(expression).length === 0))
      return totalOrder(orderBy, set.entityType)
    const restricted: OrderByTerm[] = []
    const restrict = (term: OrderByTerm): PromiseOrValue<unknown> =>
      mapValue(this.steps.restrict(term.expression), (expression) => restricted.push({ ...term, expression }))
    return mapValue(forEachValue(orderBy, restrict), () => totalOrder(restricted, set.entityType))
  }
}

/** Returns the query of a service without `authorize`. */
export function unrestrictedQuery(query: EntityQuery): AuthorizedQuery {
  const { filter, inlineCount } = query
  return {
    query,
    conditions: filter === undefined ? unconditional : { restrictions: none, filters: [filter] },
    orderBy: orderOf(query),
    counting: inlineCount ? none : undefined,
    restrictions: unrestricted,
  }
}

/** Returns true if entities are addressed without a navigation property or function. */
function isDirect(source: CollectionSource | EntitySource): boolean {
  return (
    source.kind === 'EntitySet' || (source.kind === 'KeyedEntity' && source.collection.kind === 'EntitySet')
  )
}

/** Returns true if a query reads an entity by its key, and nothing else. */
function isPlain(source: CollectionSource | EntitySource, query: EntityQuery): source is EntitySource {
  const { filter, grouping, orderBy, projection } = query
  return (
    source.kind === 'KeyedEntity' &&
    source.collection.kind === 'EntitySet' &&
    filter === undefined &&
    grouping === undefined &&
    orderBy.length === 0 &&
    projection.expansions.length === 0 &&
    projection.entityType.computedProperties.length === 0
  )
}
