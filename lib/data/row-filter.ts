import type { EntityType } from '../edm/edm-model.js'
import type { Condition } from '../evaluation/compile-expression.js'
import { ExpressionCompiler } from '../evaluation/compile-expression.js'
import type { RowSink } from '../evaluation/row-scan.js'
import { PageRows, scanRows } from '../evaluation/row-scan.js'
import type { Row } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'
import { conjunction } from '../query/expression.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { TimeSlice } from '../util/time-slice.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import type { Conditions } from './pushdown.js'

/** Creates the prefetch of the related entities that expressions refer to. */
export type CreatePrefetch = () => NavigationPrefetch

/** Evaluates conditions on rows: first the restrictions on all rows, then the filters on the visible rows. */
export class RowFilter {
  private readonly restriction: CompiledFilter | undefined
  private readonly filter: Condition | undefined

  /**
   * @param createPrefetch for the restrictions, whose related entities are read for all rows
   * @param prefetch of related entities of visible rows; expressions for the order may share it
   */
  constructor(
    type: EntityType,
    { restrictions, filters }: Conditions,
    createPrefetch: CreatePrefetch,
    readonly prefetch: NavigationPrefetch,
  ) {
    const restriction = conjunction(restrictions)
    this.restriction = restriction && compiled(type, restriction, createPrefetch())
    const filter = conjunction(filters)
    this.filter = filter && compiled(type, filter, prefetch).condition
  }

  /** True when there are no conditions. */
  get isEmpty(): boolean {
    return this.restriction === undefined && this.filter === undefined
  }

  /** Returns the rows that the caller may see, and loads the related entities that the filters refer to. */
  async visible(rows: readonly Row[], slice: TimeSlice): Promise<readonly Row[]> {
    const { restriction, prefetch } = this
    if (restriction !== undefined) {
      if (!restriction.prefetch.isEmpty) await restriction.prefetch.load(rows)
      const visible = new PageRows(0, Number.POSITIVE_INFINITY)
      await scanRows({ rows, isTrue: restriction.condition.isTrue, sink: visible }, slice)
      rows = visible.take()
    }
    if (!prefetch.isEmpty && rows.length > 0) await prefetch.load(rows)
    return rows
  }

  /**
   * Gives those of the visible rows that meet the filters to a sink.
   *
   * @returns whether more rows are wanted
   */
  scan(visible: readonly Row[], sink: RowSink, slice: TimeSlice): PromiseOrValue<boolean> {
    return scanRows({ rows: visible, isTrue: this.filter?.isTrue, sink }, slice)
  }
}

interface CompiledFilter {
  readonly condition: Condition
  readonly prefetch: NavigationPrefetch
}

function compiled(type: EntityType, expression: Expression, prefetch: NavigationPrefetch): CompiledFilter {
  return { condition: new ExpressionCompiler(type, prefetch).condition(expression), prefetch }
}

/** Returns whether a row meets conditions. */
export async function meets(
  row: Row,
  { restrictions, filters }: Conditions,
  type: EntityType,
  createPrefetch: CreatePrefetch,
): Promise<boolean> {
  for (const group of [restrictions, filters]) {
    const expression = conjunction(group)
    if (expression === undefined) continue
    const { condition, prefetch } = compiled(type, expression, createPrefetch())
    if (!prefetch.isEmpty) await prefetch.load([row])
    if (!condition.isTrue(row)) return false
  }
  return true
}
