import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { NavigationStep } from '../evaluation/evaluation-context.js'
import { bindFilter } from '../query/bind-expression.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { whenThere } from '../util/maybe-promise.js'
import type { Authorize, Operation } from '../provider/authorize.js'
import { FilterTemplate } from '../provider/filter-template.js'
import { navigationSteps, restrictNavigation } from './restrict-navigation.js'

/** How many filters given as text are kept. */
const mostFilters = 200

/**
 * What the application says about access to data, for all requests of a service. The filters it answers with are
 * turned into expressions here.
 */
export class Authorization<Context> {
  /** Filters given as text are usually the same for every request. */
  private readonly texts = new BoundedCache<string, Expression>(mostFilters)

  constructor(
    private readonly model: EdmModel,
    readonly authorize: Authorize<Context> | undefined,
  ) {}

  /** The same for one request of which somebody wants to know when the application is asked. */
  around(asking: <T>(ask: () => MaybePromise<T>) => MaybePromise<T>): Authorization<Context> {
    const { authorize } = this
    if (authorize === undefined) return this
    return new Authorization<Context>(this.model, (operation, context) =>
      asking(() => authorize(operation, context)),
    )
  }

  /**
   * Reads a filter of the application. Faults in it are the application's, not the client's.
   *
   * @param answer what `authorize` returned
   * @throws ODataError InternalServerError
   */
  expression(answer: unknown, { kind }: Operation, set: EntitySet | undefined): Expression {
    const isText = typeof answer === 'string'
    if (!isText && !(answer instanceof FilterTemplate)) {
      throw fault(
        `authorize must return nothing, a filter as text or filter\`…\`, but returned ${typeof answer}. ` +
          `To refuse, throw new ODataError('Forbidden').`,
      )
    }
    if (set === undefined) {
      throw fault(
        `authorize returned a filter for a ${kind} that gives no entities. Throw or return nothing.`,
      )
    }
    if (!isText) return this.bind(answer.source, answer.values, set)
    const key = `${set.path}\n${answer}`
    let expression = this.texts.get(key)
    if (expression === undefined) {
      expression = this.bind(answer, undefined, set)
      this.texts.set(key, expression)
    }
    return expression
  }

  private bind(source: string, values: readonly unknown[] | undefined, set: EntitySet): Expression {
    const label = `authorize filter for '${set.path}'`
    const code = 'InternalServerError'
    const syntax = parseFilter(source, { label, code, ...(values === undefined ? {} : { values }) })
    const scope = { model: this.model, entitySet: set, entityType: set.entityType }
    return bindFilter(syntax, scope, { source, label, code })
  }
}

function fault(message: string): ODataError {
  return new ODataError('InternalServerError', { message })
}

/** No conditions. */
const everything: readonly Expression[] = []

/** What one caller may do and see. */
export class Permissions<Context> {
  /** What may be seen behind navigation properties: asked once, however often expressions go there. */
  private restrictions: Map<string, Expression | undefined> | undefined
  private inline: Map<string, readonly Expression[]> | undefined

  constructor(
    private readonly authorization: Authorization<Context>,
    private readonly context: Context,
  ) {}

  /** False when the service has no `authorize` function. */
  get hasAuthorize(): boolean {
    return this.authorization.authorize !== undefined
  }

  /**
   * Asks the application, before data is touched.
   *
   * @param set the set that the entities belong to, if the operation gives any
   * @returns the conditions that entities must meet to be seen; usually none or one
   */
  filters(operation: Operation, set: EntitySet | undefined): MaybePromise<readonly Expression[]> {
    const { authorize } = this.authorization
    if (authorize === undefined) return everything
    const answered: unknown = authorize(operation, this.context)
    return whenThere(answered, (answer) =>
      answer === undefined || answer === null
        ? everything
        : [this.authorization.expression(answer, operation, set)],
    )
  }

  /**
   * What may be seen inline. Asked once, however many batches of entities it is shown of.
   *
   * @param depth how many navigation properties lead there from the entities of the request
   */
  async inlineFilters(set: EntitySet, navigation: string, depth: number): Promise<readonly Expression[]> {
    if (!this.hasAuthorize) return []
    const name = `${depth} ${navigation}/${set.path}`
    this.inline ??= new Map()
    let filters = this.inline.get(name)
    if (filters === undefined) {
      filters = await this.filters({ kind: 'read', entitySet: set.path, navigation, expandDepth: depth }, set)
      this.inline.set(name, filters)
    }
    return filters
  }

  /**
   * Puts into every navigation step of an expression what may be seen behind it, so that nobody can ask by a filter
   * for what he cannot read.
   */
  async restrict<E extends Expression>(expression: E): Promise<E> {
    if (this.authorization.authorize === undefined) return expression
    const steps = navigationSteps(expression)
    for (const step of steps) await this.learnRestriction(step)
    if (steps.length === 0) return expression
    return restrictNavigation(expression, (step) => this.restrictions?.get(nameOf(step)))
  }

  async restrictOrder(terms: readonly OrderByTerm[]): Promise<readonly OrderByTerm[]> {
    if (this.authorization.authorize === undefined) return terms
    const restricted: OrderByTerm[] = []
    for (const term of terms) {
      restricted.push({ ...term, expression: await this.restrict(term.expression) })
    }
    return restricted
  }

  private async learnRestriction(step: NavigationStep): Promise<void> {
    const name = nameOf(step)
    this.restrictions ??= new Map()
    if (this.restrictions.has(name)) return
    const { navigation, target } = step
    const operation: Operation = {
      kind: 'read',
      entitySet: target.path,
      navigation: navigation.name,
      expandDepth: 0,
    }
    const [restriction] = await this.filters(operation, target)
    this.restrictions.set(name, restriction)
  }
}

/** All that the application is told of a step. */
function nameOf({ navigation, target }: NavigationStep): string {
  return `${navigation.name}/${target.path}`
}
