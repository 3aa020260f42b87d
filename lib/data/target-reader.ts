import type { EntitySet, FunctionImport } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { RestrictExpression } from '../evaluation/evaluation-context.js'
import type { Row } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { ExpandBranch, ReadQuery } from '../provider/provider.js'
import type { GroupPage } from '../provider/pushdown.js'
import type { Expression } from '../query/expression.js'
import type { GroupSource } from '../query/group-source.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource, FunctionCall, KeyValues } from '../query/request-target.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import type { AccessLimits } from './access-limits.js'
import type { ProvidedGroups } from './provided-groups.js'
import { groupsOf } from './provided-groups.js'
import type { CountedRows } from './counted-rows.js'
import { counted, othersThan, readAndCount } from './counted-rows.js'
import { explainSplit } from './explain-split.js'
import { joinCondition } from './join.js'
import {
  neededProperties,
  withPaths,
  everything,
  isEmpty,
  mergeConditions,
  splitConditions,
  splitQuery,
  unconditional,
} from './pushdown.js'
import type { Authorized } from './permissions.js'
import { countKey } from './shared-counts.js'
import type { Restrictions } from './restrictions.js'
import { isSourceUnread } from './key-sources.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery, Conditions, SplitQuery } from './pushdown.js'
import type { Collection } from './related-reader.js'
import { collect, relatedRows, RelatedReader } from './related-reader.js'
import { meets, RowPipeline } from './row-pipeline.js'

/** Options of the rows of a page. */
interface PageRead {
  /** The part of the rows that the response contains. */
  readonly projection: Projection
  /** Restrictions of the count, in addition to those of the page; undefined when the entities are not counted. */
  readonly counting: readonly Expression[] | undefined
  /** The expansions that the provider reads. */
  readonly expand?: readonly ExpandBranch[] | undefined
}

/** The count of the entities of a page. */
interface Counting {
  readonly collection: Collection
  readonly conditions: Conditions
  /** True if the provider reports the count with the rows. */
  readonly isReported: boolean
  /** True if the count has restrictions that the page does not have. */
  readonly hasOthers: boolean
}

/**
 * Reads the entities that a resource path addresses, by keys, navigation properties and functions. The provider does
 * as much of a query as it accepts, and the service the rest. All conditions are authorized before.
 */
export class TargetReader {
  private relatedReader: RelatedReader | undefined

  constructor(
    private readonly calls: ProviderCalls,
    private readonly limits: AccessLimits,
    private readonly restrictComputed: RestrictExpression | undefined,
  ) {}

  /** Created on first access: few requests navigate. */
  get related(): RelatedReader {
    this.relatedReader ??= new RelatedReader(this.calls, this.limits, this.restrictComputed)
    return this.relatedReader
  }

  /**
   * Reads one entity.
   *
   * @param projection the selected properties and expansions; undefined for all properties
   * @param branchesOf returns the expansions that the provider reads, if it reads the entity by its key
   * @returns undefined when no entity meets the conditions
   */
  entity(
    source: EntitySource,
    { conditions, restrictions }: Authorized,
    projection?: Projection,
    isShown?: boolean,
    branchesOf?: () => readonly ExpandBranch[] | undefined,
  ): PromiseOrValue<Row | undefined> {
    if (source.kind !== 'KeyedEntity') return this.navigate(source, conditions, restrictions)
    const { collection, key, set } = source
    if (collection.kind !== 'EntitySet' || !this.calls.canReadByKey(set))
      return this.entityAmong(collection, key, conditions, restrictions)
    const properties = projection && neededProperties(projection, conditions)
    const expand = branchesOf?.()
    const query = { ...(properties && { properties }), ...(expand && { expand }) }
    const entity = this.calls.readByKey(set, key, query, isShown)
    if (isEmpty(conditions)) return entity
    return mapValue(entity, (row) =>
      row === undefined
        ? undefined
        : mapValue(this.meets(row, conditions, set), (isVisible) => (isVisible ? row : undefined)),
    )
  }

  /** Searches a collection that is restricted or that cannot be read by key. */
  private async entityAmong(
    source: CollectionSource,
    key: KeyValues,
    conditions: Conditions,
    restrictions: Restrictions,
  ): Promise<Row | undefined> {
    const { set } = source
    const collection = await this.collection(source, restrictions)
    const condition = joinCondition(set.entityType.key, [key])
    const filters = condition === undefined ? conditions.filters : [condition, ...conditions.filters]
    const query = { ...everything(set), ...conditions, filters, orderBy: [], limit: 1 }
    const [row] = await collect((await this.read(collection, query)).rows)
    return row
  }

  /** Reads the entity that a navigation property or a function leads to. */
  private async navigate(
    source: Exclude<EntitySource, { readonly kind: 'KeyedEntity' }>,
    conditions: Conditions,
    restrictions: Restrictions,
  ): Promise<Row | undefined> {
    const { set } = source
    if (source.kind === 'RelatedEntity') {
      const over = { navigation: source.navigation, source: source.source.set, target: set }
      if (isSourceUnread(this.calls, source.source, over, restrictions)) {
        const related = await this.related.collection(over, source.source.key)
        const query = { ...everything(set), ...conditions, orderBy: [], limit: 1 }
        return (await collect((await this.read(related, query)).rows))[0]
      }
      const row = await this.entityOnPath(source.source, restrictions)
      const [rows = []] = await this.related.read(over, [row], {
        ...everything(set),
        ...conditions,
        limit: 1,
      })
      return rows[0]
    }
    const result = await this.result(source.call)
    if (result === null || result === undefined) return undefined
    const [entity] = returnedRows([result], source.call.functionImport)
    const all = {
      ...conditions,
      restrictions: [...restrictions.of(source.call), ...conditions.restrictions],
    }
    return entity !== undefined && (await this.meets(entity, all, set)) ? entity : undefined
  }

  /** @throws ODataError ResourceNotFound when the entity does not exist, or the caller may not see it */
  private async entityOnPath(source: EntitySource, restrictions: Restrictions): Promise<Row> {
    const conditions = { restrictions: restrictions.of(source), filters: [] }
    return presentRow(await this.entity(source, { conditions, restrictions }), source)
  }

  /**
   * Reads everything on the path to a collection, and calls its function.
   *
   * @param rows replaces the rows of the collection
   * @param isCount whether the entities are only counted: then a missing source is found only by reading it
   */
  collection(
    source: CollectionSource,
    restrictions: Restrictions,
    rows?: GroupSource,
    isCount = false,
  ): PromiseOrValue<Collection> {
    return source.kind === 'EntitySet'
      ? { set: rows?.set ?? source.set, ...unconditional }
      : this.collectionOnPath(source, restrictions, rows, isCount)
  }

  private async collectionOnPath(
    source: Exclude<CollectionSource, { readonly kind: 'EntitySet' }>,
    restrictions: Restrictions,
    rows: GroupSource | undefined,
    isCount: boolean,
  ): Promise<Collection> {
    const { set } = source
    switch (source.kind) {
      case 'RelatedEntities': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        if (rows === undefined && !isCount && isSourceUnread(this.calls, source.source, over, restrictions))
          return this.related.collection(over, source.source.key)
        const row = await this.entityOnPath(source.source, restrictions)
        return rows === undefined ? this.related.collection(over, row) : relatedRows(over, row, rows)
      }
      case 'ReturnedEntities': {
        const rows = returnedRows((await this.result(source.call)) ?? [], source.call.functionImport)
        return { set, rows, restrictions: restrictions.of(source.call), filters: [] }
      }
    }
  }

  /** Calls a function and returns its result. */
  async result({ functionImport: { path }, parameters }: FunctionCall): Promise<unknown> {
    return await this.calls.runFunction(path, parameters)
  }

  /** Reads the rows of a collection that a query selects, and counts the matches if required. */
  read(collection: Collection, query: CollectionQuery, page?: PageRead): PromiseOrValue<CountedRows> {
    const whole = isEmpty(collection) ? query : { ...query, ...mergeConditions(collection, query) }
    const pushdown = collection.rows === undefined ? this.calls.pushdown(collection.set) : undefined
    const split = splitQuery(whole, pushdown)
    const { explanation } = this.calls.call
    if (explanation !== undefined) explainSplit(explanation, collection.set, split, whole)
    const pipeline = split.isPaged ? undefined : this.pipeline(collection, whole, split)
    const properties = page && neededProperties(page.projection, split.refused, query.orderBy)
    const others = page?.counting && othersThan(query.restrictions, page.counting)
    const canCount = others?.length === 0 && split.isPaged && query.seek === undefined
    const count = canCount && pushdown?.count === true
    const parts = { properties, expand: page?.expand, count }
    const opening = this.open(collection, split, parts, query.isPage)
    if (others !== undefined) {
      const conditions = { ...query, restrictions: [...query.restrictions, ...others] }
      const counting = { collection, conditions, isReported: count, hasOthers: others.length > 0 }
      return split.isPaged
        ? this.countPage(opening, query, split, counting)
        : this.countMatches(opening, required(pipeline), split, counting)
    }
    const isWhole = (split.pushed.top ?? query.limit) >= query.limit
    return isWhole && pipeline === undefined && !isPromiseLike(opening)
      ? { rows: opening, total: undefined, hasMore: opening.hasMore }
      : this.process(opening, query, split, pipeline)
  }

  /** Does the parts of a query without count that the provider does not do. */
  private async process(
    opening: PromiseOrValue<BatchReader<Row>>,
    query: CollectionQuery,
    split: SplitQuery,
    pipeline: RowPipeline | undefined,
  ): Promise<CountedRows> {
    const rows = await opening
    return pipeline === undefined
      ? counted(rows, undefined, query, split)
      : { rows: await pipeline.run(rows), total: undefined }
  }

  /** Counts the matches of a page that the provider has paged: a first page that is not full is their number. */
  private countPage(
    opening: PromiseOrValue<BatchReader<Row>>,
    query: CollectionQuery,
    split: SplitQuery,
    { collection, conditions, isReported, hasOthers }: Counting,
  ): PromiseOrValue<CountedRows> {
    const isFirst = query.skip === 0 && query.seek === undefined
    const key = this.countKey(collection, conditions)
    const isShared = key !== undefined && this.calls.counts?.has(key) === true
    const mayBeCounted = isReported || (isFirst && !hasOthers && !isShared)
    const count = (): PromiseOrValue<number> => this.count(collection, conditions, key)
    const page =
      !mayBeCounted && this.canCountConcurrently(collection, hasOthers ? conditions : undefined)
        ? readAndCount(opening, count)
        : mapValue(opening, (rows) => {
            const { top = query.limit } = split.pushed
            const length = rows.hasMore === true ? top : (rows.length ?? top)
            const total = rows.total ?? (isFirst && length < top ? length : undefined)
            return hasOthers || total === undefined ? readAndCount(rows, count) : { rows, total }
          })
    return mapValue(page, ({ rows, total }) => counted(rows, total, query, split))
  }

  /** Counts the matches of a page that the service filters, sorts or limits. */
  private async countMatches(
    opening: PromiseOrValue<BatchReader<Row>>,
    pipeline: RowPipeline,
    split: SplitQuery,
    { collection, conditions, hasOthers }: Counting,
  ): Promise<CountedRows> {
    const rows = await pipeline.run(await opening)
    // Sorting has read and counted all rows.
    if (!split.isOrdered && !hasOthers) return { rows, total: pipeline.matches }
    return readAndCount(rows, () => this.count(collection, conditions))
  }

  /**
   * Reads all rows of a collection that meet conditions, in any order.
   *
   * @param values the properties that the caller needs; undefined for all properties
   */
  async scan(
    collection: Collection,
    conditions: Conditions,
    values: readonly Expression[] | undefined,
  ): Promise<BatchReader<Row>> {
    const query = { ...everything(collection.set), ...mergeConditions(collection, conditions), orderBy: [] }
    const split = splitQuery(query, this.pushdownOf(collection))
    const { restrictions, filters } = split.refused
    const properties = values && withPaths(new Set(), [...values, ...restrictions, ...filters])
    const rows = await this.open(collection, split, { properties })
    return split.isPaged ? rows : this.pipeline(collection, query, split).run(rows)
  }

  /** Groups the rows of a collection in the provider, or counts the groups; undefined if that is not possible. */
  async aggregate(
    { rows, ...collection }: Collection,
    conditions: Conditions,
    page: GroupPage,
  ): Promise<ProvidedGroups | undefined> {
    const { set, source } = collection
    if (rows !== undefined || groupsComputed(page) || !this.calls.canAggregate(set, page)) return undefined
    const all = mergeConditions(collection, conditions)
    const split = splitConditions(all, this.calls.pushdown(set))
    if (!isEmpty(split.refused)) return undefined
    const from = source && { source: { ...source, row: plainRow(source.row) } }
    const query = { entitySet: set.path, ...from, ...split.pushed, ...page }
    const groups: unknown = await this.calls.aggregate(set, query)
    return groups === undefined ? undefined : groupsOf(set, query, groups)
  }

  /**
   * Returns true if the provider can count while it reads. A change set may have only one connection.
   *
   * @param conditions undefined if the provider has accepted all of them
   */
  private canCountConcurrently(collection: Collection, conditions: Conditions | undefined): boolean {
    if (collection.rows !== undefined || this.calls.call.changeSet !== undefined) return false
    return conditions === undefined
      ? this.calls.canCount(collection.set)
      : this.canCount(collection, conditions)
  }

  /** Returns true if the provider can count entities without reading them. */
  canCount(collection: Collection, conditions: Conditions): boolean {
    const { set, rows } = collection
    if (rows !== undefined) return true
    if (!this.calls.canCount(set)) return false
    return isEmpty(splitConditions(mergeConditions(collection, conditions), this.calls.pushdown(set)).refused)
  }

  /** Returns the key of a count that requests of a batch share; undefined for other counts. */
  private countKey(collection: Collection, conditions: Conditions): string | undefined {
    const { call, counts } = this.calls
    return counts === undefined || collection.rows !== undefined
      ? undefined
      : countKey(collection, mergeConditions(collection, conditions), call)
  }

  /** Counts the entities of a collection that meet conditions. */
  count(
    collection: Collection,
    conditions: Conditions,
    key = this.countKey(collection, conditions),
  ): PromiseOrValue<number> {
    const { call, counts } = this.calls
    const count = (): PromiseOrValue<number> => this.countAlone(collection, conditions)
    return counts === undefined || key === undefined ? count() : counts.share(key, call, count)
  }

  private countAlone(collection: Collection, conditions: Conditions): PromiseOrValue<number> {
    const { set, source, rows } = collection
    const all = mergeConditions(collection, conditions)
    const { pushed, refused } = splitConditions(all, this.pushdownOf(collection))
    if (rows === undefined && isEmpty(refused) && this.calls.canCount(set)) {
      return this.calls.count(set, { entitySet: set.path, ...(source && { source }), ...pushed })
    }
    const split = { pushed, refused, isOrdered: true, isPaged: false }
    const pipeline = this.pipeline(collection, { ...everything(set), ...all, orderBy: [] }, split)
    return mapValue(this.open(collection, split, {}), (opened) => pipeline.count(opened))
  }

  /** Returns true if an entity meets the conditions of `authorize` and of the client. */
  meets(row: Row, conditions: Conditions, set: EntitySet): PromiseOrValue<boolean> {
    return isEmpty(conditions) || meets(row, conditions, set.entityType, () => this.related.prefetch(set))
  }

  private open(
    { set, rows, source }: Collection,
    { pushed, isPaged }: SplitQuery,
    {
      properties,
      expand,
      count,
    }: Pick<ReadQuery, 'properties' | 'expand'> & { readonly count?: boolean | undefined },
    isPage = false,
  ): PromiseOrValue<BatchReader<Row>> {
    if (rows !== undefined) return readArray(rows)
    const query = {
      entitySet: set.path,
      ...(source && { source: { ...source, row: plainRow(source.row) } }),
      ...pushed,
      ...(properties && { properties }),
      ...(expand && { expand }),
      ...(count === true && { count }),
    }
    return this.calls.read(set, query, isPage && isPaged)
  }

  private pushdownOf({ set, rows }: Collection): ReturnType<ProviderCalls['pushdown']> {
    return rows === undefined ? this.calls.pushdown(set) : undefined
  }

  private pipeline({ set }: Collection, query: CollectionQuery, split: SplitQuery): RowPipeline {
    const { limits, calls } = this
    return new RowPipeline(set.entityType, query, split, () => this.related.prefetch(set), limits, calls.call)
  }
}

/** Returns true if groups depend on computed properties, which providers do not have. */
function groupsComputed({ groupBy, measures }: GroupPage): boolean {
  const paths = [...groupBy.map(({ path }) => path), ...measures.flatMap(({ input, unit }) => [input, unit])]
  return paths.some((path) => path?.property.computed !== undefined)
}

/** @throws TypeError when the function does not return entities */
function returnedRows(value: unknown, { path }: FunctionImport): readonly Row[] {
  const isRow = (row: unknown): boolean => typeof row === 'object' && row !== null && !Array.isArray(row)
  if (Array.isArray(value) && value.every(isRow)) return value as readonly Row[]
  throw new TypeError(
    `The function '${path}' must return what its model declares: entities as objects, several in an array.`,
  )
}

/** @throws ODataError ResourceNotFound for an absent entity: an entity that the caller may not see is not distinguished */
export function presentRow(row: Row | undefined, source: EntitySource): Row {
  if (row === undefined) throw absentEntity(source)
  return row
}

export function absentEntity(source: EntitySource): ODataError {
  const message =
    source.kind === 'RelatedEntity'
      ? `'${source.navigation.name}' does not lead to an entity.`
      : 'There is no entity with this key.'
  return new ODataError('ResourceNotFound', { message })
}
