import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../http-exchange.js'
import { oneByOne } from './change-set-services.js'
import type { DatabaseKind } from './column-types.js'
import { quoted } from './column-types.js'
import type { AnyDatabase } from './model-tables.js'

const guid = '12345678-90ab-cdef-1234-567890abcdef'

/** Types of versions, each with a stored value and ETags. Several name the same value in other forms. */
const types = [
  {
    type: edm.Int64({ nullable: false, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'bigint', postgres: 'bigint', mysql: 'bigint' },
    stored: '9007199254740993',
    tags: [
      '9007199254740993L',
      '9007199254740992L',
      '09007199254740993L',
      '9007199254740993',
      "'x'",
      '1L,2L',
    ],
  },
  {
    type: edm.DateTime({ nullable: false, precision: 6, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'datetime', postgres: 'timestamp(6)', mysql: 'datetime(6)' },
    stored: "'2026-01-02 03:04:05.123456'",
    tags: [
      "datetime'2026-01-02T03:04:05.123456'",
      "datetime'2026-01-02T03:04:05.1234560'",
      "datetime'2026-01-02T03:04:05.1234561'",
      "datetime'2026-01-02T03:04:05.123'",
      'null',
    ],
  },
  {
    type: edm.DateTimeOffset({ nullable: false, precision: 3, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'text', postgres: 'timestamptz', mysql: 'datetime(3)' },
    stored: "'2026-01-02 03:04:05.500'",
    tags: [
      "datetimeoffset'2026-01-02T03:04:05.5Z'",
      "datetimeoffset'2026-01-02T05:04:05.5+02:00'",
      "datetimeoffset'2026-01-02T05:04:05.5%2B02:00'",
      "datetimeoffset'2026-01-02T03:04:05.50Z'",
    ],
  },
  {
    type: edm.Guid({ nullable: false, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'text', postgres: 'uuid', mysql: 'char(36)' },
    stored: `'${guid}'`,
    tags: [`guid'${guid}'`, `guid'${guid.toUpperCase()}'`],
  },
  {
    type: edm.Binary({ nullable: false, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'blob', postgres: 'bytea', mysql: 'varbinary(8)' },
    stored: "x'00ff'",
    tags: ["X'00FF'", "X'00ff'", "binary'00FF'"],
  },
  {
    type: edm.String({ nullable: false, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'text', postgres: 'text', mysql: 'varchar(20)' },
    stored: "'a b'",
    tags: ["'a%20b'", "'A%20B'", "'a b'"],
  },
  {
    type: edm.Decimal({ precision: 9, scale: 2, nullable: false, concurrencyMode: 'Fixed' }),
    columns: { sqlite: 'decimal(9, 2)', postgres: 'numeric(9, 2)', mysql: 'decimal(9, 2)' },
    stored: '1.50',
    tags: ['1.50M', '1.5M', '1.5m', '1.50'],
  },
] as const

/** @param open opens an empty database. It is closed by `db.destroy()` */
export function describeVersionTags(
  kind: DatabaseKind,
  open: () => Promise<{ readonly db: AnyDatabase } & SqlProviderOptions>,
): void {
  describe.each(types.map((one) => [one.type.type, one] as const))(
    `ETags of %s on ${kind}`,
    (_name, { type, columns, stored, tags }) => {
      const model = defineModel({
        namespace: 'V',
        entityTypes: {
          Item: {
            key: ['ID'],
            properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), Tag: type },
          },
        },
        entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
      })
      const [items, id, name, tag] = ['Items', 'ID', 'Name', 'Tag'].map((one) => sql.raw(quoted(one, kind)))
      let db: AnyDatabase
      let server: TestServer

      beforeAll(async () => {
        const opened = await open()
        ;({ db } = opened)
        const { sqlite } = opened
        const column = sql.raw(columns[kind])
        await sql`create table ${items} (${id} integer primary key, ${name} varchar(20), ${tag} ${column} not null)`.execute(
          db,
        )
        const provider = sqlProvider(model, db, { sqlite })
        await provider.ready()
        server = await TestServer.start(
          express()
            .use('/new', odataV2(model, provider))
            .use('/old', odataV2(model, oneByOne(provider) as typeof provider)),
        )
      })
      afterAll(async () => {
        await server.stop()
        await db.destroy()
      })

      const statusOf = async (service: string, method: string, match: string): Promise<unknown> => {
        const value = kind === 'postgres' ? stored.replace("x'", "'\\x") : stored
        await sql`delete from ${items}`.execute(db)
        await sql`insert into ${items} values (1, 'x', ${sql.raw(value)})`.execute(db)
        const headers = { 'Content-Type': 'application/json', 'If-Match': match }
        const body = method === 'DELETE' ? {} : { body: '{"Name":"y"}' }
        const response = await server.send(`/${service}/Items(1)`, { method, headers, ...body })
        return [match, response.status, response.text]
      }

      const forms = tags.flatMap((one) => [`W/"${one}"`, `"${one}"`, `W/"${one}", "x"`])

      it.each(['MERGE', 'PUT', 'DELETE'])(
        'MUST be accepted by %s as if the entity were read',
        async (method) => {
          await statusOf('new', method, '""')
          const { headers } = await server.send('/new/Items(1)')
          const { etag = '' } = headers
          expect(await statusOf('new', method, etag)).toEqual([etag, 204, ''])
          for (const match of [...forms, '*', '', 'W/""'])
            expect(await statusOf('new', method, match)).toEqual(await statusOf('old', method, match))
        },
      )
    },
  )
}
