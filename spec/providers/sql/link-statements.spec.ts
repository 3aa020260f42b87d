import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { Authorize } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { OwnLoggedDatabase } from '../../support/sql/logged-database.js'
import { openLogged } from '../../support/sql/logged-database.js'

const ID = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'L',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: { ID, Owner: edm.String() },
      navigationProperties: {
        Items: { relationship: 'OrderItems', fromRole: 'Order', toRole: 'Item' },
        Tags: { relationship: 'OrderTags', fromRole: 'Order', toRole: 'Tag' },
      },
    },
    Item: {
      key: ['ID'],
      properties: { ID, OrderID: edm.Int32() },
      navigationProperties: { Order: { relationship: 'OrderItems', fromRole: 'Item', toRole: 'Order' } },
    },
    Tag: { key: ['ID'], properties: { ID } },
  },
  associations: {
    OrderItems: {
      ends: { Order: { type: 'Order', multiplicity: '0..1' }, Item: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['OrderID'] },
      },
    },
    OrderTags: {
      ends: { Order: { type: 'Order', multiplicity: '*' }, Tag: { type: 'Tag', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: {
      Orders: { entityType: 'Order' },
      Items: { entityType: 'Item' },
      Tags: { entityType: 'Tag' },
    },
    associationSets: {
      OrderItems: { association: 'OrderItems', ends: { Order: 'Orders', Item: 'Items' } },
      OrderTags: { association: 'OrderTags', ends: { Order: 'Orders', Tag: 'Tags' } },
    },
  },
})

const tables = [
  'create table "Orders" ("ID" integer primary key, "Owner" varchar(20))',
  'create table "Items" ("ID" integer primary key, "OrderID" integer)',
  'create table "Tags" ("ID" integer primary key)',
  'create table "OrderTags" ("Order_ID" integer, "Tag_ID" integer, primary key ("Order_ID", "Tag_ID"))',
  `insert into "Orders" values (1, 'me'), (2, 'you'), (3, 'secret')`,
  'insert into "Items" values (9, 1)',
  'insert into "Tags" values (1)',
]

/** Orders of others cannot be linked, secret ones can be linked but not read. */
const authorize: Authorize<unknown> = ({ entitySet, kind }) => {
  if (entitySet !== 'Orders') return undefined
  return kind === 'read' ? "Owner ne 'secret'" : "Owner ne 'you'"
}

describe.each(['sqlite', 'postgres'] as const)('Links of a service with authorize on %s', (kind) => {
  let database: OwnLoggedDatabase
  let server: TestServer

  beforeAll(async () => {
    database = await openLogged(kind)
    for (const one of tables) await sql.raw(one).execute(database.db)
    const provider = sqlProvider(model, database.db)
    await provider.ready()
    server = await TestServer.start(express().use('/l', odataV2(model, provider, { authorize })))
  })

  afterAll(async () => {
    await server.stop()
    await database.close()
  })

  const link = (id: number): object => ({ Order: { __metadata: { uri: `Orders(${id})` } } })

  it.each([
    ['POST', 'Orders(1)/Items', { ID: 1 }, 201],
    ['POST', 'Orders(2)/Items', { ID: 2 }, 404],
    ['POST', 'Orders(3)/Items', { ID: 2 }, 404],
    ['POST', 'Orders(4)/Items', { ID: 2 }, 404],
    ['POST', 'Items', { ID: 3, ...link(1) }, 201],
    ['POST', 'Items', { ID: 4, ...link(2) }, 400],
    ['POST', 'Items', { ID: 4, ...link(3) }, 400],
    ['POST', 'Orders(1)/$links/Tags', { uri: 'Tags(1)' }, 204],
    ['POST', 'Orders(1)/Tags', { ID: 5 }, 201],
  ])('MUST read and lock the linked entity once: %s %s %j', async (method, path, body, expected) => {
    database.statements()
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await server.send(`/l/${path}`, { method, headers, body: JSON.stringify(body) })
    const reads = database.statements().filter((one) => /^select .* from "Orders" as t0/.test(one))
    expect([status, reads.length]).toEqual([expected, 1])
  })
})
