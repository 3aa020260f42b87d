import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { Kysely, PostgresDialect } from 'kysely'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { orderModel } from './order-model.js'
import { openPool } from './open-pool.js'

/** A process that is a service of orders on a database of PostgreSQL, one of several. It prints its port. */
const [connectionString = ''] = process.argv.slice(2)
const db = new Kysely<never>({
  dialect: new PostgresDialect({ pool: openPool({ connectionString, max: 5 }) }),
})
const onError = (error: Error): void => {
  console.error(error)
}
const provider = sqlProvider(orderModel, db)
const app = express().use('/s', odataV2(orderModel, provider, { onError }))
const server = createServer(app).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
