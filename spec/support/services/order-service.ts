import express from 'express'
import type { EdmModel, ODataV2Options, Provider } from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import type { HttpResponse, Question } from '../http-exchange.js'
import { TestServer } from '../http-exchange.js'

const id = edm.Int32({ nullable: false })

/** Orders and what hangs on them: links of every kind, with foreign keys and without, to be changed over HTTP. */
export const orderModel = defineModel({
  namespace: 'SH',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: id,
        Customer: edm.String({ nullable: false, maxLength: 10 }),
        Status: edm.String({ nullable: false, defaultValue: 'new', unicode: false }),
        Total: edm.Decimal({ precision: 8, scale: 2 }),
        Priority: edm.Byte(),
        Seal: edm.Binary(),
        Address: { type: 'Address' },
        RegionID: edm.Int32(),
        Ver: edm.Int32({ concurrencyMode: 'Fixed' }),
      },
      navigationProperties: {
        Lines: { relationship: 'OrderLines', fromRole: 'Order', toRole: 'Lines' },
        Region: { relationship: 'RegionOrders', fromRole: 'Orders', toRole: 'Region' },
        Tags: { relationship: 'OrderTags', fromRole: 'Orders', toRole: 'Tags' },
        Invoice: { relationship: 'OrderInvoice', fromRole: 'Order', toRole: 'Invoice' },
      },
    },
    Line: {
      key: ['ID'],
      properties: { ID: id, Text: edm.String(), OrderID: id },
      navigationProperties: { Order: { relationship: 'OrderLines', fromRole: 'Lines', toRole: 'Order' } },
    },
    Region: {
      key: ['ID'],
      properties: { ID: id, Name: edm.String() },
      navigationProperties: {
        Orders: { relationship: 'RegionOrders', fromRole: 'Region', toRole: 'Orders' },
        Depots: { relationship: 'RegionDepots', fromRole: 'Region', toRole: 'Depots' },
      },
    },
    Depot: {
      key: ['ID'],
      properties: { ID: id, Name: edm.String(), RegionID: id },
      navigationProperties: {
        Region: { relationship: 'RegionDepots', fromRole: 'Depots', toRole: 'Region' },
      },
    },
    Tag: {
      key: ['Name'],
      properties: { Name: edm.String({ nullable: false, maxLength: 10 }), Note: edm.String() },
      navigationProperties: { Orders: { relationship: 'OrderTags', fromRole: 'Tags', toRole: 'Orders' } },
    },
    SpecialTag: { baseType: 'Tag', properties: { Level: edm.Int32() } },
    Invoice: {
      key: ['ID'],
      properties: {
        ID: edm.Guid({ nullable: false }),
        Amount: edm.Int32(),
        Serial: edm.Int32({ nullable: false, storeGeneratedPattern: 'Computed', defaultValue: '7' }),
        Stamp: edm.Binary({ concurrencyMode: 'Fixed' }),
      },
      navigationProperties: {
        Order: { relationship: 'OrderInvoice', fromRole: 'Invoice', toRole: 'Order' },
        Payments: { relationship: 'InvoicePayments', fromRole: 'Invoice', toRole: 'Payments' },
      },
    },
    Payment: {
      key: ['ID'],
      properties: { ID: id },
      navigationProperties: {
        Invoice: { relationship: 'InvoicePayments', fromRole: 'Payments', toRole: 'Invoice' },
      },
    },
    Part: {
      key: ['OwnerID', 'No'],
      properties: { OwnerID: id, No: id, Text: edm.String() },
      navigationProperties: { Owner: { relationship: 'OwnerParts', fromRole: 'Parts', toRole: 'Owner' } },
    },
    Owner: {
      key: ['ID'],
      properties: { ID: id },
      navigationProperties: { Parts: { relationship: 'OwnerParts', fromRole: 'Owner', toRole: 'Parts' } },
    },
  },
  complexTypes: {
    Address: {
      properties: {
        Street: edm.String({ maxLength: 20 }),
        Zip: edm.String(),
        Country: edm.String({ nullable: false, defaultValue: 'CH' }),
      },
    },
  },
  associations: {
    OrderLines: {
      ends: {
        Order: { type: 'Order', multiplicity: '1', onDelete: 'Cascade' },
        Lines: { type: 'Line', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Lines', properties: ['OrderID'] },
      },
    },
    RegionOrders: {
      ends: {
        Region: { type: 'Region', multiplicity: '0..1' },
        Orders: { type: 'Order', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Region', properties: ['ID'] },
        dependent: { role: 'Orders', properties: ['RegionID'] },
      },
    },
    RegionDepots: {
      ends: {
        Region: { type: 'Region', multiplicity: '1' },
        Depots: { type: 'Depot', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Region', properties: ['ID'] },
        dependent: { role: 'Depots', properties: ['RegionID'] },
      },
    },
    OwnerParts: {
      ends: { Owner: { type: 'Owner', multiplicity: '1' }, Parts: { type: 'Part', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Owner', properties: ['ID'] },
        dependent: { role: 'Parts', properties: ['OwnerID'] },
      },
    },
    OrderTags: {
      ends: { Orders: { type: 'Order', multiplicity: '*' }, Tags: { type: 'Tag', multiplicity: '*' } },
    },
    OrderInvoice: {
      ends: {
        Order: { type: 'Order', multiplicity: '0..1' },
        Invoice: { type: 'Invoice', multiplicity: '0..1' },
      },
    },
    InvoicePayments: {
      ends: {
        Invoice: { type: 'Invoice', multiplicity: '1' },
        Payments: { type: 'Payment', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    name: 'C',
    entitySets: {
      Orders: { entityType: 'Order' },
      Lines: { entityType: 'Line' },
      Regions: { entityType: 'Region' },
      Depots: { entityType: 'Depot' },
      Tags: { entityType: 'Tag' },
      Invoices: { entityType: 'Invoice' },
      Payments: { entityType: 'Payment' },
      Parts: { entityType: 'Part' },
      Owners: { entityType: 'Owner' },
    },
    associationSets: {
      OrderLines: { association: 'OrderLines', ends: { Order: 'Orders', Lines: 'Lines' } },
      RegionOrders: { association: 'RegionOrders', ends: { Region: 'Regions', Orders: 'Orders' } },
      RegionDepots: { association: 'RegionDepots', ends: { Region: 'Regions', Depots: 'Depots' } },
      OwnerParts: { association: 'OwnerParts', ends: { Owner: 'Owners', Parts: 'Parts' } },
      OrderTags: { association: 'OrderTags', ends: { Orders: 'Orders', Tags: 'Tags' } },
      OrderInvoice: { association: 'OrderInvoice', ends: { Order: 'Orders', Invoice: 'Invoices' } },
      InvoicePayments: {
        association: 'InvoicePayments',
        ends: { Invoice: 'Invoices', Payments: 'Payments' },
      },
    },
  },
})

export const invoiceOne = '00000000-0000-0000-0000-0000000000a1'

export function orderProvider(): Provider {
  return memoryProvider(orderModel, {
    Regions: [
      { ID: 1, Name: 'North' },
      { ID: 2, Name: 'South' },
    ],
    Depots: [{ ID: 1, Name: 'Main', RegionID: 1 }],
    Orders: [
      {
        ID: 1,
        Customer: 'Ann',
        Address: { Street: 'A 1', Zip: '8000', Country: 'CH' },
        RegionID: 1,
        Ver: 3,
        Tags: ['hot'],
      },
      { ID: 2, Customer: 'Bob', Total: '5.00', Ver: 1 },
    ],
    Lines: [
      { ID: 1, Text: 'one', OrderID: 1 },
      { ID: 2, Text: 'two', OrderID: 1 },
    ],
    Tags: [{ Name: 'hot' }, { Name: 'cold' }, { $type: 'SH.SpecialTag' as const, Name: 'rare', Level: 1 }],
    Invoices: [{ ID: invoiceOne, Amount: 5, Serial: 1, Stamp: Uint8Array.of(1), Order: 1 }],
    Payments: [{ ID: 1, Invoice: { ID: invoiceOne } }],
    Owners: [{ ID: 1 }, { ID: 2 }],
    Parts: [{ OwnerID: 1, No: 1, Text: 'a' }],
  })
}

/** A running service of orders, each with its own data. */
export class OrderServer {
  private constructor(readonly server: TestServer) {}

  static async start(options: ODataV2Options = {}, provider = orderProvider()): Promise<OrderServer> {
    const app = express()
    app.use('/n', odataV2(orderModel as EdmModel, provider, options))
    return new OrderServer(await TestServer.start(app))
  }

  get root(): string {
    return `http://${this.server.host}/n/`
  }

  /** Sends a change with a body in JSON, or in XML when it is text. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const isText = typeof body === 'string'
    const type = body === undefined ? {} : { 'Content-Type': isText ? 'application/xml' : 'application/json' }
    const question: Question = {
      method,
      headers: { Accept: 'application/json', ...type, ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    }
    return this.server.send(`/n/${path}`, question)
  }

  /** Returns the value of the JSON document at an address, without its wrapper; the status when it is an error. */
  async read(path: string): Promise<unknown> {
    const { status, text } = await this.send('GET', path)
    if (status !== 200) return status
    const { d } = JSON.parse(text) as { d: { results?: unknown } }
    return d.results ?? d
  }

  /** The values of one property of the entities at an address, in their order. */
  async list(path: string, name: string): Promise<unknown> {
    const rows = await this.read(path)
    return Array.isArray(rows) ? rows.map((row: Record<string, unknown>) => row[name]) : rows
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

/** The message of an error document in JSON. */
export function messageOf({ text }: HttpResponse): string {
  return (JSON.parse(text) as { error: { message: { value: string } } }).error.message.value
}
