import type { SchemaRow } from '../../../../../lib/providers/sql/database-schema.js'
import { readMysqlSchema } from '../../../../../lib/providers/sql/dialects/mysql/read-schema.js'

/** Returns the default of a column, from the values that a server has in `information_schema.columns`. */
async function defaultText(column: SchemaRow): Promise<string | undefined> {
  const place = { table: 'T', kind: 'BASE TABLE', column: 'C', privileges: 'select,insert,update' }
  const row = { ...place, type: 'varchar', nullable: 'NO', ...column }
  let isFirst = true
  const { tables } = await readMysqlSchema(() => {
    const rows = isFirst ? [row] : []
    isFirst = false
    return Promise.resolve(rows)
  })
  return tables[0]?.columns.get('C')?.defaultText
}

describe('The default of a column', () => {
  it.each([
    ['a string', 'x', '', "'x'"],
    ['a string with a quote', "it's", '', "'it''s'"],
    ['the string NULL', 'NULL', '', "'NULL'"],
    ['a number', '0', '', "'0'"],
    ['an expression', 'CURRENT_TIMESTAMP', 'DEFAULT_GENERATED', 'CURRENT_TIMESTAMP'],
  ])('MUST be %s in MySQL, which stores literals without quotes', async (_, stored, extra, expected) => {
    expect(await defaultText({ default: stored, extra, isMariaDb: 0 })).toBe(expected)
  })

  it.each([
    ['a string', "'x'", "'x'"],
    ['an expression', 'current_timestamp()', 'current_timestamp()'],
    ['null', 'NULL', undefined],
  ])('MUST be %s in MariaDB, which stores expressions', async (_, stored, expected) => {
    expect(await defaultText({ default: stored, extra: '', isMariaDb: 1 })).toBe(expected)
  })
})
