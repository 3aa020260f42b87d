import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { statementLog } from '../support/sql/logged-database.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { isMariaDb } from '../support/sql/model-tables.js'
import type { ChangeResult } from '../support/sql/mysql-server.js'
import { openMysql, reportMysql } from '../support/sql/mysql-server.js'
import { refusedInserts } from '../support/sql/refused-inserts.js'

const model = defineModel({
  namespace: 'Inserts',
  entityTypes: {
    Shelf: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
    Tag: { key: ['Code'], properties: { Code: edm.String({ nullable: false, maxLength: 10 }) } },
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ maxLength: 5 }),
        ShelfID: edm.Int32(),
        TagCode: edm.String({ maxLength: 10 }),
        Weight: edm.Decimal({ precision: 6, scale: 2 }),
        At: edm.DateTime({ precision: 0, storeGeneratedPattern: 'Identity' }),
      },
    },
  },
  associations: {
    ShelfItems: {
      ends: { Shelf: { type: 'Shelf', multiplicity: '0..1' }, Items: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Shelf', properties: ['ID'] },
        dependent: { role: 'Items', properties: ['ShelfID'] },
      },
    },
    TagItems: {
      ends: { Tag: { type: 'Tag', multiplicity: '0..1' }, Items: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Tag', properties: ['Code'] },
        dependent: { role: 'Items', properties: ['TagCode'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Shelves: { entityType: 'Shelf' },
      Tags: { entityType: 'Tag' },
      Items: { entityType: 'Item' },
    },
  },
})

const tables = [
  'create table Shelves (ID int primary key, Name varchar(20))',
  'create table Tags (Code varchar(10) collate utf8mb4_general_ci primary key)',
  `create table Items (ID int auto_increment primary key, Name varchar(5) unique, ShelfID int,
    TagCode varchar(10) collate utf8mb4_general_ci, Weight decimal(6, 2),
    At datetime not null default current_timestamp, foreign key (ShelfID) references Shelves (ID),
    foreign key (TagCode) references Tags (Code))`,
  `insert into Shelves values (1, 'first')`,
  `insert into Tags values ('new')`,
  `insert into Items (ID, Name, ShelfID) values (1, 'one', 1)`,
]

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

describe('Changes of sqlProvider on MariaDB and MySQL', () => {
  let db: AnyDatabase
  let server: TestServer
  const failures = new Failures()
  const { note, statements } = statementLog()

  let change: ChangeResult
  let hasReturning: boolean

  beforeEach(async () => {
    change = (_statement, result) => result
    db = await openMysql(note, (statement, result) => change(statement, result))
    hasReturning = await isMariaDb(db)
    for (const statement of tables) await sql.raw(statement).execute(db)
  })
  afterEach(async () => {
    await server.stop()
    await db.destroy()
  })

  const serve = async (): Promise<void> => {
    const provider = sqlProvider(model, db)
    await provider.ready()
    server = await TestServer.start(
      express().use('/s', odataV2(model, provider, { onError: failures.onError })),
    )
    statements()
  }
  const insert = (entity: object): Promise<HttpResponse> =>
    server.send('/s/Items', { method: 'POST', headers: json, body: JSON.stringify(entity) })
  const entityOf = ({ text }: HttpResponse): object => (JSON.parse(text) as { readonly d: object }).d
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ readonly n: number }>`select count(*) as n from Items`.execute(db)
    return Number(rows[0]?.n)
  }

  /** Matches one statement that commits by itself; MySQL, which has no `returning` clause, needs a transaction. */
  const oneStatement = (text: RegExp): unknown =>
    hasReturning
      ? [expect.stringMatching(text)]
      : (expect.arrayContaining(['start transaction', 'commit']) as unknown)

  it('MUST insert by one statement that commits by itself', async () => {
    await serve()
    const response = await insert({ ID: 2, Name: 'two', ShelfID: 1, Weight: '1.5' })
    expect(response.status).toBe(201)
    expect(entityOf(response)).toMatchObject({ ID: 2, Name: 'two', ShelfID: 1, Weight: '1.50' })
    expect(statements()).toEqual(oneStatement(/^insert into `Items` \(.*\) values \(.*\) returning /))
    expect(await count()).toBe(2)
  })

  it('MUST return the key and the time that the database generates', async () => {
    await serve()
    const response = await insert({ Name: 'next' })
    expect(entityOf(response)).toMatchObject({ ID: 2, At: expect.stringMatching(/^\/Date/) as string })
    expect(statements()).toEqual(oneStatement(/^insert into /))
  })

  it('MUST insert nothing when a generated value may be invalid and is', async () => {
    await db.connection().execute(async (connection) => {
      await sql`set sql_mode = ''`.execute(connection)
      await sql`alter table Items modify At datetime not null default 0`.execute(connection)
      await sql`set sql_mode = default`.execute(connection)
    })
    await serve()
    // The strict mode of MySQL rejects the value itself.
    expect((await insert({ Name: 'never' })).status).toBe(hasReturning ? 500 : 400)
    expect(await count()).toBe(1)
  })

  it('MUST delete by one statement that commits by itself', async () => {
    await serve()
    expect((await server.send('/s/Items(1)', { method: 'DELETE' })).status).toBe(204)
    expect(statements()).toEqual(oneStatement(/^delete from `Items` where .* returning /))
    expect(await count()).toBe(0)
  })

  it('MUST insert within a transaction on MySQL, which has no `returning` clause', async () => {
    change = reportMysql
    await serve()
    expect((await insert({ ID: 2, Name: 'two' })).status).toBe(201)
    expect(statements()).toEqual([
      'set transaction isolation level read committed',
      'start transaction',
      expect.stringMatching(/^insert into `Items` /),
      expect.stringMatching(/^select /),
      'commit',
    ])
    expect(await count()).toBe(2)
  })

  it('MUST accept references as the foreign key of the database compares them, which ignores case', async () => {
    await serve()
    expect((await insert({ ID: 2, TagCode: 'new' })).status).toBe(201)
    expect((await insert({ ID: 3, TagCode: 'NEW' })).status).toBe(201)
    expect((await insert({ ID: 4, TagCode: 'old' })).status).toBe(409)
    expect(await count()).toBe(3)
  })

  it.each(refusedInserts)(
    'MUST report %s like an insert in a change set',
    async (_name, entity, status, message) => {
      await serve()
      const response = await insert(entity)
      expect([response.status, response.text]).toEqual([status, expect.stringContaining(message)])
      expect(await count()).toBe(1)
    },
  )

  it('MUST ask the client to retry after a lost connection only if nothing can have been stored', async () => {
    const lost = Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST' })
    change = (statement, result) => {
      if (statement.includes('insert into')) throw lost
      return result
    }
    await serve()
    const { status, headers, text } = await insert({ ID: 2 })
    expect([status, headers['retry-after'], await count()]).toEqual(
      hasReturning ? [503, undefined, 2] : [503, '5', 1],
    )
    expect(text.includes('The outcome is unknown.')).toBe(hasReturning)
  })
})
