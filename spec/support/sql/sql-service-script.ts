import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { groupModel } from './group-model.js'
import { openPool } from './open-pool.js'

/** A process that is a service on a database, to be killed. It prints its port. */
const [kind = '', address = ''] = process.argv.slice(2)
const dialect =
  kind === 'sqlite'
    ? new SqliteDialect({ database: new SQLite(address) })
    : new PostgresDialect({ pool: openPool({ connectionString: address }) })
const db = new Kysely<never>({ dialect })
const onError = (error: Error): void => {
  console.error(error)
}
const app = express().use('/s', odataV2(groupModel, sqlProvider(groupModel, db), { onError }))
const server = createServer(app).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
