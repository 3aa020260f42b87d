import type { NavigationPropertyDefinition, PropertyDefinition } from '../../../edm/model-definition.js'
import type { DatabaseTable } from '../database-schema.js'

/** An entity set and its type while they are put together from a table. */
export interface EntityDraft {
  readonly table: DatabaseTable
  readonly setName: string
  readonly typeName: string
  /** Columns of the key. */
  readonly key: readonly string[]
  /** Names of properties by column. */
  readonly names: ReadonlyMap<string, string>
  readonly properties: Readonly<Record<string, PropertyDefinition>>
  readonly navigationProperties: Record<string, NavigationPropertyDefinition>
  /** Names of properties of either kind. */
  readonly taken: Set<string>
}

/** Where entity sets, their properties and links have come from. */
export interface ModelPlaces {
  /** By name of the entity set. */
  readonly entitySets: ReadonlyMap<string, EntityDraft>
  /** By name of the association set. */
  readonly links: ReadonlyMap<string, LinkDraft>
}

/** A table that does nothing but link the rows of two others. */
export interface LinkDraft {
  readonly table: DatabaseTable
  readonly ends: readonly [LinkEndDraft, LinkEndDraft]
}

export interface LinkEndDraft {
  readonly role: string
  readonly entity: EntityDraft
  /** Columns of the link table in the order of the key. */
  readonly columns: readonly string[]
}

/** The properties of some columns. */
export function propertiesOf({ names }: EntityDraft, columns: readonly string[]): string[] {
  return columns.map((column) => names.get(column) ?? column)
}
