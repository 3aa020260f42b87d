import type { Property } from '../edm/edm-model.js'
import type { Expression, PathStep } from '../query/expression.js'
import type { Row } from './row.js'

export type NavigationStep = Extract<PathStep, { kind: 'Navigation' }>

/** Restricts the navigation in an expression to entities that the caller may see. */
export type RestrictExpression = <E extends Expression>(expression: E) => E

/**
 * Navigates from an entity to a related one. A store looks the entity up; the pipeline of the service has read it
 * before.
 */
export interface EvaluationContext {
  /**
   * @param step the navigation property and its restriction
   * @param before the steps that lead to it from the entity of the expression
   * @returns a function from an entity to the related one, or to null if it does not exist or is not visible
   */
  navigate(step: NavigationStep, before: readonly PathStep[]): (row: Row) => Row | null
  /**
   * Returns a function that computes the value of a property by a function of the application. Absent in providers, which
   * do not get such conditions.
   *
   * @param before the steps that lead to the entity with the property
   */
  compute?(property: Property, before: readonly PathStep[]): (row: Row) => unknown
  /** Restricts the expression of a computed property to entities that the caller may see. Absent in providers. */
  readonly restrictComputed?: RestrictExpression | undefined
}

/** For expressions that do not navigate. */
export const withoutNavigation: EvaluationContext = {
  navigate(step) {
    throw new Error(`'${step.navigation.name}' cannot be followed here.`)
  },
}
