import type { EntitySet, FunctionImport } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { RowOrder } from '../evaluation/order.js'
import type { Row } from '../evaluation/row.js'
import type { EntityQuery } from '../query/entity-query.js'
import { keyOrder, totalOrder } from '../query/entity-query.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import type { Expansion, Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource, FunctionCall, KeyValues } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import type { AccessLimits } from './access-limits.js'
import type { Authorization } from './authorization.js'
import type { Operation } from './authorize.js'
import { CollectionPage } from './collection-page.js'
import { joinCondition } from './join.js'
import type { MediaProvider, MediaResource } from './media.js'
import { neededProperties } from './needed-properties.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery, SplitQuery } from './pushdown.js'
import { filterOf, splitQuery } from './pushdown.js'
import type { Navigation } from './related-rows.js'
import { RelatedRows, collect } from './related-rows.js'
import type { ExpandedRows, RowBatch } from './row-batch.js'
import { RowPipeline, meets } from './row-pipeline.js'

/** What a service knows beside the provider. */
export interface DataAccessOptions {
  readonly authorization: Authorization<unknown>
  readonly limits: AccessLimits
  /** The page cap of a set; infinite when it has none. */
  readonly pageSize: (set: EntitySet) => number
}

/**
 * The only door to the data, one for each request. Whatever a request addresses, filters, expands or counts is
 * authorised here, and here a query is divided between the provider and the service.
 */
export class DataAccess {
  private readonly related: RelatedRows

  constructor(
    private readonly calls: ProviderCalls,
    private readonly options: DataAccessOptions,
  ) {
    this.related = new RelatedRows(calls, options.limits)
  }

  /**
   * One entity.
   *
   * @param projection what will be shown of it; absent when it is only passed through
   * @throws ODataError ResourceNotFound when there is none, or none that the caller may see
   */
  async entity(source: EntitySource, filter?: Expression, projection?: Projection): Promise<Row> {
    const row = await this.findEntity(source, 'read', filter, projection)
    if (row === undefined) throw new ODataError('ResourceNotFound', { message: absent(source) })
    return row
  }

  /** The same, when its absence is no error. */
  async findEntity(
    source: EntitySource,
    kind: 'read' | 'count' | 'media',
    filter?: Expression,
    projection?: Projection,
  ): Promise<Row | undefined> {
    const { set } = source
    const key = source.kind === 'KeyedEntity' ? source.key : undefined
    const filters = await this.filtersFor(operationOn(source, kind, key), set, filter)
    const needed = projection === undefined ? undefined : neededProperties(projection, filters)
    const row = await this.rowOf(source, filters, needed)
    return row ?? undefined
  }

  /** A page of entities. */
  async page(source: CollectionSource, query: EntityQuery): Promise<CollectionPage> {
    const { set } = source
    const filters = await this.filtersFor(operationOn(source, 'read'), set, query.filter)
    const asked = await this.options.authorization.restrictOrder(query.orderBy, this.calls.call.context)
    const orderBy = totalOrder(asked, set.entityType)
    const top = query.top ?? Number.POSITIVE_INFINITY
    const cap = this.options.pageSize(set)
    const limit = Math.min(top, cap)
    // One row beyond the cap tells whether there is a next page; beyond $top nothing is wanted.
    const wanted = cap < top ? cap + 1 : top
    const collection = { filters, orderBy, seek: query.seek, skip: query.skip, limit: wanted }
    const { rows, total } = await this.rowsOf(source, collection, query)
    return new CollectionPage(rows, {
      limit,
      inlineCount: total,
      expand: (batch) => this.expand(batch, query.projection, 1),
      batchSize: query.projection.expansions.length > 0 ? expandedAtOnce : Number.POSITIVE_INFINITY,
      positionOf: (row) => this.positionOf(row, set, orderBy),
    })
  }

  /** How many entities there are: for one entity none or one. */
  async count(of: CollectionSource | EntitySource, query: EntityQuery): Promise<number> {
    if (!isCollection(of)) {
      await this.entity(of)
      return (await this.findEntity(of, 'count', query.filter)) === undefined ? 0 : 1
    }
    const filters = await this.filtersFor(operationOn(of, 'count'), of.set, query.filter)
    const total = await this.total(of, filters)
    return Math.max(0, Math.min(query.top ?? total, total - query.skip))
  }

  /** Reads what is shown inline of some rows, level by level: one query for each navigation property. */
  async expand(rows: readonly Row[], projection: Projection, depth: number): Promise<RowBatch> {
    const expansions: ExpandedRows[] = []
    for (const expansion of projection.expansions) {
      expansions.push(await this.expandOne(rows, projection.set, expansion, depth))
    }
    return { rows, expansions }
  }

  /** The place of a row of an expanded collection, for the next link of its page. */
  positionOfKey(row: Row, set: EntitySet): Promise<readonly unknown[]> {
    return this.positionOf(row, set, keyOrder(set.entityType))
  }

  /** What a function returned, as it returned it. */
  async callFunction({ functionImport, parameters }: FunctionCall): Promise<unknown> {
    const { path, entitySet } = functionImport
    await this.options.authorization.filters(
      { kind: 'function', functionImport: path, parameters, entitySet: entitySet?.path },
      undefined,
      this.calls.call.context,
    )
    if (!this.calls.hasFunction(path)) throw noHandler(functionImport)
    return this.calls.callFunction(path, parameters)
  }

  /** The media resource of an entity. */
  async openMedia(source: EntitySource): Promise<MediaResource> {
    const row = await this.findEntity(source, 'media')
    const media = row === undefined ? undefined : await this.media(source.set)?.open(row, this.calls.call)
    if (media === undefined) throw new ODataError('ResourceNotFound', { message: absent(source) })
    return media
  }

  media(set: EntitySet): MediaProvider<Row> | undefined {
    return this.calls.media(set)
  }

  /** The conditions of the client and those of the application together. */
  private async filtersFor(
    operation: Operation,
    set: EntitySet,
    filter?: Expression,
  ): Promise<readonly Expression[]> {
    const { authorization } = this.options
    const { context } = this.calls.call
    const own = await authorization.filters(operation, set, context)
    if (filter === undefined) return own
    return [await authorization.restrict(filter, context), ...own]
  }

  private async rowOf(
    source: EntitySource,
    filters: readonly Expression[],
    properties: ReadonlySet<string> | undefined,
  ): Promise<Row | null | undefined> {
    const { set } = source
    switch (source.kind) {
      case 'KeyedEntity':
        return source.collection.kind === 'EntitySet'
          ? this.rowByKey(set, source.key, filters, properties)
          : this.rowAmong(source.collection, source.key, filters)
      case 'RelatedEntity': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        const row = await this.entity(source.source)
        const [rows = []] = await this.related.read(over, [row], { ...everything(set), filters, limit: 1 })
        return rows[0]
      }
      case 'ReturnedEntity': {
        const row = (await this.callFunction(source.call)) as Row | null | undefined
        return row && (await this.meets(row, filters, set)) ? row : undefined
      }
    }
  }

  private async rowByKey(
    set: EntitySet,
    key: KeyValues,
    filters: readonly Expression[],
    properties: ReadonlySet<string> | undefined,
  ): Promise<Row | null | undefined> {
    if (!this.calls.canReadByKey(set)) return this.rowAmong({ kind: 'EntitySet', set }, key, filters)
    const row = await this.calls.readByKey(set, key, properties === undefined ? {} : { properties })
    return row && (await this.meets(row, filters, set)) ? row : undefined
  }

  /** Looks for a key among entities that cannot be read by key, or of which only some are meant. */
  private async rowAmong(
    collection: CollectionSource,
    key: KeyValues,
    filters: readonly Expression[],
  ): Promise<Row | undefined> {
    const { set } = collection
    const condition = joinCondition({ targetProperties: set.entityType.key, valuesOf: () => [] }, [key])
    const all = condition === undefined ? filters : [condition, ...filters]
    const { rows } = await this.rowsOf(collection, { ...everything(set), filters: all, limit: 1 })
    const [row] = await collect(rows)
    return row
  }

  /** The rows that a query asks for, and how many match without paging if that is asked for too. */
  private async rowsOf(
    source: CollectionSource,
    query: CollectionQuery,
    asked?: EntityQuery,
  ): Promise<{ rows: BatchReader<Row>; total: number | undefined }> {
    const { set } = source
    const isReturned = source.kind === 'ReturnedEntities'
    const split = splitQuery(query, isReturned ? undefined : this.calls.pushdown(set))
    const expressions = [...split.filters, ...query.orderBy.map(({ expression }) => expression)]
    const properties = asked === undefined ? undefined : neededProperties(asked.projection, expressions)
    const pipeline = new RowPipeline(
      set.entityType,
      query,
      split,
      this.related.prefetch(set),
      this.options.limits,
    )
    const opened = await this.open(source, query, split, properties)
    const rows = await pipeline.run(opened)
    if (asked?.inlineCount !== true) return { rows, total: undefined }
    // Rows that came unsorted were all looked at, and counted on the way.
    const total = split.ordered ? await this.total(source, query.filters) : pipeline.matches
    return { rows, total }
  }

  private async open(
    source: CollectionSource,
    query: CollectionQuery,
    split: SplitQuery,
    properties: ReadonlySet<string> | undefined,
  ): Promise<BatchReader<Row>> {
    const { set } = source
    switch (source.kind) {
      case 'EntitySet':
        return this.calls.read(set, {
          entitySet: set.path,
          ...split.pushed,
          ...(properties && { properties }),
        })
      case 'RelatedEntities': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        return this.related.readOne(over, await this.entity(source.source), query, split)
      }
      case 'ReturnedEntities':
        return readArray(returnedRows(await this.callFunction(source.call), source.call.functionImport))
    }
  }

  private async total(source: CollectionSource, filters: readonly Expression[]): Promise<number> {
    const { set } = source
    const query = { ...everything(set), filters }
    const pushdown = source.kind === 'ReturnedEntities' ? undefined : this.calls.pushdown(set)
    const split = splitQuery({ ...query, orderBy: [] }, { ...pushdown, orderBy: () => false })
    const counted = await this.countPushed(source, split)
    if (counted !== undefined) return counted
    const pipeline = new RowPipeline(
      set.entityType,
      query,
      split,
      this.related.prefetch(set),
      this.options.limits,
    )
    return pipeline.count(await this.open(source, query, split, undefined))
  }

  /** The number from the provider, if it can tell it. */
  private async countPushed(source: CollectionSource, split: SplitQuery): Promise<number | undefined> {
    const { set } = source
    if (source.kind === 'ReturnedEntities' || split.filters.length > 0 || !this.calls.canCount(set))
      return undefined
    const filter = split.pushed.filter === undefined ? {} : filterOf([split.pushed.filter])
    if (source.kind === 'EntitySet') return this.calls.count(set, { entitySet: set.path, ...filter })
    const over: Navigation = { navigation: source.navigation, source: source.source.set, target: set }
    if (!this.related.isPushed(over)) return undefined
    const row = await this.entity(source.source)
    const related = { entitySet: over.source.path, navigation: over.navigation, row }
    return this.calls.count(set, { entitySet: set.path, source: related, ...filter })
  }

  private async expandOne(
    rows: readonly Row[],
    source: EntitySet,
    { navigation, projection }: Expansion,
    depth: number,
  ): Promise<ExpandedRows> {
    const { set } = projection
    const filters = await this.filtersFor(
      { kind: 'read', entitySet: set.path, navigation: navigation.name, expandDepth: depth },
      set,
    )
    const cap = navigation.isCollection ? this.options.pageSize(set) : 1
    const query = { ...everything(set), filters, limit: navigation.isCollection ? cap + 1 : 1 }
    const lists = await this.related.read({ navigation, source, target: set }, rows, query)
    const children: Row[] = []
    const starts = [0]
    const cut = new Set<number>()
    for (const [index, list] of lists.entries()) {
      if (list.length > cap) cut.add(index)
      for (const row of list.length > cap ? list.slice(0, cap) : list) children.push(row)
      starts.push(children.length)
    }
    return { batch: await this.expand(children, projection, depth + 1), starts, cut }
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

  private meets(row: Row, filters: readonly Expression[], set: EntitySet): Promise<boolean> | boolean {
    return filters.length === 0 || meets(row, filters, set.entityType, this.related.prefetch(set))
  }
}

/** So many entities have their related ones in memory at a time. */
const expandedAtOnce = 200

/** Everything of a set in the order of its key. */
function everything(set: EntitySet): CollectionQuery {
  return {
    filters: [],
    orderBy: keyOrder(set.entityType),
    seek: undefined,
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
  }
}

function operationOn(
  source: CollectionSource | EntitySource,
  kind: 'read' | 'count' | 'media',
  key?: KeyValues,
): Operation {
  const over = source.kind === 'KeyedEntity' ? source.collection : source
  return {
    kind,
    entitySet: source.set.path,
    key,
    navigation: 'navigation' in over ? over.navigation.name : undefined,
    expandDepth: 0,
  }
}

function returnedRows(value: unknown, { path }: FunctionImport): readonly Row[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value as readonly Row[]
  throw new TypeError(`The function '${path}' must return an array of entities.`)
}

/** The same for everything that is not there, whatever the reason. */
function absent(source: EntitySource): string {
  return source.kind === 'RelatedEntity'
    ? `There is no entity behind '${source.navigation.name}'.`
    : 'There is no entity with this key.'
}

function noHandler({ path }: FunctionImport): ODataError {
  return new ODataError('NotImplemented', {
    message: `The function '${path}' is not implemented.`,
    cause: new Error(`The provider has no handler 'functions.${path}'.`),
  })
}
