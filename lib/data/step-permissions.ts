import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { NavigationStep } from '../evaluation/evaluation-context.js'
import type { Operation } from '../provider/authorize.js'
import type { Expression } from '../query/expression.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, forEachValue, mapValue } from '../util/promise-or-value.js'
import { navigationSteps, restrictNavigation } from './navigation-steps.js'

/** The entities that a navigation step reaches for the caller. */
interface StepRestriction {
  readonly restriction: Expression | undefined
  /** The error of `authorize` if the caller cannot read the target at all. */
  readonly refusal?: ODataError
}

/** Calls `authorize`, and returns the conditions of the entities that the caller may see. */
interface EntityFilters {
  filters(operation: Operation, set: EntitySet): PromiseOrValue<readonly Expression[]>
}

/** The restriction of entities that cannot be read. */
const nothing: Expression = { kind: 'Literal', type: 'Edm.Boolean', value: false }

/** Restricts the navigation steps of expressions, so that no filter reveals what the caller cannot read. */
export class StepPermissions {
  /** Restrictions by navigation property and target. */
  private known: Map<string, StepRestriction> | undefined

  constructor(private readonly permissions: EntityFilters) {}

  /** Restricts every navigation step of an expression. */
  restrict<E extends Expression>(expression: E): PromiseOrValue<E> {
    const steps = navigationSteps(expression)
    if (steps.length === 0) return expression
    return mapValue(this.resolve(steps), () => this.restrictResolved(expression))
  }

  /** Restricts an expression whose steps {@link resolve} has resolved. */
  restrictResolved<E extends Expression>(expression: E): E {
    return restrictNavigation(expression, (step) => this.restrictionOf(step))
  }

  /**
   * Calls `authorize` for steps, one after another.
   *
   * @throws ODataError if the client names a step to entities that it cannot read at all
   */
  resolve(steps: readonly NavigationStep[]): PromiseOrValue<undefined> {
    return forEachValue(steps, (step) => {
      const name = nameOf(step)
      const known = (this.known ??= new Map<string, StepRestriction>())
      return mapValue(known.get(name) ?? this.authorize(step), (restriction) => {
        known.set(name, restriction)
        // The application has named the steps of computed properties: they lead nowhere for such a caller.
        if (restriction.refusal !== undefined && step.isComputed !== true) throw restriction.refusal
      })
    })
  }

  /** Returns the restriction of a step that {@link resolve} has resolved; undefined without one. */
  restrictionOf(step: NavigationStep): Expression | undefined {
    const known = this.known?.get(nameOf(step))
    if (known === undefined) throw new TypeError(`'${step.navigation.name}' was not authorized.`)
    return known.restriction
  }

  private authorize({ navigation, target }: NavigationStep): PromiseOrValue<StepRestriction> {
    const operation: Operation = {
      kind: 'read',
      entitySet: target.path,
      navigation: navigation.name,
      expandDepth: 0,
    }
    return catchValue<StepRestriction>(
      () => mapValue(this.permissions.filters(operation, target), ([restriction]) => ({ restriction })),
      (error) => {
        if (!(error instanceof ODataError) || (error.status !== 401 && error.status !== 403)) throw error
        return { restriction: nothing, refusal: error }
      },
    )
  }
}

/** Identifies a step by the properties that `authorize` is called with. */
function nameOf({ navigation, target }: NavigationStep): string {
  return `${navigation.name}/${target.path}`
}
