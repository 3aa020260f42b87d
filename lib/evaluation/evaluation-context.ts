import type { PathStep } from '../query/expression.js'
import type { Row } from './row.js'

export type NavigationStep = Extract<PathStep, { kind: 'Navigation' }>

/**
 * How an expression gets from an entity to a related one. Whoever evaluates knows: a store looks it up, the shared
 * pipeline has read the related entities before.
 */
export interface EvaluationContext {
  /**
   * @param step the navigation property, and what may be seen behind it
   * @param before the steps that lead to it from the entity of the expression
   * @returns a function from an entity to the related one, or null when there is none or it may not be seen
   */
  navigate(step: NavigationStep, before: readonly PathStep[]): (row: Row) => Row | null
}

/** For expressions that do not navigate. */
export const withoutNavigation: EvaluationContext = {
  navigate(step) {
    throw new Error(`'${step.navigation.name}' cannot be followed here.`)
  },
}
