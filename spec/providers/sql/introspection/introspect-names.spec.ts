import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { introspect } from '../../../../lib/sql.js'

async function setsOf(statements: string, notices: string[] = []): Promise<readonly string[]> {
  const database = new SQLite(':memory:')
  database.exec(statements)
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const onNotice = (notice: string): void => void notices.push(notice)
  try {
    return (await introspect(db, { onNotice })).defaultContainer.entitySets.map(({ name }) => name)
  } finally {
    await db.destroy()
  }
}

describe('introspect', () => {
  it('MUST skip the tables in which virtual tables store their data', async () => {
    const notices: string[] = []
    const sets = await setsOf(
      'create table notes (id integer primary key); create virtual table found using fts5(body)',
      notices,
    )
    expect(sets).toEqual(['Notes'])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain("'found'")
  })

  it.each([
    ['m1', 'M1s'],
    ['T', 'Ts'],
    ['VAT', 'VATS'],
    ['ORDER', 'ORDERS'],
  ])('MUST name the set of the table %s %s', async (table, set) => {
    expect(await setsOf(`create table "${table}" (id integer primary key)`)).toEqual([set])
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    'MUST support a table and a column named %s',
    async (name) => {
      expect(await setsOf(`create table "${name}" (id integer primary key, "${name}" text)`)).toHaveLength(1)
    },
  )
})
