import type { NavigationProperty } from '../edm/edm-model.js'
import type { Expression } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'
import type { Projection } from '../query/projection.js'

/**
 * The properties that rows must have to be shown and to be worked on; undefined when that is all of them. A provider
 * may save itself the others.
 *
 * @param expressions what the service evaluates on the rows
 */
export function neededProperties(
  projection: Projection,
  expressions: readonly Expression[],
): ReadonlySet<string> | undefined {
  const { selected, entityType, expansions } = projection
  if (selected === undefined) return undefined
  const needed = new Set(selected)
  for (const type of [entityType, ...entityType.derivedTypes]) {
    for (const { name } of [...type.key, ...type.concurrencyTokens]) needed.add(name)
    for (const [name = ''] of type.feedMappings.map(({ sourcePath }) => sourcePath)) needed.add(name)
  }
  for (const { navigation } of expansions) addJoin(navigation, needed)
  const known = expressions.every((expression) => addPaths(expression, needed))
  return known ? needed : undefined
}

/** The properties on this side of a navigation property by which it is followed. */
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
    else if (path.kind === 'PropertyPath') needed.add(path.property.name)
  })
  return known
}
