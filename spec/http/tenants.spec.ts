import type { IncomingMessage } from 'node:http'
import { createServer as createNodeServer } from 'node:http'
import express from 'express'
import type { Tenant, TenantsHandler, TenantsOptions } from '../../lib/index.js'
import {
  defineModel,
  edm,
  memoryProvider,
  ODataError,
  odataV2,
  requestListener,
  tenants,
} from '../../lib/index.js'
import { gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'

/** Returns a model with a set of its own, so that the services of tenants differ. */
function modelOf(set: string) {
  return defineModel({
    namespace: 'Tenant',
    entityTypes: { Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
    entityContainer: { entitySets: { [set]: { entityType: 'Item' } } },
  })
}

function serviceOf(tenant: string): Tenant['service'] {
  const model = modelOf(tenant)
  return odataV2(model, memoryProvider(model, { [tenant]: [{ ID: 1 }] }))
}

const tenantOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['x-tenant'] as string | undefined

let server: TestServer
let handler: TenantsHandler<never>
let opened: string[]
let closed: string[]
let errors: unknown[][]

async function start(options: Partial<TenantsOptions> = {}): Promise<void> {
  opened = []
  closed = []
  errors = []
  const given: TenantsOptions = {
    of: tenantOf,
    open: (tenant) => {
      opened.push(tenant)
      return { service: serviceOf(tenant), close: () => void closed.push(tenant) }
    },
    onError: (error, tenant) => errors.push([(error as Error).message, tenant]),
    ...options,
  }
  const created = tenants(given)
  handler = created
  server = await TestServer.start(express().use('/shop', created))
}
afterEach(() => server.stop())

async function statusOf(tenant: string | undefined, path = '$metadata'): Promise<number> {
  const headers = tenant === undefined ? {} : { 'x-tenant': tenant }
  return (await server.send(`/shop/${path}`, { headers })).status
}

describe('Each tenant', () => {
  it('MUST have its own service', async () => {
    await start()
    expect([await statusOf('A', 'A'), await statusOf('A', 'B'), await statusOf('B', 'B')]).toEqual([
      200, 404, 200,
    ])
    expect(opened).toEqual(['A', 'B'])
  })

  it('MUST be opened once for requests that arrive together', async () => {
    const allowed = gate()
    await start({
      open: async (tenant) => {
        opened.push(tenant)
        await allowed.opened
        return { service: serviceOf(tenant) }
      },
    })
    const statuses = Promise.all([1, 2, 3].map(() => statusOf('A', 'A')))
    allowed.open()
    expect(await statuses).toEqual([200, 200, 200])
    expect(opened).toEqual(['A'])
  })

  it('MUST see the path of the mounted handler in its links', async () => {
    await start()
    const { text } = await server.send('/shop/A(1)', {
      headers: { 'x-tenant': 'A', Accept: 'application/json' },
    })
    expect(text).toContain(`"uri":"http://${server.host}/shop/A(1)"`)
  })

  it('MUST be served without Express', async () => {
    const model = modelOf('A')
    const created = tenants({
      of: (req) => req.headers.host,
      open: () => ({ service: requestListener(model, memoryProvider(model, { A: [] })) }),
    })
    server = await TestServer.start(createNodeServer((req, res) => created(req, res)))
    expect((await server.send('/A')).status).toBe(200)
  })
})

describe('A request without a tenant', () => {
  it('MUST get 404, in the format that it accepts', async () => {
    await start()
    const { status, text } = await server.send('/shop/A', { headers: { Accept: 'application/json' } })
    expect(status).toBe(404)
    expect(JSON.parse(text)).toHaveProperty('error.message')
    expect(opened).toEqual([])
  })

  it('MUST get the error that the application throws, also later', async () => {
    await start({
      of: (req) => {
        const error = new ODataError('Unauthorized')
        if (tenantOf(req) === 'now') throw error
        return Promise.reject(error)
      },
    })
    expect([await statusOf('now'), await statusOf('later')]).toEqual([401, 401])
    expect(errors).toEqual([])
  })

  it('MUST NOT learn the reason of internal errors', async () => {
    await start({
      of: () => {
        throw new Error('secret')
      },
    })
    const { status, text } = await server.send('/shop/A')
    expect(status).toBe(500)
    expect(text).not.toContain('secret')
    expect(errors).toEqual([['secret', undefined]])
  })
})

describe('A service that cannot be opened', () => {
  it('MUST get 503 with Retry-After, and be opened again for the next request', async () => {
    let isDown = true
    await start({
      open: (tenant) => {
        opened.push(tenant)
        if (isDown) throw new Error('no connection')
        return { service: serviceOf(tenant) }
      },
    })
    const { status, headers, text } = await server.send('/shop/A', { headers: { 'x-tenant': 'A' } })
    expect([status, headers['retry-after'], text.includes('no connection')]).toEqual([503, '5', false])
    isDown = false
    expect(await statusOf('A', 'A')).toBe(200)
    expect(opened).toEqual(['A', 'A'])
    expect(errors).toEqual([['no connection', 'A']])
  })

  it.each([undefined, {}, { service: 1 }])('MUST get 503 if `open` returns %j', async (opened) => {
    await start({ open: () => opened as never })
    expect(await statusOf('A', 'A')).toBe(503)
    expect(handler.names).toEqual([])
    expect(errors).toEqual([[expect.stringContaining('open must return { service }'), 'A']])
  })

  it('MUST get 500 if it throws, also later', async () => {
    const service = Object.assign(
      () => {
        throw new Error('broken')
      },
      { close: () => Promise.resolve() },
    )
    await start({ open: () => ({ service }) })
    expect([await statusOf('A', 'A'), await statusOf('A', 'A')]).toEqual([500, 500])
    expect(errors.map(([message]) => message)).toEqual(['broken', 'broken'])
  })

  it('MUST NOT affect other tenants', async () => {
    await start({
      open: (tenant) => {
        if (tenant === 'A') throw new Error('broken')
        return { service: serviceOf(tenant) }
      },
    })
    expect([await statusOf('A', 'A'), await statusOf('B', 'B'), await statusOf('A', 'A')]).toEqual([
      503, 200, 503,
    ])
  })
})

describe('Open services', () => {
  it('MUST be at most max; the one that was used longest ago is closed', async () => {
    await start({ max: 2 })
    for (const tenant of ['A', 'B', 'A', 'C']) await statusOf(tenant)
    expect(handler.names).toEqual(['A', 'C'])
    await handler.close()
    expect(closed.sort()).toEqual(['A', 'B', 'C'])
  })

  it('MUST be closed when they are forgotten, after their last response', async () => {
    const reading = gate()
    const allowed = gate()
    const model = modelOf('A')
    const read = async (): Promise<readonly { ID: number }[]> => {
      reading.open()
      await allowed.opened
      return [{ ID: 1 }]
    }
    await start({
      open: (tenant) => {
        opened.push(tenant)
        const service = odataV2(model, { entitySets: { A: { read } } })
        return { service, close: () => void closed.push(tenant) }
      },
    })
    const response = statusOf('A', 'A')
    await reading.opened
    const forgotten = handler.forget('A')
    expect([handler.names, closed]).toEqual([[], []])
    allowed.open()
    expect(await response).toBe(200)
    await forgotten
    expect(closed).toEqual(['A'])
    expect(await statusOf('A', 'A')).toBe(200)
    expect(opened).toEqual(['A', 'A'])
  })

  it('MUST be closed when they are idle', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
    try {
      await start({ idle: 60 })
      await statusOf('A')
      await jest.advanceTimersByTimeAsync(59_000)
      expect(handler.names).toEqual(['A'])
      await statusOf('A')
      await jest.advanceTimersByTimeAsync(59_000)
      expect(handler.names).toEqual(['A'])
      await jest.advanceTimersByTimeAsync(2_000)
      expect(handler.names).toEqual([])
      await handler.close()
      expect(closed).toEqual(['A'])
    } finally {
      jest.useRealTimers()
    }
  })

  it('MUST be closed with the handler, which then refuses requests', async () => {
    await start()
    await statusOf('A')
    await handler.close()
    expect(closed).toEqual(['A'])
    const { status, headers } = await server.send('/shop/A', { headers: { 'x-tenant': 'A' } })
    expect([status, headers['retry-after']]).toEqual([503, '5'])
  })

  it('MUST report errors while they are closed', async () => {
    await start({
      open: (tenant) => ({
        service: serviceOf(tenant),
        close: () => Promise.reject(new Error('still in use')),
      }),
    })
    await statusOf('A')
    await handler.forget('A')
    expect(errors).toEqual([['still in use', 'A']])
  })
})

const ofA = (): string => 'A'

describe('Options of tenants', () => {
  it.each([
    [{}, 'tenants: of is missing.'],
    [{ of: ofA }, 'tenants: open is missing.'],
    [{ of: 'A', open: () => ({}) }, 'tenants: of must be a function.'],
    [{ of: ofA, open: () => ({}), max: 0 }, 'tenants: max must be a positive whole number of services.'],
    [{ of: ofA, open: () => ({}), idle: 0 }, 'tenants: idle must be a positive number of seconds.'],
    [{ of: ofA, open: () => ({}), size: 1 }, "tenants: 'size' is not an option."],
  ])('MUST be valid: %j', async (options, message) => {
    await start()
    expect(() => tenants(options as never)).toThrow(message)
  })
})
