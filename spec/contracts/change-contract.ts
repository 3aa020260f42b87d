import express from 'express'
import type { ODataV2Options, Provider } from '../../lib/index.js'
import { filter, odataV2 } from '../../lib/index.js'
import { feedOf, getJson, Replica } from '../support/delta-client.js'
import type { deltaModel as DeltaModel } from '../support/delta-model.js'
import { deltaModel } from '../support/delta-model.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

type Model = typeof DeltaModel

/** A provider with the rows of `deltaData`, whose changes are tracked. */
export interface TrackedProvider {
  readonly provider: Provider<Model>
  close(): Promise<void>
}

/** States the rules for every provider with `changes`. */
export function describeChanges(name: string, open: () => Promise<TrackedProvider>): void {
  describe(`Tracked changes of ${name}`, () => {
    let tracked: TrackedProvider
    let server: TestServer

    const start = async (options: ODataV2Options<unknown, Model> = {}): Promise<void> => {
      tracked = await open()
      server = await TestServer.start(express().use('/s', odataV2(deltaModel, tracked.provider, options)))
    }
    afterEach(async () => {
      await server.stop()
      await tracked.close()
    })

    const send = async (method: string, path: string, body?: object): Promise<HttpResponse> => {
      const response = await server.send(`/s/${path}`, {
        method,
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, response.status < 300, response.text]).toEqual([path, true, expect.anything()])
      return response
    }
    const deltaLink = async (path: string): Promise<string> => {
      const response = await getJson(server, `/s/${path}`)
      expect([response.status, response.text]).toEqual([200, expect.stringContaining('__delta')])
      return String(feedOf(response).__delta)
    }
    const deltaOf = async (link: string): Promise<unknown[]> => {
      const response = await getJson(server, link)
      expect([response.status, response.text]).toEqual([200, expect.stringContaining('__delta')])
      return feedOf(response).results.map((one) => one.id?.replace(/.*\//, '') ?? one.ID)
    }

    it('MUST report inserts, updates, deletes and cascades once, with present values', async () => {
      await start()
      const link = await deltaLink('Products')
      await send('POST', 'Products', { ID: 9, Name: 'Nine', Photo: 'AQI=' })
      await send('MERGE', 'Products(9)', { Name: 'nine' })
      await send('MERGE', 'Products(4)', { Price: '4.25', Changed: '/Date(1700000000123)/' })
      await send('DELETE', 'Categories(1)')
      expect(await deltaOf(link)).toEqual([4, 9, 'Products(1)', 'Products(2)', 'Products(3)'])
      const { results, __delta } = feedOf(await getJson(server, link))
      expect(results[0]).toMatchObject({ ID: 4, Price: '4.25', Changed: '/Date(1700000000123)/' })
      expect(results[1]).toMatchObject({ ID: 9, Name: 'nine', Photo: 'AQI=' })
      expect(await deltaOf(String(__delta))).toEqual([])
    })

    it('MUST report entities that matched in any state between two positions', async () => {
      await start()
      const link = await deltaLink("Products?$filter=Price%20gt%2025%20or%20Name%20eq%20'x'")
      await send('MERGE', 'Products(1)', { Name: 'x' })
      await send('MERGE', 'Products(1)', { Name: 'y' })
      await send('MERGE', 'Products(2)', { Name: 'y' })
      await send('MERGE', 'Products(3)', { Price: '1.5' })
      await send('POST', 'Products', { ID: 7, Price: '70' })
      await send('DELETE', 'Products(7)')
      await send('POST', 'Products', { ID: 8, Price: '7' })
      await send('DELETE', 'Products(8)')
      expect(await deltaOf(link)).toEqual(['Products(1)', 'Products(3)', 'Products(7)'])
    })

    it('MUST evaluate conditions on the values of earlier states: dates, decimals, null', async () => {
      await start()
      await send('MERGE', 'Products(1)', { Changed: '/Date(1700000000123)/', Price: '0.1', Owner: null })
      const filters = [
        "Changed%20eq%20datetime'2023-11-14T22:13:20.123'",
        'Price%20eq%200.1m',
        'Owner%20eq%20null',
      ]
      const links = await Promise.all(filters.map((one) => deltaLink(`Products?$filter=${one}`)))
      await send('MERGE', 'Products(1)', { Changed: null, Price: '0.2', Owner: 'eve' })
      for (const link of links) expect(await deltaOf(link)).toEqual(['Products(1)'])
    })

    it('MUST apply the filters of authorize to earlier states', async () => {
      await start({ authorize: ({ kind }) => (kind === 'read' ? filter`Owner eq 'ann'` : undefined) })
      const link = await deltaLink('Products')
      await send('MERGE', 'Products(2)', { Owner: 'bob' })
      await send('MERGE', 'Products(4)', { Name: 'four' })
      expect(await deltaOf(link)).toEqual([4, 'Products(2)'])
    })

    it('MUST page changes in the order of their keys', async () => {
      await start({ pageSize: 2 })
      const replica = new Replica(server, '/s/Products', async () => {
        await send('MERGE', 'Products(3)', { Name: `${String(Math.random())}` })
        await send('POST', 'Products', { ID: 100, Name: 'short' })
        await send('DELETE', 'Products(100)')
      })
      await replica.synchronize()
      for (const id of [5, 1, 2]) await send('DELETE', `Products(${String(id)})`)
      await send('POST', 'Products', { ID: 6, Name: 'six' })
      await replica.synchronize()
      await replica.synchronize()
      const all = new Replica(server, '/s/Products')
      await all.synchronize()
      expect(all.rows('ID')).toEqual([{ ID: 3 }, { ID: 4 }, { ID: 6 }])
      expect(replica.rows('ID', 'Name')).toEqual(all.rows('ID', 'Name'))
      expect(replica.pages[1]).toBeGreaterThan(2)
    })

    const partsOf = async (path: string): Promise<{ head: string; position: string }> => {
      const token = Buffer.from(/'(.*)'/.exec(await deltaLink(path))?.[1] ?? '', 'base64url').toString()
      const head = token.slice(0, token.lastIndexOf(' ') + 1)
      return { head, position: token.slice(head.length) }
    }
    const statusOf = async (token: string): Promise<unknown> => {
      const encoded = Buffer.from(token).toString('base64url')
      const { status, text } = await getJson(server, `/s/Products?!deltatoken='${encoded}'`)
      return [status, /"value":"(?:The position in the token is malformed|The changes)/.test(text)]
    }

    it('MUST respond with 410 to positions of another epoch', async () => {
      await start()
      const { head, position } = await partsOf('Products')
      for (const one of ['x', '0', '1', `x${position}`])
        expect([one, await statusOf(head + one)]).toEqual([one, [410, true]])
    })

    it('MUST respond with 400 to positions that it has not returned for the set', async () => {
      await start()
      const ofCategories = (await partsOf('Categories')).position
      await send('DELETE', 'Products(1)')
      const { head, position } = await partsOf('Products')
      const [epoch = ''] = position.split('.')
      const [place = '', code = ''] = position.slice(epoch.length + 1).split('~')
      expect(code).toMatch(/^[\w-]{16}$/)
      const places = ['', '0', '1', '99999999999', '-1', '99999999999:1:', '5:9:8-2', place]
      const forged = places.map((one) => `${epoch}.${one}`)
      const sealed = places.filter((one) => one !== place).map((one) => `${epoch}.${one}~${code}`)
      const others = [ofCategories, `${position}A`, `${position}~`.slice(0, -2), `${epoch}.${place}~`]
      for (const one of [...forged, ...sealed, ...others])
        expect([one, await statusOf(head + one)]).toEqual([one, [400, true]])
      expect(await statusOf(head + position)).toEqual([200, false])
    })
  })
}
