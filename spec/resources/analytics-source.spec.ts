import express from 'express'
import type { Provider } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import type { SqlProvider } from '../../lib/sql.js'
import { describeGroupSource } from '../contracts/group-source-contract.js'
import { TestServer } from '../support/http-exchange.js'
import { orderRows, orderSalesModel } from '../support/services/order-sales.js'
import { describeDatabases } from '../support/sql/databases.js'
import { orderTables } from '../support/sql/order-tables.js'

const inMemory = memoryProvider(orderSalesModel, orderRows)
const readOnly: Provider = {
  entitySets: {
    Orders: { read: () => orderRows.Orders },
    Items: { read: () => orderRows.Items },
    Regions: { read: () => orderRows.Regions },
    Sales: {
      read: () => {
        throw new Error('The set has no rows of its own.')
      },
    },
  },
}

describeGroupSource('memory', () => inMemory)
describeGroupSource('a provider that only reads', () => readOnly)

describeDatabases(({ kind, open }) => {
  let provider: SqlProvider<typeof orderSalesModel, unknown>
  beforeAll(async () => {
    provider = await orderTables(await open([]), kind)
  })

  // Rows that the service reads would exceed the limit: the database groups them.
  describeGroupSource(kind, () => provider, { limits: { scannedRows: 0 } })

  it('MUST not start for an analytical set without table and source', () => {
    expect(() => odataV2(orderSalesModel, provider)).toThrow("entity set 'Sales'")
  })

  it('MUST respond with 501 for an analytical set without table whose rows are not grouped', async () => {
    const app = express()
    app.use('/a', odataV2(orderSalesModel, provider, { analytics: false, onError: () => undefined }))
    const server = await TestServer.start(app)
    expect((await server.send('/a/Sales')).status).toBe(501)
    expect((await server.send('/a/Items/$count')).status).toBe(200)
    await server.stop()
  })
})
