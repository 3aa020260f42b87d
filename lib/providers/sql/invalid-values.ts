import createDebug from 'debug'
import type { Column } from './column.js'
import type { IsValidValue } from './dialect.js'
import type { Sql } from './sql-text.js'
import { raw, sql } from './sql-text.js'

const debug = createDebug('odata-v2:sql')

/** Maximum number of invalid values that are reported. */
const MAX_NOTICES = 100

/** Reports each invalid value that is served as null once. */
export class InvalidValues {
  private readonly reported = new Set<string>()

  constructor(private readonly onNotice: (notice: string) => void = (notice) => debug('%s', notice)) {}

  /**
   * @param entity the address of the entity: `Products(7)`
   * @param names comma-separated property paths, with a trailing comma
   */
  report(entity: string, names: string): void {
    for (const name of names.split(',').filter((one) => one !== '')) {
      this.notice(`${entity}: the value of '${name}' is invalid and served as null.`)
    }
  }

  reportRows(entitySet: string, count: number): void {
    if (count === 0) return
    const rows = count === 1 ? '1 row has' : `${String(count)} rows have`
    this.notice(`'${entitySet}': ${rows} null or an invalid value in the key and cannot be served.`)
  }

  private notice(notice: string): void {
    if (this.reported.has(notice) || this.reported.size > MAX_NOTICES) return
    this.reported.add(notice)
    const isLast = this.reported.size > MAX_NOTICES
    this.onNotice(isLast ? 'Further invalid values are not reported.' : notice)
  }
}

/** The column of {@link validRows} with the names of the invalid properties of a row. */
export const invalidAlias = '$invalid'

/** A table whose values are checked. */
interface CheckedTable {
  readonly quoted: string
  readonly columns: readonly Column[]
  readonly keyColumns: readonly Column[]
}

/**
 * Returns a subquery that replaces invalid values of a table by null and skips rows whose key is null or invalid. Key
 * columns are selected unchanged, so that their indexes are used.
 */
export function validRows(table: CheckedTable, others: readonly string[], isValid: IsValidValue): string {
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

/** Returns a statement that counts the rows whose key is null or invalid; undefined if every key is valid. */
export function countOfInvalidKeys(
  { keyColumns, quoted }: CheckedTable,
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
