import type { EntityType } from '../../edm/edm-model.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import type { EvaluationContext, NavigationStep } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Direction } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { Expression, OrderByTerm, PathStep } from '../../query/expression.js'
import { addressedKeys } from './addressed-keys.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore } from './memory-store.js'

/** A compiled filter. */
export interface CompiledFilter {
  readonly isTrue: (row: Row) => boolean
  /** Key texts of the only rows for which it can be true; undefined when it can be for any. */
  readonly keys: ReadonlySet<string> | undefined
}

/** A compiled order. */
export interface CompiledOrder {
  readonly terms: readonly OrderByTerm[]
  readonly rowOrder: RowOrder
  /** How rows that stand in the order of their keys come out in this order; undefined when they must be sorted. */
  readonly direction: Direction | undefined
}

/**
 * Compiles filters and orders on the rows of one entity set. The plan of a request may be used again for the next
 * one, and so may what was compiled for it; it is forgotten together with the plan.
 */
export class CompiledQueries {
  private readonly filters = new WeakMap<Expression, CompiledFilter>()
  private readonly orders = new WeakMap<readonly OrderByTerm[], CompiledOrder>()
  private readonly context: EvaluationContext

  constructor(
    private readonly table: EntityTable,
    store: MemoryStore,
  ) {
    this.context = new StoredNavigation(store, table.path)
  }

  filter(expression: Expression): CompiledFilter {
    let filter = this.filters.get(expression)
    if (filter === undefined) {
      const { entityType } = this.table.set
      const { isTrue } = new ExpressionCompiler(entityType, this.context).condition(expression)
      filter = { isTrue, keys: addressedKeys(expression, entityType) }
      this.filters.set(expression, filter)
    }
    return filter
  }

  order(terms: readonly OrderByTerm[]): CompiledOrder {
    let order = this.orders.get(terms)
    if (order === undefined) {
      const { entityType } = this.table.set
      const rowOrder = new RowOrder(terms, entityType, this.context)
      order = { terms, rowOrder, direction: scanDirection(terms, entityType) }
      this.orders.set(terms, order)
    }
    return order
  }
}

/**
 * How to scan rows that stand in the order of their keys so that they come in another order: as they stand, from the
 * end to the start, or for most orders not at all.
 */
function scanDirection(terms: readonly OrderByTerm[], { key }: EntityType): Direction | undefined {
  let direction: Direction | undefined
  let matched = 0
  for (const { expression, descending } of terms) {
    // Behind the whole key, no term decides any more.
    if (matched === key.length) break
    if (expression.kind !== 'PropertyPath' || expression.steps.length > 0) return undefined
    const position = key.findIndex(({ name }) => name === expression.property.name)
    if (position >= 0 && position < matched) continue
    const wanted = descending ? 'backward' : 'forward'
    if (position !== matched || wanted !== (direction ?? wanted)) return undefined
    direction = wanted
    matched++
  }
  return direction ?? 'forward'
}

/** Lets expressions follow navigation properties in the store. */
class StoredNavigation implements EvaluationContext {
  constructor(
    private readonly store: MemoryStore,
    private readonly path: string,
  ) {}

  navigate(step: NavigationStep, before: readonly PathStep[]): (row: Row) => Row | null {
    const last = before.findLast((one) => one.kind === 'Navigation')
    const relation = this.store.relation(last?.target.path ?? this.path, step.navigation)
    const { restriction } = step
    if (restriction === undefined) return (row) => relation.firstRelatedTo(row) ?? null
    const { path, set } = relation.target
    const context = new StoredNavigation(this.store, path)
    const { isTrue } = new ExpressionCompiler(set.entityType, context).condition(restriction)
    return (row) => relation.relatedTo(row).find(isTrue) ?? null
  }
}
