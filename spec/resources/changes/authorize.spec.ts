import type { Operation } from '../../../lib/index.js'
import { ODataError } from '../../../lib/index.js'
import { OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }
const own = "Customer eq 'Bob'"

/** Only the orders of Bob can be changed; everything can be seen. */
function ownOrders(operation: Operation): string | undefined {
  if (operation.kind === 'function' || operation.entitySet !== 'Orders') return undefined
  return operation.kind === 'read' || operation.kind === 'count' ? undefined : own
}

describe('authorize, for changes', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start({ authorize: ownOrders })
  })
  afterEach(() => service.stop())

  it.each([
    ['PUT', 'Orders(1)', { Customer: 'Eve' }],
    ['MERGE', 'Orders(1)', { Customer: 'Eve' }],
    ['DELETE', 'Orders(1)', undefined],
    ['PUT', 'Orders(1)/Customer', { Customer: 'Eve' }],
    ['DELETE', 'Orders(1)/Total', undefined],
    ['PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' }],
    ['DELETE', 'Orders(1)/$links/Region', undefined],
    ['DELETE', 'Orders(1)/Region', undefined],
    ['DELETE', 'Regions(1)/Orders(1)', undefined],
    ['DELETE', 'Regions(1)/$links/Orders(1)', undefined],
    ['POST', 'Orders(1)/$links/Tags', { uri: "Tags('cold')" }],
    ['POST', 'Regions(2)/$links/Orders', { uri: 'Orders(1)' }],
    ['DELETE', "Orders(1)/$links/Tags('hot')", undefined],
    ['POST', 'Orders(1)/Lines', { ID: 9 }],
    ['POST', 'Orders(1)/Tags', { Name: 'new' }],
  ])('%s %s MUST respond with 404 when the filter excludes the entity', async (method, path, body) => {
    const before = JSON.stringify([
      await service.read('Orders(1)'),
      await service.list('Orders(1)/Tags', 'Name'),
    ])
    const headers = method === 'POST' ? {} : any
    expect((await service.send(method, path, body, headers)).status).toBe(404)
    const after = [await service.read('Orders(1)'), await service.list('Orders(1)/Tags', 'Name')]
    expect(JSON.stringify(after)).toBe(before)
    expect(await service.list('Lines', 'ID')).toEqual([1, 2])
    expect(
      (await service.send(method, path.replace('Orders(1)', 'Orders(2)'), body, headers)).status,
    ).not.toBe(500)
  })

  it('MUST respond with 403 to a new entity that the filter excludes, also inline', async () => {
    expect((await service.send('POST', 'Orders', { ID: 9, Customer: 'Ann' })).status).toBe(403)
    const tag = { Name: 'new', Orders: [{ ID: 9, Customer: 'Ann' }] }
    expect((await service.send('POST', 'Tags', tag)).status).toBe(403)
    expect(await service.read("Tags('new')")).toBe(404)
    expect((await service.send('POST', 'Orders', { ID: 9, Customer: 'Bob' })).status).toBe(201)
  })

  it('MUST not link an entity in a body that could not be linked by $links', async () => {
    const tag = { Name: 'new', Orders: [{ __metadata: { uri: 'Orders(1)' } }] }
    expect((await service.send('POST', 'Tags', tag)).status).toBe(400)
    expect(await service.read("Tags('new')")).toBe(404)
    const region = { ID: 9, Orders: [{ __metadata: { uri: 'Orders(1)' } }] }
    expect((await service.send('POST', 'Regions', region)).status).toBe(400)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1 })
  })

  it('MUST not distinguish hidden entities from missing ones', async () => {
    await service.stop()
    service = await OrderServer.start({
      authorize: ({ kind, ...operation }) =>
        kind !== 'function' && 'entitySet' in operation && operation.entitySet === 'Regions'
          ? 'ID eq 1'
          : undefined,
    })
    for (const [method, path] of [
      ['POST', 'Orders'],
      ['MERGE', 'Orders(2)'],
    ] as const) {
      const responses = []
      for (const region of [2, 3]) {
        const body = { Customer: 'x', Region: { __metadata: { uri: `Regions(${region})` } } }
        const { status, text } = await service.send(method, path, body, method === 'POST' ? {} : any)
        responses.push([status, text])
      }
      expect(responses[0]).toEqual(responses[1])
      expect(responses[0]?.[0]).toBe(400)
    }
    for (const region of [2, 3]) {
      const link = { uri: `Regions(${region})` }
      expect((await service.send('PUT', 'Orders(2)/$links/Region', link)).status).toBe(404)
    }
  })

  it('MUST be called before any change, for every kind of change', async () => {
    const requested = new Set<string>()
    await service.stop()
    service = await OrderServer.start({
      authorize: (operation) => {
        requested.add(operation.kind)
        if (operation.kind !== 'read') throw new ODataError('Forbidden')
      },
    })
    const changes = [
      ['POST', 'Orders', { ID: 9, Customer: 'x' }],
      ['MERGE', 'Orders(1)', { Customer: 'x' }],
      ['DELETE', 'Orders(1)', undefined],
      ['POST', 'Orders(2)/$links/Tags', { uri: "Tags('hot')" }],
      ['DELETE', "Orders(1)/$links/Tags('hot')", undefined],
      ['DELETE', "Orders(1)/Tags('hot')", undefined],
    ] as const
    for (const [method, path, body] of changes) {
      expect((await service.send(method, path, body, method === 'POST' ? {} : any)).status).toBe(403)
    }
    expect(requested).toEqual(new Set(['read', 'insert', 'update', 'delete', 'link', 'unlink']))
    expect(await service.list('Orders', 'Customer')).toEqual(['Ann', 'Bob'])
  })
})
