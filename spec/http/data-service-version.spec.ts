import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

describe('Versions of the protocol', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(express().use('/n', exampleService()))
  })
  afterAll(() => server.stop())

  function send(target: string, own?: string, max?: string, more: Record<string, string> = {}) {
    const headers = {
      ...(own === undefined ? {} : { DataServiceVersion: own }),
      ...(max === undefined ? {} : { MaxDataServiceVersion: max }),
      ...more,
    }
    return server.send(target, { headers })
  }

  it.each([
    [undefined, undefined, '2.0'],
    ['2.0', undefined, '2.0'],
    ['1.0', undefined, '1.0'],
    ['1.0', '2.0', '2.0'],
    ['1.0', '3.0', '2.0'],
    ['2.0', '1.0', '1.0'],
    ['2.0;NetFx', '2.0;NetFx', '2.0'],
    ['1.0; any agent; at all', undefined, '1.0'],
    [' 2.0 ', undefined, '2.0'],
    [undefined, '1.0', '1.0'],
    [undefined, '1.5', '1.0'],
    [undefined, '2.0', '2.0'],
    [undefined, '3.0', '2.0'],
    [undefined, '4.01', '2.0'],
    [undefined, '100.0', '2.0'],
  ])(
    'DataServiceVersion %p and MaxDataServiceVersion %p MUST get a response in %s',
    async (own, max, version) => {
      const response = await send('/n/Categories(1)', own, max)
      expect(response.status).toBe(200)
      expect(response.headers.dataserviceversion).toBe(version)
    },
  )

  it.each([
    ['3.0', undefined],
    ['2.1', undefined],
    ['3.0', '3.0'],
    ['4.0', '2.0'],
    ['two', undefined],
    ['2', undefined],
    ['2.0.0', undefined],
    ['2.x', undefined],
    ['-2.0', undefined],
    ['2.0 NetFx', undefined],
    [';', undefined],
    ['', undefined],
    ['0.9', undefined],
    [undefined, 'abc'],
    [undefined, ''],
    [undefined, '3'],
    [undefined, '0.5'],
    [undefined, '1e1'],
    ['2.0', 'x'],
    ['99999.0', undefined],
  ])('DataServiceVersion %p and MaxDataServiceVersion %p MUST be rejected', async (own, max) => {
    const { status, headers, text } = await send('/n/Categories(1)', own, max, { Accept: 'application/json' })
    expect(status).toBe(400)
    expect(headers.dataserviceversion).toBe('2.0')
    const { error } = JSON.parse(text) as { error: { code: string; message: { value: string } } }
    expect(error.code).toBe('DataServiceVersionMismatch')
    expect(error.message.value).toMatch(/^(?:Max)?DataServiceVersion/)
  })

  it('MUST be rejected before all other checks', async () => {
    expect((await send('/n/Nothing', '3.0')).status).toBe(400)
  })

  it.each([
    ['/n/', 200],
    ['/n/$metadata', 200],
    ['/n/Categories', 200],
    ['/n/Categories(1)/Name', 200],
    ['/n/Categories(1)/Name/$value', 200],
    ['/n/Photos(1)/$value', 200],
    ['/n/Categories(1)/$links/Products', 200],
    ['/n/Total', 200],
    ['/n/Nothing', 404],
    ['/n/Categories?$filter=', 400],
    ['/n/Raise?pct=1D', 405],
  ])('MUST be named in the response to %s, which is %i', async (target, expected) => {
    for (const version of ['1.0', '2.0']) {
      const { status, headers } = await send(target, undefined, version)
      expect([status, headers.dataserviceversion]).toEqual([expected, version])
    }
  })

  it('MUST keep caches from sending version 1.0 to clients of other versions', async () => {
    const varying = 'Accept, DataServiceVersion, MaxDataServiceVersion'
    expect((await send('/n/Categories', undefined, '1.0')).headers.vary).toBe(varying)
    expect((await send('/n/Categories', '1.0')).headers.vary).toBe(varying)
    expect((await send('/n/Categories', '1.0', '2.0')).headers.vary).toBe('Accept')
    expect((await send('/n/Categories')).headers.vary).toBe('Accept')
  })

  it('MUST not matter to $inlinecount, $select and paths in version 2 that a client of version 1 cannot have', async () => {
    for (const target of [
      '/n/Categories?$inlinecount=none',
      '/n/Categories?$select=ID',
      '/n/Categories/$count',
    ]) {
      expect((await send(target, '1.0', '2.0')).status).toBe(200)
      expect((await send(target, '1.0')).status).toBe(400)
    }
  })
})
