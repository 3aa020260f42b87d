import { fractionViolation, isTemporal } from '../edm/check-value.js'
import type { EntityChange } from '../data/entity-change.js'
import type { Property, StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import { isSameAsShown } from './fixed-properties.js'

/**
 * Checks the dates and times of a new entity, and of the new entities in it.
 *
 * @throws ODataError BadRequest for more fraction digits than the Precision of a property
 */
export function checkNewFractions(change: EntityChange, place = ''): void {
  const { type, values, links } = change
  if (limitedProperties(type).length > 0) acceptedFractions(type, values, {}, place)
  if (links.length > 0) checkLinkedFractions(change, place)
}

/**
 * Checks the dates and times of an update. Clients send back whole entities, so values that an entity shows are
 * accepted, and stay as they are stored.
 *
 * @throws ODataError BadRequest for other values with more fraction digits than the Precision of a property
 */
export function withStoredFractions(change: EntityChange, current: Row): EntityChange {
  const { type, values, links } = change
  if (links.length > 0) checkLinkedFractions(change, '')
  if (limitedProperties(type).length === 0) return change
  return { ...change, values: acceptedFractions(type, values, current, '') }
}

/** Returns true if a value has more fraction digits than the Precision of its property. */
export function exceedsPrecision({ type, values }: EntityChange): boolean {
  return limitedProperties(type).length > 0 && mapExcess(type, values, {}, '', () => undefined) !== values
}

function checkLinkedFractions({ type, links }: EntityChange, place: string): void {
  for (const [name, linked] of links) {
    if (linked.kind !== 'New') continue
    const isCollection = type.navigationProperty(name)?.isCollection === true
    for (const [index, entity] of linked.entities.entries())
      checkNewFractions(entity, `${place}${name}${isCollection ? `[${index}]` : ''}/`)
  }
}

function acceptedFractions(type: StructuralType, given: Row, current: Row, place: string): Row {
  return mapExcess(type, given, current, place, (property, value, stored, path, violation) => {
    if (isSameAsShown(property, value, stored)) return stored
    throw new ODataError('BadRequest', { message: `'${path}' ${violation}.` })
  })
}

/** @returns the given object if no value has too many fraction digits */
function mapExcess(
  type: StructuralType,
  given: Row,
  current: Row,
  place: string,
  replace: (property: Property, value: unknown, stored: unknown, path: string, violation: string) => unknown,
): Row {
  let values: Record<string, unknown> | undefined
  for (const property of limitedProperties(type)) {
    const { name } = property
    if (!Object.hasOwn(given, name)) continue
    const [value, stored] = [given[name], memberOf(current, name)]
    if (!isPrimitive(property.type)) {
      const members = mapExcess(property.type, rowOf(value), rowOf(stored), `${place}${name}.`, replace)
      if (members !== rowOf(value)) (values ??= { ...given })[name] = members
      continue
    }
    const violation = fractionViolation(property, value)
    if (violation !== undefined)
      (values ??= { ...given })[name] = replace(property, value, stored, place + name, violation)
  }
  return values ?? given
}

const limited = new WeakMap<StructuralType, readonly Property[]>()

/** Returns the dates and times with a Precision, and the complex properties that contain some. */
function limitedProperties(type: StructuralType): readonly Property[] {
  let properties = limited.get(type)
  if (properties === undefined) {
    properties = type.properties.filter((property) =>
      isPrimitive(property.type)
        ? property.precision !== undefined && isTemporal(property.type)
        : limitedProperties(property.type).length > 0,
    )
    limited.set(type, properties)
  }
  return properties
}

const noValues: Row = {}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : noValues
}
