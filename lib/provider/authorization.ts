import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { bindFilter } from '../query/bind-expression.js'
import type { Expression, OrderByTerm, PathStep } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { Authorize, Operation } from './authorize.js'
import type { FilterTemplate } from './filter-template.js'

/**
 * Asks the application before data is touched, and turns the filters it answers with into expressions.
 */
export class Authorization<Context> {
  /** Filters given as text are usually the same for every request. */
  private readonly texts = new BoundedCache<string, Expression>(200)

  constructor(
    private readonly model: EdmModel,
    private readonly authorize: Authorize<Context> | undefined,
  ) {}

  /** True when every operation is allowed without asking. */
  get isOpen(): boolean {
    return this.authorize === undefined
  }

  /** @returns the conditions that entities must meet to be seen; usually none or one */
  async filters(
    operation: Operation,
    set: EntitySet | undefined,
    context: Context,
  ): Promise<readonly Expression[]> {
    if (this.authorize === undefined) return []
    const answer = await this.authorize(operation, context)
    if (answer === undefined || answer === null || set === undefined) return []
    return [this.expression(answer, set)]
  }

  /**
   * Puts into every navigation step of expressions what may be seen behind it, so that nobody can ask by a filter
   * for what he cannot read.
   */
  async restrict<E extends Expression>(expression: E, context: Context): Promise<E> {
    const targets = new Map<EntitySet, Expression | undefined>()
    if (this.authorize === undefined) return expression
    for (const { target, navigation } of navigationSteps(expression)) {
      if (targets.has(target)) continue
      const operation: Operation = {
        kind: 'read',
        entitySet: target.path,
        navigation: navigation.name,
        expandDepth: 0,
      }
      const [filter] = await this.filters(operation, target, context)
      targets.set(target, filter)
    }
    return targets.size === 0 ? expression : withRestrictions(expression, targets)
  }

  async restrictOrder(terms: readonly OrderByTerm[], context: Context): Promise<readonly OrderByTerm[]> {
    if (this.authorize === undefined) return terms
    const restricted: OrderByTerm[] = []
    for (const term of terms) {
      restricted.push({ ...term, expression: await this.restrict(term.expression, context) })
    }
    return restricted
  }

  private expression(answer: string | FilterTemplate, set: EntitySet): Expression {
    if (typeof answer !== 'string') return this.bind(answer.source, answer.values, set)
    const key = `${set.path}\n${answer}`
    let expression = this.texts.get(key)
    if (expression === undefined) {
      expression = this.bind(answer, undefined, set)
      this.texts.set(key, expression)
    }
    return expression
  }

  /** Faults in these filters are the application's, not the client's. */
  private bind(source: string, values: readonly unknown[] | undefined, set: EntitySet): Expression {
    const label = `authorize filter for '${set.path}'`
    const code = 'InternalServerError'
    const syntax = parseFilter(source, { label, code, ...(values === undefined ? {} : { values }) })
    const scope = { model: this.model, entitySet: set, entityType: set.entityType }
    return bindFilter(syntax, scope, { source, label, code })
  }
}

type NavigationStep = Extract<PathStep, { kind: 'Navigation' }>

function navigationSteps(expression: Expression): NavigationStep[] {
  const steps: NavigationStep[] = []
  forEachPath(expression, (path) => {
    for (const step of path.steps) if (step.kind === 'Navigation') steps.push(step)
  })
  return steps
}

function withRestrictions<E extends Expression>(
  expression: E,
  targets: ReadonlyMap<EntitySet, Expression | undefined>,
): E {
  const inside = <T extends Expression>(one: T): T => withRestrictions(one, targets)
  const one: Expression = expression
  switch (one.kind) {
    case 'Literal':
      return expression
    case 'PropertyPath':
    case 'EntityPath': {
      const steps = one.steps.map((step) =>
        step.kind === 'Navigation' ? { ...step, restriction: targets.get(step.target) } : step,
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
