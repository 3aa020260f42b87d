import type { Column } from './column.js'
import type { IsValidValue } from './dialect.js'
import type { EntityTable } from './entity-table.js'
import type { Sql } from './sql-text.js'
import { raw, sql } from './sql-text.js'

/** The name under which {@link validRows} tells which values of a row are invalid. */
export const invalidAlias = '$invalid'

/**
 * The rows of a table as a query in which invalid values are null, without those whose key is null or invalid. The
 * columns of the key stay as they are, so that their indexes are used.
 */
export function validRows(table: EntityTable, others: readonly string[], isValid: IsValidValue): string {
  const { columns, keyColumns, quoted } = table
  const checked = columns.filter((column) => !keyColumns.includes(column))
  const selected = checked.map(
    (column) => `case when ${isValid(column, column.quoted)} then ${column.quoted} end as ${column.quoted}`,
  )
  const invalid = checked.map(
    (column) =>
      `case when ${column.quoted} is null or ${isValid(column, column.quoted)} then '' else '${column.path.join('/')},' end`,
  )
  const names = invalid.length === 0 ? "''" : invalid.join(' || ')
  const all = [...keyColumns.map((column) => column.quoted), ...selected, ...others]
  const keys = keyColumns.flatMap((column) => keyCondition(column, isValid))
  const where = keys.length === 0 ? '' : ` where ${keys.join(' and ')}`
  return `(select ${all.join(', ')}, ${names} as "${invalidAlias}" from ${quoted}${where})`
}

/** Counts the rows whose key is null or invalid; undefined where there can be none. */
export function countOfInvalidKeys(
  { keyColumns, quoted }: EntityTable,
  isValid: IsValidValue,
): Sql | undefined {
  const keys = keyColumns.flatMap((column) => keyCondition(column, isValid))
  if (keys.length === 0) return undefined
  return sql`select count(*) as n from ${raw(quoted)} where (${raw(keys.join(' and '))}) is not true`
}

function keyCondition(column: Column, isValid: IsValidValue): readonly string[] {
  if (column.facts.isRowId === true && column.type === 'Edm.Int64') return []
  return [`${column.quoted} is not null and ${isValid(column, column.quoted)}`]
}
