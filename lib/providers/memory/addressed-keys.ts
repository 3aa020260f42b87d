import type { EntityType } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Binary, Expression } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { isInteger } from '../../query/operator-types.js'
import { storedValue } from './stored-value.js'

/**
 * The keys that entities must have to make a filter true, for filters such as `ID eq 7 and Price gt 1` and
 * `ID eq 7 or ID eq 8`: so many rows have to be looked at, and no others.
 *
 * @returns key texts; undefined when the filter does not name keys
 */
export function addressedKeys(filter: Expression, type: EntityType): ReadonlySet<string> | undefined {
  const conjuncts = conjunctsOf(filter)
  const key = wholeKey(conjuncts, type)
  if (key !== undefined) return new Set([key])
  for (const one of conjuncts) {
    if (one.kind !== 'Binary' || one.operator !== 'or') continue
    const left = addressedKeys(one.left, type)
    const right = left && addressedKeys(one.right, type)
    if (left !== undefined && right !== undefined) return new Set([...left, ...right])
  }
  return undefined
}

/** The key that the conditions give every property of. */
function wholeKey(conjuncts: readonly Expression[], type: EntityType): string | undefined {
  const values = new Map<string, unknown>()
  for (const one of conjuncts) {
    if (one.kind !== 'Binary' || one.operator !== 'eq') continue
    const equal = keyValue(one, type) ?? keyValue({ ...one, left: one.right, right: one.left }, type)
    if (equal !== undefined) values.set(equal.name, equal.value)
  }
  const { names, types } = keyShape(type.key)
  return values.size === names.length ? keyText(Object.fromEntries(values), names, types) : undefined
}

/** The key property on the left and the value on the right, if they can be compared by key text. */
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
  // Nothing equals NaN.
  return value === undefined || Number.isNaN(value) ? undefined : { name: property.name, value }
}
