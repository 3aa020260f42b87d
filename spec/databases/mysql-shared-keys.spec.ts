import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { openDatabase } from '../../lib/providers/sql/open-database/open-database.js'
import { introspect, sqlProvider } from '../../lib/sql.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase

beforeAll(async () => {
  db = await openMysql()
  for (const statement of [
    'create table sales (region varchar(9), amount int)',
    "insert into sales values ('north', 1), ('south', 2), ('north', 3)",
    'create view totals as select region, amount, nullif(amount, 2) as n from sales',
    'create table words (word varchar(9) collate utf8mb4_general_ci)',
    "insert into words values ('a'), ('A'), ('ä'), ('a ')",
    'create table ten (i int primary key)',
    'insert into ten values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    `create view numbers as select a.i * 100000 + b.i * 10000 + c.i * 1000 + d.i * 100 + e.i * 10 + f.i as i
      from ten a, ten b, ten c, ten d, ten e, ten f where a.i < 2`,
    'create view slow as select 1 as i from ten where i = 0 and sleep(300) = 0',
  ])
    await sql.raw(statement).execute(db)
})

afterAll(() => db.destroy())

/** The address of the database. */
async function addressOf(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  const address = new URL(process.env.MARIADB_URL ?? '')
  address.pathname = `/${rows[0]?.name ?? ''}`
  return address.href
}

/** The notices about a key. */
async function noticesOf(source: AnyDatabase, table: string): Promise<readonly string[]> {
  const notices: string[] = []
  await openDatabase(source, {
    keys: { [table]: ['i'] },
    tables: (name) => name === table,
    onNotice: (notice) => notices.push(notice),
  })
  return notices
}

const incomplete = (set: string): string =>
  `'${set}': its key 'I' was checked only within 100,000 rows and 5 seconds. Rows with equal keys would be lost.`

describe('A key that is not unique on MariaDB', () => {
  it.each([
    ['sales', ['region'], "The key 'Region' of 'Sales' is not unique: several rows have 'north'."],
    ['totals', ['region'], "The key 'Region' of 'Totals' is not unique: several rows have 'north'."],
    ['totals', ['n'], "The key 'N' of 'Totals' is not unique: a row has null."],
  ])('MUST be rejected at the start in %s: %j', async (table, columns, message) => {
    const keys = { [table]: columns }
    await expect(openDatabase(db, { keys })).rejects.toThrow(message)
    await expect(openDatabase(await addressOf(), { keys })).rejects.toThrow(message)
  })

  it('MUST be accepted if its values differ, in case, accents or trailing blanks', async () => {
    await expect(openDatabase(db, { keys: { sales: ['region', 'amount'] } })).resolves.toBeDefined()
    await expect(openDatabase(db, { keys: { words: ['word'] } })).resolves.toBeDefined()
  })

  it('MUST be reported if there are too many rows to check them all', async () => {
    expect(await noticesOf(db, 'numbers')).toEqual([incomplete('Numbers')])
  })

  it('MUST be reported if the check takes too long, which is then cancelled', async () => {
    expect(await noticesOf(db, 'slow')).toEqual([incomplete('Slows')])
    expect(await sleeping()).toEqual([])
  }, 30_000)

  it('MUST not delay the start further if no connection is free to cancel the check', async () => {
    const pool = createPool({ uri: await addressOf(), connectionLimit: 1 })
    const single: AnyDatabase = new Kysely({ dialect: new MysqlDialect({ pool }) })
    expect(await noticesOf(single, 'slow')).toEqual([incomplete('Slows')])
    const [id = 0] = await sleeping()
    await sql.raw(`kill query ${String(id)}`).execute(db)
    const model = await introspect(single, { tables: (name) => name === 'ten' })
    await expect(sqlProvider(model, single).ready()).resolves.toBeUndefined()
    await single.destroy()
  }, 30_000)
})

/** The connections that read the slow view. */
async function sleeping(): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`
    select id as number from information_schema.processlist
    where db = database() and info like '%from %slow%' and id <> connection_id()`.execute(db)
  return rows.map(({ number }) => Number(number))
}
