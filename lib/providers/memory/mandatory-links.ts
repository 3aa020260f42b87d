import { missingLink } from '../../edm/relations.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { LinkEnd, LinkTable } from './link-table.js'
import { oppositeOf } from './link-table.js'
import type { MemoryStore } from './memory-store.js'

/**
 * Checks at the end of a change that an entity has the links without foreign key that the model demands of it. To be
 * called for new entities and for those that have lost a link only: the data at the start may lack some.
 *
 * @param text key text of the entity
 * @spec MC-CSDL 2.1.9 (multiplicity)
 */
export function requireLinks(store: MemoryStore, table: EntityTable, text: string): void {
  for (const links of store.linkTables) {
    for (const end of [0, 1] as const) {
      const { association, tables } = links
      if (tables[end] !== table || association.ends[oppositeOf(end)].multiplicity !== '1') continue
      const name = `${association.qualifiedName}/${end}/${table.path}/${text}`
      store.journal.require(name, () => {
        checkLink(store, links, end, text)
      })
    }
  }
}

function checkLink(store: MemoryStore, { association, tables }: LinkTable, end: LinkEnd, text: string): void {
  const table = tables[end]
  const row = table.find(text)
  if (row === undefined) return
  // Over any of the sets to which the association leads.
  const isLinked = store.linkTables.some(
    (one) => one.association === association && one.tables[end] === table && one.linkedTo(end, text).size > 0,
  )
  if (isLinked) return
  const type = typeOfRow(row, table.set.entityType)
  const error = missingLink(table.set, type, association.ends[end], association.ends[oppositeOf(end)])
  if (error !== undefined) throw error
}
