import type { EntityType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { UpdateMode } from '../data/entity-writer.js'
import { completeComplexValue } from '../evaluation/write-values.js'
import type { PropertyChain } from '../query/request-target.js'
import { isSameAsShown } from './same-value.js'

/**
 * Refuses values that clients cannot choose for a new entity. Null and the default are what they would get anyway.
 *
 * @throws ODataError BadRequest naming the property
 * @spec SAP annotations for OData version 2.0: Property, creatable
 */
export function checkNewValues(type: EntityType, given: Row, sap: SapRestrictions): void {
  for (const property of type.properties) {
    checkNewValue(property, ownMember(given, property), property.name, sap, false)
  }
}

function checkNewValue(
  property: Property,
  given: unknown,
  path: string,
  sap: SapRestrictions,
  isPartOfFixed: boolean,
): void {
  if (given === undefined || given === null) return
  const { type, defaultValue } = property
  const isFixed = isPartOfFixed || sap.properties.get(property)?.notCreatable === true
  if (!isPrimitive(type)) {
    for (const member of type.properties) {
      checkNewValue(member, ownMember(rowOf(given), member), `${path}/${member.name}`, sap, isFixed)
    }
    return
  }
  const isDefault =
    isFixed &&
    defaultValue !== undefined &&
    isSameAsShown(property, given, primitiveTypes[type].parse(defaultValue))
  if (isFixed && !isDefault) throw fixed(path, 'given to a new entity', 'creatable')
}

/**
 * Removes the values that clients cannot change. Clients may send the stored value; a replacement retains it.
 *
 * @param prefix path of the properties: `Address/`
 * @returns the given object if all its values can change
 * @throws ODataError BadRequest naming a property whose value differs from the stored one
 * @spec SAP annotations for OData version 2.0: Property, updatable
 */
export function changeableValues(
  properties: readonly Property[],
  given: Row,
  current: Row,
  mode: UpdateMode,
  sap: SapRestrictions,
  prefix = '',
): Row {
  let values: Record<string, unknown> | undefined
  for (const property of properties) {
    const { name, type, isKey } = property
    const isGiven = Object.hasOwn(given, name)
    // A key never changes, whatever is said of it.
    if (isKey || (!isGiven && mode === 'merge')) continue
    const stored = memberOf(current, name)
    if (sap.properties.get(property)?.notUpdatable === true) {
      if (isGiven) checkUnchanged(property, given[name], stored, prefix + name)
      values ??= { ...given }
      // The store raises a version that the request omits.
      const isRaised = property.concurrencyMode === 'Fixed'
      const isThere = property.nullable || (stored !== undefined && stored !== null)
      if (mode === 'replace' && isThere && !isRaised) values[name] = stored
      else Reflect.deleteProperty(values, name)
    } else if (!isPrimitive(type)) {
      const inner = rowOf(given[name])
      const members = changeableValues(type.properties, inner, rowOf(stored), mode, sap, `${prefix}${name}/`)
      if (members !== inner) (values ??= { ...given })[name] = members
    }
  }
  return values ?? given
}

/**
 * The whole of a complex value that replaces another one, at the end of a chain of properties.
 *
 * @throws ODataError BadRequest naming a member that cannot have its value
 */
export function replacedComplexValue(
  path: PropertyChain,
  given: unknown,
  current: Row,
  sap: SapRestrictions,
): unknown {
  const last = path.at(-1)
  if (last === undefined || isPrimitive(last.type)) return given
  // A complex value that cannot change is compared with the stored one; missing members are ignored.
  if (path.some((property) => sap.properties.get(property)?.notUpdatable === true)) return given
  const stored = path.reduce((row, { name }) => rowOf(memberOf(row, name)), current)
  const prefix = path.map(({ name }) => `${name}/`).join('')
  const members = changeableValues(last.type.properties, rowOf(given), stored, 'replace', sap, prefix)
  return completeComplexValue(last, members)
}

/** Of a complex value the client need not give all members. */
function checkUnchanged(property: Property, given: unknown, stored: unknown, path: string): void {
  const { type } = property
  if (isPrimitive(type)) {
    if (!isSameAsShown(property, given, stored)) throw fixed(path, 'updated', 'updatable')
    return
  }
  const [inner, before] = [rowOf(given), rowOf(stored)]
  for (const member of type.properties) {
    const { name } = member
    if (Object.hasOwn(inner, name))
      checkUnchanged(member, inner[name], memberOf(before, name), `${path}/${name}`)
  }
}

function ownMember(row: Row, { name }: Property): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}

function fixed(path: string, deed: string, annotation: string): ODataError {
  return new ODataError('BadRequest', { message: `'${path}' cannot be ${deed} (sap:${annotation}="false").` })
}
