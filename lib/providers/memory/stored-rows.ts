import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { LinkEnd, LinkTable } from './link-table.js'
import { oppositeOf } from './link-table.js'
import type { MemoryStore } from './memory-store.js'

/**
 * The rows of an entity set as a memory provider can be given them again: all properties in the order of the type,
 * keys of linked entities where no foreign key says as much, `$type` and `$media`. Every link is written once.
 */
export function storedRows(store: MemoryStore, table: EntityTable): readonly Row[] {
  const links = store.linkTables.flatMap((one) =>
    ([0, 1] as const).flatMap((end) => (one.tables[end] === table ? [new WrittenLinks(one, end)] : [])),
  )
  const { entityType } = table.set
  return table.rows().map((row) => {
    const type = typeOfRow(row, entityType)
    const stored: Record<string, unknown> = type === entityType ? {} : { $type: type.qualifiedName }
    for (const { name } of type.properties) define(stored, name, row[name] ?? null)
    const text = table.keyText(row) ?? ''
    for (const one of links) one.addTo(stored, text, type)
    const { contentType, bytes, fileName } = table.media.find(text)
    if (type.hasStream && table.media.has(text)) {
      stored.$media = { contentType, bytes, ...(fileName === undefined ? {} : { fileName }) }
    }
    return stored
  })
}

/** A member of its own, whatever its name. */
function define(row: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The links of the entities at one end that are written with them, rather than with those at the other end. */
class WrittenLinks {
  private readonly otherEnd: LinkEnd
  private readonly other: EntityTable
  private readonly isPreferred: boolean

  constructor(
    private readonly links: LinkTable,
    private readonly end: LinkEnd,
  ) {
    this.otherEnd = oppositeOf(end)
    this.other = links.tables[this.otherEnd]
    // One key is easier to read than a list of them.
    const isSingle = (at: LinkEnd): boolean => links.association.ends[at].multiplicity !== '*'
    this.isPreferred = isSingle(this.otherEnd) || (end === 0 && !isSingle(end))
    if (isSingle(0) && isSingle(1)) this.isPreferred = end === 0
  }

  addTo(row: Record<string, unknown>, text: string, type: EntityType): void {
    const navigation = this.navigationOf(type, this.end)
    if (navigation === undefined) return
    const keys: Row[] = []
    for (const linked of this.links.linkedTo(this.end, text)) {
      const found = this.other.find(linked)
      if (found !== undefined && (this.isPreferred || !this.isWrittenBy(found)))
        keys.push(keyOf(found, this.other))
    }
    if (keys.length === 0) return
    if (navigation.isCollection) define(row, navigation.name, keys.sort(this.other.compare))
    else define(row, navigation.name, keys[0])
  }

  private isWrittenBy(row: Row): boolean {
    const type = typeOfRow(row, this.other.set.entityType)
    return this.navigationOf(type, this.otherEnd) !== undefined
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
