import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { hasHiddenNames, originalSet } from '../edm/model-view.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'
import { computedExpression } from '../query/computed-expression.js'
import type { Projection } from '../query/projection.js'
import type { Conditions } from './pushdown.js'

/**
 * Returns the properties that rows must have for the response and its evaluation; undefined for all. Providers can omit
 * the others.
 *
 * @param conditions conditions that the service evaluates on the rows
 * @param orderBy the order, whose values are part of the position of a row
 */
export function neededProperties(
  projection: Projection,
  { restrictions, filters }: Conditions,
  orderBy: readonly OrderByTerm[] = [],
): ReadonlySet<string> | undefined {
  const { entityType, expansions } = projection
  // A view of the model lacks properties that rows have.
  const selected = projection.selected ?? (hasHiddenNames(entityType) ? namesOf(entityType) : undefined)
  if (selected === undefined) return undefined
  const needed = new Set(selected)
  for (const type of [entityType, ...entityType.derivedTypes]) {
    for (const { name } of [...type.key, ...type.concurrencyTokens]) needed.add(name)
    for (const [name = ''] of type.feedMappings.map(({ sourcePath }) => sourcePath)) needed.add(name)
  }
  for (const { navigation } of expansions) addJoin(navigation, needed)
  const computed = replaceComputed(projection, needed)
  const order = orderBy.map(({ expression }) => expression)
  return withPaths(needed, [...restrictions, ...filters, ...order, ...computed])
}

/**
 * Adds the properties that expressions need.
 *
 * @returns undefined when that may be all of them
 */
export function withPaths(
  names: Set<string>,
  expressions: readonly Expression[],
): ReadonlySet<string> | undefined {
  return expressions.every((expression) => addPaths(expression, names)) ? names : undefined
}

/** Replaces computed properties by the properties that they need, and returns their expressions. */
function replaceComputed({ set, entityType }: Projection, needed: Set<string>): Expression[] {
  const expressions: Expression[] = []
  for (const property of entityType.computedProperties) {
    if (needed.delete(property.name)) addComputed(property, set, needed, expressions)
  }
  return expressions
}

function addComputed(
  property: Property,
  set: EntitySet,
  needed: Set<string>,
  expressions: Expression[],
): void {
  const expression = computedExpression(set, property)
  if (expression !== undefined) expressions.push(expression)
  for (const name of property.computed?.needs ?? []) {
    const other = originalSet(set).entityType.computedProperties.find((one) => one.name === name)
    if (other === undefined) needed.add(name)
    else addComputed(other, set, needed, expressions)
  }
}

/** Returns the names of all properties of a type and its derived types. */
function namesOf(type: EntityType): Iterable<string> {
  return [type, ...type.derivedTypes].flatMap(({ properties }) => properties.map(({ name }) => name))
}

/** Returns the properties on this side of a navigation property by which it is followed. */
function addJoin(navigation: NavigationProperty, needed: Set<string>): void {
  needed.add(navigation.name)
  const constraint = navigation.association.referentialConstraint
  if (constraint === undefined) return
  const own =
    navigation.fromEnd === constraint.dependent
      ? constraint.dependentProperties
      : constraint.principalProperties
  for (const { name } of own) needed.add(name)
}

/** Returns false when the paths lead into derived types: then any property may be needed. */
function addPaths(expression: Expression, needed: Set<string>): boolean {
  let known = true
  forEachPath(expression, (path) => {
    const [first] = path.steps
    if (first?.kind === 'Complex') needed.add(first.property.name)
    else if (first?.kind === 'Navigation') addJoin(first.navigation, needed)
    else if (first?.kind === 'TypeCast') known = false
    else if (path.kind === 'PropertyPath') {
      const { computed, name } = path.property
      for (const one of computed?.needs ?? [name]) needed.add(one)
    }
  })
  return known
}
