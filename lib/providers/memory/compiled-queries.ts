import type { EntityType } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../../edm/primitive-types/primitive-type-name.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import type { EvaluationContext, NavigationStep } from '../../evaluation/evaluation-context.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Direction } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { Binary, Expression, OrderByTerm, PathStep } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore } from './memory-store.js'
import { storedValue } from './row-shape.js'

/** A compiled filter. */
export interface CompiledFilter {
  readonly isTrue: (row: Row) => boolean
  /** Keys, as strings, of the only rows that can match; undefined if any row can. */
  readonly keys: ReadonlySet<string> | undefined
}

/** A compiled order. */
export interface CompiledOrder {
  readonly terms: readonly OrderByTerm[]
  readonly rowOrder: RowOrder
  /** The direction in which rows sorted by key have this order; undefined if they must be sorted. */
  readonly direction: Direction | undefined
}

/** Caches the compiled filters and orders of one entity set for as long as the service caches their request plan. */
export class CompiledQueries {
  private readonly filters = new WeakMap<Expression, CompiledFilter>()
  private readonly orders = new WeakMap<readonly OrderByTerm[], CompiledOrder>()
  private readonly context: EvaluationContext
  private readonly entityType: EntityType

  constructor({ path, set }: EntityTable, store: MemoryStore) {
    this.context = new StoredNavigation(store, path)
    this.entityType = set.entityType
  }

  filter(expression: Expression): CompiledFilter {
    return getOrCreate(this.filters, expression, () => {
      const { isTrue } = new ExpressionCompiler(this.entityType, this.context).condition(expression)
      return { isTrue, keys: requiredKeys(expression, this.entityType) }
    })
  }

  order(terms: readonly OrderByTerm[]): CompiledOrder {
    return getOrCreate(this.orders, terms, () => {
      const rowOrder = new RowOrder(terms, this.entityType, this.context)
      return { terms, rowOrder, direction: scanDirection(terms, this.entityType) }
    })
  }
}

/**
 * Returns the direction of a scan through rows sorted by key that returns them in another order; undefined for most
 * orders.
 */
function scanDirection(terms: readonly OrderByTerm[], { key }: EntityType): Direction | undefined {
  let direction: Direction | undefined
  let matched = 0
  for (const { expression, descending } of terms) {
    // Terms after the whole key have no effect.
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

/**
 * Returns the keys that a filter such as `ID eq 7 and Price gt 1` or `ID eq 7 or ID eq 8` requires, so that only the
 * rows with
 * these keys have to be read.
 *
 * @returns keys as strings; undefined if the filter does not require keys
 */
function requiredKeys(filter: Expression, type: EntityType): ReadonlySet<string> | undefined {
  const conjuncts = conjunctsOf(filter)
  const key = requiredKey(conjuncts, type)
  if (key !== undefined) return new Set([key])
  for (const one of conjuncts) {
    if (one.kind !== 'Binary' || one.operator !== 'or') continue
    const left = requiredKeys(one.left, type)
    const right = left && requiredKeys(one.right, type)
    if (left !== undefined && right !== undefined) return new Set([...left, ...right])
  }
  return undefined
}

function requiredKey(conjuncts: readonly Expression[], type: EntityType): string | undefined {
  const values = new Map<string, unknown>()
  for (const one of conjuncts) {
    if (one.kind !== 'Binary' || one.operator !== 'eq') continue
    const equal = keyValue(one, type) ?? keyValue({ ...one, left: one.right, right: one.left }, type)
    if (equal !== undefined) values.set(equal.name, equal.value)
  }
  const { names, types } = keyShape(type.key)
  return values.size === names.length ? keyText(Object.fromEntries(values), names, types) : undefined
}

/** Returns the key property on the left and the value on the right if equal values have equal keys as strings. */
function keyValue(
  { left, right }: Binary,
  { key }: EntityType,
): { readonly name: string; readonly value: unknown } | undefined {
  if (left.kind !== 'PropertyPath' || left.steps.length > 0 || right.kind !== 'Literal') return undefined
  const property = key.find(({ name }) => name === left.property.name)
  if (property === undefined || right.type === null || right.value === null) return undefined
  const type = property.type as PrimitiveTypeName
  if (right.type !== type && !(isInteger(right.type) && isInteger(type))) return undefined
  const value = storedValue(type, right.value)
  // NaN equals nothing, itself included.
  return value === undefined || Number.isNaN(value) ? undefined : { name: property.name, value }
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
