/** The shop as mock data of the mock server of SAP Fiori tools. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import MockServer from '@sap-ux/fe-mockserver-core'
import express from 'express'
import { shopModel } from '../shop/model.mjs'
import { openSqlite } from '../shop/sqlite.mjs'
import { library, serve, settings } from '../servers/serve.mjs'

const odata = await library()
const folder = `${settings.database}.mock`
mkdirSync(folder)
const metadataPath = join(folder, 'metadata.xml')
writeFileSync(metadataPath, odata.writeEdmx(shopModel(odata)))
const shop = openSqlite(settings.database)
const data = (table, valuesOf) =>
  writeFileSync(
    join(folder, `${table}.json`),
    JSON.stringify(shop.prepare(`select * from "${table}"`).all().map(valuesOf)),
  )
data('Categories', (row) => row)
data('Products', (row) => ({
  ...row,
  Price: String(row.Price),
  Stock: String(row.Stock),
  Weight: row.Weight === null ? null : String(row.Weight),
  Active: row.Active === 1,
  Released: row.Released && `/Date(${Date.parse(`${row.Released}Z`)})/`,
}))

const Server = MockServer.default ?? MockServer
const mock = new Server({
  services: [{ urlPath: '/shop', metadataPath, mockdataPath: folder, watch: false, noETag: true }],
})
await mock.isReady
serve(express().use(mock.getRouter()))
