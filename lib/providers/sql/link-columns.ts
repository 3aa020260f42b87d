import type { DatabaseTable, ForeignKey } from './database-schema.js'
import { findName, lettersOf } from './database-schema.js'

/** One end of a link table. */
export interface LinkEnd {
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
