import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import type { InsertCheck } from './insert-check.js'
import { dependOnAbsent, insertCheck } from './insert-check.js'
import { ODataError } from '../errors/odata-error.js'
import { RowOrder } from '../evaluation/order.js'
import type { Row } from '../evaluation/row.js'
import type { EntityOperation, Operation } from '../provider/authorize.js'
import type { MediaContent, MediaProvider, MediaRequest, MediaResource } from '../provider/media.js'
import type { Analytics } from '../query/analytics.js'
import type { EntityQuery } from '../query/entity-query.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import { conjunction } from '../query/expression.js'
import { groupWithId } from '../query/grouping.js'
import type { Expansion, Projection } from '../query/projection.js'
import { wholeProjection } from '../query/projection.js'
import type { CollectionSource, EntitySource, FunctionCall } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { Authorization } from './authorization.js'
import type { HooksBySet } from './check-hooks.js'
import type { ColumnRights } from './column-rights.js'
import { ChangeReader } from './change-reader.js'
import { CollectionPage } from './collection-page.js'
import { DeletionPermissions } from './deletion-permissions.js'
import type { EntityToUpdate } from './entity-change.js'
import { ExpandLoader } from './expand-loader.js'
import type { ExpandPlan } from './expand-plan.js'
import { ExpandPlanner } from './expand-plan.js'
import { GroupReader } from './group-reader.js'
import { LinkPermissions } from './link-permissions.js'
import type { Authorized, AuthorizedQuery } from './permissions.js'
import { functionOperation, operationOn } from './authorization.js'
import { Permissions } from './permissions.js'
import type { Restrictions } from './restrictions.js'
import { unrestricted } from './restrictions.js'
import type { ProviderCalls } from './provider-calls.js'
import { keyOf } from './provider-calls.js'
import type { CountedRows } from './counted-rows.js'
import { everything } from './pushdown.js'
import type { Collection } from './related-reader.js'
import type { RowBatch } from './row-batch.js'
import { absentEntity, presentRow, TargetReader } from './target-reader.js'

/** Settings of a service that reads and changes depend on. */
export interface ReaderOptions {
  readonly authorization: Authorization<unknown>
  readonly limits: AccessLimits
  /** Returns the maximum number of entities on a page of a set; infinite without a maximum. */
  readonly pageSize: (set: EntitySet) => number
  readonly hooks?: HooksBySet | undefined
  /** Undefined for a service without analytical sets. */
  readonly analytics?: Analytics | undefined
}

/** Authorizes and reads the data of one request. */
export class DataReader {
  private ownPermissions: Permissions<unknown> | undefined
  private readonly targets: TargetReader
  private ownExpansions: ExpandLoader | undefined
  private ownGroups: GroupReader | undefined
  /** The expansions that rows contain, because the provider has read them together. */
  private pushedExpansions: ReadonlySet<Expansion> | undefined

  /** @param columns the column rights of the request; undefined without `authorize` */
  constructor(
    private readonly calls: ProviderCalls,
    private readonly options: ReaderOptions,
    readonly columns?: ColumnRights,
  ) {
    const restrict = options.authorization.authorize && this.permissions.restrictComputed
    this.targets = new TargetReader(calls, options.limits, restrict)
  }

  private get permissions(): Permissions<unknown> {
    const { authorization, analytics } = this.options
    const { context } = this.calls.call
    return (this.ownPermissions ??= new Permissions(authorization, context, this.columns, analytics))
  }

  private get groups(): GroupReader {
    return (this.ownGroups ??= new GroupReader(this.calls, this.targets, this.options.limits))
  }

  private get expansions(): ExpandLoader {
    const { limits, pageSize } = this.options
    const { related } = this.targets
    return (this.ownExpansions ??= new ExpandLoader(related, limits, pageSize, this.calls.call))
  }

  /** Permissions of links that change together with entities or other links. */
  get links(): LinkPermissions {
    return new LinkPermissions(this.permissions, this.targets.related)
  }

  /** Permissions of deletions, which can reset columns of other entities; undefined without `authorize`. */
  get deletions(): DeletionPermissions | undefined {
    const { columns, options, targets } = this
    return columns && new DeletionPermissions(options.authorization.model, columns, this.permissions, targets)
  }

  /** True if the service has an `authorize` function. */
  get hasAuthorize(): boolean {
    return this.options.authorization.authorize !== undefined
  }

  /** Resolves everything that restricts a query: its entities, path, count, order and expansions. */
  authorize(
    source: CollectionSource | EntitySource,
    query: EntityQuery,
    isCount = false,
  ): PromiseOrValue<AuthorizedQuery> {
    return this.permissions.query(source, query, isCount)
  }

  /**
   * Authorizes and reads one entity.
   *
   * @param projection the selected properties and expansions; undefined for all properties
   * @throws ODataError ResourceNotFound when the entity does not exist, or the caller may not see it
   */
  entity(source: EntitySource, projection?: Projection): PromiseOrValue<Row> {
    const filter = this.options.analytics && this.groupFilter(source)
    return mapValue(this.permissions.source(source, 'read', filter), (authorized) =>
      mapValue(this.readEntity(source, authorized, projection), (row) => presentRow(row, source)),
    )
  }

  /** Authorizes an operation on one entity, and reads the entity. Returns undefined instead of ResourceNotFound. */
  findEntity(
    source: EntitySource,
    operation: EntityOperation,
    filter?: Expression,
  ): PromiseOrValue<Row | undefined> {
    const group = this.options.analytics && this.groupFilter(source)
    const conditions = [filter, group].filter((one) => one !== undefined)
    return mapValue(this.permissions.source(source, operation, conjunction(conditions)), (authorized) =>
      this.readEntity(source, authorized),
    )
  }

  /** Reads an entity that the caller may link and read: an application may restrict reading only. */
  async linkable(source: EntitySource): Promise<Row | undefined> {
    const row = await this.findEntity(source, 'link')
    return row && (!this.hasAuthorize || (await (await this.readableTest(source))(row))) ? row : undefined
  }

  /**
   * Reads one entity whose query has been authorized.
   *
   * @param isShown whether the row is only expanded and serialized, so that it may be a `ValueRow`
   */
  readEntity(
    source: EntitySource,
    authorized: Authorized,
    projection?: Projection,
    isShown?: boolean,
  ): PromiseOrValue<Row | undefined> {
    const analytical = this.options.analytics?.setOf(source)
    if (analytical !== undefined) return this.readGroup(source, analytical, authorized, projection)
    const branchesOf =
      isShown === true && projection !== undefined && projection.expansions.length > 0
        ? () => this.planExpand(projection, authorized.restrictions)?.branches
        : undefined
    return this.targets.entity(source, authorized, projection, isShown, branchesOf)
  }

  /** Chooses the expansions that the provider reads together with the entities of a projection. */
  private planExpand(projection: Projection, restrictions: Restrictions): ExpandPlan | undefined {
    const { limits, pageSize } = this.options
    const planner = new ExpandPlanner(this.calls, limits, pageSize)
    const plan = planner.plan(projection, restrictions)
    this.pushedExpansions = plan?.pushed
    return plan
  }

  /** Returns the condition of the rows of a group, which is part of its id. */
  private groupFilter(source: EntitySource): Expression | undefined {
    const { analytics } = this.options
    const analytical = analytics?.setOf(source)
    return analytical === undefined ? undefined : analytics?.groupOf(source, analytical)?.filter
  }

  private async readGroup(
    source: EntitySource,
    analytical: AnalyticalSet,
    { conditions, restrictions }: Authorized,
    projection: Projection | undefined,
  ): Promise<Row | undefined> {
    const group = this.options.analytics?.groupOf(source, analytical)
    if (group === undefined || source.kind !== 'KeyedEntity') return undefined
    const rows = this.options.analytics?.sourceOf(analytical)
    const collection = await this.targets.collection(source.collection, restrictions, rows)
    const id = source.key[analytical.id.name]
    const query = {
      projection: projection ?? wholeProjection(source.set),
      grouping: groupWithId(analytical, group.groupBy, String(id), rows, projection?.selected),
    }
    await this.permissions.resolveComputed(query)
    const { grouping } = this.permissions.restrictRows(query)
    return this.groups.group(collection, { grouping, conditions })
  }

  /** @returns undefined when the entity does not exist, or the caller may not update it */
  async entityToUpdate(source: EntitySource): Promise<EntityToUpdate | undefined> {
    const { set } = source
    const authorized = await this.permissions.source(source, 'update')
    const row = await this.targets.entity(source, authorized)
    if (row === undefined) return undefined
    const authorizeChange = async (changed: Row): Promise<void> => {
      if (!(await this.targets.meets(changed, authorized.conditions, set))) {
        throw new ODataError('Forbidden', {
          message: `This entity of '${set.path}' cannot be changed to these values.`,
        })
      }
    }
    return { row, authorizeChange }
  }

  /** Returns true if the caller may read an entity that the request has inserted. */
  async isReadable(set: EntitySet, row: Row): Promise<boolean> {
    const key = keyOf(set, row)
    try {
      const read = { kind: 'read', entitySet: set.path, key, expandDepth: 0 } as const
      return await this.targets.meets(row, await this.permissions.conditions(read, set), set)
    } catch (error) {
      if (error instanceof ODataError && error.status < 500) return false
      throw error
    }
  }

  /** Returns a test whether the caller may read an entity after a change. Calls `authorize` before the change. */
  async readableTest(source: EntitySource): Promise<(row: Row) => PromiseOrValue<boolean>> {
    const conditions = await this.permissions.conditions(operationOn(source, 'read'), source.set)
    return (row) => this.targets.meets(row, conditions, source.set)
  }

  /** Reads all entities that one entity is linked to. Not authorized; see {@link links}. */
  async linkedRows(
    source: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    target: EntitySet,
  ): Promise<readonly Row[]> {
    const [rows = []] = await this.targets.related.read(
      { navigation, source, target },
      [row],
      everything(target),
    )
    return rows
  }

  /**
   * Authorizes the insert of an entity.
   *
   * @param row undefined: checks only whether the caller may insert entities at all
   * @returns the check of the stored entity, if the insert can be rolled back
   * @throws ODataError Forbidden when the caller may not insert the entity
   */
  authorizeInsert(set: EntitySet, row?: Row, canRollBack = false): PromiseOrValue<InsertCheck | undefined> {
    if (!this.hasAuthorize) return undefined
    const insert = { kind: 'insert', entitySet: set.path, expandDepth: 0 } as const
    return mapValue(this.permissions.conditions(insert, set), async (conditions) => {
      const check = insertCheck(set, (entity) => this.targets.meets(entity, conditions, set))
      const isLate = canRollBack && row !== undefined && dependOnAbsent(conditions.restrictions, row)
      if (row !== undefined && !isLate) await check(row)
      return canRollBack && conditions.restrictions.length > 0 ? check : undefined
    })
  }

  /**
   * Reads a page of entities.
   *
   * @param isExport whether the page has as many entities as an export, instead of the page size
   */
  page(
    source: CollectionSource,
    authorized: AuthorizedQuery,
    isExport = false,
    collection = this.targets.collection(source, authorized.restrictions, authorized.query.grouping?.source),
  ): PromiseOrValue<CollectionPage> {
    if (isPromiseLike(collection))
      return collection.then((later) => this.page(source, authorized, isExport, later))
    const { conditions, counting, orderBy, query, restrictions } = authorized
    const top = query.top ?? Number.POSITIVE_INFINITY
    // A next link would be a GET request, by which a function for POST is not called.
    const isPaged = source.kind !== 'ReturnedEntities' || source.call.functionImport.httpMethod !== 'POST'
    const pageSize = isPaged ? this.options.pageSize(source.set) : Number.POSITIVE_INFINITY
    const cap = isExport ? this.options.limits.exportRows : pageSize
    const limit = Math.min(top, cap)
    const mayContinue = cap < top
    const range = {
      seek: query.seek,
      skip: query.skip,
      // One row beyond the page size shows whether there is a next page.
      limit: mayContinue ? cap + 1 : top,
    }
    const { projection } = query
    const isExpanded = projection.expansions.length > 0 && query.grouping === undefined
    const plan =
      isExpanded && collection.rows === undefined ? this.planExpand(projection, restrictions) : undefined
    const reading =
      query.grouping === undefined
        ? this.targets.read(
            collection,
            { ...conditions, ...range, orderBy, isPage: true, mayContinue: mayContinue && !isExport },
            { projection, counting, expand: plan?.branches },
          )
        : this.groups.page(collection, { grouping: query.grouping, conditions }, { ...range, counting })
    const isPlain =
      query.grouping !== undefined ||
      (projection.expansions.length === 0 && projection.entityType.computedProperties.length === 0)
    const open = ({ rows, total, hasMore }: CountedRows): PromiseOrValue<CollectionPage> => {
      const page = new CollectionPage(rows, {
        limit,
        mayContinue,
        hasMore,
        inlineCount: total,
        expand: isPlain
          ? undefined
          : (batch) => this.expansions.expand(batch, projection, restrictions, false, plan?.pushed),
        positionOf: (row) => this.positionOf(row, source.set, orderBy),
      })
      if (isPlain) return page
      return page.expandAhead(this.expansions.rowsAhead(projection, limit)).then(() => page)
    }
    return isPromiseLike(reading) ? reading.then(open) : open(reading)
  }

  /**
   * Reads the entities of an export.
   *
   * @throws ODataError LimitExceeded when the provider can count the entities, and they are too many
   */
  async exportPage(source: CollectionSource, authorized: AuthorizedQuery): Promise<CollectionPage> {
    const collection = await this.collectionOf(source, authorized)
    if (this.options.limits.exportRows < (authorized.query.top ?? Number.POSITIVE_INFINITY))
      await this.checkExport(collection, authorized)
    return this.page(source, authorized, true, collection)
  }

  private collectionOf(
    source: CollectionSource,
    { query, restrictions }: AuthorizedQuery,
    isCount = false,
  ): PromiseOrValue<Collection> {
    return this.targets.collection(source, restrictions, query.grouping?.source, isCount)
  }

  /** Access to the changes of entity sets. */
  get changes(): ChangeReader {
    return new ChangeReader(this.calls, this.options.pageSize, (batch, { query, restrictions }) =>
      this.expansions.expand(batch, query.projection, restrictions),
    )
  }

  /** Counts the entities of an export before the first is sent, unless a skip token decides where they start. */
  private async checkExport(collection: Collection, { conditions, query }: AuthorizedQuery): Promise<void> {
    const { limits } = this.options
    if (query.grouping !== undefined) return
    if (query.seek !== undefined || !this.targets.canCount(collection, conditions)) return
    const count = await this.targets.count(collection, conditions)
    if (count - query.skip > limits.exportRows) throw limitExceeded('exportRows', limits)
  }

  /** Calls `authorize` for an operation, to learn the columns that it restricts. */
  authorizeColumns(operation: Operation, set: EntitySet): PromiseOrValue<unknown> {
    return this.permissions.filters(operation, set)
  }

  /** Calls `authorize` for an operation on entities and for the path to them, to learn the columns that they restrict. */
  authorizePath(source: CollectionSource | EntitySource, kind: EntityOperation): PromiseOrValue<unknown> {
    return this.permissions.source(source, kind)
  }

  /** Returns the number of entities of a collection. */
  count(of: CollectionSource, { conditions, query, restrictions }: AuthorizedQuery): PromiseOrValue<number> {
    const { grouping } = query
    const collecting = this.targets.collection(of, restrictions, grouping?.source, true)
    const counting = mapValue(collecting, (collection) =>
      grouping === undefined
        ? this.targets.count(collection, conditions)
        : this.groups.count(collection, { grouping, conditions }),
    )
    return mapValue(counting, (total) => Math.max(0, Math.min(query.top ?? total, total - query.skip)))
  }

  /** Returns 1 if an entity meets the filter, else 0. */
  async countEntity(of: EntitySource, filter: Expression | undefined): Promise<number> {
    await this.entity(of)
    return (await this.findEntity(of, 'count', filter)) === undefined ? 0 : 1
  }

  /** Reads the expansions of one entity, and computes its computed properties. */
  expand(
    row: Row,
    source: EntitySource,
    projection: Projection,
    restrictions: Restrictions,
  ): PromiseOrValue<RowBatch> {
    const isWhole =
      projection.expansions.length === 0 && projection.entityType.computedProperties.length === 0
    // The computed properties of groups are those of their rows.
    return isWhole || this.options.analytics?.setOf(source) !== undefined
      ? { rows: [row], expansions: [] }
      : this.expansions.expand([row], projection, restrictions, false, this.pushedExpansions)
  }

  /** Returns an entity with the value of a computed property. */
  async computedValue(row: Row, source: EntitySource, projection: Projection): Promise<Row> {
    if (this.options.analytics?.setOf(source) !== undefined) return row
    return this.complete(row, source.set, projection)
  }

  /** Returns an entity with the values of its computed properties. */
  async complete(row: Row, set: EntitySet, projection = wholeProjection(set)): Promise<Row> {
    await this.permissions.resolveComputed({ projection })
    const { rows } = await this.expansions.expand([row], projection, unrestricted)
    return rows[0] ?? row
  }

  /** Calls a function that does not return entities. */
  async callFunction(call: FunctionCall): Promise<unknown> {
    await this.permissions.filters(functionOperation(call), undefined)
    return this.targets.result(call)
  }

  /** Opens the media resource of an entity. */
  async openMedia(source: EntitySource, request: MediaRequest): Promise<MediaResource> {
    const row = await this.findEntity(source, 'media')
    const media = row === undefined ? undefined : await this.calls.openMedia(source.set, row, request)
    if (media === undefined) throw absentEntity(source)
    return media
  }

  media(set: EntitySet): MediaProvider<Row> | undefined {
    return this.calls.media(set)
  }

  /** Lets the provider buffer media content before a change set begins, if it does so. */
  async receiveMedia(set: EntitySet, content: MediaContent): Promise<MediaContent> {
    return (await this.media(set)?.receive?.(content, this.calls.call)) ?? content
  }

  private positionOf(
    row: Row,
    set: EntitySet,
    orderBy: readonly OrderByTerm[],
  ): PromiseOrValue<readonly unknown[]> {
    const prefetch = this.targets.related.prefetch(set)
    const order = new RowOrder(orderBy, set.entityType, prefetch)
    return mapValue(prefetch.isEmpty ? undefined : prefetch.load([row]), () => order.positionOf(row))
  }
}
