import type { SeekPosition } from '../../query/entity-query.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { required } from '../../util/required.js'
import type { QueryPart, RefusedParts } from './refused-parts.js'

/** A condition of an upstream service, before percent-encoding. It can be joined with others by `and`. */
export interface UpstreamCondition {
  readonly text: string
  /** Its functions, operators and types, which the service may refuse: `contains`, `gt Edm.Guid`, `path`. */
  readonly forms: ReadonlySet<string>
}

/** A value to sort by, before percent-encoding. */
export interface SortKey {
  /** The value in conditions. */
  readonly text: string
  /** The value in orders, if it differs. */
  readonly sortText?: string | undefined
  /** Its functions and types, which the service may refuse. */
  readonly forms: ReadonlySet<string>
}

/** A term of an order. */
export type OrderTerm<Key extends SortKey = SortKey> = Key & { readonly descending: boolean }

/** The expressions of a version of OData. */
export interface QuerySyntax<Key extends SortKey = SortKey> {
  /** @returns undefined for a condition that the V2 service must evaluate */
  condition(expression: Expression): UpstreamCondition | undefined
  /** @returns undefined for a value that the V2 service must sort by */
  orderKey(expression: Expression): Key | undefined
  /** Returns the place of a value in an order, where null is less than every other value. @returns undefined if the service has no literal for it */
  seekPlace(term: OrderTerm<Key>, value: unknown): SeekPlace | undefined
}

/** The conditions for the place of a value in an order. */
export interface SeekPlace {
  /** For values after it; undefined if no value can follow. */
  readonly after: string | undefined
  readonly same: string
}

/** The operators that compare two values, by the one with swapped operands. */
export const swappedRelations = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const
export type ComparisonOperator = keyof typeof swappedRelations

export function isComparisonOperator(operator: string): operator is ComparisonOperator {
  return Object.hasOwn(swappedRelations, operator)
}

/** Translates conditions and orders for one entity set. */
export class QueryTranslator<Key extends SortKey = SortKey> {
  private readonly conditions = new WeakMap<Expression, UpstreamCondition>()

  constructor(
    private readonly path: string,
    private readonly refused: RefusedParts,
    private readonly syntax: QuerySyntax<Key>,
  ) {}

  private condition(expression: Expression): UpstreamCondition | undefined {
    const cached = this.conditions.get(expression)
    if (cached !== undefined) return cached
    const found = this.syntax.condition(expression)
    if (found !== undefined) this.conditions.set(expression, found)
    return found
  }

  /** Returns true if the service can evaluate a condition, and has not refused it. */
  acceptsCondition(expression: Expression): boolean {
    const condition = this.condition(expression)
    return condition !== undefined && this.refused.accepts(this.conditionPart(condition))
  }

  private conditionPart({ text, forms }: UpstreamCondition): QueryPart {
    return { text: `${this.path}?$filter=${text}`, forms }
  }

  /**
   * Translates a filter, each of whose conjuncts was accepted before.
   *
   * @param parts receives the conjuncts
   */
  filter(expression: Expression | undefined, parts: QueryPart[]): string | undefined {
    if (expression === undefined) return undefined
    const conditions = conjunctsOf(expression).map((one) => required(this.condition(one)))
    for (const condition of conditions) parts.push(this.conditionPart(condition))
    return conditions.map(({ text }) => text).join(' and ')
  }

  /** Translates an order. @returns undefined if it cannot be translated */
  order(terms: readonly OrderByTerm[]): readonly OrderTerm<Key>[] | undefined {
    const found: OrderTerm<Key>[] = []
    for (const { expression, descending } of terms) {
      const key = this.syntax.orderKey(expression)
      if (key === undefined) return undefined
      found.push({ ...key, descending })
    }
    return found
  }

  /** Returns true if the service can sort by these terms, and has not refused to. */
  acceptsOrder(terms: readonly OrderByTerm[]): boolean {
    const order = this.order(terms)
    return order !== undefined && this.refused.accepts(this.orderPart(order))
  }

  private orderPart(terms: readonly OrderTerm[]): QueryPart {
    const forms = new Set(terms.flatMap((one) => [...one.forms]))
    return { text: `${this.path}?$orderby=${textOf(terms)}`, forms }
  }

  /**
   * Formats an order for `$orderby`.
   *
   * @param parts receives the order
   */
  orderText(terms: readonly OrderTerm<Key>[], parts: QueryPart[]): string | undefined {
    if (terms.length === 0) return undefined
    parts.push(this.orderPart(terms))
    return textOf(terms)
  }

  /** Returns the condition for entities after a position. @throws Error if the service has no literal for it */
  seek(terms: readonly OrderTerm<Key>[], position: SeekPosition): string {
    let further: string | undefined
    for (const [index, term] of [...terms.entries()].reverse()) {
      const place = this.syntax.seekPlace(term, position[index])
      if (place === undefined) throw new Error('The position has no literal in the upstream service.')
      const { after, same } = place
      if (further === undefined) further = after ?? 'false'
      else
        further = after === undefined ? `(${same} and ${further})` : `(${after} or (${same} and ${further}))`
    }
    return further ?? 'true'
  }
}

/** Formats an order without repeated terms, which some services reject. */
function textOf(terms: readonly OrderTerm[]): string {
  const texts = new Map<string, string>()
  for (const { text, sortText = text, descending } of terms)
    if (!texts.has(text)) texts.set(text, descending ? `${sortText} desc` : sortText)
  return [...texts.values()].join()
}
