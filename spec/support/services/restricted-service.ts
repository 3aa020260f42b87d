import express from 'express'
import type { EdmModel, ODataV2Options } from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2, readEdmx, writeEdmx } from '../../../lib/index.js'
import { sapNamespace } from '../../../lib/edm/annotations.js'
import type { AnnotatedDefinition, AssociationDefinition } from '../../../lib/edm/model-definition.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { HttpResponse } from '../http-exchange.js'
import { TestServer } from '../http-exchange.js'

/** Annotations of SAP by their names. */
export function sap(
  values: Readonly<Record<string, string>>,
): Required<Pick<AnnotatedDefinition, 'annotations'>> {
  const attributes = Object.entries(values).map(([name, value]) => ({
    namespace: sapNamespace,
    prefix: 'sap',
    name,
    value,
  }))
  return { annotations: { attributes } }
}

const id = edm.Int32({ nullable: false })
const fixed = { creatable: 'false', updatable: 'false' }

/** Everything that SAP's annotations can restrict, each somewhere. */
export const restrictedModel = defineModel({
  namespace: 'R',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: id,
        Customer: edm.String(),
        Number: edm.String(sap(fixed)),
        Status: edm.String({ nullable: false, defaultValue: 'new', ...sap(fixed) }),
        Ver: edm.Int32({ concurrencyMode: 'Fixed', ...sap({ updatable: 'false' }) }),
        Secret: edm.String(sap({ filterable: 'false', sortable: 'false' })),
        Single: edm.Int32(sap({ 'filter-restriction': 'single-value' })),
        Multi: edm.String(sap({ 'filter-restriction': 'multi-value' })),
        Range: edm.Int32(sap({ 'filter-restriction': 'interval' })),
        Control: { type: 'Control' },
        Address: { type: 'Address' },
        Home: { type: 'Address', ...sap({ ...fixed, filterable: 'false', sortable: 'false' }) },
        RegionID: edm.Int32(),
        Ready: edm.Boolean({ defaultValue: 'false' }),
        Level: edm.Int32({ defaultValue: '5', ...sap(fixed) }),
      },
      navigationProperties: {
        Lines: {
          relationship: 'OrderLines',
          fromRole: 'Order',
          toRole: 'Lines',
          ...sap({ 'creatable-path': 'Control/Open' }),
        },
        Logs: { relationship: 'OrderLogs', fromRole: 'Order', toRole: 'Logs' },
        Notes: {
          relationship: 'OrderNotes',
          fromRole: 'Order',
          toRole: 'Notes',
          ...sap({ creatable: 'false' }),
        },
        Region: { relationship: 'RegionOrders', fromRole: 'Orders', toRole: 'Region' },
        Bill: {
          relationship: 'OrderBill',
          fromRole: 'Order',
          toRole: 'Bill',
          ...sap({ filterable: 'false', 'creatable-path': 'Ready' }),
        },
      },
    },
    Line: { key: ['ID'], properties: { ID: id, Text: edm.String(), OrderID: edm.Int32() } },
    Note: { key: ['ID'], properties: { ID: id, Text: edm.String(), OrderID: edm.Int32() } },
    Log: { key: ['ID'], properties: { ID: id, Text: edm.String(), OrderID: edm.Int32() } },
    Bill: {
      key: ['ID'],
      properties: { ID: id, Amount: edm.Int32() },
      navigationProperties: { Order: { relationship: 'OrderBill', fromRole: 'Bill', toRole: 'Order' } },
    },
    Region: {
      key: ['ID'],
      properties: { ID: id, Name: edm.String(sap({ filterable: 'false' })), Code: edm.String() },
      navigationProperties: {
        Orders: { relationship: 'RegionOrders', fromRole: 'Region', toRole: 'Orders' },
        Rows: { relationship: 'RegionRows', fromRole: 'Region', toRole: 'Rows' },
      },
    },
    Row: { key: ['ID'], properties: { ID: id, Name: edm.String() } },
    Case: {
      key: ['ID'],
      properties: {
        ID: id,
        Client: edm.String(sap({ 'required-in-filter': 'true' })),
        Place: { type: 'Place' },
      },
    },
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: {
        ID: id,
        Title: edm.String({ nullable: false, defaultValue: 'none', ...sap(fixed) }),
        Editable: edm.Boolean(),
      },
    },
  },
  complexTypes: {
    Control: {
      properties: { Editable: edm.Boolean(), Removable: edm.Boolean(), Open: edm.Boolean() },
    },
    Address: {
      properties: {
        Street: edm.String(),
        Zip: edm.String(sap({ ...fixed, filterable: 'false', sortable: 'false' })),
        Country: edm.String({ nullable: false, defaultValue: 'CH' }),
      },
    },
    Place: { properties: { Zip: edm.String(sap({ 'required-in-filter': 'true' })), Town: edm.String() } },
  },
  associations: {
    ...children('OrderLines', 'Line', 'Lines'),
    ...children('OrderLogs', 'Log', 'Logs'),
    ...children('OrderNotes', 'Note', 'Notes'),
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
    RegionRows: {
      ends: {
        Region: { type: 'Region', multiplicity: '0..1' },
        Rows: { type: 'Row', multiplicity: '*' },
      },
    },
    OrderBill: {
      ends: { Order: { type: 'Order', multiplicity: '0..1' }, Bill: { type: 'Bill', multiplicity: '0..1' } },
    },
  },
  entityContainer: {
    name: 'C',
    entitySets: {
      Orders: {
        entityType: 'Order',
        ...sap({ 'updatable-path': 'Control/Editable', 'deletable-path': 'Control/Removable' }),
      },
      Lines: { entityType: 'Line' },
      Notes: { entityType: 'Note' },
      Logs: { entityType: 'Log', ...sap({ creatable: 'false', updatable: 'false', deletable: 'false' }) },
      Bills: { entityType: 'Bill' },
      Regions: { entityType: 'Region' },
      Unpageable: { entityType: 'Row', ...sap({ pageable: 'false' }) },
      Untopable: { entityType: 'Row', ...sap({ topable: 'false' }) },
      Uncountable: { entityType: 'Row', ...sap({ countable: 'false' }) },
      Unaddressable: { entityType: 'Row', ...sap({ addressable: 'false' }) },
      Unsearchable: { entityType: 'Row', ...sap({ searchable: 'false' }) },
      Filtered: { entityType: 'Row', ...sap({ 'requires-filter': 'true' }) },
      Free: { entityType: 'Row' },
      Inner: {
        entityType: 'Row',
        ...sap({ addressable: 'false', 'requires-filter': 'true', countable: 'false' }),
      },
      Cases: { entityType: 'Case' },
      Photos: { entityType: 'Photo', ...sap({ 'updatable-path': 'Editable' }) },
      OldPhotos: { entityType: 'Photo', ...sap({ creatable: 'false', updatable: 'false' }) },
    },
    associationSets: {
      OrderLines: { association: 'OrderLines', ends: { Order: 'Orders', Lines: 'Lines' } },
      OrderLogs: { association: 'OrderLogs', ends: { Order: 'Orders', Logs: 'Logs' } },
      OrderNotes: { association: 'OrderNotes', ends: { Order: 'Orders', Notes: 'Notes' } },
      RegionOrders: {
        association: 'RegionOrders',
        ends: { Region: 'Regions', Orders: 'Orders' },
        ...sap({ creatable: 'false', updatable: 'false', deletable: 'false' }),
      },
      RegionRows: { association: 'RegionRows', ends: { Region: 'Regions', Rows: 'Inner' } },
      OrderBill: { association: 'OrderBill', ends: { Order: 'Orders', Bill: 'Bills' } },
    },
    functionImports: {
      Everything: {
        returnType: 'Collection(Row)',
        entitySet: 'Unpageable',
        httpMethod: 'GET',
        parameters: { search: { type: 'Edm.String' } },
      },
      Record: { returnType: 'Log', entitySet: 'Logs', httpMethod: 'POST' },
    },
  },
})

/** Entities that hang on an order by a foreign key. */
function children<Name extends string>(name: Name, type: string, role: string) {
  return {
    [name]: {
      ends: {
        Order: { type: 'Order', multiplicity: '0..1' },
        [role]: { type, multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role, properties: ['OrderID'] },
      },
    },
  } satisfies Record<string, AssociationDefinition> as unknown as Readonly<
    Record<Name, AssociationDefinition>
  >
}

/** The model from each of its two sources. */
export const restrictedModels: Readonly<Record<string, () => EdmModel>> = {
  defineModel: () => restrictedModel,
  readEdmx: () => readEdmx(writeEdmx(restrictedModel)),
}

const rows: readonly Row[] = [
  { ID: 1, Name: 'a' },
  { ID: 2, Name: 'b' },
]
const all = { Editable: true, Removable: true, Open: true }
const none = { Editable: false, Removable: false, Open: false }
const address = { Street: 'A 1', Zip: '8000', Country: 'DE' }
const content = { contentType: 'text/plain', bytes: Buffer.from('x') }

/** 1 may be changed in every way, 2 in none; 3 does not say. */
const data = {
  Orders: [
    {
      ID: 1,
      Customer: 'Ann',
      Number: 'N1',
      Status: 'sent',
      Ver: 3,
      Secret: 's',
      Level: null,
      Single: 1,
      Control: all,
      Address: address,
      Home: address,
      RegionID: 1,
    },
    { ID: 2, Customer: 'Bob', Number: 'N2', Status: 'new', Ver: 1, Control: none },
    { ID: 3, Customer: 'Cyd', Status: 'new', Ver: 1 },
  ],
  Lines: [{ ID: 1, Text: 'one', OrderID: 1 }],
  Notes: [{ ID: 1, Text: 'one', OrderID: 1 }],
  Logs: [{ ID: 1, Text: 'one', OrderID: 1 }],
  Bills: [{ ID: 1, Amount: 5, Order: 1 }],
  Regions: [
    { ID: 1, Name: 'North', Code: 'N', Rows: [1, 2] },
    { ID: 2, Name: 'South', Code: 'S' },
  ],
  Unpageable: rows,
  Untopable: rows,
  Uncountable: rows,
  Unaddressable: rows,
  Unsearchable: rows,
  Filtered: rows,
  Free: rows,
  Inner: rows,
  Cases: [{ ID: 1, Client: '100', Place: { Zip: '8000', Town: 'Z' } }],
  Photos: [
    { ID: 1, Editable: true, $media: content },
    { ID: 2, Editable: false, $media: content },
  ],
  OldPhotos: [{ ID: 1, $media: content }],
}

/** A running service of {@link restrictedModel}, with data of its own. */
export class RestrictedServer {
  private constructor(readonly server: TestServer) {}

  static async start(
    options: ODataV2Options = {},
    model: EdmModel = restrictedModel,
  ): Promise<RestrictedServer> {
    const functions = { Everything: () => rows, Record: () => ({ ID: 7 }) }
    const provider = memoryProvider(model, data as never, { functions })
    const app = express()
    app.use('/n', odataV2(model, provider, options))
    return new RestrictedServer(await TestServer.start(app))
  }

  /** Sends a request; a body goes out as JSON, and text as it is. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const isText = typeof body === 'string'
    const type = body === undefined ? {} : { 'Content-Type': isText ? 'text/plain' : 'application/json' }
    return this.server.send(`/n/${path.replaceAll(' ', '%20')}`, {
      method,
      headers: { Accept: 'application/json', ...type, ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
  }

  async status(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<number> {
    return (await this.send(method, path, body, headers)).status
  }

  /** An entity, without the wrapping of JSON. */
  async read(path: string): Promise<Row> {
    const { text } = await this.send('GET', path)
    return (JSON.parse(text) as { d: Row }).d
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}
