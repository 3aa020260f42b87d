import { isDeepStrictEqual } from 'node:util'
import { valueViolation } from '../edm/check-value.js'
import type { EntitySet, EntityType, Property, StructuralType } from '../edm/edm-model.js'
import { isPrimitive, isStoreGenerated } from '../edm/edm-model.js'
import { integerMaxima } from '../edm/primitive-types/integer.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from './row.js'
import { memberOf, setMember } from './row.js'

/** Values by name while they are put together. */
export type NewValues = Record<string, unknown>

/** How missing required values are handled: rejected (`complete`), or omitted so that a hook can set them (`given`). */
export type Completeness = 'complete' | 'given'

/**
 * Paths of properties, such as `Price` and `Size/Unit`, that the store generates when an insert omits them, in addition
 * to those with `computedDefaultValue`.
 */
export type StoreDefaults = ReadonlySet<string>

const noDefaults: StoreDefaults = new Set()

/**
 * Returns the values of a new entity. Omitted values get their default or null, except those that the store generates.
 *
 * @param place prefix of names in messages, such as `Items[0]/` in a deep insert
 * @throws ODataError BadRequest naming a property that needs a value, or has one that its facets do not allow
 * @spec MS-ODATA 2.2.7.1 (insert)
 */
export function valuesToInsert(
  type: EntityType,
  given: Row,
  completeness: Completeness,
  place: string,
  defaults = noDefaults,
): NewValues {
  const values: NewValues = {}
  for (const property of type.properties) {
    const { name, nullable, concurrencyMode } = property
    if (isStoreGenerated(property)) continue
    const isMade = isMadeByStore(property, defaults)
    // Clients that cannot omit a property send null if they do not know its value.
    const isUnknown = isMade && given[name] === null && (!nullable || concurrencyMode === 'Fixed')
    if (Object.hasOwn(given, name) && !isUnknown)
      setMember(values, name, checked(property, given[name], undefined, place + name, name, defaults))
    else if (!isMade) setAbsent(values, property, completeness, place, defaults)
  }
  return values
}

/**
 * Returns the values that replace those of an entity, without its key. Omitted values that the store generated stay: a
 * replacement does not create the entity again.
 *
 * @spec MS-ODATA 2.2.7.3 (update by PUT)
 */
export function valuesToReplace(
  type: EntityType,
  given: Row,
  current: Row,
  completeness: Completeness,
  defaults = noDefaults,
): NewValues {
  const values: NewValues = {}
  for (const property of type.properties) {
    const { name, isKey } = property
    if (isKey) checkKey(property, given, current)
    else if (isStoreGenerated(property)) continue
    else if (Object.hasOwn(given, name))
      setMember(values, name, checked(property, given[name], undefined, name, name, defaults))
    else if (!isKeptByStore(property, defaults)) setAbsent(values, property, completeness, '', defaults)
  }
  return values
}

/**
 * Returns the values of an entity that an update changes. Complex values are merged member by member.
 *
 * @spec MS-ODATA 2.2.7.3 (update by MERGE)
 */
export function valuesToMerge(type: EntityType, given: Row, current: Row): NewValues {
  const values: NewValues = {}
  for (const property of type.properties) {
    const { name, isKey } = property
    if (isKey) checkKey(property, given, current)
    else if (Object.hasOwn(given, name) && !isStoreGenerated(property)) {
      const before = isPrimitive(property.type) ? undefined : (memberOf(current, name) ?? {})
      setMember(values, name, checked(property, given[name], before as Row | undefined))
    }
  }
  return values
}

/**
 * Checks that a new entity has all required values after its hooks have run.
 *
 * @throws ODataError BadRequest naming a property that needs a value
 */
export function completeInsert(
  type: EntityType,
  values: NewValues,
  place: string,
  defaults = noDefaults,
): void {
  for (const property of type.properties) {
    if (Object.hasOwn(values, property.name) || isStoreGenerated(property)) continue
    if (!isMadeByStore(property, defaults)) setAbsent(values, property, 'complete', place, defaults)
  }
}

/** Completes values that replace those of an entity, as for an insert. */
export function completeReplacement(type: EntityType, values: NewValues, defaults = noDefaults): void {
  for (const property of type.properties) {
    const { name, isKey } = property
    if (isKey || Object.hasOwn(values, name) || isStoreGenerated(property)) continue
    if (!isKeptByStore(property, defaults)) setAbsent(values, property, 'complete', '', defaults)
  }
}

/**
 * Returns the value of a property if it can be stored.
 *
 * @param before the complex value whose members replace missing ones; null or undefined for a complete value
 * @throws ODataError BadRequest naming the property or its member, and the violation
 */
export function checkedValue(property: Property, value: unknown, before: Row | null | undefined): unknown {
  return checked(property, value, before ?? undefined)
}

/**
 * Completes a complex value: members that are missing get their default or null.
 *
 * @throws ODataError BadRequest with a member that needs a value, or whose value violates its facets
 */
export function completeComplexValue({ name, type }: Property, given: unknown): unknown {
  return isPrimitive(type) ? given : complexValue(type, given, undefined, name)
}

/** Returns true if two values of a simple property are equal, even in different JavaScript representations. */
export function isSameValue({ type }: Property, one: unknown, other: unknown): boolean {
  if (one === other || !isPrimitive(type)) return one === other
  const { toOperand, compare } = primitiveTypes[type]
  const [a, b] = [toOperand(one), toOperand(other)]
  return a !== undefined && b !== undefined && compare(a, b) === 0
}

/** Returns true if an entity has the values of changes already. */
export function isUnchangedBy(type: EntityType, entity: Row, changes: Row): boolean {
  return Object.entries(changes).every(([name, value]) => {
    const property = type.property(name)
    return property !== undefined && isPrimitive(property.type)
      ? isSameValue(property, value, entity[name])
      : isDeepStrictEqual(value, entity[name])
  })
}

/**
 * @param before previous complex value, whose members replace omitted ones; undefined to replace all members
 * @param label the property in messages
 * @param path the property in `defaults`
 */
function checked(
  property: Property,
  value: unknown,
  before: Row | undefined,
  label = property.name,
  path = property.name,
  defaults = noDefaults,
): unknown {
  if (!isPrimitive(property.type)) return complexValue(property.type, value, before, label, path, defaults)
  const violation = valueViolation(property, value ?? null)
  if (violation !== undefined) throw invalid(label, violation)
  return value ?? null
}

function complexValue(
  type: StructuralType,
  value: unknown,
  before: Row | undefined,
  label: string,
  path = label,
  defaults = noDefaults,
): NewValues {
  const given = (value ?? {}) as Row
  const values: NewValues = {}
  for (const member of type.properties) {
    const { name } = member
    const innerLabel = `${label}.${name}`
    const innerPath = `${path}/${name}`
    const previous = before === undefined ? undefined : memberOf(before, name)
    if (Object.hasOwn(given, name)) {
      const inner = before === undefined ? undefined : ((previous as Row | null | undefined) ?? {})
      const innerBefore = isPrimitive(member.type) ? undefined : inner
      setMember(values, name, checked(member, given[name], innerBefore, innerLabel, innerPath, defaults))
    } else if (before !== undefined) setMember(values, name, previous ?? null)
    else if (!isFilledByStore(member, innerPath, defaults))
      setMember(values, name, absent(member, innerLabel, innerPath, defaults))
  }
  return values
}

function setAbsent(
  values: NewValues,
  property: Property,
  completeness: Completeness,
  place: string,
  defaults: StoreDefaults,
): void {
  const { name } = property
  if (completeness === 'complete' || canBeAbsent(property, name, defaults))
    setMember(values, name, absent(property, place + name, name, defaults))
}

function canBeAbsent(property: Property, path: string, defaults: StoreDefaults): boolean {
  const { type, nullable, defaultValue } = property
  return isPrimitive(type)
    ? nullable || defaultValue !== undefined || isFilledByStore(property, path, defaults)
    : type.properties.every((member) => canBeAbsent(member, `${path}/${member.name}`, defaults))
}

function absent(
  { type, nullable, defaultValue }: Property,
  label: string,
  path: string,
  defaults: StoreDefaults,
): unknown {
  if (!isPrimitive(type)) return complexValue(type, null, undefined, label, path, defaults)
  if (defaultValue !== undefined) return primitiveTypes[type].parse(defaultValue)
  if (nullable) return null
  throw invalid(label, 'needs a value')
}

/** Returns true if an insert passes no value for the property to the store unless the client sends one. */
function isMadeByStore(property: Property, defaults: StoreDefaults): boolean {
  const { name, type, isKey, concurrencyMode, defaultValue } = property
  if (concurrencyMode === 'Fixed' && defaultValue === undefined) return true
  return (
    isFilledByStore(property, name, defaults) || (isKey && (type === 'Edm.Guid' || integerMaxima.has(type)))
  )
}

/** Returns true if a replacement without the property leaves it unchanged. The store increments versions. */
function isKeptByStore(property: Property, defaults: StoreDefaults): boolean {
  return property.concurrencyMode === 'Fixed' || isFilledByStore(property, property.name, defaults)
}

function isFilledByStore(
  { type, defaultValue, computedDefaultValue }: Property,
  path: string,
  defaults: StoreDefaults,
): boolean {
  return (
    defaultValue === undefined && isPrimitive(type) && (computedDefaultValue === true || defaults.has(path))
  )
}

/**
 * Checks that a key does not change. The default of its type is ignored, because clients that cannot omit a key send
 * it.
 */
function checkKey(property: Property, given: Row, current: Row): void {
  const { name, type } = property
  if (!Object.hasOwn(given, name)) return
  const value = given[name]
  if (value === null || value === undefined || value === 0 || value === 0n || value === '') return
  if (value === '00000000-0000-0000-0000-000000000000') return
  if (type === 'Edm.Decimal' && Number(value) === 0) return
  if (!isSameValue(property, value, current[name])) {
    throw invalid(name, 'is part of the key, which cannot change')
  }
}

function invalid(path: string, violation: string): ODataError {
  return new ODataError('BadRequest', { message: `'${path}' ${violation}.` })
}

/** Returns values without those of computed properties, which are not stored. */
export function storedValues({ entityType }: EntitySet, values: Row): Row {
  const { computedProperties } = entityType
  if (!computedProperties.some(({ name }) => Object.hasOwn(values, name))) return values
  const names = new Set(computedProperties.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

/** Returns a new entity, with its type if it is a derived one. */
export function newEntity({ entityType }: EntitySet, type: EntityType, values: Row): Row {
  return type === entityType ? values : { $type: type.qualifiedName, ...values }
}
