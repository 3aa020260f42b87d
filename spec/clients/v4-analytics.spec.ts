import express from 'express'
import type { EntitySetProvider, Provider } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import type { OpenedService } from '../../lib/v4.js'
import { openV4 } from '../../lib/v4.js'
import { TestServer } from '../support/http-exchange.js'
import type { CapShop } from './support/cap-shop.js'
import { startCapShop } from './support/cap-shop.js'

let shop: CapShop
let opened: OpenedService
let server: TestServer
const sent: string[] = []

beforeAll(async () => {
  shop = await startCapShop()
  opened = await openV4(`${shop.url}/odata/v4/catalog`, {
    dialect: 'cap',
    fetch: (input, init) => {
      sent.push(decodeURIComponent(input instanceof Request ? input.url : input.toString()))
      return fetch(input, init)
    },
  })
  const { model, options, provider } = opened
  const analytics = { Sales: { measures: { best: 'max' } } } as const
  const sets = provider.entitySets as Readonly<Record<string, EntitySetProvider>>
  const alone: Provider = {
    ...provider,
    entitySets: { ...sets, Sales: { ...sets.Sales, aggregate: undefined } as unknown as EntitySetProvider },
  }
  server = await TestServer.start(
    express()
      .use('/n', odataV2(model, provider, { ...options, analytics }))
      .use('/alone', odataV2(model, alone, { ...options, analytics })),
  )
})
afterAll(async () => {
  opened.close()
  await server.stop()
  await shop.stop()
})
beforeEach(() => {
  sent.length = 0
})

async function read(path: string): Promise<unknown> {
  const { status, text } = await server.send(path, { headers: { Accept: 'application/json' } })
  const { d } = JSON.parse(text) as { d: { results: { __metadata: unknown }[]; __count?: string } }
  return { status, count: d.__count, rows: d.results.map(({ __metadata, ...row }) => row) }
}

describe('An analytical entity set of CAP', () => {
  it.each([
    '$select=country,amount',
    '$select=year,amount,pieces,best&$orderby=amount%20desc',
    '$select=country,year,amount&$filter=year%20ge%202021&$orderby=country,year%20desc&$top=3&$skip=1&$inlinecount=allpages',
    '$select=country&$orderby=country',
    '$select=amount,pieces',
    "$select=amount&$filter=country%20eq%20'none'",
    "$select=year,pieces&$filter=country%20eq%20'DE'%20and%20year%20gt%202020",
  ])('MUST be grouped by the service, with the values of groups of its entities: %s', async (query) => {
    const own = await read(`/n/Sales?${query}`)
    expect(sent.length).toBeGreaterThan(0)
    expect(sent).toEqual(sent.map(() => expect.stringContaining('$apply=')))
    sent.length = 0
    expect(own).toEqual(await read(`/alone/Sales?${query}`))
    expect(sent.join()).not.toContain('$apply')
  })
})
