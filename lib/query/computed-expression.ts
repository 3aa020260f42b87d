import type { EntitySet, Property } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import type { EntityPath, Expression, PathStep, PropertyPath } from './expression.js'
import { conditionOf, mapPaths } from './expression.js'

const expressions = new WeakMap<EntitySet, Map<string, Expression>>()

/** Returns the bound expression of a computed property; undefined before it is bound. */
export function computedExpression(set: EntitySet, { name }: Property): Expression | undefined {
  return expressions.get(originalSet(set))?.get(name)
}

/**
 * Sets the bound expression of a computed property. The application has chosen the navigation properties in it: a caller
 * who cannot read their entities gets null instead of an error.
 */
export function defineComputedExpression(set: EntitySet, { name }: Property, expression: Expression): void {
  const ofSet = expressions.get(set) ?? new Map<string, Expression>()
  const marked = mapPaths(expression, (path) => ({
    ...path,
    steps: path.steps.map((step) => (step.kind === 'Navigation' ? { ...step, isComputed: true } : step)),
  }))
  expressions.set(set, ofSet.set(name, marked))
}

/**
 * Returns the expression that replaces the path of a computed property.
 *
 * @param steps path from the entity of the filter to the entity with the property
 * @param origin the replaced path, for checks by name
 * @returns undefined if the value would not be null where the steps lead to no entity
 */
export function expressionAt(
  expression: Expression,
  steps: readonly PathStep[],
  entity: EntityPath,
  origin: PropertyPath,
): Expression | undefined {
  if (steps.length === 0) return { ...expression, origin }
  const moved = mapPaths(expression, (path) => ({ ...path, steps: [...steps, ...path.steps] }))
  if (isNullWithoutEntity(moved)) return { ...moved, origin }
  return moved.type === 'Edm.Boolean' ? { ...nullWithoutEntity(moved, entity), origin } : undefined
}

/** Returns the expression of a computed property for its path. Returns other paths unchanged. */
export function valueOfPath(path: PropertyPath, set: EntitySet): Expression {
  if (path.property.computed === undefined) return path
  const step = path.steps.findLast(({ kind }) => kind === 'Navigation')
  const owner = step?.kind === 'Navigation' ? step.target : set
  const expression = computedExpression(owner, path.property)
  const entity: EntityPath = { kind: 'EntityPath', steps: path.steps, type: owner.entityType, set: owner }
  return (expression && expressionAt(expression, path.steps, entity, path)) ?? path
}

/** Returns true if an expression is null whenever all its paths are null. */
function isNullWithoutEntity(one: Expression): boolean {
  switch (one.kind) {
    case 'Literal':
      return one.type === null
    case 'PropertyPath':
      return true
    case 'EntityPath':
    case 'IsOf':
      return false
    case 'Unary':
    case 'Cast':
      return isNullWithoutEntity(one.operand)
    case 'Call':
      return one.arguments.some(isNullWithoutEntity)
    case 'Binary':
      if (one.type !== 'Edm.Boolean') return isNullWithoutEntity(one.left) || isNullWithoutEntity(one.right)
      return (
        (one.operator === 'and' || one.operator === 'or') &&
        isNullWithoutEntity(one.left) &&
        isNullWithoutEntity(one.right)
      )
  }
}

/** Builds `(condition and entity ne null) or (entity eq null and null)`, which is null without the entity. */
function nullWithoutEntity(condition: Expression, entity: EntityPath): Expression {
  const nothing: Expression = { kind: 'Literal', type: null, value: null }
  const exists = conditionOf('ne', entity, nothing, null)
  const isMissing = conditionOf('eq', entity, nothing, null)
  return conditionOf('or', conditionOf('and', condition, exists), conditionOf('and', isMissing, nothing))
}
