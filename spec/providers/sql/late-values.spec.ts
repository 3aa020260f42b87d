import express from 'express'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { odataV2 } from '../../../lib/odata-v2.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

/** A service of a table whose columns have no types: introspection derives them from the stored values. */
async function start(
  invalidValues: 'error' | 'null',
  isDirect: boolean,
): Promise<{
  readonly store: (value: string) => void
  readonly get: (target: string) => Promise<readonly [status: number, text: string]>
  readonly log: readonly string[]
  readonly stop: () => Promise<void>
}> {
  const file = new SQLite(':memory:')
  file.exec('create table "Readings" ("ID" integer primary key, "Value")')
  file.exec('insert into "Readings" values (1, 5), (2, 6), (3, null)')
  const sqlite = cacheStatements(file)
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const model = await introspect(db)
  const log: string[] = []
  const options: SqlProviderOptions = { invalidValues, onNotice: (notice) => log.push(notice) }
  const provider = sqlProvider(model, db, isDirect ? { ...options, sqlite } : options)
  const onError = ({ cause }: { readonly cause?: unknown }): void => void log.push(String(cause))
  const server = await TestServer.start(express().use(odataV2(model, provider, { onError })))
  return {
    log,
    store: (value) => file.exec(`update "Readings" set "Value" = ${value} where "ID" = 2`),
    get: async (target) => {
      const { status, text } = await server.send(target, { headers: { Accept: 'application/json' } })
      return [status, text]
    },
    stop: async () => {
      await server.stop()
      await db.destroy()
    },
  }
}

/** Returns the values of a feed in the order of their keys. */
function valuesIn(text: string): readonly unknown[] {
  const { d } = JSON.parse(text) as { d: { results: readonly { readonly Value: unknown }[] } }
  return d.results.map(({ Value }) => Value)
}

describe.each([true, false])(
  'A value of another type that SQLite stores after the start (direct: %s)',
  (isDirect) => {
    it.each(["'many'", '2.5', "x'00'"])(
      'MUST be status 500 for the rows that show it, with its place and a remedy in the log only: %s',
      async (value) => {
        const { get, log, stop, store } = await start('error', isDirect)
        expect(valuesIn((await get('/Readings'))[1])).toEqual(['5', '6', null])
        store(value)
        for (const target of [
          '/Readings',
          '/Readings(2)',
          '/Readings(2)/Value',
          '/Readings?$orderby=Value',
        ]) {
          const [status, text] = await get(target)
          expect([target, status]).toEqual([target, 500])
          expect(text).toContain('"The service failed to process the request."')
          expect(log.at(-1)).toMatch(
            /^TypeError: Readings\(2L\), property 'Value': .*not Edm\.Int64.*invalidValues: 'null' of sqlProvider \(--invalid-as-null\)/,
          )
        }
        for (const target of ['/Readings(1)', '/Readings?$select=ID', '/Readings/$count', '/Readings?$top=1'])
          expect([target, (await get(target))[0]]).toEqual([target, 200])
        store('7')
        expect(valuesIn((await get('/Readings'))[1])).toEqual(['5', '7', null])
        await stop()
      },
    )

    it.each(["'many'", '2.5', "x'00'"])("MUST be one null with invalidValues 'null': %s", async (value) => {
      const { get, log, stop, store } = await start('null', isDirect)
      expect(valuesIn((await get('/Readings'))[1])).toEqual(['5', '6', null])
      store(value)
      expect(valuesIn((await get('/Readings'))[1])).toEqual(['5', null, null])
      expect(await get('/Readings/$count?$filter=Value eq null'.replaceAll(' ', '%20'))).toEqual([200, '2'])
      expect(log).toEqual(["Readings(2L): the value of 'Value' is invalid and served as null."])
      await stop()
    })
  },
)
