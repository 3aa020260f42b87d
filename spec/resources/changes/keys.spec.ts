import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Event: {
      key: ['At'],
      properties: { At: edm.DateTime({ nullable: false, precision: 7 }), Text: edm.String() },
    },
    Word: {
      key: ['Text'],
      properties: { Text: edm.String({ nullable: false }), Of: edm.String() },
      navigationProperties: { Parts: { relationship: 'Parts', fromRole: 'Whole', toRole: 'Parts' } },
    },
  },
  associations: {
    Parts: {
      ends: {
        Whole: { type: 'Word', multiplicity: '0..1' },
        Parts: { type: 'Word', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Whole', properties: ['Text'] },
        dependent: { role: 'Parts', properties: ['Of'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Events: { entityType: 'Event' }, Words: { entityType: 'Word' } },
    associationSets: { Parts: { association: 'Parts', ends: { Whole: 'Words', Parts: 'Words' } } },
  },
})

let server: TestServer
beforeEach(async () => {
  const data = { Events: [{ At: '2012-05-29T09:13:28.1234567', Text: 'a' }] }
  const service = odataV2(model, memoryProvider(model, data), { limits: { url: 100 } })
  server = await TestServer.start(express().use('/m', service))
})
afterEach(() => server.stop())

function send(method: string, target: string, body: unknown): Promise<HttpResponse> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  return server.send(`/m/${target}`, { method, headers, body: JSON.stringify(body) })
}

describe('A key with characters that JSON must escape', () => {
  const event = `Events(datetime'2012-05-29T09:13:28.1234567')`

  it.each(['PUT', 'MERGE'])('MUST be accepted by %s in the form in which it was returned', async (method) => {
    const read = await server.send(`/m/${event}`, { headers: { Accept: 'application/json' } })
    const { d } = JSON.parse(read.text) as { d: Record<string, unknown> }
    expect((await send(method, event, { ...d, Text: 'b' })).status).toBe(204)
    expect((await server.send(`/m/${event}/Text/$value`)).text).toBe('b')
  })

  it.each(['/Date(1338282808124)/', '2012-05-29T09:13:28.1234566', '2012-05-29T09:13:28'])(
    'MUST NOT be another one: %s',
    async (At) => {
      expect((await send('MERGE', event, { At, Text: 'b' })).status).toBe(400)
    },
  )
})

describe('A key that no URI could name', () => {
  it('MUST get 400, however long its characters are when they are encoded', async () => {
    expect((await send('POST', 'Words', { Text: 'a'.repeat(89) })).status).toBe(201)
    expect((await server.send(`/m/Words('${'a'.repeat(89)}')`)).status).toBe(200)
    expect((await send('POST', 'Words', { Text: 'a'.repeat(91) })).status).toBe(400)
    expect((await send('POST', 'Words', { Text: '\u20ac'.repeat(11) })).status).toBe(400)
  })

  it('MUST get 400 within another entity', async () => {
    const response = await send('POST', 'Words', { Text: 'b', Parts: [{ Text: 'c'.repeat(91) }] })
    expect([response.status, response.text.includes('too long')]).toEqual([400, true])
    expect((await server.send("/m/Words('b')")).status).toBe(404)
  })
})
