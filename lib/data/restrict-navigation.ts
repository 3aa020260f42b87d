import type { NavigationStep } from '../evaluation/evaluation-context.js'
import type { Expression } from '../query/expression.js'
import { forEachPath, mapPaths } from '../query/expression.js'

/** Returns the restriction of the entities that a step reaches; undefined if all of them are visible. */
export type RestrictionOf = (step: NavigationStep) => Expression | undefined

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
