import type { Provider } from '../../../lib/index.js'
import { runs } from '../../support/random.js'
import { orderProvider, OrderServer } from '../../support/services/order-service.js'

type Sets = Readonly<Record<string, Record<string, unknown>>>

/** The provider of orders with some of its abilities left out. */
function without(names: readonly string[], changeSets = true): Provider {
  const provider = orderProvider()
  const sets = Object.entries(provider.entitySets as unknown as Sets).map(([path, set]) => [
    path,
    Object.fromEntries(Object.entries(set).filter(([name]) => !names.includes(name))),
  ])
  return {
    entitySets: Object.fromEntries(sets) as Provider['entitySets'],
    ...(changeSets ? { beginChangeSet: (call) => provider.beginChangeSet?.(call) as never } : {}),
  }
}

describe('A provider without optional methods', () => {
  let service: OrderServer
  afterEach(() => service.stop())
  const any = { 'If-Match': '*' }

  it('MUST be seen in Allow', async () => {
    service = await OrderServer.start({}, without(['insert', 'update']))
    const post = await service.send('POST', 'Lines', { OrderID: 1 })
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const put = await service.send('PUT', 'Lines(1)', { Text: 'x' })
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, DELETE, OPTIONS'])
    expect((await service.send('DELETE', 'Lines(1)')).status).toBe(204)
  })

  it('MUST be seen in Allow of links, which are foreign keys or links of its own', async () => {
    service = await OrderServer.start({}, without(['link', 'unlink']))
    const tag = { uri: "Tags('hot')" }
    const refused = [
      ['POST', 'Orders(2)/$links/Tags', tag, 'GET, HEAD, OPTIONS'],
      ['DELETE', "Orders(1)/$links/Tags('hot')", undefined, 'GET, HEAD, OPTIONS'],
      ['DELETE', "Orders(1)/Tags('hot')", undefined, 'GET, HEAD, PUT, MERGE, PATCH, OPTIONS'],
    ] as const
    for (const [method, path, body, allow] of refused) {
      const { status, headers } = await service.send(method, path, body)
      expect([path, status, headers.allow]).toEqual([path, 405, allow])
    }
    expect((await service.send('PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' })).status).toBe(204)
    expect((await service.send('DELETE', 'Orders(1)/$links/Region')).status).toBe(204)
  })

  it('MUST not insert partially when it cannot link', async () => {
    service = await OrderServer.start({}, without(['link']))
    const body = { ID: 9, Customer: 'x', Tags: [{ Name: 'new' }] }
    expect((await service.send('POST', 'Orders', body)).status).toBe(501)
    expect((await service.send('POST', 'Orders(1)/Tags', { Name: 'new' })).status).toBe(501)
    expect(await service.read('Orders(9)')).toBe(404)
    expect(await service.read("Tags('new')")).toBe(404)
  })

  it('MUST get only one change per request if it has no change sets', async () => {
    service = await OrderServer.start({}, without([], false))
    const several = [
      ['POST', 'Orders', { ID: 9, Customer: 'x', Lines: [{ ID: 9 }] }],
      ['POST', 'Orders', { ID: 9, Customer: 'x', Region: { ID: 9 } }],
      ['POST', 'Orders', { ID: 9, Customer: 'x', Tags: [{ __metadata: { uri: "Tags('hot')" } }] }],
      ['POST', 'Orders(1)/Tags', { Name: 'new' }],
      ['MERGE', 'Orders(1)', { Customer: 'x', Invoice: null }],
    ] as const
    for (const [method, path, body] of several) {
      expect((await service.send(method, path, body, method === 'POST' ? {} : any)).status).toBe(501)
    }
    expect(await service.list('Orders', 'Customer')).toEqual(['Ann', 'Bob'])
    expect(await service.read('Regions(9)')).toBe(404)
    expect(await service.read("Tags('new')")).toBe(404)
    const bound = { ID: 9, Customer: 'x', Region: { __metadata: { uri: 'Regions(2)' } } }
    expect((await service.send('POST', 'Orders', bound)).status).toBe(201)
    expect((await service.send('POST', 'Orders(9)/Lines', { ID: 9 })).status).toBe(201)
    expect((await service.send('POST', 'Orders(9)/$links/Tags', { uri: "Tags('hot')" })).status).toBe(204)
  })
})

describe('Many writers on one entity', () => {
  it('MUST lose no update', async () => {
    const service = await OrderServer.start()
    try {
      const responses: number[] = []
      const raise = async (): Promise<void> => {
        for (;;) {
          const { headers, text } = await service.send('GET', 'Orders(2)')
          const { d } = JSON.parse(text) as { d: { RegionID: number | null; Total: string } }
          const body = { Total: `${Number(d.Total) + 1}.00` }
          const tag = { 'If-Match': String(headers.etag) }
          const { status } = await service.send('MERGE', 'Orders(2)', body, tag)
          if (status !== 412) {
            responses.push(status)
            return
          }
        }
      }
      const updates = runs(100)
      let next = 0
      const worker = async (): Promise<void> => {
        while (next++ < updates) await raise()
      }
      await Promise.all(Array.from({ length: 8 }, worker))
      expect(responses).toEqual(Array.from({ length: updates }, () => 204))
      expect(await service.read('Orders(2)')).toMatchObject({
        Total: `${String(updates + 5)}.00`,
        Ver: updates + 1,
      })
    } finally {
      await service.stop()
    }
  })
})
