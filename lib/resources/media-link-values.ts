import { randomUUID } from 'node:crypto'
import { valueFault } from '../edm/check-value.js'
import type { EntityType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'

/**
 * The values of a new media link entry with a key. Clients do not choose it: a single text is what they wish for, if
 * that can be a key; a number or a Guid is made by the store, and left out.
 *
 * @returns what to try first, and what to try when that key is taken
 */
export function withKey(
  type: EntityType,
  given: Row,
  slug: string | undefined,
): readonly [values: Row, otherwise?: Row] {
  const [property, ...others] = type.key
  if (property === undefined || others.length > 0) return [given]
  const { name, maxLength } = property
  if (isMadeByStore(property)) {
    const { [name]: _ignored, ...values } = given
    return [values]
  }
  if (property.type !== 'Edm.String') return [given]
  const wish = given[name] ?? slug
  const made = randomUUID().slice(0, typeof maxLength === 'number' ? maxLength : undefined)
  const withMade = { ...given, [name]: made }
  const canBe = wish !== undefined && wish !== '' && valueFault(property, wish) === undefined
  return canBe ? [{ ...given, [name]: wish }, withMade] : [withMade]
}

/** Values for what a media link entry must have and nobody gave: its title is the hint, the rest is empty. */
export function impliedValues(type: EntityType, slug: string | undefined): Row {
  const values: Record<string, unknown> = {}
  const title = type.feedMappings.find(({ targetPath }) => targetPath === 'SyndicationTitle')?.sourcePath
  for (const property of type.properties) {
    const { name, nullable, defaultValue, isKey } = property
    if (isKey || !isPrimitive(property.type)) continue
    const isTitle = title?.length === 1 && title[0] === name
    if (isTitle && slug !== undefined && valueFault(property, slug) === undefined) values[name] = slug
    else if (!nullable && defaultValue === undefined && !isFilledIn(property))
      values[name] = emptyValue(property.type)
  }
  return values
}

function isFilledIn({ storeGeneratedPattern, concurrencyMode }: Property): boolean {
  return (
    storeGeneratedPattern === 'Identity' ||
    storeGeneratedPattern === 'Computed' ||
    concurrencyMode === 'Fixed'
  )
}

function isMadeByStore({ type }: Property): boolean {
  return type === 'Edm.Guid' || (isPrimitive(type) && /^Edm\.(?:S?Byte|Int\d\d)$/.test(type))
}

function emptyValue(type: PrimitiveTypeName): unknown {
  switch (type) {
    case 'Edm.String':
      return ''
    case 'Edm.Binary':
      return new Uint8Array(0)
    case 'Edm.Boolean':
      return false
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return new Date()
    case 'Edm.Time':
      return primitiveTypes[type].parse('PT0S')
    case 'Edm.Guid':
      return '00000000-0000-0000-0000-000000000000'
    default:
      return primitiveTypes[type].parse('0')
  }
}
