import express from 'express'
import { sql } from 'kysely'
import { odataV2 } from '../../../lib/index.js'
import { describeRepeatableRequests, repeatable } from '../../contracts/repeat-contract.js'
import { TestServer } from '../../support/http-exchange.js'
import { repeatModel } from '../../support/repeat-model.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { repeatableProvider } from '../../support/sql/repeat-tables.js'

describe('On a server', () => {
  const postgres = PostgresServer.shared()
  afterAll(() => postgres.stop())

  describeRepeatableRequests('sqlProvider on PostgreSQL', async () => {
    const name = await postgres.newDatabase()
    return repeatableProvider(postgres.connect(name), 'postgres')
  })

  it('MUST report missing privileges on the records, which are no errors of clients', async () => {
    const db = postgres.connect(await postgres.newDatabase())
    const run = async (text: string): Promise<void> => void (await sql.raw(text).execute(db))
    const role = `repeating_${String(process.pid)}`
    const opened = await repeatableProvider(db, 'postgres', { session: () => ({ role }) })
    await run(`create role ${role}`)
    await run(`grant select, insert on "Orders" to ${role}`)
    const errors: string[] = []
    const onError = ({ cause }: Error): void => void errors.push(String(cause))
    const service = odataV2(repeatModel, opened.provider, {
      onError,
      repeatableRequests: { caller: () => '' },
    })
    const server = await TestServer.start(express().use('/s', service))
    const post = async (id: string): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', ...repeatable(id) }
      return (await server.send('/s/Orders', { method: 'POST', headers, body: '{}' })).status
    }
    const statuses = [await post('a')]
    await run(`grant select, insert, update on odata_requests to ${role}`)
    statuses.push(await post('a'), await post('a'))
    expect(statuses).toEqual([500, 201, 201])
    expect(errors).toEqual([expect.stringContaining('Grant select, insert, update and delete on it.')])
    await server.stop()
    await run(`drop owned by ${role}`)
    await run(`drop role ${role}`)
    await opened.close()
  })
})

describeRepeatableRequests('sqlProvider on SQLite that bypasses Kysely', () => {
  const { db, options } = openSqlite(true)
  return repeatableProvider(db, 'sqlite', options)
})
