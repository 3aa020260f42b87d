import type { ComplexType, EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { truncate } from '../util/truncate.js'

/** The error for a body that cannot be understood. */
export function payloadFault(message: string): ODataError {
  return new ODataError('BadRequest', { message })
}

/**
 * The error for a value that is none of its type.
 *
 * @param path `Category/Name`
 * @param expected what to write instead
 * @param found what stands there, ready to be shown
 */
export function valueMismatch(
  path: string,
  type: PrimitiveTypeName | ComplexType,
  expected: string,
  found: string,
): ODataError {
  const name = typeof type === 'string' ? type : type.qualifiedName
  return payloadFault(`'${path}' is of type ${name}: write ${expected}, not ${found}.`)
}

/** The error for a member that a type does not have. */
export function unknownMember(prefix: string, name: string, type: EntityType | ComplexType): ODataError {
  const path = prefix + truncate(name)
  if (type.kind === 'ComplexType') return unknownName(path, name, type, type.properties)
  const owner = type.derivedTypes.find((one) => one.property(name) ?? one.navigationProperty(name))
  if (owner === undefined) {
    return unknownName(path, name, type, [...type.properties, ...type.navigationProperties])
  }
  return payloadFault(
    `'${path}' belongs to the type ${owner.qualifiedName}: name that type in the body, or leave it out.`,
  )
}

function unknownName(
  path: string,
  name: string,
  { qualifiedName }: EntityType | ComplexType,
  known: readonly { readonly name: string }[],
): ODataError {
  const hint = didYouMean(
    name,
    known.map((one) => one.name),
  )
  return payloadFault(`'${path}' does not exist: ${qualifiedName} has no such property.${hint}`)
}

/** The error for a navigation property with both links and new entities, between which no choice can be made. */
