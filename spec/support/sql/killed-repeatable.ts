import { sql } from 'kysely'
import { keepRequests } from '../../../lib/sql.js'
import { repeatable } from '../../contracts/repeat-contract.js'
import { batchBody, written } from '../batch-exchange.js'
import { sendBytes } from '../killed-writer.js'
import { bundleSqlService, removeSqlService, startService } from './killed-services.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const single = { path: '/s/Items', headers: json, body: '{"Group":1,"Text":"a"}', changes: 1 }
const changeSet = {
  path: '/s/$batch',
  headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  body: batchBody(['x', 'y'].map((id) => written('POST Items', single.body, { ...json, ...repeatable(id) }))),
  changes: 2,
}

const keys = {
  sqlite: 'integer primary key',
  postgres: 'serial primary key',
  mysql: 'integer primary key auto_increment',
}

interface KilledDatabase {
  readonly address: string
  readonly db: AnyDatabase
}

/** States the rule for a database. @param open opens a new, empty database */
export function describeKilledRequests(kind: DatabaseKind, open: () => Promise<KilledDatabase>): void {
  describe(`A change on ${kind} that is repeated after its service was killed between commit and response`, () => {
    let db: AnyDatabase | undefined
    beforeAll(bundleSqlService)
    afterEach(() => db?.destroy())
    afterAll(removeSqlService)

    it.each([
      ['a request', single],
      ['a change set', changeSet],
    ])('MUST be made once: %s', async (_name, { path, headers, body, changes }) => {
      const opened = await open()
      db = opened.db
      const { id, ref } = { id: sql.ref('ID'), ref: sql.table('Items') }
      await sql`create table ${ref} (${id} ${sql.raw(keys[kind])}, ${sql.ref('Group')} integer not null, ${sql.ref('Text')} text)`.execute(
        db,
      )
      await keepRequests(db)
      const all = { ...headers, ...repeatable('the change') }
      const count = async (): Promise<number> => {
        const { rows } = await sql<{ n: unknown }>`select count(*) as n from ${ref}`.execute(opened.db)
        return Number(rows[0]?.n)
      }
      const dying = await startService(kind, opened.address, 'dies-after-commit')
      expect(await sendBytes(dying.port, 'POST', path, Buffer.from(body), all)).toBeUndefined()
      await dying.exited
      expect(await count()).toBe(changes)
      const service = await startService(kind, opened.address)
      const repeated = await sendBytes(service.port, 'POST', path, Buffer.from(body), all)
      await service.kill()
      expect(repeated?.text).toContain('"Text":"a"')
      expect(`${String(repeated?.status)} ${String(repeated?.text)}`).toMatch(/^201|HTTP\/1.1 201/)
      expect(await count()).toBe(changes)
    })
  })
}
