import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../../column.js'
import type { DatabaseTable, RunStatement } from '../../database-schema.js'
import { optionalText } from '../../database-schema.js'
import { FIRST_MILLISECONDS, isTextDate } from '../shared/text-dates.js'
import { isJsonName, isUntyped, sqliteColumnType } from './column-types.js'
import { doubleQuoted } from '../shared/shared-sql.js'
import { isValidValue } from './values.js'
import { raw } from '../../sql-text.js'

/** The number of rows that are read from both ends of a table to find the types of columns. */
const SAMPLE_SIZE = 1000
/** The number of rows that are read from tables and views with untyped columns. */
const UNTYPED_SAMPLE_SIZE = 100_000
/** The number of columns in one statement. */
const MAX_COLUMNS = 100

type NamedFacts = readonly [name: string, facts: ColumnFacts]

/**
 * Finds the types of columns of SQLite by their values if the declared types are not sufficient: columns without type,
 * those of views, and those without a single value that is valid for their type. Drops sizes that values exceed.
 *
 * @throws the error of the driver for tables and views that cannot be read
 */
export async function sampleTypes(table: DatabaseTable, run: RunStatement): Promise<DatabaseTable> {
  const sampled = new Map(table.columns)
  const columns = [...table.columns]
  for (let start = 0; start < columns.length; start += MAX_COLUMNS) {
    const part = columns.slice(start, start + MAX_COLUMNS)
    const row = (await run(raw(statisticsQuery(table, part))))[0] ?? {}
    part.forEach(([name, facts], index) => {
      const number = (prefix: string): number => Number(row[`${prefix}${String(index)}`] ?? 0)
      const dataType = dataTypeOf(facts, {
        count: number('n'),
        valid: number('v'),
        greatest: number('m'),
        classes: (optionalText(row[`t${String(index)}`]) ?? '').split(',').filter((one) => one !== 'null'),
      })
      if (dataType !== facts.dataType || number('x') > 0)
        sampled.set(name, { ...facts, dataType, typeArguments: [] })
    })
  }
  return { ...table, columns: sampled }
}

function statisticsQuery({ name, rowId }: DatabaseTable, columns: readonly NamedFacts[]): string {
  const quoted = doubleQuoted(name)
  const size = String(columns.some(([, facts]) => isUntyped(facts)) ? UNTYPED_SAMPLE_SIZE : SAMPLE_SIZE)
  const names = columns.map(([column], index) => `${doubleQuoted(column)} as c${String(index)}`).join(', ')
  const first = `select * from (select ${names} from ${quoted} limit ${size})`
  const last =
    rowId === undefined
      ? ''
      : ` union all select * from (select ${names} from ${quoted} order by ${rowId.name} desc limit ${String(SAMPLE_SIZE)})`
  const statistics = columns.map(([, facts], index) => {
    const [c, i] = [`c${String(index)}`, String(index)]
    const { type } = sqliteColumnType(facts)
    // JSON is always a string.
    const isValid = isJsonName(facts.dataType)
      ? '1'
      : (isValidValue({ type, facts, hasMilliseconds: true }, c) ?? '1')
    return `count(${c}) as n${i}, ${exceedsSize(type, facts, c)} as x${i}, sum(${c} is not null and ${isValid}) as v${i}, group_concat(distinct typeof(${c})) as t${i}, max(case when typeof(${c}) = 'integer' then ${c} end) as m${i}`
  })
  return `select ${statistics.join(', ')} from (${first}${last})`
}

/** Returns the number of values that exceed the declared size of their column, which SQLite does not enforce. */
function exceedsSize(
  type: PrimitiveTypeName,
  { typeArguments: [first, second = 0] }: ColumnFacts,
  c: string,
): string {
  if (first === undefined) return '0'
  if (type === 'Edm.String' || type === 'Edm.Binary') return `sum(length(${c}) > ${String(first)})`
  if (type !== 'Edm.Decimal') return '0'
  return `sum(round(${c}, ${String(second)}) <> ${c} or abs(${c}) >= 1e${String(first - second)})`
}

/** Numbers of values in the sample of a column that are not null. */
interface Statistics {
  readonly count: number
  readonly valid: number
  /** The greatest integer. */
  readonly greatest: number
  /** The storage classes. */
  readonly classes: readonly string[]
}

/** Returns a declared type for the values of a column. */
function dataTypeOf(facts: ColumnFacts, { count, valid, greatest, classes }: Statistics): string {
  const { dataType } = facts
  const { type } = sqliteColumnType(facts)
  const isAll = (...known: readonly string[]): boolean => classes.every((one) => known.includes(one))
  if (count === 0 || isJsonName(dataType)) return dataType
  // Years and seconds are not dates, but milliseconds are.
  const isDate = !isTextDate(type) || !classes.includes('integer') || greatest >= FIRST_MILLISECONDS
  // The name of a string does not say what it is a string of, and expressions have the type of any bytes.
  const isNamed =
    type === 'Edm.String' ? /char|clob|text/.test(dataType) : type !== 'Edm.Binary' || !isUntyped(facts)
  if (isDate && isNamed && valid === count) return dataType
  if (isDate && isNamed && valid > 0 && !isUntyped(facts)) {
    // The sizes of integers are not enforced.
    return isAll('integer') && !isTextDate(type) ? 'integer' : dataType
  }
  if (isAll('integer')) return 'integer'
  if (isAll('integer', 'real')) return 'real'
  if (classes.includes('blob')) return isAll('blob') || isUntyped(facts) ? 'blob' : dataType
  return type === 'Edm.String' ? dataType : 'text'
}
