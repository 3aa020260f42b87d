import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
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

describe('A repeated request that SQLite does not let wait for the first one', () => {
  it('MUST get 503 with Retry-After, and be executed once after the first one has failed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'repeat-'))
    const { db, database } = openSqlite(false, join(directory, 'orders.sqlite'))
    const { provider } = await repeatableProvider(db, 'sqlite')
    database.pragma('busy_timeout = 0')
    const service = odataV2(repeatModel, provider, { repeatableRequests: { caller: () => '' } })
    const server = await TestServer.start(express().use('/s', service))
    const post = (): Promise<HttpResponse> =>
      server.send('/s/Orders', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...repeatable('a') },
        body: '{}',
      })
    // The first request, in another process.
    const first = new SQLite(join(directory, 'orders.sqlite'))
    try {
      first.exec('begin immediate')
      const { headers, status } = await post()
      expect([status, headers['retry-after']]).toEqual([503, '1'])
      first.exec('rollback')
      expect([(await post()).status, (await post()).status]).toEqual([201, 201])
      expect(database.prepare('select count(*) from "Orders"').pluck().get()).toBe(1)
    } finally {
      first.close()
      await server.stop()
      database.close()
      rmSync(directory, { recursive: true })
    }
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
