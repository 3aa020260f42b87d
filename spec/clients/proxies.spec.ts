import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { isInstalled, proxies, RunningProxy } from './support/proxies.js'

const model = defineModel({
  namespace: 'Proxied',
  entityTypes: {
    Part: { key: ['ID'], properties: { ID: edm.String({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Parts: { entityType: 'Part' } } },
})

const keys = ['plain', 'a/b', 'a//b', '%2F', '%252F', "it's", 'a&b=c;d', 'ü', 'a b', '..', '+', '?#', '\\']
const rows = keys.map((ID) => ({ ID, Name: `part ${ID}` }))

/** The service and the first proxy run on this machine, which is what Express trusts. */
async function serveParts(): Promise<TestServer> {
  const app = express()
  app.set('trust proxy', 1)
  app.use('/public/parts', odataV2(model, memoryProvider(model, { Parts: rows })))
  return TestServer.start(app)
}

/** Sends a target byte for byte. */
async function send(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const outgoing = request({ host: '127.0.0.1', port, path, agent: false, headers })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { status: response.statusCode, text }
}

const forged = {
  Host: 'public.example',
  'X-Forwarded-Prefix': '/forged',
  'X-Forwarded-Host': 'forged.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '203.0.113.9',
}

for (const proxy of proxies) {
  const describeIfInstalled = isInstalled(proxy) ? describe : describe.skip

  describeIfInstalled(`${proxy.name}, configured as in the guide`, () => {
    let server: TestServer
    let running: RunningProxy
    beforeAll(async () => {
      server = await serveParts()
      running = await RunningProxy.start(proxy, server.port)
    })
    afterAll(async () => {
      await running.stop()
      await server.stop()
    })

    it('MUST pass on paths unchanged, so that each key addresses its own entity', async () => {
      for (const { ID, Name } of rows) {
        const key = encodeURIComponent(ID.replaceAll("'", "''"))
        const response = await send(running.port, `/public/parts/Parts('${key}')/Name/$value`)
        expect([ID, response]).toEqual([ID, { status: 200, text: Name }])
      }
    })

    it('MUST NOT merge slashes in a key', async () => {
      const response = await send(running.port, "/public/parts/Parts('a//b')/Name/$value")
      expect(response).toEqual({ status: 200, text: 'part a//b' })
    })

    it('MUST replace forwarded headers of the client, which would become part of every link', async () => {
      const { status, text } = await send(running.port, '/public/parts/', forged)
      expect(status).toBe(200)
      expect(/xml:base="([^"]*)"/.exec(text)?.[1]).toBe('http://public.example/public/parts/')
    })
  })
}
