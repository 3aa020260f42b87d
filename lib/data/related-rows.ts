import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { Expression } from '../query/expression.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { Collection } from './collection.js'
import type { Join } from './join.js'
import { canJoin, joinCondition, joinOf, targetText } from './join.js'
import { NavigationPrefetch } from './navigation-prefetch.js'
import { closeAfterError } from './abortable-batch-reader.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery, Conditions, SplitQuery } from './pushdown.js'
import { filterOf, isEmpty, splitConditions, splitQuery, unconditional } from './pushdown.js'
import { RowFilter } from './row-filter.js'
import { RowPipeline } from './row-pipeline.js'

/** A navigation property from the entities of one set to those of another. */
export interface Navigation {
  readonly navigation: NavigationProperty
  readonly source: EntitySet
  readonly target: EntitySet
}

/**
 * Reads what is related to entities, in the best way that the provider of the target knows: for many entities at
 * once, for one, or else by looking for keys.
 */
export class RelatedRows {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly limits: AccessLimits,
  ) {}

  /** The related rows of each source, each list as the query wants it. */
  async read(
    over: Navigation,
    sources: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    const able = sources.filter(hasNavigation(over))
    if (able.length === 0) return sources.map(() => [])
    const lists = await this.readOfAble(over, able, query)
    if (able.length === sources.length) return lists
    const listOf = new Map(able.map((row, index) => [row, lists[index] ?? []]))
    return sources.map((row) => listOf.get(row) ?? [])
  }

  private async readOfAble(
    over: Navigation,
    sources: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    if (!this.isPushed(over)) return this.joined(over, sources, query)
    const split = splitQuery(query, this.calls.pushdown(over.target))
    if (this.calls.canReadRelated(over.target)) {
      const related = {
        entitySet: over.target.path,
        sources: { entitySet: over.source.path, navigation: over.navigation, rows: sources },
        ...split.pushed,
      }
      const lists = await this.calls.readRelated(over.target, related, query.isPage === true && split.paged)
      return this.finish(over.target, lists, query, split)
    }
    const lists: (readonly Row[])[] = []
    for (const row of sources) lists.push(await collect(await this.readFrom(over, row, split)))
    return this.finish(over.target, lists, query, split)
  }

  /** What is related to one row, in the form in which the provider of the target can read it best. */
  async collection(over: Navigation, row: Row): Promise<Collection> {
    const { navigation, source, target } = over
    if (this.isPushed(over)) {
      return { set: target, source: { entitySet: source.path, navigation, row }, ...unconditional }
    }
    const join = this.joinOf(over, [row])
    const textOf = targetText(join)
    const values = join.valuesOf(row).filter((one) => textOf(one) !== undefined)
    const condition = joinCondition(join, values)
    if (condition === undefined) return { set: target, rows: [], ...unconditional }
    // To compare every row with many keys takes long: there, they are looked up in a map.
    if (values.length === 1 || this.looksUp(target, condition))
      return { set: target, restrictions: [], filters: [condition] }
    const { rowsFor } = await this.rowsOfJoin(over, [row], unconditional)
    return { set: target, rows: rowsFor(values), ...unconditional }
  }

  private looksUp(target: EntitySet, condition: Expression): boolean {
    const conditions = { restrictions: [], filters: [condition] }
    return isEmpty(splitConditions(conditions, this.calls.pushdown(target)).refused)
  }

  /** True when the provider of the target can start from the source itself. */
  private isPushed({ navigation, target }: Navigation): boolean {
    return this.calls.pushdown(target)?.navigation?.(navigation) === true
  }

  /** A prefetch of the single related entities that expressions on a set ask for. */
  prefetch(set: EntitySet): NavigationPrefetch {
    return new NavigationPrefetch(set, async (step, source, rows) => {
      const over = { navigation: step.navigation, source, target: step.target }
      const restrictions = step.restriction === undefined ? [] : [step.restriction]
      const query = { restrictions, filters: [], orderBy: [], seek: undefined, skip: 0, limit: 1 }
      return (await this.read(over, rows, query)).map(([first]) => first)
    })
  }

  private readFrom(
    { navigation, source, target }: Navigation,
    row: Row,
    split: SplitQuery,
  ): Promise<BatchReader<Row>> {
    return this.calls.read(target, {
      entitySet: target.path,
      source: { entitySet: source.path, navigation, row: plainRow(row) },
      ...split.pushed,
    })
  }

  private async joined(
    over: Navigation,
    sources: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    const join = this.joinOf(over, sources)
    const { rowsFor, split } = await this.rowsOfJoin(over, sources, query)
    return this.finish(
      over.target,
      sources.map((row) => rowsFor(join.valuesOf(row))),
      query,
      split,
    )
  }

  /** Reads the targets of all sources in one query and sorts them by what they were looked for. */
  private async rowsOfJoin(
    over: Navigation,
    sources: readonly Row[],
    conditions: Conditions,
  ): Promise<{ rowsFor: (values: readonly Row[]) => readonly Row[]; split: SplitQuery }> {
    const join = this.joinOf(over, sources)
    const pushdown = this.calls.pushdown(over.target)
    const { accepted, refused } = splitConditions(conditions, pushdown)
    const textOf = targetText(join)
    const wanted = new Map<string, Row>()
    for (const values of sources.flatMap((row) => join.valuesOf(row))) {
      const text = textOf(values)
      if (text !== undefined) wanted.set(text, values)
    }
    const condition = joinCondition(join, [...wanted.values()])
    const { restrictions, filters } = refused
    const split = { pushed: {}, refused: { restrictions: [], filters }, ordered: false, paged: false }
    if (condition === undefined) return { rowsFor: () => [], split }
    // A provider that cannot look for values is read as a whole, and what was not looked for is dropped here.
    const looksUp = this.looksUp(over.target, condition)
    const rows = await this.calls.read(over.target, {
      entitySet: over.target.path,
      ...filterOf(looksUp ? [...accepted, condition] : accepted),
    })
    const found = await this.grouped(this.visible(over.target, rows, restrictions), textOf, wanted)
    const group = (one: Row): readonly Row[] => found.get(textOf(one) ?? '') ?? []
    const rowsFor = (values: readonly Row[]): readonly Row[] => {
      const [first, ...others] = values
      // Many sources may share a group: it is not copied for each of them.
      return first !== undefined && others.length === 0 ? group(first) : values.flatMap(group)
    }
    return { rowsFor, split }
  }

  /** Leaves out the rows that do not meet restrictions which the provider does not evaluate. */
  private visible(
    target: EntitySet,
    rows: BatchReader<Row>,
    restrictions: readonly Expression[],
  ): BatchReader<Row> {
    if (restrictions.length === 0) return rows
    const createPrefetch = (): NavigationPrefetch => this.prefetch(target)
    const conditions = { restrictions, filters: [] }
    const filter = new RowFilter(target.entityType, conditions, createPrefetch, createPrefetch())
    const slice = new TimeSlice(this.calls.call)
    return {
      next: async () => {
        const batch = await rows.next()
        return batch === undefined ? undefined : filter.visible(batch, slice)
      },
      close: () => rows.close(),
    }
  }

  private async grouped(
    rows: BatchReader<Row>,
    textOf: (row: Row) => string | undefined,
    wanted: ReadonlyMap<string, unknown>,
  ): Promise<ReadonlyMap<string, Row[]>> {
    const groups = new Map<string, Row[]>()
    const slice = new TimeSlice(this.calls.call)
    let scanned = 0
    for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
      scanned += batch.length
      if (scanned > this.limits.scannedRows) {
        await closeAfterError(rows)
        throw limitExceeded('scannedRows', this.limits)
      }
      for (let index = 0; index < batch.length;) {
        for (const row of batch.slice(index, (index += slice.steps))) {
          const text = textOf(row)
          if (text === undefined || !wanted.has(text)) continue
          const group = groups.get(text)
          if (group === undefined) groups.set(text, [row])
          else group.push(row)
        }
        if (slice.shouldYield()) await slice.yield()
      }
    }
    return groups
  }

  /** Does what of the query is left, for the related rows of each source. */
  private async finish(
    target: EntitySet,
    lists: readonly (readonly Row[])[],
    query: CollectionQuery,
    split: SplitQuery,
  ): Promise<readonly (readonly Row[])[]> {
    if (split.paged) return lists
    const { limits, calls } = this
    const pipeline = new RowPipeline(
      target.entityType,
      query,
      split,
      () => this.prefetch(target),
      limits,
      calls.call,
    )
    const finished: (readonly Row[])[] = []
    for (const rows of lists) {
      // One list after the other: they share what the pipeline has read for its expressions.
      finished.push(rows.length === 0 ? rows : await collect(await pipeline.run(readArray(rows))))
    }
    return finished
  }

  private joinOf({ navigation, target }: Navigation, rows: readonly Row[]): Join {
    if (canJoin(navigation, rows)) return joinOf(navigation)
    throw new ODataError('NotImplemented', {
      message: `The entities behind '${navigation.name}' cannot be read.`,
      cause: new Error(
        `Nothing tells which '${target.path}' belong to an entity over '${navigation.name}'. Give the association a ` +
          `referential constraint, put keys into the rows under '${navigation.name}', or accept the navigation ` +
          `property in 'pushdown.navigation' of the provider of '${target.path}'.`,
      ),
    })
  }
}

/** Whether a row is of a type that has the navigation property: it may be that of a derived type. */
function hasNavigation({ navigation, source: { entityType } }: Navigation): (row: Row) => boolean {
  if (entityType.navigationProperty(navigation.name) === navigation) return () => true
  return (row) => typeOfRow(row, entityType).navigationProperty(navigation.name) === navigation
}

/** All rows in one array; the source is closed when that fails. */
export async function collect(rows: BatchReader<Row>): Promise<readonly Row[]> {
  try {
    const first = await rows.next()
    if (first === undefined) return []
    let all: Row[] | undefined
    for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
      all ??= [...first]
      for (const row of batch) all.push(row)
    }
    return all ?? first
  } catch (error) {
    await closeAfterError(rows)
    throw error
  }
}
