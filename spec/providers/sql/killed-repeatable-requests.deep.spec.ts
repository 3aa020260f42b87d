import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { keepRequests } from '../../../lib/sql.js'
import { repeatable } from '../../contracts/repeat-contract.js'
import { batchBody, written } from '../../support/batch-exchange.js'
import { sendBytes } from '../../support/killed-writer.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { bundleSqlService, removeSqlService, startService } from '../../support/sql/killed-services.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

beforeAll(bundleSqlService)
afterAll(removeSqlService)

describe('A change that is repeated after its service was killed between commit and response', () => {
  const postgres = PostgresServer.shared()
  const directory = mkdtempSync(join(tmpdir(), 'killed-repeatable-'))
  let db: AnyDatabase | undefined
  afterEach(() => db?.destroy())
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await postgres.stop()
  })

  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const single = { path: '/s/Items', headers: json, body: '{"Group":1,"Text":"a"}' }
  const changeSet = {
    path: '/s/$batch',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    body: batchBody(
      ['x', 'y'].map((id) => written('POST Items', single.body, { ...json, ...repeatable(id) })),
    ),
  }

  it.each([
    ['sqlite', single, 1],
    ['sqlite', changeSet, 2],
    ['postgres', single, 1],
    ['postgres', changeSet, 2],
  ] as const)('MUST be made once on %s', async (kind, { path, headers, body }, expected) => {
    const name = kind === 'postgres' ? await postgres.newDatabase() : `${String(expected)}.sqlite`
    const address = kind === 'postgres' ? postgres.addressOf(name) : join(directory, name)
    const opened = kind === 'postgres' ? postgres.connect(name) : openSqlite(false, address).db
    db = opened as unknown as AnyDatabase
    const key = kind === 'postgres' ? 'serial primary key' : 'integer primary key'
    await sql.raw(`create table "Items" ("ID" ${key}, "Group" integer not null, "Text" text)`).execute(db)
    await keepRequests(opened)
    const all = { ...headers, ...repeatable('the change') }
    const dying = await startService(kind, address, 'dies-after-commit')
    expect(await sendBytes(dying.port, 'POST', path, Buffer.from(body), all)).toBeUndefined()
    await dying.exited
    const rows = sql<{ n: unknown }>`select count(*) as "n" from "Items"`
    expect(Number((await rows.execute(db)).rows[0]?.n)).toBe(expected)
    const service = await startService(kind, address)
    const repeated = await sendBytes(service.port, 'POST', path, Buffer.from(body), all)
    await service.kill()
    expect(repeated?.text).toContain('"Text":"a"')
    expect(`${String(repeated?.status)} ${String(repeated?.text)}`).toMatch(/^201|HTTP\/1.1 201/)
    expect(Number((await rows.execute(db)).rows[0]?.n)).toBe(expected)
  })
})
