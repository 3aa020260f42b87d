import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { HttpResponse, TestServer } from '../http-exchange.js'
import type { DatabaseKind } from './column-types.js'
import { quoted } from './column-types.js'

/** Orders with items. Each change increments their version. */
export const orderModel = defineModel({
  namespace: 'Abandoned',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Value: edm.Int32({ nullable: false }),
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
      },
      navigationProperties: { Items: { relationship: 'OrderItems', fromRole: 'Order', toRole: 'Item' } },
    },
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        OrderID: edm.Int32({ nullable: false }),
        Name: edm.String(),
      },
    },
  },
  associations: {
    OrderItems: {
      ends: { Order: { type: 'Order', multiplicity: '1' }, Item: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['OrderID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Orders: { entityType: 'Order' }, Items: { entityType: 'Item' } },
    associationSets: {
      OrderItems: { association: 'OrderItems', ends: { Order: 'Orders', Item: 'Items' } },
    },
  },
})

/** Two orders without items. */
export function orderTables(kind: DatabaseKind): readonly string[] {
  const q = (name: string): string => quoted(name, kind)
  return [
    `create table ${q('Orders')} (${q('ID')} integer primary key, ${q('Value')} integer not null, ${q('Version')} integer not null)`,
    `create table ${q('Items')} (${q('ID')} integer primary key, ${q('OrderID')} integer not null, ${q('Name')} varchar(100))`,
    `insert into ${q('Orders')} values (1, 0, 1), (2, 0, 1)`,
  ]
}

/**
 * Sends a request to a service of the model at `/s`; changes are made whatever version there is.
 *
 * @param json absent: no body
 */
export function askForOrders(
  server: TestServer,
  method: string,
  path: string,
  json?: unknown,
): Promise<HttpResponse> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  return server.send(`/s/${path}`, {
    method,
    headers: method === 'MERGE' ? { ...headers, 'If-Match': '*' } : headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
}
