import { format } from 'node:util'
import createDebug from 'debug'
import express from 'express'
import request from 'supertest'
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
})
