import type { EntityHooks, ODataV2Options, Row } from '../../lib/index.js'
import { ODataError } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures } from '../support/failures.js'
import { messageOf, OrderServer } from '../support/services/order-service.js'

const any = { 'If-Match': '*' }

let service: OrderServer
let failures: Failures
beforeEach(() => {
  failures = new Failures()
})
afterEach(() => service.stop())

async function start(hooks: ODataV2Options['hooks'], options: ODataV2Options = {}): Promise<void> {
  service = await OrderServer.start({ onError: failures.onError, ...options, hooks })
}

describe('Values that a hook returns', () => {
  it('MUST be set over the values of the client, also after a while', async () => {
    const later = () => turnEventLoop(3)
    await start({
      Regions: {
        async beforeInsert({ Name }) {
          await later()
          return { Name: `${String(Name)}!` }
        },
        async beforeUpdate({ Name }, { ID }) {
          await later()
          return { Name: `${String(Name)} ${String(ID)}` }
        },
      },
    })
    const { status, text } = await service.send('POST', 'Regions', { ID: 9, Name: 'x' })
    expect([status, JSON.parse(text)]).toMatchObject([201, { d: { ID: 9, Name: 'x!' } }])
    expect((await service.send('MERGE', 'Regions(1)', { Name: 'y' })).status).toBe(204)
    expect(await service.list('Regions', 'Name')).toEqual(['y 1', 'South', 'x!'])
  })

  it('MAY be required values that are missing', async () => {
    await start({ Orders: { beforeInsert: ({ Customer }) => ({ Customer: Customer ?? 'nobody' }) } })
    expect((await service.send('POST', 'Orders', { ID: 9 })).status).toBe(201)
    expect(await service.read('Orders(9)')).toMatchObject({ Customer: 'nobody', Status: 'new' })
  })

  it('MUST set it for PUT too, and a missing value MUST get 400', async () => {
    let filled: { Customer?: string } = { Customer: 'hook' }
    await start({ Orders: { beforeInsert: () => filled, beforeUpdate: () => filled } })
    expect((await service.send('PUT', 'Orders(1)', { Total: '2.00' }, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({ Customer: 'hook', Total: '2.00', RegionID: null })
    filled = {}
    const put = await service.send('PUT', 'Orders(1)', { Total: '3.00' }, any)
    expect([put.status, messageOf(put)]).toEqual([400, "'Customer' needs a value."])
    const post = await service.send('POST', 'Orders', { ID: 9 })
    expect([post.status, messageOf(post)]).toEqual([400, "'Customer' needs a value."])
    expect(failures.errors).toEqual([])
  })

  it('MUST keep the members of a complex value that it does not name', async () => {
    await start({
      Orders: {
        beforeInsert: () => ({ Address: { Zip: 'new' } }),
        beforeUpdate: () => ({ Address: { Zip: 'set' } }),
      },
    })
    const body = { ID: 9, Customer: 'x', Address: { Street: 'S' } }
    expect((await service.send('POST', 'Orders', body)).status).toBe(201)
    expect(await service.read('Orders(9)')).toMatchObject({
      Address: { Street: 'S', Zip: 'new', Country: 'CH' },
    })
    expect((await service.send('MERGE', 'Orders(1)', { Address: { Street: 'T' } }, any)).status).toBe(204)
    expect(await service.read('Orders(1)')).toMatchObject({
      Address: { Street: 'T', Zip: 'set', Country: 'CH' },
    })
  })

  it('MAY be properties that clients cannot set', async () => {
    await start({ Invoices: { beforeInsert: () => ({ Serial: 42 }) } })
    expect((await service.send('POST', 'Invoices', { Amount: 1, Serial: 1 })).status).toBe(201)
    expect(await service.list('Invoices?$filter=Amount eq 1'.replaceAll(' ', '%20'), 'Serial')).toEqual([42])
  })

  it('MUST be part of the new entity that authorize checks', async () => {
    let owner = 'ann'
    const authorize = ({ kind }: { kind: string }) => (kind === 'insert' ? "Customer eq 'ann'" : undefined)
    await start({ Orders: { beforeInsert: () => ({ Customer: owner }) } }, { authorize })
    expect((await service.send('POST', 'Orders', { ID: 8, Customer: 'bob' })).status).toBe(201)
    owner = 'bob'
    expect((await service.send('POST', 'Orders', { ID: 9, Customer: 'ann' })).status).toBe(403)
  })

  it('MUST not be called when the caller may not insert any entity', async () => {
    const authorize = ({ kind }: { kind: string }): void => {
      if (kind === 'insert') throw new ODataError('Forbidden')
    }
    let calls = 0
    await start({ Orders: { beforeInsert: () => void calls++ } }, { authorize })
    expect((await service.send('POST', 'Orders', { ID: 8, Customer: 'bob' })).status).toBe(403)
    expect(calls).toBe(0)
  })

  it('MUST not affect versions: a change increments them, and If-Match is checked', async () => {
    await start({ Orders: { beforeUpdate: () => undefined, afterUpdate: () => undefined } })
    const first = await service.send('MERGE', 'Orders(1)', { Total: '1.00' }, { 'If-Match': 'W/"3"' })
    expect([first.status, first.headers.etag]).toEqual([204, 'W/"4"'])
    expect(
      (await service.send('MERGE', 'Orders(1)', { Total: '2.00' }, { 'If-Match': 'W/"3"' })).status,
    ).toBe(412)
    expect((await service.send('MERGE', 'Orders(1)', { Total: '2.00' })).status).toBe(428)
    const put = await service.send('PUT', 'Orders(1)', { Customer: 'x' }, { 'If-Match': 'W/"4"' })
    expect([put.status, put.headers.etag]).toEqual([204, 'W/"5"'])
  })

  it.each([
    [{ beforeInsert: () => ({ Nmae: 'x' }) }, "hooks.Regions.beforeInsert returned 'Nmae'"],
    [{ beforeInsert: () => ({ Nmae: 'x' }) }, "Did you mean 'Name'?"],
    [{ beforeInsert: () => ({ Name: 5 }) }, "invalid value: 'Name' must be of type Edm.String"],
    [{ beforeInsert: () => ({ ID: null }) }, "'ID' must not be null"],
    [
      { beforeInsert: () => 'x' as never },
      'hooks.Regions.beforeInsert must return nothing or an object of values.',
    ],
    [{ beforeInsert: () => [] as never }, 'must return nothing or an object'],
    [{ beforeInsert: () => ({ $type: 'SH.Order' }) }, "must not set '$type'"],
    [{ beforeUpdate: () => ({ ID: 7 }) }, "hooks.Regions.beforeUpdate must not set 'ID'"],
    [{ beforeUpdate: () => ({ Name: 5 }) }, "hooks.Regions.beforeUpdate returned an invalid value: 'Name'"],
  ] as [EntityHooks, string][])(
    'MUST be a failure of the service when it cannot be: %#',
    async (hooks, message) => {
      await start({ Regions: hooks })
      for (const [method, path] of [
        ['POST', 'Regions'],
        ['MERGE', 'Regions(1)'],
      ] as const) {
        if ((hooks.beforeInsert === undefined) === (method === 'POST')) continue
        const response = await service.send(method, path, { Name: 'x' })
        expect([response.status, messageOf(response)]).toEqual([
          500,
          'The service failed to process the request.',
        ])
      }
      expect(failures.errors.map((error) => error.message)).toEqual([expect.stringContaining(message)])
      expect(await service.list('Regions', 'Name')).toEqual(['North', 'South'])
    },
  )

  it('MAY name the key as it is, the type as it is, and nothing', async () => {
    await start({
      Tags: { beforeUpdate: (_changes, current) => ({ ...current, Note: 'kept', Level: undefined }) },
    })
    const body = { __metadata: { type: 'SH.SpecialTag' }, Level: 5 }
    expect((await service.send('MERGE', "Tags('rare')", body)).status).toBe(204)
    expect(await service.read("Tags('rare')")).toMatchObject({ Name: 'rare', Note: 'kept', Level: 5 })
  })
})

describe('A hook that is given an entity', () => {
  it('MUST not be able to change it in place', async () => {
    const set = (row: unknown): void => {
      ;(row as { Name: string }).Name = 'changed'
    }
    await start({
      Regions: {
        beforeInsert: (entity) => set(entity),
        beforeUpdate: (_changes, current) => set(current),
        beforeDelete: set,
      },
    })
    expect((await service.send('POST', 'Regions', { ID: 9 })).status).toBe(500)
    expect((await service.send('MERGE', 'Regions(1)', { Name: 'x' })).status).toBe(500)
    expect((await service.send('DELETE', 'Regions(2)')).status).toBe(500)
    expect(failures.causes.map(String)).toEqual(Array(3).fill(expect.stringContaining('TypeError')))
    expect(await service.list('Regions', 'Name')).toEqual(['North', 'South'])
  })

  it('MUST not be able to change its complex values either', async () => {
    const set = (row: Row): void => {
      ;(row.Address as { Zip: string }).Zip = 'changed'
    }
    await start({
      Orders: {
        beforeInsert: (entity) => set(entity),
        afterInsert: set,
        beforeUpdate: (changes, current) => set('Address' in changes ? changes : current),
        beforeDelete: set,
      },
    })
    const Address = { Zip: 'new' }
    const before = await service.read('Orders(1)')
    expect((await service.send('POST', 'Orders', { ID: 9, Customer: 'x', Address })).status).toBe(500)
    expect((await service.send('MERGE', 'Orders(1)', { Address }, any)).status).toBe(500)
    expect((await service.send('MERGE', 'Orders(1)', { Total: '1.00' }, any)).status).toBe(500)
    expect((await service.send('DELETE', 'Orders(1)', undefined, any)).status).toBe(500)
    expect(await service.read('Orders(1)')).toEqual(before)
  })
})
