import { format } from 'node:util'
import createDebug from 'debug'
import express from 'express'
import request from 'supertest'
import { filter, memoryProvider, odataV2 } from '../../lib/index.js'
import { feedOf, getJson } from '../support/delta-client.js'
import { deltaData, deltaModel } from '../support/delta-model.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

describe('The debug output', () => {
  const lines: string[] = []
  const { log } = createDebug

  beforeAll(() => {
    createDebug.log = (...parts: unknown[]) => {
      lines.push(format(...parts))
    }
    createDebug.enable('odata-v2:*')
  })
  afterAll(() => {
    createDebug.disable()
    createDebug.log = log
  })

  it('MUST describe a request, its meaning, and the calls of the provider', async () => {
    const app = express().use('/n', exampleService())
    await request(app).get('/n/Categories?$top=2').expect(200)
    await request(app).get('/n/Nothing').expect(404)
    const text = lines.join('\n')
    expect(text).toMatch(/odata-v2:request.*GET \/n\/Categories\?\$top=2 200/)
    expect(text).toMatch(/odata-v2:query.*Categories\?\$top=2 is EntitySet/)
    expect(text).toMatch(/odata-v2:provider.*read Categories: .*top/)
    expect(text).toMatch(/odata-v2:request.*GET \/n\/Nothing 404/)
    expect(text).toMatch(/odata-v2:error.*GET \/Nothing: 404 There is no resource 'Nothing'\./)
  })

  it('MUST name once the sets whose delta links get 410 because authorize returns another filter', async () => {
    let time = Date.parse('2026-11-23T09:00:00Z')
    const provider = memoryProvider(deltaModel, deltaData, {
      functions: { Cheap: () => [] },
      changeTracking: true,
    })
    const authorize = ({ kind }: { readonly kind: string }): unknown =>
      kind === 'read' ? filter`Changed lt ${new Date(time++)}` : undefined
    const service = odataV2(deltaModel, provider, { authorize } as never)
    const server = await TestServer.start(express().use('/s', service))
    lines.length = 0
    try {
      for (let count = 0; count < 2; count++) {
        const { __delta: link } = feedOf(await getJson(server, '/s/Products'))
        expect((await getJson(server, String(link))).status).toBe(410)
      }
    } finally {
      await server.stop()
    }
    const found = lines.filter((line) => line.includes('A filter with the present time'))
    expect(found).toEqual([expect.stringContaining("a delta link of 'Products' gets 410")])
  })
})
