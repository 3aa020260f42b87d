import express from 'express'
import type { Authorize, Provider, ServiceOptions } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { orderSalesModel, orderSalesOptions } from '../support/services/order-sales.js'

type Options = ServiceOptions<unknown, typeof orderSalesModel>

interface Group {
  readonly __metadata: { readonly uri: string }
  readonly ID: string
}

class SourceServer {
  private constructor(private readonly server: TestServer) {}

  static async start(provider: Provider, options: Options = {}): Promise<SourceServer> {
    const app = express()
    app.use('/a', odataV2(orderSalesModel, provider as never, { ...orderSalesOptions, ...options }))
    return new SourceServer(await TestServer.start(app))
  }

  stop(): Promise<void> {
    return this.server.stop()
  }

  async get(path: string): Promise<readonly [number, string]> {
    const { status, text } = await this.server.send(`/a/${encodeURI(decodeURI(path))}`, {
      headers: { Accept: 'application/json, text/plain' },
    })
    return [status, text]
  }

  /** The values of groups, without ids, which are followed. */
  async groups(path: string): Promise<unknown> {
    const [status, text] = await this.get(path)
    if (status !== 200) return [status, text]
    const { d } = JSON.parse(text) as { d: { results: readonly Group[] } }
    const groups: unknown[] = []
    for (const { __metadata, ID, ...values } of d.results) {
      const address = __metadata.uri.replace(/^.*\/a\//, '')
      const [, one] = await this.get(path.includes('/') ? path.replace(/\?.*/, `('${ID}')`) : address)
      expect((JSON.parse(one) as { d: Group }).d).toMatchObject({ ID, ...values })
      groups.push(values)
    }
    return groups
  }
}

const restricted: Authorize = ({ entitySet }) => {
  if (entitySet === 'Sales') return "Country ne 'FR'"
  return entitySet === 'Items' ? "Product eq 'Tea'" : undefined
}

/** Rules for an analytical set that groups the rows of another set. */
export function describeGroupSource(name: string, providerOf: () => Provider, options: Options = {}): void {
  describe(`Groups of the rows of another set in ${name}`, () => {
    let service: SourceServer
    beforeAll(async () => {
      service = await SourceServer.start(providerOf(), options)
    })
    afterAll(() => service.stop())

    it.each([
      [
        '$select=Country,Amount,Currency',
        [
          { Country: null, Amount: '1.00', Currency: 'EUR' },
          { Country: 'DE', Amount: '30.00', Currency: 'EUR' },
          { Country: 'DE', Amount: '5.00', Currency: 'USD' },
          { Country: 'FR', Amount: '7.50', Currency: 'EUR' },
        ],
      ],
      [
        '$select=Country,Amount,Items&$orderby=Items desc&$top=2',
        [
          { Country: 'DE', Amount: null, Items: 3 },
          { Country: null, Amount: '1.00', Items: 1 },
        ],
      ],
      ['$select=Items,Countries', [{ Items: 5, Countries: 2 }]],
      ["$select=Product&$filter=Country eq 'DE' and Currency eq 'USD'", [{ Product: 'Salt' }]],
    ])('MUST have the values at the ends of paths: %s', async (query, expected) => {
      const found = (await service.groups(`Sales?${query}`)) as readonly { readonly Amount?: string | null }[]
      const amounts = found.map((one) =>
        typeof one.Amount === 'string' ? { ...one, Amount: Number(one.Amount).toFixed(2) } : one,
      )
      expect(amounts).toEqual(expected)
    })

    it('MUST be found by search in the values at the ends of paths', async () => {
      // SQLite searches in the service.
      const own = await SourceServer.start(providerOf())
      expect(await own.groups('Sales?$select=Product,Items&search=fr')).toEqual([
        { Product: 'Tea', Items: 1 },
      ])
      await own.stop()
    })

    it('MUST be counted, and found over navigation properties by a foreign key', async () => {
      expect(await service.get('Sales/$count')).toEqual([200, '4'])
      expect(await service.groups("Regions('DE')/Sales?$select=Product,Items")).toEqual([
        { Product: 'Salt', Items: 1 },
        { Product: 'Tea', Items: 2 },
      ])
      expect(await service.get("Regions('FR')/Sales/$count")).toEqual([200, '1'])
      expect((await service.get("Regions('XX')/Sales/$count"))[0]).toBe(404)
    })

    it('MUST be restricted by authorize for both sets', async () => {
      const operations: string[] = []
      const authorize: Authorize = (operation, context) => {
        operations.push(`${operation.kind} ${operation.entitySet ?? ''}`)
        return restricted(operation, context)
      }
      const own = await SourceServer.start(providerOf(), { ...options, authorize })
      expect(await own.groups('Sales?$select=Country,Items')).toEqual([{ Country: 'DE', Items: 2 }])
      expect(new Set(operations)).toEqual(new Set(['read Sales', 'read Items', 'read Orders']))
      expect(await own.get('Sales/$count')).toEqual([200, '1'])
      expect(operations).toContain('count Items')
      const [, all] = await service.get("Sales?$select=Country&$filter=Country eq 'FR'")
      const { d } = JSON.parse(all) as { d: { results: readonly Group[] } }
      expect((await own.get(`Sales('${d.results[0]?.ID ?? ''}')`))[0]).toBe(404)
      await own.stop()
    })

    it('MUST NOT show values of related entities that the caller cannot read', async () => {
      const authorize: Authorize = ({ entitySet }) => (entitySet === 'Orders' ? "Country eq 'FR'" : undefined)
      const own = await SourceServer.start(providerOf(), { ...options, authorize })
      expect(await own.groups('Sales?$select=Country,Items')).toEqual([
        { Country: null, Items: 4 },
        { Country: 'FR', Items: 1 },
      ])
      expect(await own.groups("Sales?$select=Items&$filter=Country eq 'DE'")).toEqual([])
      await own.stop()
    })

    it('MUST NOT have properties whose column of the rows is hidden', async () => {
      const authorize: Authorize = ({ entitySet }) =>
        entitySet === 'Items' ? { hidden: ['Product', 'Order'] } : undefined
      const own = await SourceServer.start(providerOf(), { ...options, authorize })
      expect(await own.groups('Sales?$select=Currency,Items')).toEqual([
        { Currency: 'EUR', Items: 4 },
        { Currency: 'USD', Items: 1 },
      ])
      for (const query of ['$select=Product', "$filter=Country eq 'DE'", '$orderby=Product']) {
        const [status, text] = await own.get(`Sales?${query}`)
        expect([status, text]).toEqual([400, expect.stringMatching(/'Sale' has no property/)])
      }
      expect((await own.get('Sales'))[1]).not.toMatch(/Product|Country/)
      await own.stop()
    })

    it('MUST report a filter of authorize that rows cannot evaluate as an error of the application', async () => {
      const authorize: Authorize = ({ entitySet }) => (entitySet === 'Sales' ? 'Items gt 1' : undefined)
      const own = await SourceServer.start(providerOf(), { ...options, authorize, onError: () => undefined })
      expect((await own.get('Sales'))[0]).toBe(500)
      await own.stop()
    })
  })
}
