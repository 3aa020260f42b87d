import type { EntityType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { UpdateMode } from '../data/entity-writer.js'
import { completeComplexValue } from '../evaluation/write-values.js'
import type { PropertyChain } from '../query/request-target.js'
import { isSameAsShown } from './same-value.js'

/** Properties whose values clients cannot choose. */
export interface FixedProperties {
  /** @param path of the property within its entity: `Address/Zip` */
  isFixed(property: Property, path: string): boolean
  /** Returns the error for another value than the one that the property has. */
  error(path: string): ODataError
}

/** Returns the properties that are fixed by one of several reasons; undefined without reasons. */
export function anyFixed(reasons: readonly (FixedProperties | undefined)[]): FixedProperties | undefined {
  const known = reasons.filter((one) => one !== undefined)
  const [first, ...others] = known
  if (first === undefined || others.length === 0) return first
  // The error is that of the last reason that applies: column rights come last.
  let applying = first
  return {
    isFixed: (property, path) => {
      const found = known.findLast((one) => one.isFixed(property, path))
      if (found !== undefined) applying = found
      return found !== undefined
    },
    error: (path) => applying.error(path),
  }
}

/**
 * Rejects values that clients cannot set in a new entity. Null and the default are accepted, because omitted properties
 * get them too.
 *
 * @throws the error of the fixed properties
 */
export function checkFixedInsert(type: EntityType, given: Row, fixed: FixedProperties): void {
  for (const property of type.properties) {
    checkNewValue(property, ownMember(given, property), property.name, fixed, false)
  }
}

function checkNewValue(
  property: Property,
  given: unknown,
  path: string,
  fixed: FixedProperties,
  isPartOfFixed: boolean,
): void {
  if (given === undefined || given === null) return
  const { type, defaultValue } = property
  const isFixed = isPartOfFixed || fixed.isFixed(property, path)
  if (!isPrimitive(type)) {
    for (const member of type.properties) {
      checkNewValue(member, ownMember(rowOf(given), member), `${path}/${member.name}`, fixed, isFixed)
    }
    return
  }
  const isDefault =
    isFixed &&
    defaultValue !== undefined &&
    isSameAsShown(property, given, primitiveTypes[type].parse(defaultValue))
  if (isFixed && !isDefault) throw fixed.error(path)
}

/**
 * Removes the values that clients cannot change. Clients may send the stored value; a replacement retains it.
 *
 * @param prefix path of the properties: `Address/`
 * @returns the given object if all its values can change
 * @throws the error of the fixed properties for another value than the stored one
 */
export function changeableValues(
  properties: readonly Property[],
  given: Row,
  current: Row,
  mode: UpdateMode,
  fixed: FixedProperties,
  prefix = '',
): Row {
  let values: Record<string, unknown> | undefined
  for (const property of properties) {
    const { name, type, isKey } = property
    const isGiven = Object.hasOwn(given, name)
    // A key never changes, even without annotations.
    if (isKey || (!isGiven && mode === 'merge')) continue
    const stored = memberOf(current, name)
    if (fixed.isFixed(property, prefix + name)) {
      if (isGiven) checkUnchanged(property, given[name], stored, prefix + name, fixed)
      values ??= { ...given }
      // The store raises a version that the request omits.
      const isRaised = property.concurrencyMode === 'Fixed'
      const isThere = property.nullable || (stored !== undefined && stored !== null)
      if (mode === 'replace' && isThere && !isRaised) values[name] = stored
      else Reflect.deleteProperty(values, name)
    } else if (!isPrimitive(type)) {
      const inner = rowOf(given[name])
      const members = changeableValues(
        type.properties,
        inner,
        rowOf(stored),
        mode,
        fixed,
        `${prefix}${name}/`,
      )
      if (members !== inner) (values ??= { ...given })[name] = members
    }
  }
  return values ?? given
}

/**
 * Completes a complex value that replaces another one, at the end of a path of properties.
 *
 * @throws ODataError BadRequest naming a member that cannot have its value
 */
export function replacedComplexValue(
  path: PropertyChain,
  given: unknown,
  current: Row,
  fixed: FixedProperties,
): unknown {
  const last = path.at(-1)
  if (last === undefined || isPrimitive(last.type)) return given
  // A complex value that cannot change is compared with the stored one; missing members are ignored.
  const pathTo = (index: number): string =>
    path
      .slice(0, index + 1)
      .map(({ name }) => name)
      .join('/')
  if (path.some((property, index) => fixed.isFixed(property, pathTo(index)))) return given
  const stored = path.reduce((row, { name }) => rowOf(memberOf(row, name)), current)
  const prefix = path.map(({ name }) => `${name}/`).join('')
  const members = changeableValues(last.type.properties, rowOf(given), stored, 'replace', fixed, prefix)
  return completeComplexValue(last, members)
}

/** Checks that a complex value does not change. Clients can omit members. */
function checkUnchanged(
  property: Property,
  given: unknown,
  stored: unknown,
  path: string,
  fixed: FixedProperties,
): void {
  const { type } = property
  if (isPrimitive(type)) {
    if (!isSameAsShown(property, given, stored)) throw fixed.error(path)
    return
  }
  const [inner, before] = [rowOf(given), rowOf(stored)]
  for (const member of type.properties) {
    const { name } = member
    if (Object.hasOwn(inner, name))
      checkUnchanged(member, inner[name], memberOf(before, name), `${path}/${name}`, fixed)
  }
}

function ownMember(row: Row, { name }: Property): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}
