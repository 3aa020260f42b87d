import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const script = '<script xmlns="http://www.w3.org/1999/xhtml">fetch("/n/$metadata")</script>'
const model = defineModel({
  namespace: 'Blog',
  entityTypes: {
    Post: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Text: edm.String(),
      },
      feedMappings: [{ sourcePath: 'Text', target: 'SyndicationSummary', contentKind: 'xhtml' }],
    },
  },
  entityContainer: { name: 'Blog', entitySets: { Posts: { entityType: 'Post' } } },
})

let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/n', exampleService({ explorer: true, readOnly: false }))
  app.use('/blog', odataV2(model, memoryProvider(model, { Posts: [{ ID: 1, Text: script }] })))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('A document that a browser opens', () => {
  it.each([
    '/blog/Posts',
    '/blog/Posts(1)',
    '/blog/Posts(1)/Text',
    '/blog/Posts(1)/Text/$value',
    '/blog/Posts?$format=json',
    '/blog/',
    '/blog/$metadata',
    '/blog/Posts(<script>)',
    '/n/Photos(1)/$value',
    '/n/$openapi',
    '/n/$explorer/sets/Products.odc',
    '/n/$explorer/nothing',
    '/n/Names',
    '/n/Products(1)/$links/Category',
    '/n/Products/$count',
  ])('MUST NOT run scripts of the data: %s', async (path) => {
    for (const Accept of [html, '*/*', 'application/xml']) {
      const { headers } = await server.send(path, { headers: { Accept } })
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*\bsandbox$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('MUST NOT run scripts of a response to a change', async () => {
    const response = await server.send('/n/Categories', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: html },
      body: '{"ID":77,"Name":"<script>"}',
    })
    expect([response.status, response.headers['content-security-policy']]).toEqual([
      201,
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ])
  })
})
