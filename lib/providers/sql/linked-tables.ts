import type { Association, AssociationEnd, AssociationSet } from '../../edm/edm-model.js'
import type { EntityTable } from './entity-table.js'

/** One end of an association without foreign key. */
export interface LinkedEnd {
  readonly end: AssociationEnd
  readonly table: EntityTable
  /** Quoted columns of the link table, in the order of the key. */
  readonly columns: readonly string[]
}

/** An association without foreign key between two sets, and the table that holds its links. */
export interface LinkedTables {
  readonly association: Association
  /** The quoted name of the link table. */
  readonly quoted: string
  readonly ends: readonly [LinkedEnd, LinkedEnd]
}

interface LinkTable {
  readonly quoted: string
  readonly columns: ReadonlyMap<string, readonly string[]>
}

export function linkedTablesOf(
  linkTables: ReadonlyMap<AssociationSet, LinkTable>,
  tables: ReadonlyMap<string, EntityTable>,
): readonly LinkedTables[] {
  return [...linkTables].flatMap(([{ association, ends }, { quoted, columns }]) => {
    const [first, second] = association.ends.flatMap((end): LinkedEnd[] => {
      const path = ends.find(({ role }) => role === end.role)?.entitySet.path ?? ''
      const table = tables.get(path)
      return table === undefined ? [] : [{ end, table, columns: columns.get(end.role) ?? [] }]
    })
    return first === undefined || second === undefined
      ? []
      : [{ association, quoted, ends: [first, second] as const }]
  })
}
