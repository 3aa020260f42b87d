import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { writeEdmx } from '../../../lib/index.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

/** Applications register functions and collations on their own connections, and use them in triggers and indexes. */
describe('A database of an application with functions of its own', () => {
  const database = new SQLite(':memory:')
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
  const notices: string[] = []
  let server: SqlServer
  let metadata = ''

  beforeAll(async () => {
    database.function('sort_title', (title) => title)
    database.exec(`
      create table books (id integer primary key, title text, sort text);
      create trigger titles after insert on books begin
        update books set sort = sort_title(new.title) where id = new.id;
      end;
      create table notes (id integer primary key, state text, "the ""text""" text);
      create trigger texts before update of "the ""text""" on notes begin select sort_title(new.state); end;
      create table loans (id integer primary key, book integer references books(id) on delete cascade);
      create trigger returned after delete on loans begin select sort_title('x'); end;
      create table tags (id integer primary key, name text, upper text generated always as (upper(name)) stored);
      create table covers (id integer primary key, book text);
      create trigger drawn after update on covers begin select sort_title('x'); end;
      create table prints (id integer primary key, cover text references covers(book), size integer);
      pragma foreign_keys = off;
      insert into books values (1, 'A', 'a');
      insert into covers values (1, 'A');
      insert into prints values (1, null, 1);
      insert into notes values (1, 'new', 'x')`)
    // Another connection, which has no such function.
    const copy = new SQLite(database.serialize())
    database.close()
    const other: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: copy }) })
    const model = await introspect(other, { onNotice: (notice) => notices.push(notice) })
    metadata = writeEdmx(model)
    server = await SqlServer.start(model, other)
  })

  afterAll(async () => {
    await server.stop()
    await db.destroy()
  })

  const annotationsOf = (name: string): string[] =>
    [
      ...(new RegExp(`<EntitySet Name="${name}"[^>]*>`).exec(metadata)?.[0] ?? '').matchAll(
        /sap:(\w+)="false"/g,
      ),
    ].map(([, annotation]) => String(annotation))

  it('MUST be served with the changes that this connection can make', async () => {
    expect(annotationsOf('Books')).toEqual(['creatable', 'deletable'])
    expect(annotationsOf('Notes')).toEqual([])
    expect(metadata).toMatch(/<Property Name="TheText"[^>]* sap:updatable="false"/)
    expect(annotationsOf('Loans')).toEqual(['deletable'])
    expect(annotationsOf('Tags')).toEqual([])
    expect((await server.send('MERGE', 'Books(1L)', { Title: 'B' })).status).toBe(204)
    expect((await server.send('GET', 'Books(1L)')).json).toMatchObject({ Title: 'B', Sort: 'A' })
    expect((await server.send('POST', 'Tags', { Name: 'x' })).json).toMatchObject({ Name: 'x', Upper: 'X' })
  })

  it('MUST refuse other changes as not supported instead of failing', async () => {
    expect((await server.send('POST', 'Books', { Title: 'C' })).status).toBe(405)
    expect((await server.send('DELETE', 'Books(1L)')).status).toBe(405)
    expect((await server.send('MERGE', 'Notes(1L)', { TheText: 'y' })).status).toBe(400)
    expect((await server.send('MERGE', 'Covers(1L)', { Book: 'B' })).status).toBe(405)
  })

  it('MUST update properties that no failing trigger and no invalid foreign key contains', async () => {
    expect((await server.send('MERGE', 'Notes(1L)', { State: 'old' })).status).toBe(204)
    expect((await server.send('GET', 'Notes(1L)')).json).toMatchObject({ State: 'old', TheText: 'x' })
    expect((await server.send('MERGE', 'Prints(1L)', { Size: 2 })).status).toBe(204)
    expect((await server.send('POST', 'Prints', { ID: 2, Size: 2 })).status).toBe(405)
  })

  it('MUST be opened with a notice that names table, column, change and function', () => {
    expect(notices).toContain(
      "Refuses 'insert' in 'books': the database cannot compile it (no such function: sort_title).",
    )
    expect(notices).toContain(
      "Refuses 'update' in 'notes.the \"text\"': the database cannot compile it (no such function: sort_title).",
    )
    expect(notices).toHaveLength(10)
  })
})
