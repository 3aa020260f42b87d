/** The shop as a service of this package: by its SQL provider, by rows of an ordinary provider, or from memory. */
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { salesMapping, shopModel } from '../shop/model.mjs'
import { orderCount, orderRow } from '../shop/orders.mjs'
import { openPostgres } from '../shop/postgres.mjs'
import { rowsProvider } from '../shop/rows-provider.mjs'
import { categories, product, providerRow } from '../shop/rows.mjs'
import { openSqlite } from '../shop/sqlite.mjs'
import { serveService } from './hosts.mjs'
import { library, settings } from './serve.mjs'

const odata = await library()
const model = shopModel(odata, settings)
const { database, postgres, mysql, count } = settings

/** With the options that the guides show, unless a variant is about another one. */
const sqlProvider = (dialect, options) =>
  odata.sqlProvider(model, new Kysely({ dialect }), {
    ...options,
    ...(settings.hasSales && { mapping: salesMapping }),
    ...settings.providerOptions,
  })

function sqliteProvider() {
  // Older revisions, for comparison, have the older name.
  const sqlite = (odata.cacheStatements ?? odata.keepStatements)(openSqlite(database))
  return sqlProvider(new SqliteDialect({ database: sqlite }), { sqlite })
}

const providers = {
  sql: sqliteProvider,
  async postgres() {
    const { pool, cursor } = await openPostgres(postgres)
    return sqlProvider(new PostgresDialect({ pool: odata.prepareStatements(pool), cursor }))
  },
  async mysql() {
    const { createPool } = await import('mysql2')
    return sqlProvider(new MysqlDialect({ pool: createPool({ uri: mysql, connectionLimit: 10 }) }))
  },
  rows: () => rowsProvider(database, odata),
  memory: () =>
    odata.memoryProvider(model, {
      Categories: categories(count),
      Products: Array.from({ length: count }, (_, index) => providerRow(product(index + 1))),
      ...(settings.hasOrders && {
        Orders: Array.from({ length: orderCount }, (_, index) => orderRow(index + 1)),
      }),
    }),
}

const rights = {
  allow: () => undefined,
  filter: () => 'ID gt 0',
  template: () => odata.filter`ID gt ${0}`,
  hidden: () => ({ hidden: ['Price'] }),
  async: async () => undefined,
}

const provider = await providers[settings.provider]()
await provider.ready?.()
// Older revisions, which are compared with, have no page cache.
const { pageCache, ...others } = settings.options ?? {}
const authorize = rights[settings.rights]
const options = authorize === undefined ? others : { ...others, authorize }
serveService(
  odata,
  '/shop',
  model,
  provider,
  pageCache === undefined || provider.dataVersion === undefined ? options : { ...options, pageCache },
)
