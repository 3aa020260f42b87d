import express from 'express'
import { odataV2 } from '../../lib/index.js'
import { openV2 } from '../../lib/v2.js'
import { openV4 } from '../../lib/v4.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import type { CapServer } from './support/cap-shop.js'
import { startScript } from './support/cap-shop.js'

let mock: CapServer
let server: TestServer
let close: () => void

// The mock server has no function that restores its rows.
async function start(version: 'v2' | 'v4'): Promise<void> {
  mock = await startScript('mock-server/serve.cjs', version)
  const opened = version === 'v2' ? await openV2(mock.url) : await openV4(mock.url)
  const { model, provider, options } = opened
  server = await TestServer.start(express().use('/n', odataV2(model, provider, options)))
  close = () => {
    opened.close()
  }
}

async function stop(): Promise<void> {
  close()
  await server.stop()
  await mock.stop()
}

const send = (method: string, path: string, body?: string): Promise<HttpResponse> =>
  server.send(`/n/${path.replaceAll(' ', '%20')}`, {
    method,
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body }),
  })

async function read(path: string): Promise<Record<string, unknown>> {
  const { status, text } = await send('GET', path)
  expect({ path, status }).toEqual({ path, status: 200 })
  return (JSON.parse(text) as { d: Record<string, unknown> }).d
}

const listOf = (feed: unknown): readonly Record<string, unknown>[] =>
  (feed as { results: readonly Record<string, unknown>[] }).results

const idsOf = async (path: string): Promise<readonly unknown[]> =>
  listOf(await read(path)).map(({ ID }) => ID)

describe.each(['v2', 'v4'] as const)('fe-mockserver in mode %s', (version) => {
  beforeEach(() => start(version))
  afterEach(stop)

  it('MUST be served with its types', async () => {
    expect(await read('Products(1)')).toMatchObject({
      ID: 1,
      Name: 'Tea',
      Price: expect.stringMatching(/^2\.50?$/) as string,
      Stock: '10',
      Released: '/Date(1714521600000)/',
    })
    expect((await send('GET', 'Products(77)')).status).toBe(404)
    expect((await send('GET', 'Products/$count')).text).toBe('3')
  })

  it('MUST filter, sort and page', async () => {
    expect(await idsOf("Products?$filter=Name eq 'Cup'")).toEqual([2])
    expect(await idsOf('Products?$filter=ID gt 1 and CategoryID eq 2')).toEqual([2, 3])
    expect(await idsOf("Products?$filter=substringof('o',Name)")).toEqual([3])
    expect(await idsOf("Products?$filter=Released gt datetime'2024-05-02T00:00:00'")).toEqual([3])
    expect(await idsOf('Products?$orderby=Name desc&$skip=1')).toEqual([3, 2])
    expect(await read('Products?$top=2&$inlinecount=allpages')).toMatchObject({ __count: '3' })
  })

  it('MUST expand and follow navigation properties', async () => {
    expect(await read('Products(1)?$expand=Category')).toMatchObject({ Category: { Name: 'Drinks' } })
    const categories = listOf(await read('Categories?$expand=Products'))
    expect(categories.map(({ Products }) => listOf(Products).map(({ ID }) => ID))).toEqual([[1], [2, 3]])
    expect(await idsOf('Categories(2)/Products')).toEqual([2, 3])
    expect(await read('Products(1)/Category')).toMatchObject({ Name: 'Drinks' })
  })

  it('MUST be changed', async () => {
    const entity = '{"ID":4,"Name":"Jug","Price":"9.00","CategoryID":2}'
    expect((await send('POST', 'Products', entity)).status).toBe(201)
    expect((await send('MERGE', 'Products(4)', '{"Name":"Mug"}')).status).toBe(204)
    expect(await read('Products(4)')).toMatchObject({ Name: 'Mug', CategoryID: 2 })
    expect((await send('DELETE', 'Products(4)')).status).toBe(204)
    expect((await send('GET', 'Products(4)')).status).toBe(404)
  })
})

describe('fe-mockserver in mode v2', () => {
  beforeEach(() => start('v2'))
  afterEach(stop)

  it('MUST be changed by change sets', async () => {
    const changes = [
      written('POST Products', '{"ID":5,"Name":"Can"}'),
      written('MERGE Products(1)', '{"Name":"Green tea"}'),
    ]
    expect(statusesOf(await responsesTo(server.port, changes))).toEqual([[201, 204]])
    expect(await idsOf("Products?$filter=Name eq 'Green tea' or ID eq 5")).toEqual([1, 5])
  })

  it('MAY fail for literals with a suffix, which its parser does not know', async () => {
    expect((await send('GET', 'Products?$filter=Price gt 3M')).status).toBe(502)
  })
})
