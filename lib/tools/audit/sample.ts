import type { EntitySet, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { keyPredicate } from './literals.js'

/** An entity as JSON shows it. */
export type Row = Readonly<Record<string, unknown>>

/** Entities of a set that were read before the checks, by which answers to queries are judged. */
export interface Sample {
  readonly set: EntitySet
  readonly rows: readonly Row[]
  /** True when the set has no others. */
  readonly complete: boolean
}

/** What tells an entity from others of its set: its key, as JSON shows it. */
export function identityOf({ entityType }: EntitySet, row: Row): string {
  return entityType.key.map(({ name }) => JSON.stringify(row[name]) as string | undefined).join(',')
}

/** The address of an entity, relative to the root: `Products(1)`. */
export function entityAddress(set: EntitySet, row: Row): string {
  return `${encodeURIComponent(set.path)}${keyPredicate(set.entityType, row)}`
}

export function setAddress(set: EntitySet): string {
  return encodeURIComponent(set.path)
}

/** Values of properties as the audited service has written them. */
export function presentValues({ rows }: Sample, { name }: Property): readonly unknown[] {
  return rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined)
}

/** The simple properties of a type. */
export function simpleProperties({ entityType }: EntitySet): readonly Property[] {
  return entityType.properties.filter(({ type }) => isPrimitive(type))
}
