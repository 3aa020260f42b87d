import type { ColumnFacts } from '../column.js'
import type { DatabaseTable, RunStatement } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import { optionalText } from '../dialects/schema-rows.js'
import { raw } from '../sql-text.js'
import { columnTypeOf } from './column-types.js'

/** So many rows say what a column holds. */
const sampleSize = 1000

/** Types whose values are text. */
const texts: ReadonlySet<string> = new Set([
  'Edm.String',
  'Edm.Guid',
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Time',
])

/**
 * A table with the types that its columns have by their values, where the declared types do not decide. SQLite says
 * nothing of the types of expressions in views, and lets people keep seconds in columns that they call times.
 */
export async function withSampledTypes(
  table: DatabaseTable,
  dialect: SqlDialect,
  run: RunStatement,
): Promise<DatabaseTable> {
  if (dialect.name !== 'sqlite') return table
  const unsure = [...table.columns].filter(([, facts]) => isUnsure(facts, dialect))
  if (unsure.length === 0) return table
  const classes = unsure.map(
    (_, index) => `group_concat(distinct typeof(c${String(index)})) as c${String(index)}`,
  )
  const columns = unsure.map(([name], index) => `${dialect.quote(name)} as c${String(index)}`)
  const source = `select ${columns.join(', ')} from ${dialect.quote(table.name)} limit ${String(sampleSize)}`
  const [row = {}] = await run(raw(`select ${classes.join(', ')} from (${source})`))
  const sampled = new Map(table.columns)
  unsure.forEach(([name, facts], index) => {
    const found = (optionalText(row[`c${String(index)}`]) ?? '')
      .split(',')
      .filter((one) => one !== 'null' && one !== '')
    const dataType = typeOfClasses(found, facts.dataType)
    sampled.set(name, { ...facts, dataType })
  })
  return { ...table, columns: sampled }
}

/** Columns that nobody gave a type, and those in which numbers may stand where texts are expected. */
function isUnsure(facts: ColumnFacts, { name }: SqlDialect): boolean {
  const { dataType } = facts
  if (dataType === '') return true
  return texts.has(columnTypeOf(name, facts).type) && !/char|clob|text/.test(dataType)
}

function typeOfClasses(classes: readonly string[], declared: string): string {
  const isAll = (...known: readonly string[]): boolean =>
    classes.length > 0 && classes.every((one) => known.includes(one))
  if (isAll('integer')) return 'integer'
  if (isAll('integer', 'real')) return 'real'
  return declared === '' && isAll('blob') ? 'blob' : declared
}
