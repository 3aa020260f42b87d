import type { EntityType } from '../edm/edm-model.js'

/**
 * One entity as a provider gives it: JavaScript values by property name, complex values as objects. A missing
 * member is null. An entity of a derived type names it in `$type`.
 *
 * @example const product: Row = { ID: 7, Name: 'Gouda', Price: '12.50', Size: { Width: 20 }, $type: 'Shop.Cheese' }
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * Reads one member of rows. Names that every object knows, such as `toString` and `__proto__`, are read only where
 * a row has them itself; which names these are is found out once, so that reading others costs nothing.
 *
 * @example const read = memberReader(property.name)
 */
export function memberReader(name: string): (row: Row) => unknown {
  if (name in Object.prototype) return (row) => (Object.hasOwn(row, name) ? row[name] : undefined)
  return (row) => row[name]
}

/** Reads a member of a single row, as {@link memberReader} does for many. */
export function memberOf(row: Row, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(row, name) ? undefined : row[name]
}

/** Sets a member of an object under construction. Plain assignment of `__proto__` would set nothing. */
export function setMember(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, configurable: true, enumerable: true, writable: true })
}

/** Tells whether rows of a set whose type is `declared` are of the type `wanted`. */
export function instanceTest(declared: EntityType, wanted: EntityType): (row: Row) => boolean {
  if (declared.isOrInherits(wanted)) return () => true
  const names = new Set([wanted, ...wanted.derivedTypes].map((type) => type.qualifiedName))
  return (row) => names.has((row.$type as string | undefined) ?? declared.qualifiedName)
}

/**
 * Returns the entity type of a row.
 *
 * @throws TypeError when the provider names a type that the set cannot hold
 */
export function typeOfRow(row: Row, declared: EntityType): EntityType {
  const name = row.$type as string | undefined
  if (name === undefined || name === declared.qualifiedName) return declared
  const type = declared.derivedTypes.find((one) => one.qualifiedName === name)
  if (type === undefined) {
    throw new TypeError(`The provider returned an entity of type '${name}', not '${declared.qualifiedName}'.`)
  }
  return type
}
