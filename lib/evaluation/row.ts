import type { EntityType } from '../edm/edm-model.js'

/**
 * One entity as a provider gives it: JavaScript values by property name, complex values as objects. A missing
 * member is null. An entity of a derived type names it in `$type`.
 */
export type Row = Readonly<Record<string, unknown>>

/** Tells whether rows of a set whose type is `declared` are of the type `wanted`. */
export function instanceTest(declared: EntityType, wanted: EntityType): (row: Row) => boolean {
  if (declared.isOrInherits(wanted)) return () => true
  const names = new Set([wanted, ...wanted.derivedTypes].map((type) => type.qualifiedName))
  return (row) => names.has((row.$type as string | undefined) ?? declared.qualifiedName)
}

/**
 * The type that a row is of.
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
