import type { V4SetMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import type { EntityType } from '../../../edm/edm-model.js'
import type { Expression, OrderByTerm } from '../../../query/expression.js'
import type { SeekPosition } from '../../../query/entity-query.js'
import { conjunctsOf } from '../../../query/expression.js'
import { required } from '../../../util/required.js'
import type { V4Service } from '../v4-service.js'
import type { ConditionScope, V4Condition } from './v4-condition.js'
import { v4Condition, v4OrderKey } from './v4-condition.js'
import type { UnsupportedForms } from './unsupported-forms.js'
import type { V4OrderTerm } from './v4-seek.js'
import { v4SeekCondition } from './v4-seek.js'

/** Translates the parts of queries for one entity set. */
export class V4QueryTranslator {
  readonly mapping: V4SetMapping
  private readonly scope: ConditionScope
  private readonly entityType: EntityType
  private readonly conditions = new WeakMap<Expression, V4Condition | false>()

  constructor(
    { model, settings }: V4Service,
    path: string,
    readonly unsupported: UnsupportedForms,
  ) {
    this.mapping = model.set(path)
    this.entityType = required(model.model.entityTypes.get(this.mapping.type.v2Name))
    const isCap = settings.dialect === 'cap'
    this.scope = { model, type: this.mapping.type, isCap, isSupported: unsupported.isSupported }
    this.types = model.types
  }

  private readonly types: ReadonlyMap<string, V4TypeMapping>

  /** Translates a condition. @returns undefined if the V2 service must evaluate it */
  condition(expression: Expression): V4Condition | undefined {
    const cached = this.conditions.get(expression)
    const isValid = cached !== undefined && cached !== false && isSupported(cached, this.unsupported)
    if (isValid) return cached
    const found = v4Condition(expression, this.scope)
    if (found !== undefined) this.conditions.set(expression, found)
    return found
  }

  /** Translates a filter, each of whose conjuncts was accepted before. */
  filter(expression: Expression | undefined, forms: Set<string>): string | undefined {
    if (expression === undefined) return undefined
    const parts = conjunctsOf(expression).map((one) => {
      const condition = required(this.condition(one))
      for (const form of condition.forms) forms.add(form)
      return condition.text
    })
    return parts.join(' and ')
  }

  /** Translates an order, without repeated terms, which some services reject. @returns undefined if it cannot be translated */
  order(terms: readonly OrderByTerm[]): readonly V4OrderTerm[] | undefined {
    const found: V4OrderTerm[] = []
    for (const { expression, descending } of terms) {
      const operand = v4OrderKey(expression, this.scope)
      if (operand === undefined) return undefined
      found.push({ ...operand, descending })
    }
    return found
  }

  /** Formats an order for `$orderby`. */
  orderText(terms: readonly V4OrderTerm[], forms: Set<string>): string | undefined {
    const seen = new Set<string>()
    const texts: string[] = []
    for (const { text, descending, property } of terms) {
      if (seen.has(text)) continue
      seen.add(text)
      const key = this.orderKey(text, property)
      texts.push(descending ? `${key} desc` : key)
      if (property.type.kind === 'primitive') forms.add(`order ${property.type.name}`)
      if (text.includes('/')) forms.add('path')
    }
    return texts.length === 0 ? undefined : texts.join()
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

function isSupported({ forms }: V4Condition, unsupported: UnsupportedForms): boolean {
  for (const form of forms) if (!unsupported.isSupported(form)) return false
  return true
}
