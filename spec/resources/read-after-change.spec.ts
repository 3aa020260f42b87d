import express from 'express'
import request from 'supertest'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Counter: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Value: edm.Int32(),
        Version: edm.Int32({ concurrencyMode: 'Fixed' }),
      },
    },
  },
  entityContainer: { entitySets: { Counters: { entityType: 'Counter' } } },
})

describe('The read of an entity whose first request was a change', () => {
  const rows = [{ ID: 1, Value: 0, Version: 1 }]
  // Pages are cached by the URI of the service, so that all requests need the same port.
  const server = express()
    .use(odataV2(model, memoryProvider(model, { Counters: rows })))
    .listen(0)

  afterAll(() => server.close())

  it('MUST respond with 304 to its ETag, however often it is read', async () => {
    const changed = await request(server).patch('/Counters(1)').set('If-Match', '*').send({ Value: 1 })
    expect(changed.status).toBe(204)
    const { etag = '' } = changed.headers as { etag?: string }
    for (let read = 0; read < 4; read++) {
      expect((await request(server).get('/Counters(1)')).headers.etag).toBe(etag)
      expect((await request(server).get('/Counters(1)').set('If-None-Match', etag)).status).toBe(304)
    }
  })
})
