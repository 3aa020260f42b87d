import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/**
 * How the service divided the query of one read: what the provider evaluates, and what it evaluates itself.
 *
 * @example const isPushedDown = ({ service }: ExplainedRead) => service.length === 0
 */
export interface ExplainedRead {
  /** The entity set. */
  readonly entitySet: string
  /** The options that the provider evaluates: `$filter=Price gt 5M`, `$orderby=Name`, `$top=21`. */
  readonly provider: readonly string[]
  /** The options that the service evaluates after it, with the reason. */
  readonly service: readonly string[]
}

/**
 * A statement that the provider ran for a request.
 *
 * @example const isSlow = ({ milliseconds }: ExplainedStatement) => milliseconds > 100
 */
export interface ExplainedStatement {
  /** The text of the statement, without the values of its parameters. */
  readonly text: string
  /** The time until its rows were there. */
  readonly milliseconds: number
  /** The plan of the database, one step per line. Empty without plans. */
  readonly plan: readonly string[]
  /** Changes that would make the statement faster: `create index …`. */
  readonly advice: readonly string[]
}

/** A statement, and how to get its plan after it was run. */
export interface ExplainableStatement {
  readonly text: string
  readonly plan: () => Promise<Pick<ExplainedStatement, 'plan' | 'advice'>>
}

/**
 * Collects how a read request is evaluated. Providers that run statements pass each of them to {@link observe}.
 *
 * @example
 * const run = async (text: string, call: ProviderCall) => {
 *   const send = async (): Promise<Row[]> => []
 *   const plan = async () => ({ plan: ['scan of the table'], advice: [] })
 *   return call.explanation === undefined ? send() : call.explanation.observe({ text, plan }, send)
 * }
 */
export class Explanation {
  readonly reads: ExplainedRead[] = []
  private readonly statements: (ExplainableStatement & { milliseconds: number })[] = []

  /** Runs a statement and measures its time. */
  observe<T>(statement: ExplainableStatement, run: () => PromiseOrValue<T>): PromiseOrValue<T> {
    const begun = performance.now()
    const entry = { ...statement, milliseconds: 0 }
    this.statements.push(entry)
    const measure = (): void => {
      entry.milliseconds = rounded(performance.now() - begun)
    }
    const result = run()
    if (isPromiseLike(result)) return Promise.resolve(result).finally(measure)
    measure()
    return result
  }

  /** Returns the statements with their plans. Equal statements have one plan. */
  async explained(): Promise<readonly ExplainedStatement[]> {
    const plans = new Map<string, Pick<ExplainedStatement, 'plan' | 'advice'>>()
    const explained: ExplainedStatement[] = []
    for (const { text, milliseconds, plan } of this.statements) {
      const found = plans.get(text) ?? (await plan())
      plans.set(text, found)
      explained.push({ text, milliseconds, ...found })
    }
    return explained
  }
}

/** Rounds milliseconds to microseconds. */
export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
