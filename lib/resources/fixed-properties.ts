import type { EntityType, Property, EntitySet } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { UpdateMode } from '../data/entity-writer.js'
import { completeComplexValue, isSameValue } from '../evaluation/write-values.js'
import type { PropertyChain, EntitySource, RequestTarget } from '../query/request-target.js'
import { truncateFraction } from '../edm/truncate-fraction.js'
import type { ColumnRights } from '../data/column-rights.js'
import { readonlyError } from '../data/column-rights.js'
import type { EntityChange } from '../data/entity-change.js'

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

/** Returns true if an update depends on the stored values of fixed properties. */
export function touchesFixed(
  { type, values }: EntityChange,
  mode: UpdateMode,
  fixed: FixedProperties,
): boolean {
  const isFixed = (property: Property): boolean =>
    fixed.isFixed(property, property.name) ||
    (!isPrimitive(property.type) && property.type.properties.some(isFixed))
  return type.properties.some(
    (property) => (mode === 'replace' || Object.hasOwn(values, property.name)) && isFixed(property),
  )
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

/**
 * Returns true if a client sends back the value of a simple property as a response represented it. Responses can lose
 * digits of stored times: JSON has milliseconds, XML has the precision of the property.
 */
export function isSameAsShown(property: Property, given: unknown, stored: unknown): boolean {
  const [a, b] = [given ?? null, stored ?? null]
  if (a === null || b === null) return a === b
  if (isSameValue(property, a, b)) return true
  const { type, precision = 7 } = property
  if (type !== 'Edm.DateTime' && type !== 'Edm.DateTimeOffset') return false
  return [3, precision].some((digits) => isSameValue(property, a, truncateFraction(type, b, digits)))
}

/**
 * Removes dates of the key from the values of an update if the client sends them back as a response represented them.
 */
export function withoutShownKey({ entityType }: EntitySet, values: Row, current: Row): Row {
  const isShown = (property: Property): boolean =>
    (property.type === 'Edm.DateTime' || property.type === 'Edm.DateTimeOffset') &&
    Object.hasOwn(values, property.name) &&
    isSameAsShown(property, values[property.name], current[property.name])
  const shown = entityType.key.filter(isShown)
  if (shown.length === 0) return values
  const names = new Set(shown.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

/**
 * Returns the properties that the caller cannot update: readonly ones, and hidden ones, which a replacement does not
 * reset.
 */
export function fixedForCaller(
  columns: ColumnRights | undefined,
  set: EntitySet,
): FixedProperties | undefined {
  if (columns === undefined || !columns.restricts(set)) return undefined
  return {
    isFixed: (_property, path) => columns.isReadonly(set, path) || columns.isHidden(set, path),
    error: readonlyError,
  }
}

/**
 * Rejects values and links of a new entity in readonly columns. Null and the default are accepted, because omitted
 * columns get them too.
 *
 * @throws ODataError Forbidden
 */
export function checkReadonlyInsert(change: EntityChange, set: EntitySet, columns: ColumnRights): void {
  if (columns.restricts(set)) {
    const isFixed: FixedProperties['isFixed'] = (_property, path) => columns.isReadonly(set, path)
    checkFixedInsert(change.type, change.values, { isFixed, error: readonlyError })
    checkReadonlyLinks(change, set, columns)
  }
  for (const [name, linked] of change.links) {
    const navigation = change.type.navigationProperty(name)
    const target = navigation && set.targetOf(navigation)
    if (linked.kind !== 'New' || target === undefined) continue
    for (const entity of linked.entities) checkReadonlyInsert(entity, target, columns)
  }
}

/** @throws ODataError Forbidden when a body changes a readonly navigation property */
export function checkReadonlyLinks({ links }: EntityChange, set: EntitySet, columns: ColumnRights): void {
  for (const [name] of links) if (columns.isReadonly(set, name)) throw readonlyError(name)
}

/** @throws ODataError Forbidden when a change addresses a readonly property or navigation property */
export function checkReadonlyTarget(target: RequestTarget, method: string, columns: ColumnRights): void {
  if ('path' in target && target.owner.kind !== 'ReturnedValue') {
    const { set } = target.owner
    const names = target.path.map(({ name }) => name)
    const paths = names.map((_, index) => names.slice(0, index + 1).join('/'))
    for (const path of paths) if (columns.isReadonly(set, path)) throw readonlyError(path)
    return
  }
  const over = changedLink(target, method)
  if (over !== undefined && columns.isReadonly(over.source.set, over.navigation.name))
    throw readonlyError(over.navigation.name)
}

function changedLink(
  target: RequestTarget,
  method: string,
): { readonly source: EntitySource; readonly navigation: { readonly name: string } } | undefined {
  if (target.kind === 'Links') return target
  if (target.kind === 'EntitySet')
    return target.collection.kind === 'RelatedEntities' ? target.collection : undefined
  if (target.kind !== 'Entity' || method !== 'DELETE') return undefined
  const { entity } = target
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  return over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity' ? over : undefined
}
