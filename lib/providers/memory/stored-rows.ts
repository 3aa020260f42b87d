import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore } from './memory-store.js'
import type { LinkEnd, LinkTable } from './relation.js'
import { oppositeOf } from './relation.js'
import { required } from '../../util/required.js'

/**
 * Exports the rows of an entity set in a form that a memory provider can load: all properties in the order of the type,
 * `$type`, `$media`, and keys of linked entities unless they have a foreign key. Each link is exported once.
 */
export function storedRows(store: MemoryStore, table: EntityTable): readonly Row[] {
  const links = store
    .linksFrom(table)
    .flatMap((one) =>
      ([0, 1] as const).flatMap((end) => (one.tables[end] === table ? [new ExportedLinks(one, end)] : [])),
    )
  const { entityType } = table.set
  return table.rows().map((row) => {
    const type = typeOfRow(row, entityType)
    const key = required(table.keyText(row))
    const { contentType, bytes, fileName } = table.media.find(key)
    const media = { contentType, bytes, ...(fileName === undefined ? {} : { fileName }) }
    // A property can have the name `__proto__`, which must not be assigned.
    return Object.fromEntries([
      ...(type === entityType ? [] : [['$type', type.qualifiedName] as const]),
      ...type.properties.map(({ name }) => [name, row[name] ?? null] as const),
      ...links.flatMap((one) => one.memberOf(key, type)),
      ...(type.hasStream && table.media.has(key) ? [['$media', media] as const] : []),
    ])
  })
}

/** The links of an association that are exported with the entities at one end. */
class ExportedLinks {
  private readonly other: EntityTable
  private readonly isPreferred: boolean

  constructor(
    private readonly links: LinkTable,
    private readonly end: LinkEnd,
  ) {
    const otherEnd = oppositeOf(end)
    this.other = links.tables[otherEnd]
    const isSingle = (at: LinkEnd): boolean => links.association.ends[at].multiplicity !== '*'
    // A single key is easier to read than a list of keys.
    this.isPreferred = isSingle(end) === isSingle(otherEnd) ? end === 0 : isSingle(otherEnd)
  }

  /** Returns the navigation property of an entity with its keys, or nothing. */
  memberOf(key: string, type: EntityType): readonly (readonly [string, unknown])[] {
    const navigation = this.navigationOf(type, this.end)
    if (navigation === undefined) return []
    const keys = this.other
      .findAll(this.links.linkedTo(this.end, key))
      .filter((linked) => this.isPreferred || !this.isExportedWith(linked))
      .map((linked) => keyOf(linked, this.other))
    return keys.length === 0 ? [] : [[navigation.name, navigation.isCollection ? keys : keys[0]]]
  }

  private isExportedWith(row: Row): boolean {
    const type = typeOfRow(row, this.other.set.entityType)
    return this.navigationOf(type, oppositeOf(this.end)) !== undefined
  }

  private navigationOf(type: EntityType, end: LinkEnd): NavigationProperty | undefined {
    const { association, tables } = this.links
    const [from, to] = [tables[end], tables[oppositeOf(end)]]
    return type.navigationProperties.find(
      (one) => one.fromEnd === association.ends[end] && from.set.targetOf(one) === to.set,
    )
  }
}

function keyOf(row: Row, { set }: EntityTable): Row {
  return Object.fromEntries(set.entityType.key.map(({ name }) => [name, row[name]]))
}
