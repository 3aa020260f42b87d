import type { ComplexType, EntityType } from '../edm/edm-model.js'
import { didYouMean } from '../errors/suggestions.js'
import { truncate } from '../util/describe-value.js'
import { isPrimitive } from '../edm/edm-model.js'
import { setMember } from '../evaluation/row.js'
import { ODataError } from '../errors/odata-error.js'
import type { ReadOptions } from './payload.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'

/**
 * Returns the entity type that a body names.
 *
 * @param path of the entity; empty for the body itself
 * @throws ODataError BadRequest unless it is the declared type or derived from it
 */
export function resolveEntityType(declared: EntityType, name: string, path: string): EntityType {
  const types = [declared, ...declared.derivedTypes]
  const type = types.find(({ qualifiedName }) => qualifiedName === name)
  if (type !== undefined) return type
  const names = types.map(({ qualifiedName }) => qualifiedName)
  const place = path === '' ? 'The body' : `'${path}'`
  const choice =
    names.length === 1 ? declared.qualifiedName : `${declared.qualifiedName} or a type derived from it`
  throw payloadError(
    `${place} has the type '${truncate(name)}'; expected ${choice}.${didYouMean(name, names)}`,
  )
}

/**
 * Checks the type that a body names for a complex value. Some clients omit the namespace.
 *
 * @throws ODataError BadRequest
 */
export function checkComplexType(type: ComplexType, name: string, path: string): void {
  if (name === type.qualifiedName || name === type.name) return
  throw payloadError(`'${path}' has the type '${truncate(name)}'; expected ${type.qualifiedName}.`)
}

/** Values by property name. */
export type PropertyValues = Record<string, unknown>

/** Returns the value of a complex property that a body sets to null: OData V2 has no null complex values, so all members are null. */
export function complexNull(type: ComplexType): PropertyValues {
  const values: PropertyValues = {}
  for (const member of type.properties) {
    setMember(values, member.name, isPrimitive(member.type) ? null : complexNull(member.type))
  }
  return values
}

/**
 * Returns the options for an entity nested in another entity.
 *
 * @throws ODataError BadRequest where no entities are accepted, LimitExceeded when they are nested too deeply
 */
export function optionsForInline(options: ReadOptions, path: string): ReadOptions {
  if (options.depth > 0) return { ...options, depth: options.depth - 1, defaultType: undefined }
  if (!path.includes('/')) {
    throw payloadError(`'${path}' contains an entity, but only links are accepted here.`)
  }
  throw new ODataError('LimitExceeded', {
    message: `'${path}' is nested too deeply: insert it in a separate request.`,
  })
}

export function payloadError(message: string): ODataError {
  return new ODataError('BadRequest', { message })
}

/**
 * Returns the error for a value that is invalid for its type.
 *
 * @param path `Category/Name`
 * @param expected describes a valid value
 * @param found describes the value
 */
export function valueError(
  path: string,
  type: PrimitiveTypeName | ComplexType,
  expected: string,
  found: string,
): ODataError {
  const name = typeof type === 'string' ? type : type.qualifiedName
  return payloadError(`'${path}' is of type ${name}: write ${expected}, not ${found}.`)
}

/** Returns the error for a property that a type does not have. */
export function unknownPropertyError(
  prefix: string,
  name: string,
  type: EntityType | ComplexType,
): ODataError {
  const path = prefix + truncate(name)
  if (type.kind === 'ComplexType') return unknownName(path, name, type, type.properties)
  const owner = type.derivedTypes.find((one) => one.property(name) ?? one.navigationProperty(name))
  if (owner === undefined) {
    return unknownName(path, name, type, [...type.properties, ...type.navigationProperties])
  }
  return payloadError(
    `'${path}' belongs to the type ${owner.qualifiedName}: specify that type in the body, or omit the property.`,
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
  return payloadError(`'${path}' does not exist: ${qualifiedName} has no such property.${hint}`)
}

/**
 * Returns true if a link of a body is copied from a response: `Products(1)/Category` in the entity Products(1). Such
 * links change nothing, whereas a link to set has the key of its target, `Categories(2)`.
 *
 * @param uri the URI in the body
 * @param navigation name of the navigation property
 * @param selves the URIs that the body has for the entity itself; if empty, any owner matches
 * @param service absolute URL of the service, with a trailing slash
 * @spec MS-ODATA 2.2.6.3.9 (deferred content)
 */
export function isSelfLink(
  uri: string,
  navigation: string,
  selves: readonly string[],
  service: string,
): boolean {
  const path = relative(uri, service)
  const slash = path.lastIndexOf('/')
  if (slash < 0 || path.slice(slash + 1) !== navigation) return false
  const owner = path.slice(0, slash)
  return selves.length === 0 || selves.some((self) => relative(self, service) === owner)
}

/** Returns the decoded path below the service root, so that different encodings compare equal. */
function relative(uri: string, service: string): string {
  const text = uri.trim()
  const path = text.startsWith(service) ? text.slice(service.length) : text
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
