import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { batchBody, responsesIn, statusesOf, written } from '../../support/batch-exchange.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { until } from '../../support/until.js'

const model = defineModel({
  namespace: 'Counting',
  entityTypes: {
    Counter: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Value: edm.Int32({ nullable: false }),
        Version: edm.Int64({ nullable: false, concurrencyMode: 'Fixed' }),
      },
    },
    Worker: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }) },
    },
    Badge: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), WorkerID: edm.Int32({ nullable: false }) },
    },
  },
  associations: {
    WorkerBadge: {
      ends: { Worker: { type: 'Worker', multiplicity: '1' }, Badge: { type: 'Badge', multiplicity: '0..1' } },
      referentialConstraint: {
        principal: { role: 'Worker', properties: ['ID'] },
        dependent: { role: 'Badge', properties: ['WorkerID'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Counters: { entityType: 'Counter' },
      Workers: { entityType: 'Worker' },
      Badges: { entityType: 'Badge' },
    },
    associationSets: {
      WorkerBadge: { association: 'WorkerBadge', ends: { Worker: 'Workers', Badge: 'Badges' } },
    },
  },
})

const tables = [
  'create table "Counters" ("ID" integer primary key, "Value" integer not null, "Version" bigint not null)',
  'create table "Workers" ("ID" integer primary key)',
  'create table "Badges" ("ID" integer primary key, "WorkerID" integer not null)',
  'insert into "Counters" values (1, 0, 1), (2, 0, 1)',
  'insert into "Workers" values (1), (2)',
]

const merge = (path: string, Value: number): string =>
  written(`MERGE ${path}`, JSON.stringify({ Value }), { 'If-Match': '*' })

async function changeSet(service: SqlServer, ...requests: string[]): Promise<unknown> {
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
  const response = await service.server.send('/s/$batch', {
    method: 'POST',
    headers,
    body: batchBody(requests),
  })
  return statusesOf(responsesIn({ headers: response.headers, text: response.text } as never))
}

describeDatabases(({ kind, open, server }) => {
  describe('Changes at the same time', () => {
    let db: AnyDatabase
    let service: SqlServer

    beforeAll(async () => {
      db = await open(tables)
      service = await SqlServer.start(model, db)
    })

    afterAll(() => service.stop())

    it('MUST lose none of 500 increments with ETags', async () => {
      let conflicts = 0
      const increment = async (): Promise<void> => {
        for (;;) {
          const { json, etag } = await service.send('GET', 'Counters(1)')
          const change = { Value: Number(json.Value) + 1 }
          const { status } = await service.send('MERGE', 'Counters(1)', change, { 'If-Match': String(etag) })
          if (status === 204) return
          expect(status).toBe(412)
          conflicts++
        }
      }
      const clients = Array.from({ length: 10 }, async () => {
        for (let time = 0; time < 50; time++) await increment()
      })
      await Promise.all(clients)
      console.log('%s: 500 increments by 10 clients, %d responses with 412', kind, conflicts)
      expect((await service.send('GET', 'Counters(1)')).json).toMatchObject({ Value: 500, Version: '501' })
    })

    it('MUST give an entity that can have one dependent no second one', async () => {
      for (const WorkerID of [1, 2]) {
        const added = await Promise.all(
          Array.from({ length: 5 }, () => service.send('POST', 'Badges', { WorkerID })),
        )
        expect(added.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
      }
      const [first] = (await service.send('GET', 'Badges?$orderby=WorkerID')).json.results as Record<
        string,
        unknown
      >[]
      const move = await service.refusal('MERGE', `Badges(${String(first?.ID)})`, { WorkerID: 2 })
      expect(move).toEqual([409, "Property 'WorkerID': another entity of 'Badges' already has this value."])
      const same = await service.send('MERGE', `Badges(${String(first?.ID)})`, { WorkerID: 1 })
      expect(same.status).toBe(204)
    })
  })

  if (kind === 'postgres') {
    describe('Changes of others in between', () => {
      /** Polls until some number of sessions wait for locks. */
      const waiting = (db: AnyDatabase, sessions = 1): Promise<void> =>
        until(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
          return rows.length === sessions
        })

      it('MUST be waited for, and retried after a deadlock', async () => {
        const name = await server().newDatabase()
        const [db, other] = [server().connect(name), server().connect(name, { max: 1 })]
        for (const statement of tables) await sql.raw(statement).execute(db)
        await sql`insert into "Counters" values (3, 0, 1)`.execute(db)
        const service = await SqlServer.start(model, db)
        // The session that has waited for this long looks for a deadlock, once, and is the one to fail.
        await sql`set deadlock_timeout = '1h'`.execute(other)
        const transaction = await other.startTransaction().execute()
        await sql`update "Counters" set "Value" = 10 where "ID" = 1`.execute(transaction)
        const third = await db.startTransaction().execute()
        await sql`update "Counters" set "Value" = 10 where "ID" = 3`.execute(third)
        const response = changeSet(service, ...[2, 3, 1].map((ID) => merge(`Counters(${ID})`, 5)))
        await waiting(db)
        const update = sql`update "Counters" set "Value" = 10 where "ID" = 2`.execute(transaction)
        await waiting(db, 2)
        // Now the service comes to wait for the other one, which waits for the service.
        await third.rollback().execute()
        await update
        await transaction.commit().execute()
        expect(await response).toEqual([[204, 204, 204]])
        const { rows } = await sql`select "Value" from "Counters"`.execute(db)
        expect(rows).toEqual([{ Value: 5 }, { Value: 5 }, { Value: 5 }])
        await service.stop()
      })

      it('MUST be seen by the retry after a serialization failure', async () => {
        const name = await server().newDatabase()
        const admin = server().connect(name)
        for (const statement of tables) await sql.raw(statement).execute(admin)
        await sql
          .raw(`alter database ${name} set default_transaction_isolation = 'serializable'`)
          .execute(admin)
        const [db, other] = [server().connect(name), server().connect(name)]
        const service = await SqlServer.start(model, db)
        const transaction = await other.startTransaction().execute()
        await sql`update "Counters" set "Value" = "Value" + 1, "Version" = 7 where "ID" = 1`.execute(
          transaction,
        )
        const response = service.send('MERGE', 'Counters(1)', { Value: 3 }, { 'If-Match': '*' })
        await waiting(db)
        await transaction.commit().execute()
        expect((await response).status).toBe(204)
        expect((await service.send('GET', 'Counters(1)')).json).toMatchObject({ Value: 3, Version: '8' })
        await service.stop()
      })

      it('MUST get 503 when they do not end', async () => {
        const name = await server().newDatabase()
        const [db, other] = [server().connect(name), server().connect(name)]
        for (const statement of tables) await sql.raw(statement).execute(db)
        await sql.raw(`alter database ${name} set lock_timeout = 50`).execute(db)
        const service = await SqlServer.start(model, server().connect(name))
        const transaction = await other.startTransaction().execute()
        await sql`update "Counters" set "Value" = 9 where "ID" = 1`.execute(transaction)
        const { status } = await service.send('MERGE', 'Counters(1)', { Value: 3 }, { 'If-Match': '*' })
        await transaction.rollback().execute()
        expect(status).toBe(503)
        expect((await service.send('GET', 'Counters(1)')).json).toMatchObject({ Value: 0, Version: '1' })
        await service.stop()
      })
    })
  } else {
    it('MUST get 503 while another process writes, and succeed afterwards', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'sqlite-'))
      const file = join(directory, 'a.sqlite')
      const [own, other] = [new SQLite(file, { timeout: 0 }), new SQLite(file)]
      for (const statement of tables) own.exec(statement)
      own.pragma('journal_mode = wal')
      const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: own }) })
      const service = await SqlServer.start(model, db)
      other.exec('begin immediate')
      const change = (): ReturnType<SqlServer['send']> =>
        service.send('MERGE', 'Counters(1)', { Value: 3 }, { 'If-Match': '*' })
      expect((await change()).status).toBe(503)
      expect((await service.send('GET', 'Counters(1)')).json).toMatchObject({ Value: 0 })
      other.exec('commit')
      expect((await change()).status).toBe(204)
      await service.stop()
      await db.destroy()
      other.close()
      rmSync(directory, { recursive: true })
    })
  }
})
