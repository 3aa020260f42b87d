import createDebug from 'debug'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
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

/** Returns true if a column can have values that are invalid for its property. */
export function canBeInvalid(column: Column, { isValidValue }: SqlDialect): boolean {
  return isValidValue(column, column.quoted) !== undefined
}

/**
 * Returns a subquery that replaces invalid values of a table by null and skips rows whose key is null or invalid. Key
 * columns, and those whose values are all valid, are selected unchanged, so that their indexes are used.
 *
 * @param lock clause that locks the rows
 */
export function validRows(
  table: CheckedTable,
  others: readonly string[],
  dialect: SqlDialect,
  lock = '',
): string {
  const { columns, keyColumns, quoted } = table
  const { isValidValue } = dialect
  const invalid: string[] = []
  const selected = columns.map((column) => {
    const isValid = keyColumns.includes(column) ? undefined : isValidValue(column, column.quoted)
    if (isValid === undefined) return column.quoted
    const name = `${column.path.join('/')},`
    invalid.push(`case when ${column.quoted} is null or ${isValid} then '' else '${name}' end`)
    return `case when ${isValid} then ${column.quoted} end as ${column.quoted}`
  })
  const names = dialect.concatenate(["''", ...invalid])
  const keys = keyColumns.flatMap((column) => keyCondition(column, isValidValue))
  const where = keys.length === 0 ? '' : ` where ${keys.join(' and ')}`
  const all = [...selected, ...others, `${names} as ${dialect.quote(invalidAlias)}`]
  return `(select ${all.join(', ')} from ${quoted}${where}${lock})`
}

/** Returns a statement that counts the rows whose key is null or invalid; undefined if every key is valid. */
export function countOfInvalidKeys(
  { keyColumns, quoted }: CheckedTable,
  { isValidValue }: SqlDialect,
): Sql | undefined {
  const keys = keyColumns.flatMap((column) => keyCondition(column, isValidValue))
  if (keys.length === 0) return undefined
  return sql`select count(*) as n from ${raw(quoted)} where (${raw(keys.join(' and '))}) is not true`
}

function keyCondition(column: Column, isValidValue: SqlDialect['isValidValue']): readonly string[] {
  const isValid = isValidValue(column, column.quoted)
  return isValid === undefined ? [] : [`${column.quoted} is not null and ${isValid}`]
}
