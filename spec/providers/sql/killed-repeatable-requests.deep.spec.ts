import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { describeKilledRequests } from '../../support/sql/killed-repeatable.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const postgres = PostgresServer.shared()
const directory = mkdtempSync(join(tmpdir(), 'killed-repeatable-'))
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await postgres.stop()
})

let files = 0
describeKilledRequests('sqlite', () => {
  const address = join(directory, `${String(++files)}.sqlite`)
  return Promise.resolve({ address, db: openSqlite(false, address).db as unknown as AnyDatabase })
})

describeKilledRequests('postgres', async () => {
  const name = await postgres.newDatabase()
  return { address: postgres.addressOf(name), db: postgres.connect(name) }
})
