import type { Association, AssociationEnd, AssociationSet } from '../../edm/edm-model.js'
import type { EntityTable } from './entity-table.js'
import type { DatabaseTable, ForeignKey } from './database-schema.js'
import { findName, lettersOf } from './database-schema.js'

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

/** A table that holds the links of an association set. */
export interface LinkTable {
  readonly quoted: string
  /** Whether inserts cannot skip existing links. */
  readonly failsWhenTaken: boolean
  /** Quoted columns by role, in the order of the key. */
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

/** One end of a link table. */
interface LinkEnd {
  readonly role: string
  /** The table that it refers to. */
  readonly table: DatabaseTable
  /** The properties of the key and their columns. */
  readonly key: readonly { readonly property: string; readonly column: string }[]
}

/**
 * The columns of a link table that hold the key of one of its ends, in the order of the key: `Product_ID` for `ID` of
 * the role `Product`; else what its foreign keys say.
 *
 * @returns undefined for each that is not found
 */
export function linkColumnsOf(
  link: DatabaseTable,
  ends: readonly LinkEnd[],
  end: LinkEnd,
): readonly (string | undefined)[] {
  const names = [...link.columns.keys()]
  const foreignKey = foreignKeyOf(link, ends, end)
  return end.key.map(({ property, column }) => {
    const byName = findName(names, `${end.role}_${property}`)
    return byName ?? foreignKey?.columns[foreignKey.targetColumns.indexOf(column)]
  })
}

function foreignKeyOf(link: DatabaseTable, ends: readonly LinkEnd[], end: LinkEnd): ForeignKey | undefined {
  const { table } = end
  const candidates = link.foreignKeys.filter(
    ({ target }) => target.table === table.name && target.schema === table.schema,
  )
  // Both ends are in one table: the columns say by their names which role they are of, or by their order.
  const role = lettersOf(end.role)
  const byRole = candidates.filter(({ columns }) => lettersOf(columns[0] ?? '').startsWith(role))
  if (byRole.length === 1) return byRole[0]
  return candidates[ends.filter((one) => one.table === table).indexOf(end)]
}
