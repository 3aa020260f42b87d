import type { NavigationStep } from '../evaluation/evaluation-context.js'
import type { Expression } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'

/** Returns the restriction of the entities that a step reaches; undefined if all of them are visible. */
export type RestrictionOf = (step: NavigationStep) => Expression | undefined

/** All steps over navigation properties in an expression. */
export function navigationSteps(expression: Expression): NavigationStep[] {
  const steps: NavigationStep[] = []
  forEachPath(expression, (path) => {
    for (const step of path.steps) if (step.kind === 'Navigation') steps.push(step)
  })
  return steps
}

/** Restricts the navigation in an expression to entities that the caller may see. */
export function restrictNavigation<E extends Expression>(expression: E, restrictionOf: RestrictionOf): E {
  const inside = <T extends Expression>(one: T): T => restrictNavigation(one, restrictionOf)
  const one: Expression = expression
  switch (one.kind) {
    case 'Literal':
      return expression
    case 'PropertyPath':
    case 'EntityPath': {
      const steps = one.steps.map((step) =>
        step.kind === 'Navigation' ? { ...step, restriction: restrictionOf(step) } : step,
      )
      return { ...expression, steps }
    }
    case 'Unary':
    case 'Cast':
    case 'IsOf':
      return { ...expression, operand: inside(one.operand) }
    case 'Binary':
      return { ...expression, left: inside(one.left), right: inside(one.right) }
    case 'Call':
      return { ...expression, arguments: one.arguments.map(inside) }
  }
}
