import type { EntitySet, EntityType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'

/**
 * What was thrown because an entity within another one lacks values. Where it has nothing but its key, somebody
 * meant one that exists, and is told how that is linked.
 *
 * @spec MS-ODATA 2.2.7.1 (insert with links)
 */
export function withLinkHint(thrown: unknown, set: EntitySet, type: EntityType, given: Row): unknown {
  if (!(thrown instanceof ODataError) || !thrown.message.endsWith(' needs a value.')) return thrown
  const names = Object.keys(given)
  if (names.length !== type.key.length || !type.key.every(({ name }) => names.includes(name))) return thrown
  const link = `{"__metadata":{"uri":"${set.path}(${keyText(type, given)})"}}`
  return new ODataError('BadRequest', {
    message: `${thrown.message} An entity that exists is linked by its address: ${link}.`,
    details: thrown.details,
    cause: thrown,
  })
}

function keyText({ key }: EntityType, given: Row): string {
  const literals = key.map(({ name, type }) => ({ name, literal: literalOf(given[name], type) }))
  if (literals.length === 1) return literals.map(({ literal }) => literal).join('')
  return literals.map(({ name, literal }) => `${name}=${literal}`).join(',')
}

function literalOf(value: unknown, type: EntityType['key'][number]['type']): string {
  if (value === null || value === undefined || !isPrimitive(type)) return '…'
  return primitiveTypes[type].formatLiteral(value)
}
