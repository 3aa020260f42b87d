import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { batchBody, get, postBatch, responsesIn } from '../batch-exchange.js'
import { TestServer } from '../http-exchange.js'
import { change } from './change-set-model.js'
import { statuses } from './change-set-services.js'
import type { DatabaseKind } from './column-types.js'
import { quoted } from './column-types.js'
import type { OwnLoggedDatabase } from './logged-database.js'

const ID = edm.Int32({ nullable: false })
const Name = edm.String({ maxLength: 20 })

/** Entities without version, with a number and with a time as version. */
const model = defineModel({
  namespace: 'S',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID, Name } },
    Item: {
      key: ['ID'],
      properties: {
        ID,
        Name,
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
        // Restrictions of clients read nothing, unless the client sends the property.
        Author: edm.String({ sap: { updatable: false } }),
      },
    },
    Order: {
      key: ['ID'],
      properties: {
        ID,
        Name,
        ChangedAt: edm.DateTime({ nullable: false, precision: 3, concurrencyMode: 'Fixed' }),
      },
    },
  },
  entityContainer: {
    entitySets: {
      Notes: { entityType: 'Note' },
      Items: { entityType: 'Item' },
      Orders: { entityType: 'Order' },
    },
  },
})

function tables(kind: DatabaseKind): readonly string[] {
  const q = (name: string): string => quoted(name, kind)
  const time = kind === 'postgres' ? 'timestamp(3)' : kind === 'mysql' ? 'datetime(3)' : 'datetime'
  const columns = `${q('ID')} integer primary key, ${q('Name')} varchar(20)`
  const ids = Array.from({ length: 9 }, (_, index) => index + 1)
  return [
    `create table ${q('Notes')} (${columns})`,
    `create table ${q('Items')} (${columns}, ${q('Version')} integer not null, ${q('Author')} varchar(20))`,
    `create table ${q('Orders')} (${columns}, ${q('ChangedAt')} ${time} not null)`,
    ...ids.flatMap((id) => [
      `insert into ${q('Notes')} values (${id}, 'x')`,
      `insert into ${q('Items')} values (${id}, 'x', 1, null)`,
      `insert into ${q('Orders')} values (${id}, 'x', '2026-01-02 03:04:05.678')`,
    ]),
  ]
}

const version = { 'If-Match': 'W/"1"' }
const time = { 'If-Match': `W/"datetime'2026-01-02T03:04:05.678'"` }
const any = { 'If-Match': '*' }
const body = { Name: `Größe "L"\n'M'` }

/** Cached pages need statements of their own. */
const options = { pageCache: { maxBytes: 0 } }

/** Requests of a batch in which clients change data, change sets as arrays, and the statuses of their responses. */
const workloads = {
  'MERGE without ETag': [[change('MERGE', 'Notes(1)', body)], [204]],
  'MERGE with the ETag of a number': [[change('MERGE', 'Items(1)', body, version)], [204]],
  'MERGE with the ETag of a time': [[change('MERGE', 'Orders(1)', body, time)], [204]],
  'MERGE with If-Match: *': [[change('MERGE', 'Items(2)', body, any)], [204]],
  'PUT with ETag': [[change('PUT', 'Orders(3)', body, time)], [204]],
  'MERGE with a property that cannot change': [
    [change('MERGE', 'Items(3)', { ...body, Author: null }, version)],
    [204],
  ],
  'DELETE with the ETag of a number': [[change('DELETE', 'Items(4)', undefined, version)], [204]],
  'DELETE with the ETag of a time': [[change('DELETE', 'Orders(4)', undefined, time)], [204]],
  'change set of MERGE, and GET': [
    [[change('MERGE', 'Items(5)', body, version)], get('Items(5)')],
    [[204], 200],
  ],
  'change set of MERGE with the ETag of a time, and GET': [
    [[change('MERGE', 'Orders(5)', body, time)], get('Orders(5)')],
    [[204], 200],
  ],
  'change set of POST, and GET': [
    [[change('POST', 'Notes', { ID: 20, ...body })], get('Notes(20)')],
    [[201], 200],
  ],
  'change set of DELETE, and GET': [
    [[change('DELETE', 'Items(6)', undefined, version)], get('Items?$top=3')],
    [[204], 200],
  ],
  'change set of three MERGE': [
    [[7, 8, 9].map((id) => change('MERGE', `Items(${id})`, body, version))],
    [[204, 204, 204]],
  ],
  'MERGE of an outdated version': [[change('MERGE', 'Items(1)', body, { 'If-Match': 'W/"7"' })], [412]],
  'MERGE of an absent entity': [[change('MERGE', 'Items(99)', body, version)], [404]],
} as const satisfies Readonly<Record<string, readonly [Batch, readonly (number | readonly number[])[]]>>

type Batch = readonly (string | readonly string[])[]

/** The number of statements of each workload. Statements that are sent together count as one. */
export type StatementCounts = Readonly<Record<keyof typeof workloads, number>>

export function describeChangeStatements(
  kind: DatabaseKind,
  open: () => Promise<OwnLoggedDatabase & SqlProviderOptions>,
  expected: StatementCounts,
): void {
  describe(`Statements of changes on ${kind}`, () => {
    let database: Awaited<ReturnType<typeof open>>
    let server: TestServer

    beforeAll(async () => {
      database = await open()
      const { db, sqlite } = database
      for (const one of tables(kind)) await sql.raw(one).execute(db)
      const provider = sqlProvider(model, db, { sqlite })
      await provider.ready()
      server = await TestServer.start(express().use('/s', odataV2(model, provider, options)))
      await postBatch(server.port, batchBody([change('MERGE', 'Notes(9)', {})]), {}, '/s/$batch')
    })
    afterAll(async () => {
      await server.stop()
      await database.close()
    })

    const named = Object.entries(workloads) as [keyof StatementCounts, readonly [Batch, unknown]][]
    const cases = named.map(([name, workload]) => [expected[name], name, ...workload] as const)

    it.each(cases)('MUST need %i statements for %s', async (count, _name, requests, expectedStatuses) => {
      database.statements()
      const text = Buffer.from(batchBody(...requests)).toString('latin1')
      const responses = responsesIn(await postBatch(server.port, text, {}, '/s/$batch'))
      const statements = database.statements()
      expect(statuses(responses)).toEqual(expectedStatuses)
      expect([statements.length, statements]).toEqual([count, statements])
    })
  })
}
