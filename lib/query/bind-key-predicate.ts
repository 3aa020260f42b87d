import { lengthOf } from '../edm/check-value.js'
import type { EntityType, Property } from '../edm/edm-model.js'
import { nameOfType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import type { KeyPredicateSyntax, KeyValueSyntax, LiteralSyntax } from '../uri/syntax-tree.js'
import { literalAs, literalHint } from './bind-literal.js'
import type { KeyValues } from './request-target.js'

/**
 * Binds a key predicate. A single key can omit its name; a compound key needs all names.
 *
 * @throws ODataError BadRequest for unknown names and wrong types, ResourceNotFound for a string that exceeds the
 * length of the key property
 * @spec MS-ODATA 2.2.3.1 (keyPredicate)
 */
export function bindKeyPredicate(syntax: KeyPredicateSyntax, type: EntityType): KeyValues {
  const [first] = syntax.values
  if (syntax.values.length === 1 && first !== undefined && first.name === undefined) {
    const [property] = type.key
    if (property === undefined || type.key.length > 1)
      throw invalid(`the key of '${type.name}' is ${keyForm(type)}`)
    return { [property.name]: keyValue(first.literal, property) }
  }
  const byName = new Map<Property, KeyValueSyntax>()
  for (const value of syntax.values) byName.set(propertyNamed(value, type, byName), value)
  // Assignment would not create a member named `__proto__`.
  return Object.fromEntries(
    type.key.map((property) => {
      const value = byName.get(property)
      if (value === undefined) throw invalid(`the key of '${type.name}' is ${keyForm(type)}`)
      return [property.name, keyValue(value.literal, property)]
    }),
  )
}

function propertyNamed(
  { name }: KeyValueSyntax,
  type: EntityType,
  taken: ReadonlyMap<Property, KeyValueSyntax>,
): Property {
  const property = type.key.find((one) => one.name === name)
  if (name === undefined || property === undefined) {
    const hint =
      name === undefined
        ? ''
        : didYouMean(
            name,
            type.key.map((one) => one.name),
          )
    throw invalid(`the key of '${type.name}' is ${keyForm(type)}`, hint)
  }
  if (taken.has(property)) throw invalid(`'${name}' is specified twice`)
  return property
}

/**
 * Returns the value of a literal for a key property.
 *
 * @throws ODataError as {@link bindKeyPredicate} does
 */
export function keyValue(literal: LiteralSyntax, property: Property): unknown {
  const bound = literalAs(literal, property.type as PrimitiveTypeName, true)
  if (bound === undefined || bound.value === null) {
    const message = `the value of '${property.name}' must be a literal of ${nameOfType(property.type)}`
    throw invalid(message, literalHint(literal, property.type))
  }
  const { maxLength } = property
  if (typeof bound.value === 'string' && typeof maxLength === 'number' && lengthOf(bound.value) > maxLength) {
    throw new ODataError('ResourceNotFound')
  }
  return bound.value
}

function keyForm(type: EntityType): string {
  const [single, ...others] = type.key
  if (others.length === 0)
    return `one literal of ${single === undefined ? 'nothing' : nameOfType(single.type)}`
  return `(${type.key.map(({ name }) => `${name}=…`).join(',')})`
}

function invalid(message: string, hint = ''): ODataError {
  return new ODataError('BadRequest', { message: `Resource path: ${message}.${hint}` })
}
