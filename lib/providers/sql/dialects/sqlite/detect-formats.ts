import type { Column } from '../../column.js'
import type { RunStatement } from '../../database-schema.js'
import { isJsonName } from './column-types.js'
import { dateFormOf, FIRST_MILLISECONDS, isTextDate } from '../shared/text-dates.js'
import type { StoredTable } from '../../dialect.js'
import { raw } from '../../sql-text.js'

/** The number of rows at both ends of a table from which formats are detected. */
const SAMPLE_SIZE = 100

/**
 * Detects the formats of dates, times, guids and JSON in a table. New values are stored in the same formats.
 *
 * @param onNotice called for columns whose strings the database compares differently than the service
 */
export async function detectFormats(
  table: StoredTable,
  run: RunStatement,
  onNotice?: (notice: string) => void,
): Promise<void> {
  const { columns, quoted, keyColumns, isView, set } = table
  const detected = columns.filter(
    ({ type, facts }) =>
      isTextDate(type) || type === 'Edm.Guid' || (type === 'Edm.String' && isJsonName(facts.dataType)),
  )
  if (detected.length === 0) return
  const selection = detected.map((column, index) => `${column.quoted} as c${String(index)}`).join(', ')
  const sample = (order: string): string =>
    `select * from (select ${selection} from ${quoted}${order} limit ${String(SAMPLE_SIZE)})`
  const last = keyColumns.map((column) => `${column.quoted} desc`).join(', ')
  // The order of a view may take long.
  const tail = isView || last === '' ? '' : ` union all ${sample(` order by ${last}`)}`
  const rows = await run(raw(sample('') + tail))
  for (const [index, column] of detected.entries()) {
    const values = rows.map((row) => row[`c${String(index)}`])
    const { type, facts } = column
    if (type === 'Edm.String') column.hasBinaryJson = await hasBinaryJson(column, quoted, values, run)
    else if (type === 'Edm.Guid')
      column.hasUpperCaseGuids = values.some((value) => typeof value === 'string' && /[A-F]/.test(value))
    else if (isTextDate(type)) {
      if (type === 'Edm.DateTimeOffset' && offsetsOf(values).size > 1)
        onNotice?.(
          `'${set.path}': '${column.path.join('/')}' is stored with different UTC offsets, which SQLite compares as strings. Filters can miss rows, and pages that are ordered by it can repeat rows. Store UTC.`,
        )
      const numbers = values.filter((value) => typeof value === 'number')
      column.dateForm = dateFormOf(values, type, facts.dataType === 'date')
      column.hasMilliseconds = numbers.some((number) => number >= FIRST_MILLISECONDS)
      column.isEpoch =
        column.hasMilliseconds && numbers.length > values.filter((value) => typeof value === 'string').length
    }
  }
}

/** Returns the different UTC offsets in strings of dates. */
function offsetsOf(values: readonly unknown[]): ReadonlySet<string> {
  const offsets = values.map((value) =>
    typeof value === 'string' ? /(?:z|[+-]\d\d:?\d\d)$/i.exec(value)?.[0] : undefined,
  )
  const known = offsets.filter((offset) => offset !== undefined)
  return new Set(known.map((offset) => offset.replace(/^[+-]00:?00$|^z$/i, 'Z').replace(':', '')))
}

/** Returns true if all samples that are bytes are JSON in the binary format of SQLite. */
async function hasBinaryJson(
  { quoted: column }: Column,
  table: string,
  values: readonly unknown[],
  run: RunStatement,
): Promise<boolean> {
  if (!values.some((value) => value instanceof Uint8Array)) return false
  try {
    const [row] = await run(
      raw(
        `select min(json_valid(c, 8)) as valid from (select ${column} as c from ${table} where typeof(${column}) = 'blob' limit ${String(SAMPLE_SIZE)})`,
      ),
    )
    return Number(row?.valid) === 1
  } catch {
    // SQLite before 3.45 does not know the format.
    return false
  }
}
