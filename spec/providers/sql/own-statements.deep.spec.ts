import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { HookCall } from '../../../lib/provider/hooks.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { describeDatabases } from '../../support/sql/databases.js'

const model = defineModel({
  namespace: 'Own',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), At: edm.DateTime() },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

interface Tables {
  readonly log: { readonly text: string }
}

describeDatabases(({ kind, open, server: postgres }) => {
  const tables = [
    `create table "Items" ("ID" integer primary key, "Name" text, "At" ${kind === 'postgres' ? 'timestamptz' : 'text'})${kind === 'sqlite' ? ' without rowid' : ''}`,
    'create table log (text varchar(20) primary key)',
  ]
  const post = (server: TestServer, json: unknown): Promise<HttpResponse> =>
    server.send('/s/Items', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(json),
    })

  describe('A provider that has not been awaited', () => {
    it('MUST respond to a change that is its first request', async () => {
      const db = await open(tables)
      const server = await TestServer.start(express().use('/s', odataV2(model, sqlProvider(model, db))))
      const responses = await Promise.all(Array.from({ length: 4 }, () => post(server, { Name: 'x' })))
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      await server.stop()
    })
  })

  describe('Statements of the application within a change set', () => {
    const start = async (hook: (name: string) => Promise<void> | void, swallow: boolean) => {
      const db = await open(tables)
      const provider = sqlProvider(model, db)
      const afterInsert = async (
        { Name }: { readonly Name: string | null },
        call: HookCall,
      ): Promise<void> => {
        const connection = provider.connectionOf<Tables>(call)
        const work = connection
          .insertInto('log')
          .values({ text: String(Name) })
          .execute()
        await (swallow ? work.catch(() => undefined) : work)
        await hook(String(Name))
      }
      const options = { hooks: { Items: { afterInsert } }, onError: () => undefined }
      const server = await TestServer.start(express().use('/s', odataV2(model, provider, options as never)))
      const state = async (): Promise<unknown> => {
        const { rows: items } = await sql<{ Name: string }>`select "Name" from "Items" order by 1`.execute(db)
        const { rows: log } = await sql<{ text: string }>`select text from log order by 1`.execute(db)
        return [items.map(({ Name }) => Name), log.map(({ text }) => text)]
      }
      return { server, state, db, provider }
    }

    it('MUST happen with it or not at all', async () => {
      const refuse = (name: string): void => {
        if (name === 'bad') throw new Error('refused')
      }
      const { server, state } = await start(refuse, false)
      expect((await post(server, { Name: 'good' })).status).toBe(201)
      expect((await post(server, { Name: 'bad' })).status).toBe(500)
      expect(await state()).toEqual([['good'], ['good']])
      await server.stop()
    })

    it('MUST not be passed over when they have failed and ended the transaction', async () => {
      const { server, state } = await start(() => undefined, true)
      expect((await post(server, { Name: 'a' })).status).toBe(201)
      // The second row of the log has the key of the first.
      const { status } = await post(server, { Name: 'a' })
      expect([status, await state()]).toEqual(
        kind === 'postgres' ? [500, [['a'], ['a']]] : [201, [['a', 'a'], ['a']]],
      )
      await server.stop()
    })

    it('MUST run on the database outside of a change set', async () => {
      const { provider, db, server, state } = await start(() => undefined, false)
      await provider.connectionOf<Tables>({}).insertInto('log').values({ text: 'alone' }).execute()
      expect(await state()).toEqual([[], ['alone']])
      expect(db.isTransaction).toBe(false)
      await server.stop()
    })
  })

  it('A time without zone MUST be in UTC wherever the database thinks that it is', async () => {
    let db = await open(tables)
    if (kind === 'postgres') {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      const name = rows[0]?.name ?? ''
      await sql.raw(`alter database ${name} set timezone = 'Asia/Tokyo'`).execute(db)
      db = postgres().connect(name)
    }
    const server = await TestServer.start(express().use('/s', odataV2(model, sqlProvider(model, db))))
    const { text } = await post(server, { Name: 'x', At: '2020-01-01T00:00:00' })
    const { ID, At } = (JSON.parse(text) as { d: { ID: number; At: string } }).d
    expect(At).toBe('/Date(1577836800000)/')
    const raw = await server.send(`/s/Items(${ID})/At/$value`)
    expect(raw.text).toBe('2020-01-01T00:00:00')
    await server.stop()
  })
})
