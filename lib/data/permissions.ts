import type { EntitySet } from '../edm/edm-model.js'
import type { NavigationStep } from '../evaluation/evaluation-context.js'
import type { EntityOperation, Operation } from '../provider/authorize.js'
import type { Analytics } from '../query/analytics.js'
import type { EntityQuery } from '../query/entity-query.js'
import { orderOf, totalOrder } from '../query/entity-query.js'
import type { DerivedFrom } from '../query/derived-columns.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import type { GroupSource } from '../query/group-source.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { ODataError } from '../errors/odata-error.js'
import { getOrCreate } from '../util/get-or-create.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { Authorization } from './authorization.js'
import type { ColumnRights } from './column-rights.js'
import { computedSteps, navigationSteps, restrictNavigation } from './navigation-steps.js'
import { hasColumnRights, ignoreRefusal, restrictedColumns } from './column-rights.js'
import type { Conditions } from './pushdown.js'
import { unconditional } from './pushdown.js'
import { functionOperation, operationOn } from './authorization.js'
import type { Restrictions } from './restrictions.js'
import { PartRestrictions, unrestricted, withComputed } from './restrictions.js'

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

/** The entities that a navigation step reaches for the caller. */
interface StepRestriction {
  readonly restriction: Expression | undefined
  /** The error of `authorize` if the caller cannot read the target at all. */
  readonly refusal?: ODataError
}

/** The restriction of entities that cannot be read. */
const nothing: Expression = { kind: 'Literal', type: 'Edm.Boolean', value: false }

/** Resolves the permissions of one request by calls of `authorize`, before any data is read. */
export class Permissions<Context> {
  /** Restrictions of navigation steps in expressions, by navigation property and target. */
  private steps: Map<string, StepRestriction> | undefined
  /** Results for the rows that analytical sets group, by the path of their set. */
  private rows: Map<string, Promise<readonly Expression[]>> | undefined
  /** Paths of the sets whose derived columns are known to be hidden or not. */
  private readonly resolved = new Set<string>()

  constructor(
    private readonly authorization: Authorization<Context>,
    private readonly context: Context,
    private readonly columns?: ColumnRights,
    private readonly analytics?: Analytics,
  ) {}

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
    if (set === undefined || from === undefined || this.resolved.has(set.path)) return filters
    return mapValue(filters, async (own) => {
      await this.resolveDerived(set, from)
      return own
    })
  }

  /** Learns the columns of the entities from which columns of a set are derived, because they may be hidden. */
  private async resolveDerived({ path }: EntitySet, { rows, steps }: DerivedFrom): Promise<void> {
    this.resolved.add(path)
    if (rows !== undefined) await ignoreRefusal(() => this.readRows(rows))
    for (const step of steps) await this.resolveStep(step)
  }

  /** Calls `authorize` for the rows that an analytical set groups. */
  private readRows(set: EntitySet): Promise<readonly Expression[]> {
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
    const call = (): unknown => authorize(operation, this.context)
    const result = this.columns === undefined ? call() : this.columns.resultOf(operation, call)
    return mapValue(result, (returned) => {
      const filter = hasColumnRights(returned) ? this.filterAndColumns(returned, operation, set) : returned
      return filter === undefined || filter === null
        ? none
        : [this.authorization.expression(filter, operation, set)]
    })
  }

  private filterAndColumns(
    rights: Readonly<Record<string, unknown>>,
    operation: Operation,
    set: EntitySet | undefined,
  ): unknown {
    const columns = restrictedColumns(rights, operation, set)
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
        : this.restrict(filter).then((restricted) => ({ restrictions, filters: [restricted] })),
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
      return this.resolvePath(source, restrictions).then(() => ({ conditions, restrictions }))
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

  private async resolveQuery(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
  ): Promise<AuthorizedQuery> {
    const { set } = source
    const rows = this.rowsOf(source)
    const conditions = await this.conditions(operationOn(source, 'read'), set, query.filter, rows)
    const isCounted = query.inlineCount && isCollection(source)
    const counting = isCounted ? await this.rowFilters(operationOn(source, 'count'), set, rows) : undefined
    const orderBy =
      query.grouping?.orderBy ?? totalOrder(await this.restrictOrder(query.orderBy), set.entityType)
    const restrictions = new PartRestrictions()
    await this.resolvePath(source, restrictions)
    await this.resolveExpansions(query.projection, 1, restrictions)
    const computed = await this.resolveComputed(query)
    return {
      query: this.restrictRows(query),
      conditions,
      orderBy,
      counting,
      restrictions: withComputed(restrictions, computed),
    }
  }

  private async resolveCount(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
  ): Promise<AuthorizedQuery> {
    const { conditions, restrictions } = await this.source(source, 'count', query.filter)
    const computed = query.grouping === undefined ? [] : await this.resolveComputed(query)
    return {
      query: this.restrictRows(query),
      conditions,
      orderBy: [],
      counting: undefined,
      restrictions: withComputed(restrictions, computed),
    }
  }

  /** Resolves a path from its end to its start. */
  private async resolvePath(
    source: CollectionSource | EntitySource,
    restrictions: PartRestrictions,
  ): Promise<void> {
    switch (source.kind) {
      case 'EntitySet':
        return
      case 'KeyedEntity':
        await this.resolvePath(source.collection, restrictions)
        return
      case 'RelatedEntities':
      case 'RelatedEntity': {
        const entity = source.source
        restrictions.add(entity, await this.filters(operationOn(entity, 'read'), entity.set))
        await this.resolvePath(entity, restrictions)
        return
      }
      case 'ReturnedEntities':
      case 'ReturnedEntity':
        restrictions.add(source.call, await this.filters(functionOperation(source.call), source.set))
    }
  }

  /** @param depth the number of navigation properties between the entities of the request and these expansions */
  private async resolveExpansions(
    { expansions }: Projection,
    depth: number,
    restrictions: PartRestrictions,
  ): Promise<void> {
    for (const expansion of expansions) {
      const { set } = expansion.projection
      const navigation = expansion.navigation.name
      const operation: Operation = { kind: 'read', entitySet: set.path, navigation, expandDepth: depth }
      restrictions.add(expansion, await this.filters(operation, set))
      await this.resolveExpansions(expansion.projection, depth + 1, restrictions)
    }
  }

  /** Restricts every navigation step of an expression, so that no filter reveals what the caller cannot read. */
  private async restrict<E extends Expression>(expression: E): Promise<E> {
    const steps = navigationSteps(expression)
    for (const step of steps) await this.resolveStep(step)
    return steps.length === 0 ? expression : this.restrictResolved(expression)
  }

  private restrictResolved<E extends Expression>(expression: E): E {
    return restrictNavigation(expression, (step) => {
      const known = this.steps?.get(nameOf(step))
      if (known === undefined) throw new TypeError(`'${step.navigation.name}' was not authorized.`)
      return known.restriction
    })
  }

  /**
   * Resolves the restrictions of the navigation properties that computed properties of a query use.
   *
   * @returns the restrictions of all steps
   */
  async resolveComputed(
    query: Pick<EntityQuery, 'projection' | 'grouping'>,
  ): Promise<readonly (readonly Expression[])[]> {
    if (!this.hasAuthorize) return []
    const restrictions: (readonly Expression[])[] = []
    for (const step of computedSteps(query)) {
      const { restriction } = await this.resolveStep(step)
      restrictions.push(restriction === undefined ? none : [restriction])
    }
    return restrictions
  }

  /** Restricts the paths of the rows that a query groups, whose steps {@link resolveComputed} has resolved. */
  restrictRows<Query extends Pick<EntityQuery, 'grouping'>>(query: Query): Query {
    const { grouping } = query
    if (grouping?.source === undefined || !this.hasAuthorize) return query
    const source = grouping.source.withPaths(this.restrictComputed)
    return { ...query, grouping: { ...grouping, source } }
  }

  /** Restricts the expression of a computed property, which {@link resolveComputed} has resolved. */
  readonly restrictComputed = <E extends Expression>(expression: E): E => this.restrictResolved(expression)

  private async restrictOrder(terms: readonly OrderByTerm[]): Promise<readonly OrderByTerm[]> {
    const restricted: OrderByTerm[] = []
    for (const term of terms) {
      restricted.push({ ...term, expression: await this.restrict(term.expression) })
    }
    return restricted
  }

  /** @throws ODataError if the client names a step to entities that it cannot read at all */
  private async resolveStep(step: NavigationStep): Promise<StepRestriction> {
    const name = nameOf(step)
    this.steps ??= new Map()
    let known = this.steps.get(name)
    if (known === undefined) {
      known = await this.restrictionOf(step)
      this.steps.set(name, known)
    }
    // The application has named the steps of computed properties: they lead nowhere for such a caller.
    if (known.refusal !== undefined && step.isComputed !== true) throw known.refusal
    return known
  }

  private async restrictionOf({ navigation, target }: NavigationStep): Promise<StepRestriction> {
    const operation: Operation = {
      kind: 'read',
      entitySet: target.path,
      navigation: navigation.name,
      expandDepth: 0,
    }
    try {
      const [restriction] = await this.filters(operation, target)
      return { restriction }
    } catch (error) {
      if (!(error instanceof ODataError) || (error.status !== 401 && error.status !== 403)) throw error
      return { restriction: nothing, refusal: error }
    }
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

/** Identifies a step by the properties that `authorize` is called with. */
function nameOf({ navigation, target }: NavigationStep): string {
  return `${navigation.name}/${target.path}`
}
