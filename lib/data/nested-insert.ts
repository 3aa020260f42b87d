import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { setMember } from '../evaluation/row.js'
import { newEntity, valuesToInsert } from '../evaluation/write-values.js'
import { targetOf } from './association-writer.js'
import type { EntityChange } from './entity-change.js'
import type { ProviderCalls } from './provider-calls.js'

/** An entity without the related entities that the provider inserts with it, and these by navigation property. */
export interface NestedInsert {
  readonly change: EntityChange
  readonly nested: ReadonlyMap<string, readonly Row[]>
}

/**
 * Divides a deep insert whose new entities the provider inserts in one step.
 *
 * @param canNest returns false for sets whose changes have to be made one by one, such as those with hooks
 * @returns undefined if the provider cannot insert all of them together
 */
export async function nestedInsert(
  calls: ProviderCalls,
  set: EntitySet,
  change: EntityChange,
  canNest: (set: EntitySet) => boolean,
  path = '',
): Promise<NestedInsert | undefined> {
  const nested = new Map<string, readonly Row[]>()
  for (const [name, linked] of change.links) {
    const navigation = change.type.navigationProperty(name)
    if (navigation === undefined || linked.kind !== 'New' || !calls.insertsRelated(set, navigation))
      return undefined
    const target = targetOf(set, navigation)
    if (!canNest(target)) return undefined
    const constraint = navigation.association.referentialConstraint
    const foreignKey =
      constraint?.dependent === navigation.toEnd ? constraint.dependentProperties.map(({ name }) => name) : []
    // The store sets the foreign key.
    const generated = new Set([...((await calls.storeDefaults(target)) ?? []), ...foreignKey])
    const rows: Row[] = []
    for (const [index, entity] of linked.entities.entries()) {
      const place = `${path}${name}${navigation.isCollection ? `[${index}]` : ''}/`
      const inner = await nestedInsert(calls, target, entity, canNest, place)
      if (inner === undefined || entity.type.abstract) return undefined
      const values = valuesToInsert(entity.type, entity.values, 'complete', place, generated)
      rows.push(withNested(newEntity(target, entity.type, values), inner.nested))
    }
    nested.set(name, rows)
  }
  return { change: { ...change, links: [] }, nested }
}

/** Adds related entities to the entity with which they are inserted. */
export function withNested(entity: Row, nested: NestedInsert['nested']): Row {
  if (nested.size === 0) return entity
  const row = { ...entity }
  for (const [name, rows] of nested) setMember(row, name, rows)
  return row
}
