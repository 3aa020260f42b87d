import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { RestrictExpression } from '../evaluation/evaluation-context.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { Expression } from '../query/expression.js'
import { conjunction } from '../query/expression.js'
import type { GroupSource } from '../query/group-source.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError, readArray } from '../util/batch-reader.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import { explainSplit } from './explain-split.js'
import type { Join } from './join.js'
import { canJoin, joinCondition, joinOf, targetText } from './join.js'
import type { RelatedTo } from '../provider/provider.js'
import { NavigationPrefetch } from './navigation-prefetch.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery, Conditions, SplitQuery } from './pushdown.js'
import { isEmpty, splitConditions, splitQuery, unconditional } from './pushdown.js'
import type { CreatePrefetch } from './row-pipeline.js'
import { RowFilter, RowPipeline } from './row-pipeline.js'

/** A navigation property from the entities of one set to those of another. */
export interface Navigation {
  readonly navigation: NavigationProperty
  readonly source: EntitySet
  readonly target: EntitySet
}

/** The entities of one set that a collection consists of, after everything on the path to them has been read. */
export interface Collection extends Conditions {
  readonly set: EntitySet
  /** Rows that have been read, for example by a function; undefined when the provider reads them. */
  readonly rows?: readonly Row[]
  /** Includes only entities that are related to this one. */
  readonly source?: RelatedTo
}

/**
 * Reads related entities in the most efficient way that the provider of the target supports: for all entities together,
 * for one entity at a time, or by a join in the service.
 */
export class RelatedReader {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly limits: AccessLimits,
    private readonly restrictComputed: RestrictExpression | undefined,
  ) {}

  /** Returns the related rows of each source, filtered, sorted and limited by the query. */
  async read(
    over: Navigation,
    sources: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    const typed = sources.filter(hasNavigation(over))
    if (typed.length === 0) return sources.map(() => [])
    const lists = await this.readFrom(over, typed, query)
    if (typed.length === sources.length) return lists
    const listOf = new Map(typed.map((row, index) => [row, lists[index] ?? []]))
    return sources.map((row) => listOf.get(row) ?? [])
  }

  private async readFrom(
    over: Navigation,
    sources: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    if (!this.isPushed(over)) {
      const { join, rowsFor, split } = await this.join(over, sources, query)
      const lists = sources.map((row) => rowsFor(join.valuesOf(row)))
      return this.finish(over.target, lists, query, split)
    }
    const { navigation, source, target } = over
    const split = splitQuery(query, this.calls.pushdown(target))
    const { explanation } = this.calls.call
    if (explanation !== undefined) explainSplit(explanation, target, split, query)
    const pushed = { entitySet: target.path, ...split.pushed }
    if (this.calls.canReadRelated(target)) {
      const related = { ...pushed, sources: { entitySet: source.path, navigation, rows: sources } }
      const lists = await this.calls.readRelated(target, related, query.isPage === true && split.isPaged)
      return this.finish(target, lists, query, split)
    }
    const lists: (readonly Row[])[] = []
    for (const row of sources) {
      const one = { ...pushed, source: { entitySet: source.path, navigation, row: plainRow(row) } }
      lists.push(await collect(await this.calls.read(target, one)))
    }
    return this.finish(target, lists, query, split)
  }

  /** Returns the entities that are related to one row, as a collection that the provider can read. */
  async collection(over: Navigation, row: Row): Promise<Collection> {
    const { navigation, source, target } = over
    if (this.isPushed(over)) {
      return { set: target, source: { entitySet: source.path, navigation, row }, ...unconditional }
    }
    const join = joinOver(over, [row])
    const textOf = targetText(join)
    const values = join.valuesOf(row).filter((one) => textOf(one) !== undefined)
    const condition = joinCondition(join.targetProperties, values)
    if (condition === undefined) return { set: target, rows: [], ...unconditional }
    // The service joins many keys by a map, which is faster than evaluating the condition on each row.
    if (values.length === 1 || this.accepts(target, condition))
      return { set: target, restrictions: [], filters: [condition] }
    const { rowsFor } = await this.join(over, [row], unconditional)
    return { set: target, rows: rowsFor(values), ...unconditional }
  }

  private accepts(target: EntitySet, condition: Expression): boolean {
    const conditions = { restrictions: [], filters: [condition] }
    return isEmpty(splitConditions(conditions, this.calls.pushdown(target)).refused)
  }

  /** Returns true if the provider of the target follows the navigation property itself. */
  private isPushed({ navigation, target }: Navigation): boolean {
    return this.calls.pushdown(target)?.navigation?.(navigation) === true
  }

  /** Creates a prefetch of the single related entities that expressions on a set refer to. */
  prefetch(set: EntitySet): NavigationPrefetch {
    return new NavigationPrefetch(
      set,
      async (step, source, rows) => {
        const over = { navigation: step.navigation, source, target: step.target }
        const restrictions = step.restriction === undefined ? [] : [step.restriction]
        const query = { restrictions, filters: [], orderBy: [], seek: undefined, skip: 0, limit: 1 }
        return (await this.read(over, rows, query)).map(([first]) => first)
      },
      this.calls.call,
      this.restrictComputed,
    )
  }

  /** Reads the targets of all sources in one query, and groups them by the values of the join. */
  private async join(
    over: Navigation,
    sources: readonly Row[],
    conditions: Conditions,
  ): Promise<{ join: Join; rowsFor: (values: readonly Row[]) => readonly Row[]; split: SplitQuery }> {
    const join = joinOver(over, sources)
    const pushdown = this.calls.pushdown(over.target)
    const { pushed, refused } = splitConditions(conditions, pushdown)
    const textOf = targetText(join)
    const wanted = new Map<string, Row>()
    for (const values of sources.flatMap((row) => join.valuesOf(row))) {
      const text = textOf(values)
      if (text !== undefined) wanted.set(text, values)
    }
    const condition = joinCondition(join.targetProperties, [...wanted.values()])
    const { restrictions, filters } = refused
    const split = { pushed: {}, refused: { restrictions: [], filters }, isOrdered: false, isPaged: false }
    if (condition === undefined) return { join, rowsFor: () => [], split }
    // If the provider does not accept the condition, all rows are read and grouping drops the others.
    const accepted = pushed.filter === undefined ? [] : [pushed.filter]
    if (this.accepts(over.target, condition)) accepted.push(condition)
    const filter = conjunction(accepted)
    const query = { entitySet: over.target.path, ...pushed, ...(filter && { filter }) }
    const rows = await this.calls.read(over.target, query)
    const groups = await this.group(this.visible(over.target, rows, restrictions), textOf, wanted)
    const group = (one: Row): readonly Row[] => groups.get(textOf(one) ?? '') ?? []
    const rowsFor = (values: readonly Row[]): readonly Row[] => {
      const [first, ...others] = values
      // Many sources may share a group: do not copy it for each of them.
      return first !== undefined && others.length === 0 ? group(first) : values.flatMap(group)
    }
    return { join, rowsFor, split }
  }

  /** Removes the rows that do not meet restrictions which the provider does not evaluate. */
  private visible(
    target: EntitySet,
    rows: BatchReader<Row>,
    restrictions: readonly Expression[],
  ): BatchReader<Row> {
    if (restrictions.length === 0) return rows
    const createPrefetch: CreatePrefetch = () => this.prefetch(target)
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

  private async group(
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

  /** Does the rest of a query on the related rows of each source. */
  private async finish(
    target: EntitySet,
    lists: readonly (readonly Row[])[],
    query: CollectionQuery,
    split: SplitQuery,
  ): Promise<readonly (readonly Row[])[]> {
    if (split.isPaged) return lists
    const { limits, calls } = this
    const createPrefetch: CreatePrefetch = () => this.prefetch(target)
    const pipeline = new RowPipeline(target.entityType, query, split, createPrefetch, limits, calls.call)
    const finished: (readonly Row[])[] = []
    for (const rows of lists) {
      // One list at a time: they share the prefetch of the pipeline.
      finished.push(rows.length === 0 ? rows : await collect(await pipeline.run(readArray(rows))))
    }
    return finished
  }
}

function joinOver({ navigation, target }: Navigation, rows: readonly Row[]): Join {
  if (canJoin(navigation, rows)) return joinOf(navigation)
  throw new ODataError('NotImplemented', {
    message: `The entities that '${navigation.name}' leads to cannot be read.`,
    cause: new Error(
      `'${navigation.name}' does not determine which '${target.path}' belong to an entity. Add a referential ` +
        `constraint to the association, add keys to the rows as '${navigation.name}', or accept the navigation ` +
        `property in 'pushdown.navigation' of the provider of '${target.path}'.`,
    ),
  })
}

/** Returns a test whether a row has the navigation property, which a derived type may declare. */
function hasNavigation({ navigation, source: { entityType } }: Navigation): (row: Row) => boolean {
  if (entityType.navigationProperty(navigation.name) === navigation) return () => true
  return (row) => typeOfRow(row, entityType).navigationProperty(navigation.name) === navigation
}

/** Reads all rows into one array. Closes the source after an error. */
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

/** Returns the rows of another set that have the foreign key of an entity. */
export function relatedRows({ navigation }: Navigation, row: Row, rows: GroupSource): Collection {
  const join = joinOf(navigation)
  if (navigation.association.referentialConstraint === undefined)
    throw new ODataError('NotImplemented', {
      message: `'${navigation.name}' has no foreign key by which rows of '${rows.set.path}' can be found.`,
    })
  const textOf = targetText(join)
  const values = join.valuesOf(row).filter((one) => textOf(one) !== undefined)
  const condition = joinCondition(join.targetProperties, values)
  return condition === undefined
    ? { set: rows.set, rows: [], ...unconditional }
    : { set: rows.set, restrictions: [], filters: [rows.map(condition, 'InternalServerError')] }
}
