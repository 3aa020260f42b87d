import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { ODataError } from '../../lib/errors/odata-error.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EntitySetProvider, FunctionHandler, Provider } from '../../lib/provider/provider.js'
import { waitForDisconnects } from './wait-for-disconnects.js'
import { withHandlers } from './with-handlers.js'

/** A model of two sets, shelves and what stands on them, for providers that specs write themselves. */
export const shelvesModel: EdmModel = defineModel({
  namespace: 'Store',
  entityTypes: {
    Shelf: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }) },
      navigationProperties: {
        Items: { relationship: 'ShelfItems', fromRole: 'Shelf', toRole: 'Item' },
      },
    },
    Item: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), ShelfID: edm.Int32() },
      navigationProperties: {
        Shelf: { relationship: 'ShelfItems', fromRole: 'Item', toRole: 'Shelf' },
      },
    },
  },
  associations: {
    ShelfItems: {
      ends: { Shelf: { type: 'Shelf', multiplicity: '0..1' }, Item: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Shelf', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['ShelfID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Shelves: { entityType: 'Shelf' }, Items: { entityType: 'Item' } },
    associationSets: { ShelfItems: { association: 'ShelfItems', ends: { Shelf: 'Shelves', Item: 'Items' } } },
    functionImports: {
      Newest: { returnType: 'Item', entitySet: 'Items', httpMethod: 'GET' },
      All: { returnType: 'Collection(Item)', entitySet: 'Items', httpMethod: 'GET' },
      Names: { returnType: 'Collection(Edm.String)', httpMethod: 'GET' },
    },
  },
} as const)

/** Parts of an entity set provider as JavaScript would have them: of any type whatever. */
export type AnythingFor<T> = { readonly [Member in keyof T]?: unknown }

/** A provider with some parts replaced by arbitrary values; the other parts are small and correct. */
export function shelves(
  items: AnythingFor<EntitySetProvider> = {},
  functions: Readonly<Record<string, unknown>> = {},
): Provider {
  const itemRows = [1, 2, 3].map((ID) => ({ ID, Name: `item ${ID}`, ShelfID: ID < 3 ? 1 : null }))
  const provider: Provider = {
    entitySets: {
      Shelves: { read: () => [{ ID: 1 }, { ID: 2 }] },
      Items: { read: () => itemRows, ...items } as unknown as EntitySetProvider,
    },
    functions: functions as Record<string, FunctionHandler>,
  }
  return withHandlers(provider, shelvesModel)
}

/** A listening service on these sets, and all errors that it reported to its application. */
export class ShelvesServer {
  readonly errors: ODataError[] = []
  private server: Server | undefined

  constructor(
    private readonly provider: Provider,
    private readonly options: ODataV2Options = {},
  ) {}

  async listen(): Promise<number> {
    const onError = (error: ODataError): void => void this.errors.push(error)
    const app = express().use('/store', odataV2(shelvesModel, this.provider, { onError, ...this.options }))
    const server = createServer(app)
    this.server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  /** Waits until the server has noticed that its clients have closed their connections, and has acted on it. */
  async waitForDisconnects(): Promise<void> {
    if (this.server !== undefined) await waitForDisconnects(this.server)
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve))
  }
}
