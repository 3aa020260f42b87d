import type { V4SetMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import type { EntityType } from '../../../edm/edm-model.js'
import type { Expression, OrderByTerm } from '../../../query/expression.js'
import type { SeekPosition } from '../../../query/entity-query.js'
import { conjunctsOf } from '../../../query/expression.js'
import { required } from '../../../util/required.js'
import type { V4Service } from '../v4-service.js'
import type { ConditionScope, V4Condition } from './v4-condition.js'
import { v4Condition, v4OrderKey } from './v4-condition.js'
import type { QueryPart } from '../../upstream/refused-parts.js'
import type { V4OrderTerm } from './v4-seek.js'
import { v4SeekCondition } from './v4-seek.js'

/** Translates the parts of queries for one entity set. */
export class V4QueryTranslator {
  readonly mapping: V4SetMapping
  private readonly scope: ConditionScope
  private readonly entityType: EntityType
  private readonly conditions = new WeakMap<Expression, V4Condition>()

  constructor(
    private readonly service: V4Service,
    private readonly path: string,
  ) {
    const { model, settings } = service
    this.mapping = model.set(path)
    this.entityType = required(model.model.entityTypes.get(this.mapping.type.v2Name))
    const isCap = settings.dialect === 'cap'
    this.scope = { model, type: this.mapping.type, isCap }
    this.types = model.types
  }

  private readonly types: ReadonlyMap<string, V4TypeMapping>

  /** Translates a condition. @returns undefined if the V2 service must evaluate it */
  condition(expression: Expression): V4Condition | undefined {
    const cached = this.conditions.get(expression)
    if (cached !== undefined) return cached
    const found = v4Condition(expression, this.scope)
    if (found !== undefined) this.conditions.set(expression, found)
    return found
  }

  /** Returns the condition if the service can evaluate it, and has not refused it. */
  acceptedCondition(expression: Expression): V4Condition | undefined {
    const condition = this.condition(expression)
    return condition && this.service.refused.accepts(this.conditionPart(condition)) ? condition : undefined
  }

  private conditionPart({ text, forms }: V4Condition): QueryPart {
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
  order(terms: readonly OrderByTerm[]): readonly V4OrderTerm[] | undefined {
    const found: V4OrderTerm[] = []
    for (const { expression, descending } of terms) {
      const key = v4OrderKey(expression, this.scope)
      if (key === undefined) return undefined
      found.push({ ...key, descending })
    }
    return found
  }

  /** Returns true if the service can sort by these terms, and has not refused to. */
  acceptsOrder(terms: readonly OrderByTerm[]): boolean {
    const order = this.order(terms)
    return order !== undefined && this.service.refused.accepts(this.orderPart(order))
  }

  private orderPart(terms: readonly V4OrderTerm[]): QueryPart {
    const forms = new Set(terms.flatMap((one) => [...one.forms]))
    return { text: `${this.path}?$orderby=${this.textOf(terms)}`, forms }
  }

  /**
   * Formats an order for `$orderby`.
   *
   * @param parts receives the order
   */
  orderText(terms: readonly V4OrderTerm[], parts: QueryPart[]): string | undefined {
    if (terms.length === 0) return undefined
    parts.push(this.orderPart(terms))
    return this.textOf(terms)
  }

  /** Formats an order without repeated terms, which some services reject. */
  private textOf(terms: readonly V4OrderTerm[]): string {
    const seen = new Set<string>()
    const texts: string[] = []
    for (const { text, descending, property } of terms) {
      if (seen.has(text)) continue
      seen.add(text)
      const key = this.orderKey(text, property)
      texts.push(descending ? `${key} desc` : key)
    }
    return texts.join()
  }

  /**
   * Returns an order key. CAP sorts strings by the collation of the language of the request, but compares them by code
   * point: pages that continue after a string would lose entities. The collation does not apply to functions.
   */
  private orderKey(text: string, { type }: V4OrderTerm['property']): string {
    const isString = type.kind === 'primitive' && type.name === 'Edm.String'
    return this.scope.isCap && isString ? `concat(${text},'')` : text
  }

  /** Translates the position after which entities are requested. @throws Error if the service has no literal for it */
  seek(terms: readonly V4OrderTerm[], position: SeekPosition): string {
    const condition = v4SeekCondition(terms, position)
    if (condition === undefined) throw new Error('The position has no literal in the V4 service.')
    return condition
  }

  /** Returns the names for `$select`; undefined for all properties. */
  select(properties: ReadonlySet<string> | undefined): string | undefined {
    if (properties === undefined) return undefined
    const names = new Set<string>()
    for (const { name } of this.entityType.key)
      names.add(required(this.mapping.type.properties.get(name)).name)
    for (const name of properties) {
      const property = this.mapping.type.properties.get(name)
      if (property !== undefined) names.add(property.name)
      else for (const one of this.inDerived(name)) names.add(one)
    }
    // The media type of a stream property is sent only if the property is selected.
    const { stream } = this.mapping.type
    if (stream !== undefined && stream !== '$value') names.add(stream)
    return [...names].join()
  }

  private *inDerived(name: string): Generator<string> {
    for (const { qualifiedName } of this.entityType.derivedTypes) {
      const type = this.types.get(qualifiedName)
      const property = type?.properties.get(name)
      if (type !== undefined && property !== undefined) yield `${type.name}/${property.name}`
    }
  }
}
