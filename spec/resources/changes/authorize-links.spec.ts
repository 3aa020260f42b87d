import type { Operation, Provider } from '../../../lib/index.js'
import { invoiceOne, orderProvider, OrderServer } from '../../support/services/order-service.js'

const any = { 'If-Match': '*' }
const bound = (uri: string): object => ({ __metadata: { uri } })
const one = `Invoices(guid'${invoiceOne}')`

type SentRequest = readonly [kind: string, set: string, key: unknown, navigation: string | undefined]

/** The operations about links that a service asks about, each once. */
function recorded(requested: Map<string, SentRequest>) {
  return (operation: Operation): undefined => {
    if (operation.kind !== 'link' && operation.kind !== 'unlink') return undefined
    const one: SentRequest = [operation.kind, operation.entitySet, operation.key, operation.navigation]
    requested.set(JSON.stringify(one), one)
    return undefined
  }
}

describe('authorize, for links that other changes add and remove', () => {
  let service: OrderServer
  const start = async (response: (operation: Operation) => string | undefined): Promise<void> => {
    service = await OrderServer.start({ authorize: response })
  }
  /** Restricts operations of one kind on one set. */
  const only =
    (kind: string, set: string, filter: string) =>
    (operation: Operation): string | undefined =>
      operation.kind === kind && operation.entitySet === set ? filter : undefined
  afterEach(() => service.stop())

  it('MUST be called with the same operations as for $links', async () => {
    const requested = new Map<string, SentRequest>()
    await start(recorded(requested))
    const order = { ID: 1 }
    const [regionTwo, regionOne] = [{ ID: 2 }, undefined]
    const unlinks: SentRequest[] = [
      ['unlink', 'Orders', order, undefined],
      ['unlink', 'Regions', regionOne, 'Region'],
    ]
    const links: SentRequest[] = [
      ['link', 'Orders', order, undefined],
      ['link', 'Regions', regionTwo, undefined],
    ]
    expect((await service.send('PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' })).status).toBe(204)
    const byLinks = [...requested.values()]
    expect(byLinks).toEqual(expect.arrayContaining([...links, ...unlinks]))
    await service.stop()

    requested.clear()
    await start(recorded(requested))
    expect((await service.send('MERGE', 'Orders(1)', { Region: bound('Regions(2)') }, any)).status).toBe(204)
    expect(new Set([...requested.keys()])).toEqual(
      new Set(byLinks.map((operation) => JSON.stringify(operation))),
    )

    requested.clear()
    expect((await service.send('MERGE', 'Orders(1)', { Region: null }, any)).status).toBe(204)
    expect([...requested.values()]).toEqual(unlinks)

    requested.clear()
    expect((await service.send('MERGE', 'Orders(1)', { Region: null, Total: '1' }, any)).status).toBe(204)
    expect([...requested.values()]).toEqual([])
  })

  it.each([
    ['what goes', only('unlink', 'Regions', 'ID eq 2')],
    ['the entity it goes from', only('unlink', 'Orders', 'ID eq 2')],
  ])('MUST keep a link when %s may not be unlinked', async (_what, response) => {
    await start(response)
    for (const [method, path, body] of [
      ['MERGE', 'Orders(1)', { Region: null }],
      ['MERGE', 'Orders(1)', { Region: bound('Regions(2)') }],
      ['PUT', 'Orders(1)', { Customer: 'x', Region: bound('Regions(2)') }],
      ['PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' }],
      ['POST', 'Regions(2)/$links/Orders', { uri: 'Orders(1)' }],
      ['POST', 'Regions', { ID: 9, Orders: [bound('Orders(1)')] }],
    ] as const) {
      const headers = method === 'POST' ? {} : any
      const { status } = await service.send(method, path, body, headers)
      expect([method, path, status]).toEqual([method, path, 403])
      expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'Ann', RegionID: 1, Ver: 3 })
    }
    expect(await service.read('Regions(9)')).toBe(404)
    // Existing links are preserved.
    const same = { Region: bound('Regions(1)') }
    expect((await service.send('MERGE', 'Orders(1)', same, any)).status).toBe(204)
    expect((await service.send('MERGE', 'Orders(2)', { Region: bound('Regions(2)') }, any)).status).toBe(204)
  })

  it('MUST keep a link without foreign key too, also one that the caller cannot see', async () => {
    await start((operation) =>
      operation.kind !== 'function' && operation.entitySet === 'Invoices' ? 'Amount eq 0' : undefined,
    )
    expect((await service.send('MERGE', 'Orders(1)', { Invoice: null }, any)).status).toBe(403)
    await service.stop()
    await start(only('read', 'Invoices', 'Amount eq 0'))
    expect((await service.send('MERGE', 'Orders(1)', { Invoice: null }, any)).status).toBe(204)
    await service.stop()
    await start(only('unlink', 'Orders', 'ID eq 2'))
    expect((await service.send('PUT', 'Orders(2)/$links/Invoice', { uri: one })).status).toBe(403)
    expect((await service.send('PUT', `${one}/$links/Order`, { uri: 'Orders(2)' })).status).toBe(403)
    expect(await service.read(`${one}/Order`)).toMatchObject({ ID: 1 })
  })

  it('MUST not link an entity that may not be linked, over an update', async () => {
    await start(only('link', 'Orders', 'ID eq 2'))
    const change = { Region: bound('Regions(2)') }
    expect((await service.send('MERGE', 'Orders(1)', change, any)).status).toBe(403)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1 })
    expect((await service.send('MERGE', 'Orders(2)', change, any)).status).toBe(204)
  })

  it('MUST not link or add to entities that the caller cannot read', async () => {
    await start(only('read', 'Tags', "Name eq 'hot'"))
    expect((await service.send('POST', 'Orders(2)/$links/Tags', { uri: "Tags('cold')" })).status).toBe(404)
    expect((await service.send('POST', "Tags('cold')/$links/Orders", { uri: 'Orders(2)' })).status).toBe(404)
    expect((await service.send('POST', "Tags('cold')/Orders", { ID: 9, Customer: 'x' })).status).toBe(404)
    expect((await service.send('POST', 'Orders(2)/$links/Tags', { uri: "Tags('hot')" })).status).toBe(204)
  })
})

describe('authorize, for the values of an update', () => {
  let service: OrderServer
  afterEach(() => service.stop())
  const own = ({ kind }: Operation): string | undefined =>
    kind === 'update' ? "Customer eq 'Bob'" : undefined
  const provided = (changeSets: boolean): Provider => {
    const provider = orderProvider()
    return changeSets ? provider : { entitySets: provider.entitySets }
  }

  it.each([
    ['with change sets', true],
    ['without change sets', false],
  ])('MUST respond with 403 to a link that leaves the filter of the caller, %s', async (_how, changeSets) => {
    service = await OrderServer.start({ authorize: own }, provided(changeSets))
    for (const [method, path, body] of [
      ['MERGE', 'Orders(2)', { Customer: 'Eve' }],
      ['PUT', 'Orders(2)', { Customer: 'Eve' }],
      ['PUT', 'Orders(2)/Customer', { Customer: 'Eve' }],
    ] as const) {
      const { status } = await service.send(method, path, body, any)
      expect([method, path, status]).toEqual([method, path, 403])
    }
    expect(await service.read('Orders(2)')).toMatchObject({ Customer: 'Bob', Ver: 1 })
    expect((await service.send('MERGE', 'Orders(2)', { Total: '9' }, any)).status).toBe(204)
    expect((await service.send('MERGE', 'Orders(1)', { Customer: 'Bob' }, any)).status).toBe(404)
  })

  it.each([
    ['with change sets', true],
    ['without change sets', false],
  ])('MUST check the new links of the entity, %s', async (_how, changeSets) => {
    const north = ({ kind }: Operation): string | undefined =>
      kind === 'update' ? "Region/Name eq 'North'" : undefined
    service = await OrderServer.start({ authorize: north }, provided(changeSets))
    const south = { Region: bound('Regions(2)') }
    expect((await service.send('MERGE', 'Orders(1)', south, any)).status).toBe(403)
    expect((await service.send('MERGE', 'Orders(1)', { RegionID: 2 }, any)).status).toBe(403)
    expect(await service.read('Orders(1)')).toMatchObject({ RegionID: 1, Ver: 3 })
  })

  it('MUST allow one that only leaves the navigation property over which the entity is addressed', async () => {
    const first = ({ kind }: Operation): string | undefined => (kind === 'update' ? 'ID eq 1' : undefined)
    service = await OrderServer.start({ authorize: first })
    expect((await service.send('MERGE', 'Regions(1)/Orders(1)', { RegionID: 2 }, any)).status).toBe(204)
    expect(await service.list('Regions(2)/Orders', 'ID')).toEqual([1])
  })
})
