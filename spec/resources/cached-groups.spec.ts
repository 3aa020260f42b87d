import express from 'express'
import type { EdmModel, ODataV2Options, Operation, Provider } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { orderRows, orderSalesModel, orderSalesOptions } from '../support/services/order-sales.js'

const model = orderSalesModel as EdmModel
const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

/** Groups of items by the countries of their orders, with the names of sets whose rows or version were requested. */
class SalesOfItems {
  /** Names of entity sets, in the order in which they were read. */
  readonly read: string[] = []
  readonly versioned: (readonly string[])[] = []
  version = 1
  private server: TestServer | undefined

  async start(options: ODataV2Options = {}): Promise<void> {
    const { entitySets } = memoryProvider(model, orderRows)
    const counted = Object.entries(entitySets).map(([name, set]) => [
      name,
      {
        ...set,
        read: (...parameters: Parameters<typeof set.read>) => {
          this.read.push(name)
          return set.read(...parameters)
        },
      },
    ])
    const provider = {
      entitySets: Object.fromEntries(counted),
      dataVersion: (sets: Iterable<string>) => {
        this.versioned.push([...sets].sort())
        return this.version
      },
    } as Provider
    await this.serve(provider, options)
  }

  async serve(provider: Provider, options: ODataV2Options = {}): Promise<void> {
    const app = express()
    app.use('/a', odataV2(model, provider, { ...orderSalesOptions, ...options } as ODataV2Options))
    this.server = await TestServer.start(app)
  }

  async send(path: string, method = 'GET', body?: object, country = ''): Promise<string> {
    const headers = { ...json, 'x-country': country }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const target = `/a/${encodeURI(path)}`
    const { status, text } = (await this.server?.send(target, { method, headers, ...sent })) ?? {
      status: 0,
    }
    expect(status).toBeLessThan(300)
    return text ?? ''
  }

  /** Returns true for each of four equal requests whose rows were read. */
  async areRead(path: string): Promise<boolean[]> {
    const results: boolean[] = []
    for (let times = 0; times < 4; times++) {
      this.read.length = 0
      await this.send(path)
      results.push(this.read.length > 0)
    }
    return results
  }

  async stop(): Promise<void> {
    await this.server?.stop()
  }
}

const byCountry = 'Sales?$select=Country,Amount,Currency&$inlinecount=allpages'

describe('Pages of an analytical set that groups the rows of another set', () => {
  let sales: SalesOfItems
  beforeEach(() => {
    sales = new SalesOfItems()
  })
  afterEach(() => sales.stop())

  it.each([
    ['groups', byCountry],
    ['the grand total', 'Sales?$select=Amount,Currency'],
    ['their number', 'Sales/$count'],
    ['found groups', 'Sales?search=tea&$select=Product,Items'],
    ['groups by a filter', "Sales?$select=Product,Items&$filter=Country eq 'DE'"],
  ])('MUST be cached until the version of the data changes: %s', async (_what, path) => {
    await sales.start()
    expect(await sales.areRead(path)).toEqual([true, true, false, false])
    sales.version++
    expect(await sales.areRead(path)).toEqual([true, true, false, false])
  })

  it('MUST depend on the version of the rows, and of the sets that their properties lead to', async () => {
    await sales.start()
    await sales.send(byCountry)
    await sales.send(byCountry)
    expect(sales.versioned[0]).toEqual(expect.arrayContaining(['Items', 'Orders']))
  })

  it('MUST not be shared by callers who see different rows', async () => {
    const context = (req: { get(name: string): string | undefined }): string => req.get('x-country') ?? ''
    const authorize = ({ entitySet }: Operation, country: string): string | undefined =>
      entitySet === 'Items' && country !== '' ? `Order/Country eq '${country}'` : undefined
    await sales.start({ authorize, context } as ODataV2Options)
    const counts: unknown[] = []
    for (const country of ['', 'DE', '', 'DE', '', 'DE', 'FR']) {
      const { d } = JSON.parse(await sales.send(byCountry, 'GET', undefined, country)) as {
        d: { __count: string }
      }
      counts.push(d.__count)
    }
    expect(counts).toEqual(['4', '2', '4', '2', '4', '2', '1'])
  })

  it('MUST be read again after changes of the rows and of entities to which their paths lead', async () => {
    await sales.serve(memoryProvider(model, orderRows))
    const total = async (): Promise<unknown> => {
      const texts = [await sales.send(byCountry), await sales.send(byCountry), await sales.send(byCountry)]
      expect(new Set(texts).size).toBe(1)
      const { d } = JSON.parse(texts[0] ?? '') as { d: { results: Record<string, unknown>[] } }
      return d.results.map(({ Amount, Country, Currency }) => [Country, Currency, Amount])
    }
    expect(await total()).toEqual([
      [null, 'EUR', '1.00'],
      ['DE', 'EUR', '30.00'],
      ['DE', 'USD', '5.00'],
      ['FR', 'EUR', '7.50'],
    ])
    await sales.send('Items(1)', 'MERGE', { Amount: '11.00' })
    expect(await total()).toContainEqual(['DE', 'EUR', '31.00'])
    await sales.send('Orders(2)', 'MERGE', { Country: 'DE' })
    expect(await total()).toContainEqual(['DE', 'EUR', '38.50'])
    await sales.send('Items(5)', 'DELETE')
    expect(await total()).toEqual([
      ['DE', 'EUR', '38.50'],
      ['DE', 'USD', '5.00'],
    ])
  })
})
