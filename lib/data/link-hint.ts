import type { EntitySet, EntityType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'

/**
 * Adds a hint to the error of a nested entity that has no values except its key: the client probably intended to link
 * an existing entity.
 *
 * @spec MS-ODATA 2.2.7.1 (insert with links)
 */
export function withLinkHint(thrown: unknown, set: EntitySet, { key }: EntityType, given: Row): unknown {
  if (!(thrown instanceof ODataError) || !thrown.message.endsWith(' needs a value.')) return thrown
  const names = Object.keys(given)
  if (names.length !== key.length || !key.every(({ name }) => names.includes(name))) return thrown
  const literals = key.map(({ name, type }) => {
    const value = given[name] ?? undefined
    const literal =
      value === undefined || !isPrimitive(type) ? '…' : primitiveTypes[type].formatLiteral(value)
    return key.length === 1 ? literal : `${name}=${literal}`
  })
  return new ODataError('BadRequest', {
    message: `${thrown.message} To link an existing entity, send its address: {"__metadata":{"uri":"${set.path}(${literals.join(',')})"}}.`,
    details: thrown.details,
    cause: thrown,
  })
}
