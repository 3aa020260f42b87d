/** A service on a database with a table of products, in a process of its own: `sql-server.mjs kind address cursors`. */
import express from 'express'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { defineModel, edm, odataV2 } from 'express-odata-v2'
import { sqlProvider } from 'express-odata-v2/sql'

const [kind, address, cursors] = process.argv.slice(2)

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ nullable: false }),
        Price: edm.Decimal({ nullable: false, precision: 10, scale: 2 }),
        Rating: edm.Int16({ nullable: false }),
        Released: edm.DateTime(),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

async function dialect() {
  if (kind === 'sqlite') {
    const { default: SQLite } = await import('better-sqlite3')
    return new SqliteDialect({ database: new SQLite(address) })
  }
  const { default: pg } = await import('pg')
  const { default: cursor } = await import('pg-cursor')
  return new PostgresDialect({ pool: new pg.Pool({ connectionString: address }), cursor })
}

const db = new Kysely({ dialect: await dialect() })
const provider = sqlProvider(model, db, cursors === undefined ? {} : { cursors: Number(cursors) })
await provider.ready()
const app = express()
app.use('/pages', odataV2(model, provider, { pageSize: 100 }))
app.use('/whole', odataV2(model, provider, { pageSize: 0 }))
const server = app.listen(0, () => process.send({ port: server.address().port }))
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 20)
process.on('message', () => {
  process.send({
    megabytes: Math.round(peak / 2 ** 20),
    now: Math.round(process.memoryUsage().rss / 2 ** 20),
  })
  peak = 0
})
