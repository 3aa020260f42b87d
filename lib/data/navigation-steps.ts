import type { NavigationStep } from '../evaluation/evaluation-context.js'
import type { Expression } from '../query/expression.js'
import { forEachPath, mapPaths } from '../query/expression.js'
import type { EntitySet, Property } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import { computedExpression } from '../query/computed-expression.js'
import type { EntityQuery } from '../query/entity-query.js'
import type { Projection } from '../query/projection.js'
import { shownProperties } from '../query/projection.js'

/** Returns the restriction of the entities that a step reaches; undefined if all of them are visible. */
type RestrictionOf = (step: NavigationStep) => Expression | undefined

/** Returns all steps over navigation properties in an expression. */
export function navigationSteps(expression: Expression): NavigationStep[] {
  const steps: NavigationStep[] = []
  forEachPath(expression, (path) => {
    for (const step of path.steps) if (step.kind === 'Navigation') steps.push(step)
  })
  return steps
}

/** Restricts the navigation in an expression to entities that the caller may see. */
export function restrictNavigation<E extends Expression>(expression: E, restrictionOf: RestrictionOf): E {
  return mapPaths(expression, (path) => ({
    ...path,
    steps: path.steps.map((step) =>
      step.kind === 'Navigation' ? { ...step, restriction: restrictionOf(step) } : step,
    ),
  }))
}

/**
 * Returns the navigation steps in the expressions of the computed properties that a query shows, groups or aggregates, and
 * in the paths of the rows that it groups.
 */
export function computedSteps({
  grouping,
  projection,
}: Pick<EntityQuery, 'projection' | 'grouping'>): readonly NavigationStep[] {
  const steps: NavigationStep[] = []
  addShown(projection, steps)
  for (const path of grouping?.source?.paths.values() ?? []) steps.push(...navigationSteps(path))
  if (grouping === undefined || projection.entityType.computedProperties.length === 0) return steps
  for (const property of grouping.groupBy) addProperty(property, projection.set, steps)
  for (const { input, unit } of grouping.measures) {
    addProperty(input, projection.set, steps)
    if (unit !== undefined) addProperty(unit, projection.set, steps)
  }
  return steps
}

function addShown(projection: Projection, steps: NavigationStep[]): void {
  const { entityType, expansions, set } = projection
  if (entityType.computedProperties.length > 0) {
    for (const property of shownProperties(projection)) addProperty(property, set, steps)
  }
  for (const expansion of expansions) addShown(expansion.projection, steps)
}

/** Adds the steps of a computed property, and of those that it needs. */
function addProperty(property: Property, set: EntitySet, steps: NavigationStep[]): void {
  const { computed } = property
  if (computed === undefined) return
  const expression = computedExpression(set, property)
  if (expression !== undefined) steps.push(...navigationSteps(expression))
  const properties = originalSet(set).entityType.computedProperties
  for (const name of computed.needs ?? []) {
    const needed = properties.find((one) => one.name === name)
    if (needed !== undefined) addProperty(needed, set, steps)
  }
}
