import express from 'express'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { Authorize } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { Provider } from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import { describeDatabases } from '../../support/sql/databases.js'

const id = { ID: edm.Int32({ nullable: false }) }
const reference = { nullable: false }

function dependence(
  principal: string,
  dependent: string,
  multiplicity: '*' | '0..1',
  onDelete: { readonly onDelete?: 'Cascade' } = {},
) {
  return {
    ends: {
      [principal]: { type: principal, multiplicity: '1', ...onDelete },
      [dependent]: { type: dependent, multiplicity },
    },
    referentialConstraint: {
      principal: { role: principal, properties: ['ID'] },
      dependent: { role: dependent, properties: [`${principal}ID`] },
    },
  } as const
}

const model = defineModel({
  namespace: 'Hidden',
  entityTypes: {
    Customer: { key: ['ID'], properties: { ...id, Name: edm.String() } },
    Secret: { key: ['ID'], properties: { ...id, CustomerID: edm.Int32(reference) } },
    Order: { key: ['ID'], properties: { ...id, CustomerID: edm.Int32(reference) } },
    Invoice: { key: ['ID'], properties: { ...id, OrderID: edm.Int32(reference) } },
    Detail: { key: ['ID'], properties: { ...id, CustomerID: edm.Int32(reference) } },
  },
  associations: {
    CustomerSecrets: dependence('Customer', 'Secret', '*'),
    CustomerOrders: dependence('Customer', 'Order', '*', { onDelete: 'Cascade' }),
    OrderInvoices: dependence('Order', 'Invoice', '*'),
    CustomerDetail: dependence('Customer', 'Detail', '0..1', { onDelete: 'Cascade' }),
  },
  entityContainer: {
    entitySets: {
      Customers: { entityType: 'Customer' },
      Secrets: { entityType: 'Secret' },
      Orders: { entityType: 'Order' },
      Invoices: { entityType: 'Invoice' },
      Details: { entityType: 'Detail' },
    },
    associationSets: {
      CustomerSecrets: {
        association: 'CustomerSecrets',
        ends: { Customer: 'Customers', Secret: 'Secrets' },
      },
      CustomerOrders: { association: 'CustomerOrders', ends: { Customer: 'Customers', Order: 'Orders' } },
      OrderInvoices: { association: 'OrderInvoices', ends: { Order: 'Orders', Invoice: 'Invoices' } },
      CustomerDetail: { association: 'CustomerDetail', ends: { Customer: 'Customers', Detail: 'Details' } },
    },
  },
})

/** Customer 1 has a secret, customer 2 an order with an invoice, customer 3 a detail; 70,000 and above are hidden. */
const rows = {
  Customers: [1, 2, 3, 4].map((ID) => ({ ID, Name: 'a' })),
  Secrets: [{ ID: 71_001, CustomerID: 1 }],
  Orders: [{ ID: 72_002, CustomerID: 2 }],
  Invoices: [{ ID: 73_003, OrderID: 72_002 }],
  Details: [
    { ID: 74_004, CustomerID: 3 },
    { ID: 5, CustomerID: 4 },
  ],
}

const statements = [
  ...Object.entries({
    Customers: '"Name" text',
    Secrets: '"CustomerID" integer not null',
    Orders: '"CustomerID" integer not null',
    Invoices: '"OrderID" integer not null',
    Details: '"CustomerID" integer not null',
  }).map(([name, column]) => `create table "${name}" ("ID" integer primary key, ${column})`),
  ...Object.entries(rows).flatMap(([name, list]) =>
    list.map((row) => {
      const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value))
      return `insert into "${name}" values (${values.join(', ')})`
    }),
  ),
]

const authorize: Authorize = (operation) => ('entitySet' in operation ? 'ID lt 70000' : undefined)

const refused: readonly Readonly<{ line: string; json?: object }>[] = [
  { line: 'DELETE Customers(1)' },
  { line: 'DELETE Customers(2)' },
  { line: 'POST Details', json: { ID: 6, CustomerID: 3 } },
  { line: 'MERGE Details(5)', json: { CustomerID: 3 } },
]

function describeHiddenKeys(open: () => Promise<Provider<typeof model>>): void {
  it.each(refused)('MUST NOT name the key of a hidden row in the 409: $line', async ({ line, json }) => {
    const [method = '', path = ''] = line.split(' ')
    const service = odataV2(model, await open(), { authorize })
    const server = await TestServer.start(express().use('/s', service))
    const { status, text } = await server.send(`/s/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    await server.stop()
    expect([status, text]).toEqual([409, expect.not.stringMatching(/7\d00\d/)])
  })
}

describeDatabases(({ open }) => {
  describeHiddenKeys(async () => sqlProvider(model, await open(statements)))
})

describe('memory', () => {
  describeHiddenKeys(() => Promise.resolve(memoryProvider(model, rows)))
})
