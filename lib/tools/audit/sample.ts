import type { EntitySet, EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { keyPredicate } from './values.js'

/** An entity in verbose JSON. */
export type Row = Readonly<Record<string, unknown>>

/** Entities of a set, read before the checks. Query results are compared with them. */
export class Sample {
  /** The address of the entity set, relative to the service root. */
  readonly address: string
  /** Empty only in samples without entities, which no check receives. */
  readonly first: Row

  /** @param isComplete whether the set has no other entities */
  constructor(
    readonly set: EntitySet,
    readonly rows: readonly Row[],
    readonly isComplete: boolean,
  ) {
    this.address = encodeURIComponent(set.path)
    this.first = rows[0] ?? {}
  }

  get type(): EntityType {
    return this.set.entityType
  }

  /** The address of the first entity. */
  get firstAddress(): string {
    return this.addressOf(this.first)
  }

  /** Returns the address of an entity, relative to the service root: `Products(1)`. */
  addressOf(row: Row): string {
    return this.address + keyPredicate(this.type, row)
  }

  /** Returns the values of a property that are not null. */
  valuesOf({ name }: Property): readonly unknown[] {
    return this.rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined)
  }
}

/** Returns the key of an entity as JSON values. */
export function keyOf({ key }: EntityType, row: Row): string {
  return key.map(({ name }) => JSON.stringify(row[name]) as string | undefined).join(',')
}

export function keysOf(type: EntityType, rows: readonly Row[]): readonly string[] {
  return rows.map((row) => keyOf(type, row))
}

export function simpleProperties({ properties }: EntityType): readonly Property[] {
  return properties.filter(({ type }) => isPrimitive(type))
}
