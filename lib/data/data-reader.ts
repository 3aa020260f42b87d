import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { RowOrder } from '../evaluation/order.js'
import type { Row } from '../evaluation/row.js'
import type { EntityQuery } from '../query/entity-query.js'
import { keyOrder } from '../query/entity-query.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import type { Expansion, Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource, FunctionCall } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { AccessLimits } from './access-limits.js'
import type { Authorization } from './authorization.js'
import type { EntityOperation } from '../provider/authorize.js'
import { functionOperation, operationOn } from './operation-on.js'
import type { HooksBySet } from './check-hooks.js'
import { CollectionPage } from './collection-page.js'
import type { CollectionReader } from './collection-reader.js'
import { everything } from './collection-reader.js'
import { ExpandLoader } from './expand-loader.js'
import { keyOf } from './key-of.js'
import { LinkPermissions } from './link-permissions.js'
import type { MediaProvider, MediaResource } from '../provider/media.js'
import { neededProperties } from './needed-properties.js'
import type { Authorized, AuthorizedQuery, Restrictions } from './permissions.js'
import { Permissions } from './permissions.js'
import type { ProviderCalls } from './provider-calls.js'
import type { Conditions } from './pushdown.js'
import { isEmpty } from './pushdown.js'
import type { RelatedRows } from './related-rows.js'
import type { ExpandedRows, RowBatch } from './row-batch.js'
import { absentEntity, presentRow, TargetResolver } from './target-resolver.js'

/** Settings of a service that reads and changes depend on. */
export interface ReaderOptions {
  readonly authorization: Authorization<unknown>
  readonly limits: AccessLimits
  /** The page cap of a set; infinite when it has none. */
  readonly pageSize: (set: EntitySet) => number
  /** Called around changes of entities. */
  readonly hooks?: HooksBySet | undefined
}

/** An entity that is to be updated, as it is now. */
export interface EntityToUpdate {
  readonly row: Row
  /** Asks whether it may become another one. @throws ODataError Forbidden when the caller could not update that */
  readonly permit: (changed: Row) => Promise<void>
}

/**
 * Reads the data of one request. Everything that a request addresses, filters, expands or counts is authorized here,
 * and here a query is divided between the provider and the service.
 */
export class DataReader {
  private ownPermissions: Permissions<unknown> | undefined
  private ownTargets: TargetResolver | undefined
  private ownExpansion: ExpandLoader | undefined

  constructor(
    private readonly calls: ProviderCalls,
    private readonly options: ReaderOptions,
  ) {}

  private get permissions(): Permissions<unknown> {
    this.ownPermissions ??= new Permissions(this.options.authorization, this.calls.call.context)
    return this.ownPermissions
  }

  private get related(): RelatedRows {
    return this.targets.related
  }

  private get collections(): CollectionReader {
    return this.targets.collections
  }

  private get targets(): TargetResolver {
    this.ownTargets ??= new TargetResolver(this.calls, this.options.limits)
    return this.ownTargets
  }

  /** Permissions of links that change together with other links and entities. */
  get links(): LinkPermissions {
    return new LinkPermissions(this.permissions, this.related)
  }

  private get expansion(): ExpandLoader {
    const { limits, pageSize } = this.options
    this.ownExpansion ??= new ExpandLoader(this.related, limits, pageSize, this.calls.call)
    return this.ownExpansion
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
   * One entity.
   *
   * @param projection what will be shown of it; absent when it is only passed through
   * @throws ODataError ResourceNotFound when there is none, or none that the caller may see
   */
  entity(source: EntitySource, filter?: Expression, projection?: Projection): PromiseOrValue<Row> {
    return mapValue(this.findEntity(source, 'read', filter, projection), (row) => presentRow(row, source))
  }

  /** The same, when its absence is no error. */
  findEntity(
    source: EntitySource,
    kind: EntityOperation,
    filter?: Expression,
    projection?: Projection,
  ): PromiseOrValue<Row | undefined> {
    return mapValue(this.permissions.source(source, kind, filter), (authorized) =>
      this.readEntity(source, authorized, projection),
    )
  }

  /** Reads one entity. @returns undefined for an absent entity, and for one that the caller may not see */
  readEntity(
    source: EntitySource,
    authorized: Authorized,
    projection: Projection | undefined,
  ): PromiseOrValue<Row | undefined> {
    const { restrictions, filters } = authorized.conditions
    const needed =
      projection?.selected === undefined
        ? undefined
        : neededProperties(projection, [...restrictions, ...filters])
    return mapValue(this.targets.row(source, authorized, needed), (row) => row ?? undefined)
  }

  /**
   * One entity that is to be updated.
   *
   * @returns undefined when there is none that the caller may update
   */
  async entityToUpdate(source: EntitySource): Promise<EntityToUpdate | undefined> {
    const { set } = source
    const authorized = await this.permissions.source(source, 'update')
    const row = await this.targets.row(source, authorized, undefined)
    if (row === null || row === undefined) return undefined
    const permit = async (changed: Row): Promise<void> => {
      if (!(await this.targets.meets(changed, authorized.conditions, set))) {
        throw new ODataError('Forbidden', {
          message: `This entity of '${set.path}' must not become like this.`,
        })
      }
    }
    return { row, permit }
  }

  /** False when the service has no `authorize` function. */
  get hasAuthorize(): boolean {
    return this.permissions.hasAuthorize
  }

  /** Returns whether the caller may read an entity that it has inserted. */
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

  /** Tells whether the caller may see an entity that a change has made of another one. */
  async readable(source: EntitySource): Promise<(row: Row) => Promise<boolean>> {
    const conditions = await this.permissions.conditions(operationOn(source, 'read'), source.set)
    return async (row) => this.targets.meets(row, conditions, source.set)
  }

  /**
   * What one entity is linked to, whoever may see it: where a link takes the place of others, none of them stays.
   * What the application says about that is asked of {@link links}.
   */
  async linkedRows(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    target: EntitySet,
  ): Promise<readonly Row[]> {
    const over = { navigation, source: set, target }
    const [rows = []] = await this.related.read(over, [row], everything(target))
    return rows
  }

  /**
   * @param row absent: asks only whether the caller may make any
   * @throws ODataError Forbidden when the caller may not make an entity like this
   */
  permitNew(set: EntitySet, row?: Row): PromiseOrValue<void> {
    const insert = { kind: 'insert', entitySet: set.path, expandDepth: 0 } as const
    return mapValue(this.permissions.conditions(insert, set), (conditions) => {
      if (row !== undefined && !isEmpty(conditions)) return this.permitMeeting(set, row, conditions)
    })
  }

  private async permitMeeting(set: EntitySet, row: Row, conditions: Conditions): Promise<void> {
    if (await this.targets.meets(row, conditions, set)) return
    throw new ODataError('Forbidden', { message: `An entity like this cannot be added to '${set.path}'.` })
  }

  /** Returns a page of entities. */
  async page(source: CollectionSource, authorized: AuthorizedQuery): Promise<CollectionPage> {
    const { conditions, counting, orderBy, query, restrictions } = authorized
    const { set } = source
    const { projection } = query
    const top = query.top ?? Number.POSITIVE_INFINITY
    const cap = this.options.pageSize(set)
    const limit = Math.min(top, cap)
    const mayContinue = cap < top
    const collection = await this.targets.collection(source, restrictions)
    // One row beyond the cap tells whether there is a next page; beyond $top nothing is wanted.
    const wanted = {
      ...conditions,
      orderBy,
      seek: query.seek,
      skip: query.skip,
      limit: mayContinue ? cap + 1 : top,
      isPage: true,
    }
    const { rows, total } = await this.collections.read(collection, wanted, { projection, counting })
    return new CollectionPage(rows, {
      expand: (batch) => this.expand(batch, projection, restrictions),
      ahead: projection.expansions.length === 0 ? 0 : this.expansion.rowsAhead(projection, limit),
      positionOf: (row) => this.positionOf(row, set, orderBy),
      limit,
      mayContinue,
      inlineCount: total,
      batchSize: projection.expansions.length > 0 ? expandedAtOnce : Number.POSITIVE_INFINITY,
    })
  }

  /** The number of entities of a collection. */
  async count(of: CollectionSource, { conditions, query, restrictions }: AuthorizedQuery): Promise<number> {
    const collection = await this.targets.collection(of, restrictions)
    const total = await this.collections.count(collection, conditions)
    return Math.max(0, Math.min(query.top ?? total, total - query.skip))
  }

  /** 1 if there is an entity that meets the filter, else 0. */
  async countEntity(of: EntitySource, filter: Expression | undefined): Promise<number> {
    await this.entity(of)
    return (await this.findEntity(of, 'count', filter)) === undefined ? 0 : 1
  }

  /**
   * Reads what is shown inline of some rows, level by level: one query for each navigation property.
   *
   * @param mayRepeat whether several of the rows may be the same entity
   */
  expand(
    rows: readonly Row[],
    projection: Projection,
    restrictions: Restrictions,
    mayRepeat = false,
  ): PromiseOrValue<RowBatch> {
    return projection.expansions.length === 0
      ? { rows, expansions: [] }
      : this.expandAll(rows, projection, restrictions, mayRepeat)
  }

  private async expandAll(
    rows: readonly Row[],
    projection: Projection,
    restrictions: Restrictions,
    mayRepeat: boolean,
  ): Promise<RowBatch> {
    const expansions: ExpandedRows[] = []
    for (const expansion of projection.expansions) {
      expansions.push(await this.expandOne(rows, projection.set, expansion, restrictions, mayRepeat))
    }
    return { rows, expansions }
  }

  /** The place of a row of an expanded collection, for the next link of its page. */
  positionOfKey(row: Row, set: EntitySet): Promise<readonly unknown[]> {
    return this.positionOf(row, set, keyOrder(set.entityType))
  }

  /** What a function returned that gives no entities, as it returned it. */
  async callFunction(call: FunctionCall): Promise<unknown> {
    await this.permissions.filters(functionOperation(call), undefined)
    return this.targets.result(call)
  }

  /** The media resource of an entity. */
  async openMedia(source: EntitySource): Promise<MediaResource> {
    const row = await this.findEntity(source, 'media')
    const media = row === undefined ? undefined : await this.calls.openMedia(source.set, row)
    if (media === undefined) throw absentEntity(source)
    return media
  }

  media(set: EntitySet): MediaProvider<Row> | undefined {
    return this.calls.media(set)
  }

  private async expandOne(
    rows: readonly Row[],
    source: EntitySet,
    expansion: Expansion,
    restrictions: Restrictions,
    mayRepeat: boolean,
  ): Promise<ExpandedRows> {
    const { navigation, projection } = expansion
    const over = { navigation, source, target: projection.set }
    const {
      rows: related,
      offsets,
      truncated,
    } = await this.expansion.read(over, rows, restrictions.of(expansion), mayRepeat)
    // Many may be linked to the same entity, and then so may all that is reached from there.
    const repeats = mayRepeat || navigation.fromEnd.multiplicity === '*'
    return { batch: await this.expand(related, projection, restrictions, repeats), offsets, truncated }
  }

  private async positionOf(
    row: Row,
    set: EntitySet,
    orderBy: readonly OrderByTerm[],
  ): Promise<readonly unknown[]> {
    const prefetch = this.related.prefetch(set)
    const order = new RowOrder(orderBy, set.entityType, prefetch)
    if (!prefetch.isEmpty) await prefetch.load([row])
    return order.positionOf(row)
  }
}

/** So many entities have their related ones in memory at a time. */
const expandedAtOnce = 200
