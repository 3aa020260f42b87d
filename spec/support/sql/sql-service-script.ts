import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import SQLite from 'better-sqlite3'
import express from 'express'
import type { Dialect } from 'kysely'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { groupModel } from './group-model.js'
import { openPool } from './open-pool.js'

/**
 * A process that is a service on a database, to be killed. It prints its port. With `dies-after-commit`, it kills itself
 * between its first commit and the response.
 */
const [kind = '', address = '', mode = ''] = process.argv.slice(2)
const dialects: Readonly<Record<string, () => Dialect>> = {
  sqlite: () => new SqliteDialect({ database: new SQLite(address) }),
  postgres: () => new PostgresDialect({ pool: openPool({ connectionString: address }) }),
  mysql: () => new MysqlDialect({ pool: createPool({ uri: address }) }),
}
const open = dialects[kind]
if (open === undefined) throw new Error(`There is no database '${kind}'.`)
const db = new Kysely<never>({ dialect: open() })
const onError = (error: Error): void => {
  console.error(error)
}
const inner = sqlProvider(groupModel, db)
const beginChangeSet: Provider['beginChangeSet'] = async (call, willQueue) => {
  const changeSet = await inner.beginChangeSet?.(call, willQueue)
  if (changeSet === undefined) throw new Error('The provider has no change sets.')
  const commit = changeSet.commit.bind(changeSet)
  return Object.assign(changeSet, {
    async commit() {
      await commit()
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
    },
  })
}
const provider = mode === 'dies-after-commit' ? { ...inner, beginChangeSet } : inner
const repeatableRequests = { caller: (): string => '' }
const app = express().use('/s', odataV2(groupModel, provider, { onError, repeatableRequests }))
const server = createServer(app).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
