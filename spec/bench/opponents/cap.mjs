/** The shop as a service of CAP, in OData V2 by its adapter, on SQLite. */
import { join } from 'node:path'
import process from 'node:process'
import cds from '@sap/cds'
import adapter from '@cap-js-community/odata-v2-adapter'
import express from 'express'
import { openSqlite } from '../shop/sqlite.mjs'
import { serve, settings } from '../servers/serve.mjs'

process.chdir(settings.folder)
cds.root = settings.folder
cds.env.requires.db = {
  kind: 'sqlite',
  impl: '@cap-js/sqlite',
  credentials: { url: `${settings.database}.cap` },
}
cds.env.query.limit = { max: 10_000, default: 1000 }
cds.env.requires.auth = { kind: 'mocked-auth' }

// Printing every request would only make it slower.
cds.env.log.levels = { odata: 'warn', cov2ap: 'warn', 'cov2ap/hpm': 'warn', cds: 'warn' }

const model = await cds.load(join(import.meta.dirname, 'shop.cds'))
cds.model = cds.compile.for.nodejs(model)
cds.db = await cds.connect.to('db')
await cds.deploy(model).to(cds.db)
const shop = openSqlite(settings.database)
const all = (table) => shop.prepare(`select * from "${table}"`).all()
const { Categories, Products } = cds.entities('Shop')
await INSERT.into(Categories).entries(all('Categories'))
await INSERT.into(Products).entries(
  all('Products').map((row) => ({
    ...row,
    Active: row.Active === 1,
    Released: row.Released && `${row.Released}Z`,
  })),
)
shop.close()

const app = express()
cds.app = app
app.use(adapter())
await cds.serve('all').in(app)
await cds.emit('served', cds.services)
const server = serve(app)
// The adapter forwards what it has translated to the service of OData V4 at this address.
server.on('listening', () =>
  cds.emit('listening', { server, url: `http://127.0.0.1:${server.address().port}` }),
)
