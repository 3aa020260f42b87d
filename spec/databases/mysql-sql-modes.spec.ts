import { sql } from 'kysely'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { TypedTable } from '../support/sql/type-table/typed-table.js'

let db: AnyDatabase

/** Opens a database whose sessions have an SQL mode. */
async function openWith(mode: string): Promise<void> {
  const settings = await openMysql()
  await sql`set global sql_mode = ${mode}`.execute(settings)
  await settings.destroy()
  db = await openMysql()
}

afterEach(async () => {
  await TypedTable.stopAll()
  await sql`set global sql_mode = default`.execute(db)
  await db.destroy()
})

describe('A service on MySQL or MariaDB', () => {
  it.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI,NO_BACKSLASH_ESCAPES'])(
    'MUST pass backslashes and quotes as data with the SQL mode %p',
    async (mode) => {
      await openWith(mode)
      const table = await TypedTable.open(db, [
        'create table things (id int primary key, v varchar(80))',
        "insert into things values (1, 'a')",
      ])
      for (const [index, V] of ["\\' or 1=1 -- ", "'", '\\', '"', "\\\\''"].entries()) {
        const Id = 10 + index
        const filter = `$filter=V eq '${V.replaceAll("'", "''")}'`
        expect([V, await table.ids(filter)]).toEqual([V, []])
        expect([V, await table.refusal('POST', 'Things', { Id, V })]).toEqual([V, '201 '])
        expect([V, await table.ids(filter)]).toEqual([V, [Id]])
        expect(await table.values(filter)).toEqual([V])
      }
      expect(table.errors).toEqual([])
    },
  )

  it.each(['tinytext', 'tinyblob'])(
    'MUST refuse values that are too long for %s on servers that would shorten them',
    async (column) => {
      await openWith('')
      const table = await TypedTable.open(db, [
        `create table things (id int primary key, v ${column})`,
        "insert into things values (1, 'a')",
      ])
      const V = column === 'tinytext' ? 'x'.repeat(256) : Buffer.alloc(256).toString('base64')
      expect(await table.refusal('MERGE', 'Things(1)', { V })).toMatch(/^400 .*V/)
      expect(await table.refusal('POST', 'Things', { Id: 2, V })).toMatch(/^400 .*V/)
      expect(await table.bytes('length(v)')).toEqual([1])
    },
  )
})
