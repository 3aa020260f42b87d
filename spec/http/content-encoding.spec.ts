import { gzipSync } from 'node:zlib'
import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Photo: { key: ['ID'], hasStream: true, properties: { ID: edm.Int32({ nullable: false }) } },
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Photos: { entityType: 'Photo' }, Notes: { entityType: 'Note' } } },
})

let server: TestServer
afterEach(() => server.stop())

async function start(...middleware: express.RequestHandler[]): Promise<void> {
  const app = express()
  for (const one of middleware) app.use(one)
  server = await TestServer.start(
    app.use('/m', odataV2(model, memoryProvider(model, { Photos: [{ ID: 1 }] }))),
  )
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const note = gzipSync('{"ID":1}')

describe('Content-Encoding of a request', () => {
  it.each([
    ['POST', 'Notes', json, note],
    ['POST', 'Photos', { 'Content-Type': 'image/png' }, gzipSync('png')],
    ['PUT', 'Photos(1)/$value', { 'Content-Type': 'image/png' }, gzipSync('png')],
    ['POST', '$batch', { 'Content-Type': 'multipart/mixed; boundary=b' }, gzipSync('--b--')],
  ])('MUST receive 415 for %s %s', async (method, target, headers, body) => {
    await start()
    const response = await server.send(`/m/${target}`, {
      method,
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      body,
    })
    expect([response.status, response.text.includes('Content-Encoding')]).toEqual([415, true])
    expect((await server.send('/m/Photos/$count')).text).toBe('1')
    expect((await server.send('/m/Photos(1)/$value')).text).not.toContain('png')
  })

  it('MUST receive 415 in a batch', async () => {
    await start()
    const lines = [
      '--b',
      'Content-Type: application/http',
      '',
      'POST Notes HTTP/1.1',
      'Content-Encoding: gzip',
    ]
    const body = [...lines, 'Content-Type: application/json', '', '{"ID":1}', '--b--', ''].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const response = await server.send('/m/$batch', { method: 'POST', headers, body })
    expect(response.text).toContain('HTTP/1.1 415')
  })

  it.each(['identity', 'Identity', ' identity , identity', ''])('MAY be %j', async (encoding) => {
    await start()
    const headers = { ...json, 'Content-Encoding': encoding }
    expect((await server.send('/m/Notes', { method: 'POST', headers, body: '{"ID":1}' })).status).toBe(201)
  })

  it('MUST NOT matter where middleware has decoded the body, nor without a body', async () => {
    await start(express.raw({ type: 'application/json' }))
    const headers = { ...json, 'Content-Encoding': 'gzip' }
    expect((await server.send('/m/Notes', { method: 'POST', headers, body: note })).status).toBe(201)
    expect((await server.send('/m/Notes(1)', { method: 'DELETE', headers })).status).toBe(204)
  })
})
