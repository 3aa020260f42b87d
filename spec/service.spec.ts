import express from 'express'
import { defineModel, edm, memoryProvider, odataV2, writeEdmx } from '../lib/index.js'
import { TestServer } from './support/http-exchange.js'
import { exampleService } from './support/services/example-service.js'

describe('A service that caches plans of requests', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await TestServer.start(express().use('/n', exampleService({ pageSize: 2 })))
  })
  afterEach(() => server.stop())

  it('MUST create a response for each format, version and method of a URL', async () => {
    const target = '/n/Categories?$top=1&$expand=Products'
    const send = async (headers: Record<string, string>, method = 'GET') => {
      const { status, headers: given } = await server.send(target, { headers, method })
      return [status, given['content-type'], given.dataserviceversion]
    }
    const atom = [200, 'application/atom+xml;type=feed;charset=utf-8', '2.0']
    const json = [200, 'application/json;charset=utf-8', '2.0']
    for (let round = 0; round < 2; round++) {
      expect(await send({})).toEqual(atom)
      expect(await send({ Accept: 'application/json' })).toEqual(json)
      expect(await send({ MaxDataServiceVersion: '1.0' })).toEqual([
        400,
        'application/xml;charset=utf-8',
        '1.0',
      ])
      expect(await send({ Accept: 'application/json' }, 'HEAD')).toEqual(json)
      expect(await send({}, 'OPTIONS')).toEqual([204, undefined, '2.0'])
    }
  })

  it('MUST reject an invalid query at every request, also after valid ones', async () => {
    for (const method of ['OPTIONS', 'GET', 'GET', 'HEAD', 'GET']) {
      const { status } = await server.send('/n/Categories?$orderby=Nam', { method })
      expect(status).toBe(method === 'OPTIONS' ? 204 : 400)
    }
  })

  it('MUST not mix requests that differ little', async () => {
    const names = []
    for (let round = 0; round < 2; round++) {
      for (const key of [1, 2, 3, 4])
        names.push((await server.send(`/n/Categories(${key})/Name/$value`)).text)
    }
    expect(names).toEqual(Array(2).fill(['Cheese', 'Bread & <Rolls>', 'Fish', 'Tea "green"']).flat())
  })

  it('MUST not care how many different requests there were', async () => {
    for (let number = 0; number < 700; number++) {
      expect((await server.send(`/n/Categories/$count?$filter=ID%20lt%20${number}`)).text).toBe(
        String(Math.max(0, Math.min(4, number - 1))),
      )
    }
    expect((await server.send('/n/Categories/$count?$filter=ID%20lt%203')).text).toBe('2')
  })

  it('MUST respond to concurrent requests, each with its own response', async () => {
    const targets = Array.from({ length: 40 }, (_, index) => `/n/Products(${(index % 5) + 1})?$format=json`)
    const responses = await Promise.all(targets.map((target) => server.send(target)))
    const ids = responses.map(({ text }) => (JSON.parse(text) as { d: { ID: number } }).d.ID)
    expect(ids).toEqual(targets.map((_, index) => (index % 5) + 1))
  })
})

describe('The metadata document of a large model', () => {
  it('MUST be the same for all requests, also for those that arrive while it is written', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`Field${index}`, edm.String({ maxLength: 40 })]),
    )
    const names = Array.from({ length: 400 }, (_, index) => `Type${index}`)
    const model = defineModel({
      namespace: 'N',
      entityTypes: Object.fromEntries(
        names.map((name) => [
          name,
          { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), ...properties } },
        ]),
      ),
      entityContainer: {
        entitySets: Object.fromEntries(names.map((name) => [`${name}s`, { entityType: name }])),
      },
    })
    const server = await TestServer.start(express().use('/n', odataV2(model, memoryProvider(model))))
    const responses = await Promise.all(
      Array.from({ length: 3 }, () =>
        server.send('/n/$metadata', { headers: { 'Accept-Encoding': 'identity' } }),
      ),
    )
    for (const { status, text } of responses) expect([status, text]).toEqual([200, writeEdmx(model)])
    const [first] = responses
    const later = await server.send('/n/$metadata', {
      headers: { 'Accept-Encoding': 'identity', 'If-None-Match': String(first?.headers.etag) },
    })
    expect(later.status).toBe(304)
    await server.stop()
  })
})
