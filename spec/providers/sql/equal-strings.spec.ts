import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/index.js'
import { sqlProvider, trackChanges } from '../../../lib/sql.js'
import { feedOf } from '../../support/delta-client.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const postgres = PostgresServer.shared()
const types = { citext: 'citext', collated: 'text collate caseless', interval: 'interval' }
/** Strings that a type treats as equal, the stored one first. */
const equals = {
  citext: ['Ab', 'AB'],
  collated: ['Ab', 'AB'],
  interval: ['1 day', '24:00:00'],
} as const

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Item: {
      key: ['Code'],
      properties: {
        Code: edm.String({ nullable: false }),
        Version: edm.String({ concurrencyMode: 'Fixed' }),
        Note: edm.String(),
      },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

let db: AnyDatabase
let server: SqlServer

beforeAll(async () => {
  db = await postgres.open()
  await sql`create extension citext`.execute(db)
  await sql`create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`.execute(
    db,
  )
})

afterAll(() => postgres.stop())

describe.each(Object.keys(types) as (keyof typeof types)[])(
  'Strings that PostgreSQL treats as equal: %s',
  (name) => {
    const [stored, other] = equals[name]
    const at = (key: string): string => `Items('${encodeURIComponent(key)}')`
    const mapping = { entitySets: { Items: { table: `${name}_items` } } }

    beforeAll(async () => {
      await sql
        .raw(
          `create table ${name}_items (code ${types[name]} primary key, version ${types[name]}, note text)`,
        )
        .execute(db)
      await trackChanges(model, db, { mapping })
      const provider = sqlProvider(model, db, { mapping, changeTracking: true })
      await provider.ready()
      server = await SqlServer.startProvider(model, provider)
    })

    beforeEach(async () => {
      await sql.raw(`delete from ${name}_items`).execute(db)
      await sql.raw(`insert into ${name}_items values ('${stored}', '${stored}')`).execute(db)
    })

    afterAll(() => server.stop())

    // The URI of an entity identifies one entity: equal keys are identical strings, as with every other provider.
    it('MUST be different keys', async () => {
      const any = { 'If-Match': '*' }
      expect((await server.send('GET', at(stored))).status).toBe(200)
      expect((await server.send('GET', at(other))).status).toBe(404)
      expect((await server.send('MERGE', at(other), { Note: 'a' }, any)).status).toBe(404)
      expect((await server.send('DELETE', at(other), undefined, any)).status).toBe(404)
      expect((await server.send('DELETE', at(stored), undefined, any)).status).toBe(204)
    })

    // An ETag identifies one version: a change to an equal string is a change.
    it('MUST be different versions', async () => {
      const { etag = '' } = await server.send('GET', at(stored))
      await sql.raw(`update ${name}_items set version = '${other}'`).execute(db)
      const { status } = await server.send('MERGE', at(stored), { Note: 'a' }, { 'If-Match': etag })
      expect(status).toBe(412)
    })

    it('MUST be different values of a filter', async () => {
      const count = async (value: string): Promise<string> =>
        (await server.send('GET', `Items/$count?$filter=${encodeURIComponent(`Version eq '${value}'`)}`)).text
      expect([await count(stored), await count(other)]).toEqual(['1', '0'])
    })

    // A client that follows deltas has the entity under its present key, and not under the one before.
    it('MUST be two entities in a delta when another program changes the key', async () => {
      const { __delta: delta = '' } = feedOf(await server.send('GET', 'Items'))
      await sql.raw(`update ${name}_items set code = '${other}'`).execute(db)
      const path = delta.slice(delta.indexOf('/s/') + 3)
      const { results } = feedOf(await server.send('GET', path))
      expect(
        results.map(({ Code, id }) => Code ?? decodeURIComponent(String(id)).replace(/.*Items/, 'deleted')),
      ).toEqual(expect.arrayContaining([other, `deleted('${stored}')`]))
    })
  },
)
