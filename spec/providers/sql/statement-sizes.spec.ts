import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { odataV2 } from '../../../lib/odata-v2.js'
import { TestServer } from '../../support/http-exchange.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeDatabase } from '../../support/sql/alike-services.js'
import { loggedDatabase, statementLog } from '../../support/sql/logged-database.js'
import type { AnyDatabase, DatabaseKind } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const nothing = { Categories: [], Products: [], Manuals: [], successions: [] }

/** A filter of so many parts, each of which has the one before within it or beside it. */
type Growing = (parts: number) => string

const nested =
  (start: string, inner: string, end: string): Growing =>
  (parts) =>
    start.repeat(parts) + inner + end.repeat(parts)

const filters: readonly (readonly [what: string, filter: Growing])[] = [
  ['and', nested('', 'ID eq 1', ' and ID eq 1')],
  ['or of and', nested('(ID eq 1 and ', 'Active', ' or Active)')],
  ['eq of what is true or false', nested('(', 'Active', ' eq true)')],
  ['ne of what is true or false', nested('(', 'Active', ' ne false)')],
  ['eq with what is true or false on both sides', nested('((ID gt 1) eq ', 'Active', ')')],
  ['not', nested('not (', 'Active', ')')],
  ['not of eq', nested('not (', 'Active', ' eq (ID gt 1))')],
  ['and within eq', nested('((', 'Active', ' and Active) eq Active)')],
  ['add', (parts) => `Rating${' add 1'.repeat(parts)} gt 1`],
  ['mod', (parts) => `ID${' mod 7'.repeat(parts)} gt 1`],
  ['div', (parts) => `ID${' div 2'.repeat(parts)} gt 1`],
  ['minus', (parts) => `${'-('.repeat(parts)}Rating${')'.repeat(parts)} gt 1`],
  ['numbers of other types', (parts) => `Small${' add Rating sub Tiny'.repeat(parts)} gt 1`],
  ['concat', (parts) => `${nested('concat(Name,', 'Name', ')')(parts)} eq 'a'`],
  ['trim', (parts) => `${nested('trim(', 'Name', ')')(parts)} eq 'a'`],
  ['replace', (parts) => `${nested('replace(', 'Name', ",'b','a')")(parts)} eq 'a'`],
  ['startswith', (parts) => `startswith(Name,${nested('trim(', 'Name', ')')(parts)})`],
  [
    'endswith',
    (parts) => `endswith(${nested('trim(', 'Name', ')')(parts)},${nested('trim(', 'Name', ')')(parts)})`,
  ],
  ['indexof', (parts) => `indexof(${nested('trim(', 'Name', ')')(parts)},'a') gt 1`],
  ['length', (parts) => `length(${nested('concat(Name,', 'Name', ')')(parts)}) gt 1`],
  ['eq of startswith', (parts) => `${'('.repeat(parts)}Active${" eq startswith(Name,'a'))".repeat(parts)}`],
]

describe.each<DatabaseKind>(['sqlite', 'postgres'])('Statements for %s', (kind) => {
  let databases: PostgresServer | undefined
  let server: TestServer
  let statements: () => string[]
  let db: AnyDatabase

  beforeAll(async () => {
    if (kind === 'postgres') {
      databases = await PostgresServer.start()
      const logged = loggedDatabase(databases.addressOf(await databases.newDatabase()))
      statements = logged.statements
      db = logged.db
    } else {
      const log = statementLog()
      statements = log.statements
      db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }), log: log.note })
    }
    const provider = await alikeDatabase(db, kind, nothing)
    server = await TestServer.start(express().use('/s', odataV2(alikeModel(), provider)))
  })

  afterAll(async () => {
    await server.stop()
    await db.destroy()
    await databases?.stop()
  })

  async function sizeFor(filter: string): Promise<number> {
    statements()
    const { status, text } = await server.ask(`/s/Products?$filter=${encodeURIComponent(filter)}`)
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    return statements().join('').length
  }

  it.each(filters)('MUST grow no more than the filter does: %s', async (_what, filter) => {
    const [four, eight, sixteen] = [
      await sizeFor(filter(4)),
      await sizeFor(filter(8)),
      await sizeFor(filter(16)),
    ]
    expect(four).toBeGreaterThan(0)
    // Twice as many parts may add twice as much, and no more.
    expect(sixteen - eight).toBeLessThanOrEqual(2.5 * Math.max(eight - four, 20))
  })

  it.each(filters)('MUST not be too much for the database at the limits: %s', async (_what, filter) => {
    for (const parts of [90, 160, 240, 480]) {
      const { status, text } = await server.ask(`/s/Products?$filter=${encodeURIComponent(filter(parts))}`)
      expect([parts, status < 500 ? '' : text]).toEqual([parts, ''])
    }
  })
})
