import { sql } from 'kysely'
import { defineModel, edm } from '../../lib/index.js'
import { introspect, sqlProvider } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Photo: {
      key: ['Id'],
      hasStream: true,
      properties: {
        Id: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }),
        Title: edm.String(),
      },
    },
  },
  entityContainer: { entitySets: { Photos: { entityType: 'Photo' } } },
})

let db: AnyDatabase
let server: SqlServer

beforeAll(async () => {
  db = await openMysql()
})

afterEach(() => server.stop())
afterAll(() => db.destroy())

async function run(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

describe('A value that MySQL and MariaDB do not accept', () => {
  // The server closes the connection while it receives a longer statement: a client that retries would never succeed.
  it('MUST be 413 if it is a media resource that does not fit in a statement', async () => {
    await run(
      `create table photos (id int primary key auto_increment, title varchar(20), media_content longblob,
        media_content_type varchar(40))`,
    )
    const provider = sqlProvider(model, db)
    await provider.ready()
    server = await SqlServer.startProvider(model, provider)
    const size = await sql<{ n: number }>`select @@max_allowed_packet as n`.execute(db)
    const largest = Math.floor((Number(size.rows[0]?.n) - 65_536) / 2)
    const headers = { Accept: 'application/json', 'Content-Type': 'image/png' }
    const upload = async (
      method: string,
      path: string,
      bytes: number,
    ): Promise<readonly [number, string]> => {
      const { status, text } = await server.server.send(path, {
        method,
        headers,
        body: Buffer.alloc(bytes, 255),
      })
      return [status, text]
    }
    const [status, text] = await upload('POST', '/s/Photos', largest + 1)
    expect(status).toBe(413)
    expect(text).toContain(`The database accepts at most ${String(largest)}.`)
    const [created, entity] = await upload('POST', '/s/Photos', largest)
    expect(created).toBe(201)
    const [id = ''] = /Photos\(\d+\)/.exec(entity) ?? []
    expect((await upload('PUT', `/s/${id}/$value`, largest + 1))[0]).toBe(413)
    expect((await server.send('GET', 'Photos/$count')).text).toBe('1')
  })

  it('MUST be 400 if no partition takes the row', async () => {
    await run(
      'create table regions (id int primary key, area int) partition by list (id) (partition one values in (1, 2))',
      'insert into regions values (1, 5)',
    )
    server = await SqlServer.start(await introspect(db, { tables: (name) => name === 'regions' }), db)
    expect(await server.refusal('POST', 'Regions', { Id: 3 })).toEqual([
      400,
      'The database does not allow this value.',
    ])
  })

  it('MUST be 400 if a generated column cannot be computed from it', async () => {
    await run(
      'create table shares (id int primary key, parts int, share decimal(10, 2) as (100 / parts) stored)',
      'insert into shares (id, parts) values (1, 2)',
    )
    server = await SqlServer.start(await introspect(db, { tables: (name) => name === 'shares' }), db)
    expect(await server.refusal('POST', 'Shares', { Id: 2, Parts: 0 })).toEqual([
      400,
      'A value is too long, or out of range, for the database.',
    ])
    expect((await server.send('MERGE', 'Shares(1)', { Parts: 0 })).status).toBe(400)
  })
})
