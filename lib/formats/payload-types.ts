import type { ComplexType, EntityType } from '../edm/edm-model.js'
import { didYouMean } from '../errors/suggestions.js'
import { truncate } from '../util/truncate.js'
import { payloadFault } from './payload-faults.js'
import { isPrimitive } from '../edm/edm-model.js'
import { setMember } from '../evaluation/row.js'
import { ODataError } from '../errors/odata-error.js'
import type { ReadOptions } from './payload.js'

/**
 * The type that a body names for an entity.
 *
 * @param path of the entity, empty for the one that is the body
 * @throws ODataError BadRequest unless it is the declared type or one derived from it
 */
export function namedEntityType(declared: EntityType, name: string, path: string): EntityType {
  const types = [declared, ...declared.derivedTypes]
  const type = types.find(({ qualifiedName }) => qualifiedName === name)
  if (type !== undefined) return type
  const names = types.map(({ qualifiedName }) => qualifiedName)
  const place = path === '' ? 'The body' : `'${path}'`
  const choice =
    names.length === 1 ? declared.qualifiedName : `${declared.qualifiedName} or a type derived from it`
  throw payloadFault(
    `${place} says that it is of type '${truncate(name)}', but here only ${choice} can be.${didYouMean(name, names)}`,
  )
}

/**
 * Refuses a complex value of another type. Some clients leave the namespace out.
 *
 * @throws ODataError BadRequest
 */
export function checkComplexType(type: ComplexType, name: string, path: string): void {
  if (name === type.qualifiedName || name === type.name) return
  throw payloadFault(
    `'${path}' says that it is of type '${truncate(name)}', but it is of type ${type.qualifiedName}.`,
  )
}

/** Values by property name, while they are being read. */
export type ReadValues = Record<string, unknown>

/** What a body means that calls a complex value null: that is never null itself, but all its members are. */
export function nullMembers(type: ComplexType): ReadValues {
  const values: ReadValues = {}
  for (const member of type.properties) {
    setMember(values, member.name, isPrimitive(member.type) ? null : nullMembers(member.type))
  }
  return values
}

/**
 * The options for entities inside of another one.
 *
 * @param top the depth that the request may have
 * @throws ODataError BadRequest where there may be none, LimitExceeded where there are too many levels of them
 */
export function optionsInside(options: ReadOptions, path: string): ReadOptions {
  if (options.depth > 0) return { ...options, depth: options.depth - 1, untyped: undefined }
  if (!path.includes('/')) {
    throw payloadFault(`'${path}' holds an entity, which cannot be written here: write only a link to it.`)
  }
  throw new ODataError('LimitExceeded', {
    message: `'${path}' is an entity within too many others: write it in a request of its own.`,
  })
}
