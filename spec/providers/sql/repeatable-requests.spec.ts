import express from 'express'
import type { AnyKysely } from '../../../lib/providers/sql/dialect-of.js'
import { odataV2 } from '../../../lib/index.js'
import { keepRequests, sqlProvider } from '../../../lib/sql.js'
import { describeRepeatableRequests, repeatable } from '../../contracts/repeat-contract.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { repeatModel } from '../../support/repeat-model.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { repeatableProvider } from '../../support/sql/repeat-tables.js'

describeRepeatableRequests('sqlProvider on SQLite', () => repeatableProvider(openSqlite(false).db, 'sqlite'))

describe('The records of repeatable requests in SQLite', () => {
  const { db, database } = openSqlite(false)
  const errors: Error[] = []
  let server: TestServer

  beforeAll(async () => {
    const { provider } = await repeatableProvider(db, 'sqlite')
    const options = {
      repeatableRequests: { caller: () => '' },
      onError: (error: Error) => errors.push(error),
    }
    const start = (): ReturnType<typeof odataV2> => odataV2(repeatModel, provider, options)
    server = await TestServer.start(express().use('/s', start()).use('/restarted', start()))
  })
  afterAll(async () => {
    await server.stop()
    database.close()
  })

  const post = (id: string, service = 's'): Promise<HttpResponse> =>
    server.send(`/${service}/Orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...repeatable(id) },
      body: '{}',
    })
  const count = (): unknown => database.prepare('select count(*) from odata_requests').pluck().get()

  it('MUST be removed after they have expired', async () => {
    await post('a')
    await post('b')
    expect(count()).toBe(2)
    database.exec('update odata_requests set expires = 1')
    for (let index = 0; index < 98; index++) await post(`more ${String(index)}`)
    expect(count()).toBe(100)
    // After a hundred requests, and after the first one of a process.
    await post('last')
    expect(count()).toBe(99)
    database.exec('update odata_requests set expires = 1')
    await post('c', 'restarted')
    expect(count()).toBe(1)
  })

  it('MUST not contain ids or names of callers', async () => {
    await post('secret id')
    const rows = database.prepare('select id, expires from odata_requests').all() as { id: string }[]
    for (const { id } of rows) expect(id).toMatch(/^[\w-]{43}$/)
  })

  it('MUST have a table: else the reason is reported', async () => {
    database.exec('drop table odata_requests')
    expect((await post('a')).status).toBe(500)
    expect(String(errors.at(-1)?.cause)).toContain('Call keepRequests(db) in a migration.')
    await keepRequests(db)
    expect((await post('a')).status).toBe(201)
  })
})

describe('keepRequests', () => {
  it('MUST only return the statements with `print`', async () => {
    const { db, database } = openSqlite(false)
    const statements = await keepRequests(db, { print: true })
    expect(statements[0]).toContain('create table if not exists odata_requests')
    expect(database.prepare('select count(*) from sqlite_master').pluck().get()).toBe(0)
    database.exec(statements.join(';'))
    database.close()
  })

  it('MUST reject other options', async () => {
    const { db, database } = openSqlite(false)
    const error = { message: "keepRequests: there is no option 'prints'. Did you mean 'print'?" }
    await expect(keepRequests(db, { prints: true } as never)).rejects.toMatchObject(error)
    await expect(keepRequests({} as unknown as AnyKysely)).rejects.toBeInstanceOf(TypeError)
    expect(sqlProvider(repeatModel, db, { functions: { Confirm: () => '' } }).requestRecords).toBeDefined()
    database.close()
  })
})
