import type { ComplexType, EntityType } from '../edm/edm-model.js'
import { didYouMean } from '../errors/suggestions.js'
import { truncate } from '../util/truncate.js'
import { isPrimitive } from '../edm/edm-model.js'
import { setMember } from '../evaluation/row.js'
import { ODataError } from '../errors/odata-error.js'
import type { ReadOptions } from './payload.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'

/**
 * The type that a body names for an entity.
 *
 * @param path of the entity, empty for the one that is the body
 * @throws ODataError BadRequest unless it is the declared type or one derived from it
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
 * Refuses a complex value of another type. Some clients leave the namespace out.
 *
 * @throws ODataError BadRequest
 */
export function checkComplexType(type: ComplexType, name: string, path: string): void {
  if (name === type.qualifiedName || name === type.name) return
  throw payloadError(`'${path}' has the type '${truncate(name)}', but it is of type ${type.qualifiedName}.`)
}

/** Values by property name, while they are being read. */
export type PropertyValues = Record<string, unknown>

/** What a body means that calls a complex value null: that is never null itself, but all its members are. */
export function complexNull(type: ComplexType): PropertyValues {
  const values: PropertyValues = {}
  for (const member of type.properties) {
    setMember(values, member.name, isPrimitive(member.type) ? null : complexNull(member.type))
  }
  return values
}

/**
 * The options for entities inside of another one.
 *
 * @param top the depth that the request may have
 * @throws ODataError BadRequest where there may be none, LimitExceeded where there are too many levels of them
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

/** The error for a body that cannot be understood. */
export function payloadError(message: string): ODataError {
  return new ODataError('BadRequest', { message })
}

/**
 * The error for a value that is none of its type.
 *
 * @param path `Category/Name`
 * @param expected what to write instead
 * @param found what stands there, ready to be shown
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

/** The error for a member that a type does not have. */
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
  return payloadError(`'${path}' does not exist: ${qualifiedName} has no such property.${hint}`)
}

/** The error for a navigation property with both links and new entities, between which no choice can be made. */

/**
 * Tells links that only repeat what a read has shown: `Products(1)/Category` in the entity Products(1). They say
 * nothing, while a link to be made names its target, `Categories(2)`.
 *
 * @param uri as it stands in the body
 * @param navigation name of the navigation property
 * @param selves addresses that the body gives for the entity itself; without one any owner will do
 * @param service absolute address of the service, with a slash at the end
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

/** The address below the service, decoded, so that two spellings of it are one text. */
function relative(uri: string, service: string): string {
  const text = uri.trim()
  const path = text.startsWith(service) ? text.slice(service.length) : text
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
