import type { EntityType } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import type { NewRow } from './row-shape.js'
import { ownMember } from './row-shape.js'
import { describeValue, expectedValue, storedValue } from './stored-value.js'

/**
 * The key that a row gives for a linked entity: an object with the key properties, which may hold more, or the bare
 * value when the key has one property.
 *
 * @returns the key, or a sentence about what is wrong with it
 */
export function keyReference(reference: unknown, { key }: EntityType): NewRow | string {
  const [single, ...others] = key
  const isKeyObject =
    isRecord(reference) && !(reference instanceof Date) && !(reference instanceof Uint8Array)
  if (!isKeyObject && others.length > 0) {
    const names = key.map(({ name }) => name).join(', ')
    return `${describeValue(reference)} is no key. Write an object with the members ${names}.`
  }
  const given = isKeyObject ? reference : { [single?.name ?? '']: reference }
  const values: NewRow = {}
  for (const property of key) {
    const type = property.type as PrimitiveTypeName
    const value = ownMember(given, property.name)
    if (value === undefined || value === null) {
      const hint = didYouMean(property.name, Object.keys(given))
      return `the key of the linked entity has no '${property.name}'.${hint}`
    }
    const stored = storedValue(type, value)
    if (stored === undefined) {
      return `${describeValue(value)} is no ${type}, which '${property.name}' is. Write ${expectedValue[type]}.`
    }
    values[property.name] = stored
  }
  return values
}
