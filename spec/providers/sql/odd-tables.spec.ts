import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { introspect } from '../../../lib/sql.js'
import { introspectedService, outline, postgres, useDatabases } from '../../support/sql/introspected.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

useDatabases()

describe('introspect', () => {
  it('MUST skip a table of SQLite that the model cannot have or the database cannot read, and report it', async () => {
    const long = 'x'.repeat(600)
    const database = new SQLite(':memory:')
    database.exec(`create table ${long} (id integer primary key);
      create table users (id integer primary key, name text);
      create view broken as select missing(name) as name from users;
      insert into users values (1, 'Ada')`)
    database.unsafeMode(true)
    database.exec(`pragma writable_schema = on;
      insert into sqlite_master (type, name, tbl_name, rootpage, sql)
        values ('table', 'remote', 'remote', 0, 'create virtual table remote using missing_module(a)');
      pragma writable_schema = reset`)
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const notices: string[] = []
    const { model, get } = await introspectedService(db, { onNotice: (notice) => notices.push(notice) })
    expect(Object.keys(outline(model))).toEqual(['Users: User'])
    expect(await get('/Users')).toMatchObject({ d: [{ Name: 'Ada' }] })
    expect(notices.sort()).toEqual([
      expect.stringMatching("^Skipped 'broken': it cannot be read "),
      expect.stringMatching("^Skipped 'remote': it cannot be read "),
      expect.stringMatching(`^Skipped table '${long}': .* at most 480 characters`),
    ])
    await db.destroy()
  })

  it('MUST read tables of PostgreSQL that differ in case, and those without a singular', async () => {
    const db =
      await postgres(`create table "Users" (id int primary key, name text); create table users (code int primary key);
      create table s (id int primary key); create table "S" (id int primary key); create table _s (id int primary key);
      insert into "Users" values (1, 'Ada'); insert into users values (7)`)
    const { model, get } = await introspectedService(db)
    expect(Object.keys(outline(model))).toHaveLength(5)
    expect(await get('/Users')).toMatchObject({ d: [{ Name: 'Ada' }] })
    expect(await get('/PublicUsers')).toMatchObject({ d: [{ Code: 7 }] })
    await sql`drop table s`.execute(db)
    expect(Object.keys(outline(await introspect(db)))).toHaveLength(4)
  })
})
