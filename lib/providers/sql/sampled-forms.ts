import type { RunStatement } from './database-schema.js'
import { dateFormOf, isTextDate } from './dialects/text-dates.js'
import type { EntityTable } from './entity-table.js'
import { raw } from './sql-text.js'

/** The number of rows from which formats are detected. */
const SAMPLE_SIZE = 100

/** Detects the formats of dates, times and guids in a table. New values are stored in the same formats. */
export async function learnForms({ columns, quoted }: EntityTable, run: RunStatement): Promise<void> {
  const learnt = columns.filter(({ type }) => isTextDate(type) || type === 'Edm.Guid')
  if (learnt.length === 0) return
  const selection = learnt.map((column, index) => `${column.quoted} as c${String(index)}`).join(', ')
  const rows = await run(raw(`select ${selection} from ${quoted} limit ${String(SAMPLE_SIZE)}`))
  learnt.forEach((column, index) => {
    const values = rows.map((row) => row[`c${String(index)}`])
    const { type, facts } = column
    if (isTextDate(type)) column.dateForm = dateFormOf(values, type, facts.dataType === 'date')
    else column.hasUpperCaseGuids = values.some((value) => typeof value === 'string' && /[A-F]/.test(value))
  })
}
