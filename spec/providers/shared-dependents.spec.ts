import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import type { Provider } from '../../lib/provider/provider.js'
import { TestServer } from '../support/http-exchange.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { writeDatabase } from '../support/sql/write-database.js'

const party = { ID: edm.Int32({ nullable: false }), Name: edm.String() }

const model = defineModel({
  namespace: 'Sales',
  entityTypes: {
    Customer: { key: ['ID'], properties: party },
    Order: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), CustomerID: edm.Int32() },
    },
  },
  associations: {
    CustomerOrders: {
      ends: {
        Customer: { type: 'Customer', multiplicity: '0..1' },
        Orders: { type: 'Order', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Customer', properties: ['ID'] },
        dependent: { role: 'Orders', properties: ['CustomerID'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Retailers: { entityType: 'Customer' },
      Wholesalers: { entityType: 'Customer' },
      Orders: { entityType: 'Order' },
    },
    associationSets: {
      RetailerOrders: { association: 'CustomerOrders', ends: { Customer: 'Retailers', Orders: 'Orders' } },
      WholesalerOrders: {
        association: 'CustomerOrders',
        ends: { Customer: 'Wholesalers', Orders: 'Orders' },
      },
    },
  },
})

const rows = {
  Retailers: [{ ID: 1, Name: 'Ada' }],
  Wholesalers: [{ ID: 2, Name: 'Ben' }],
  Orders: [{ ID: 1, CustomerID: 1 }],
}

const postgres = PostgresServer.shared()
afterAll(() => postgres.stop())

const providers: Readonly<Record<string, () => unknown>> = {
  memoryProvider: () => memoryProvider(model, rows),
  SQLite: () => {
    const dialect = new SqliteDialect({ database: new SQLite(':memory:') })
    return writeDatabase(new Kysely({ dialect }), 'sqlite', model, rows)
  },
  PostgreSQL: async () => writeDatabase(await postgres.open(), 'postgres', model, rows),
}

describe.each(Object.entries(providers))(
  'An entity set that several association sets share, in %s,',
  (_name, open) => {
    let server: TestServer

    beforeAll(async () => {
      server = await TestServer.start(
        express().use('/s', odataV2(model, (await open()) as Provider<typeof model>)),
      )
    })

    afterAll(() => server.stop())

    const send = async (method: string, target: string, body: object): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      const { status } = await server.send(`/s/${target}`, { method, headers, body: JSON.stringify(body) })
      return status
    }

    it('MUST take entities whose principal is in one of the sets', async () => {
      expect(await send('POST', 'Orders', { ID: 2, CustomerID: 1 })).toBe(201)
      expect(await send('POST', 'Orders', { ID: 3, CustomerID: 2 })).toBe(201)
      expect(await send('MERGE', 'Orders(2)', { CustomerID: 2 })).toBe(204)
    })

    it('MUST refuse entities whose principal is in none of the sets', async () => {
      expect(await send('POST', 'Orders', { ID: 4, CustomerID: 3 })).toBe(409)
      expect(await send('MERGE', 'Orders(1)', { CustomerID: 3 })).toBe(409)
    })
  },
)
