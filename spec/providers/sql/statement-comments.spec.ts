import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import { openDatabase, sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../../support/http-exchange.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const model = defineModel({
  namespace: 'Comments',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Query: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' }, Running: { entityType: 'Note' } } },
})
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('The comments of statements', () => {
  const postgres = PostgresServer.shared()
  let server: TestServer
  beforeAll(async () => {
    const db = await postgres.open()
    // Both show the statement that reads or inserts them.
    await sql`create table "Notes" ("ID" int primary key, "Query" text default current_query())`.execute(db)
    await sql`create view "Running" as select 1 as "ID", current_query() as "Query"`.execute(db)
    const service = (statementComments: boolean) =>
      odataV2(model, sqlProvider(model, db, { statementComments }), { requestIds: true })
    server = await TestServer.start(express().use('/on', service(true)).use('/off', service(false)))
  })
  afterAll(async () => {
    await server.stop()
    await postgres.stop()
  })

  it.each(['Running?$format=json', 'Running(1)?$format=json'])(
    'MUST have the ids of a read: %s',
    async (path) => {
      const headers = { 'x-request-id': 'r/1', 'x-correlation-id': 'c~1', traceparent }
      const { text } = await server.send(`/on/${path}`, { headers })
      const comment = `/*correlation_id='c~1',request_id='r%2F1',traceparent='${traceparent}'*/`
      expect(text).toContain(`${comment}"`)
      expect((await server.send(`/off/${path}`, { headers })).text).not.toContain('/*')
    },
  )

  it('MUST have the ids of a change, alone and in a change set', async () => {
    const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const insert = (ID: number): string => JSON.stringify({ ID })
    await server.send('/on/Notes', {
      method: 'POST',
      headers: { ...json, 'x-request-id': 'alone' },
      body: insert(1),
    })
    const part = (ID: number): string =>
      `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n` +
      `POST Notes HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${insert(ID).length}\r\n\r\n${insert(ID)}\r\n`
    const { text } = await server.send('/on/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b', 'x-request-id': 'batch' },
      body: `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${part(2)}${part(3)}--c--\r\n--b--\r\n`,
    })
    expect(text.match(/201 Created/g)).toHaveLength(2)
    const { text: stored } = await server.send('/off/Notes?$format=json&$select=Query')
    const { results } = (JSON.parse(stored) as { d: { results: { Query: string }[] } }).d
    expect(results.map(({ Query }) => /\/\*.*\*\//.exec(Query)?.[0])).toEqual([
      "/*request_id='alone'*/",
      "/*request_id='batch'*/",
      "/*request_id='batch'*/",
    ])
  })

  it('MUST be refused on SQLite, and together with prepared statements', async () => {
    const db = new Kysely<never>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    expect(() => sqlProvider(model, db, { statementComments: true })).toThrow(
      "'statementComments' is not supported on sqlite.",
    )
    await expect(
      openDatabase('postgres://localhost/x', { statementComments: true, prepareStatements: true }),
    ).rejects.toThrow("'prepareStatements' has no effect with 'statementComments'.")
  })
})
