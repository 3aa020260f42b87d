import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { entityPathWriter } from '../formats/entity-address.js'
import type { EntityChange } from '../data/entity-change.js'

/**
 * Refuses keys that are so long that nobody could address the entity, nor the page of a feed behind it.
 *
 * @param longest characters of a path that the service takes
 * @throws ODataError BadRequest
 */
export function checkNewKeys(change: EntityChange, set: EntitySet, longest: number): void {
  const { key } = set.entityType
  const canBeLong = key.some(({ type }) => type === 'Edm.String' || type === 'Edm.Binary')
  // What is missing is made by the store, or refused.
  if (canBeLong && key.every(({ name }) => (change.values[name] ?? null) !== null)) {
    const length = entityPathWriter(set)(change.values).length + 1
    if (length > longest) {
      throw new ODataError('BadRequest', {
        message: `The key is too long: the address in '${set.path}' would have ${length} characters, and can have ${longest}.`,
      })
    }
  }
  for (const [name, linked] of change.links) {
    const navigation = linked.kind === 'New' ? change.type.navigationProperty(name) : undefined
    const target = navigation && set.targetOf(navigation)
    if (linked.kind !== 'New' || target === undefined) continue
    for (const entity of linked.entities) checkNewKeys(entity, target, longest)
  }
}
