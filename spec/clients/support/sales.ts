import SQLite from 'better-sqlite3'
import type { Router } from 'express'
import type { Provider } from 'express-odata-v2'
import { memoryProvider, odataV2 } from 'express-odata-v2'
import { sqlProvider } from 'express-odata-v2/sql'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { saleRows, salesModel, salesOptions } from '../../support/services/sales-service.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

/** An analytical set of a store. */
export interface Sales {
  readonly service: Router
  readonly close: () => Promise<void>
}

const regions = [{ Name: 'DE' }, { Name: 'FR' }]

async function inDatabase(db: AnyDatabase, close: () => Promise<void>): Promise<Sales> {
  await sql
    .raw(
      `create table "Sales" ("Country" text, "Customer" text, "Currency" text, "Amount" decimal(15,2),
        "Best" decimal(15,2), "Quantity" integer, "Weight" double precision)`,
    )
    .execute(db)
  await sql.raw(`create table "Regions" ("Name" text primary key)`).execute(db)
  await db.insertInto('Sales').values(saleRows).execute()
  await db.insertInto('Regions').values(regions).execute()
  const provider = sqlProvider(salesModel, db)
  await provider.ready()
  return serviceOf(provider, close)
}

function serviceOf(provider: Provider, close: () => Promise<void>): Sales {
  return { service: odataV2(salesModel, provider, { ...salesOptions, exports: true }), close }
}

/** The stores of the sales; all specs apply to each. */
export const salesStores: readonly (readonly [name: string, open: () => Promise<Sales>])[] = [
  [
    'memory',
    async () =>
      serviceOf(memoryProvider(salesModel, { Sales: saleRows, Regions: regions }), async () => undefined),
  ],
  [
    'SQLite',
    async () => {
      const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
      return inDatabase(db, () => db.destroy())
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const server = PostgresServer.shared()
      return inDatabase(await server.open(), () => server.stop())
    },
  ],
]
