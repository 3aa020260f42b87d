import express from 'express'
import { memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { required } from '../../lib/util/required.js'
import { feedOf, getJson } from '../support/delta-client.js'
import { deltaData, deltaModel } from '../support/delta-model.js'
import { TestServer } from '../support/http-exchange.js'

describe('A provider that conflicts with another process while it numbers changes', () => {
  it('MUST be called again, for first loads and for deltas', async () => {
    const provider = memoryProvider(deltaModel, deltaData, {
      functions: { Cheap: () => [] },
      changeTracking: true,
    })
    const { entitySets } = provider
    const changes = required(entitySets.Products.changes)
    let conflicts = 0
    const conflict = (): void => {
      if (++conflicts % 3 > 0) throw new ODataError('ServiceUnavailable', { details: { retryable: true } })
    }
    const Products = {
      ...entitySets.Products,
      changes: {
        ...changes,
        position: (...call: Parameters<typeof changes.position>) => {
          conflict()
          return changes.position(...call)
        },
        since: (...query: Parameters<typeof changes.since>) => {
          conflict()
          return changes.since(...query)
        },
      },
    }
    const service = odataV2(deltaModel, { ...provider, entitySets: { ...entitySets, Products } })
    const server = await TestServer.start(express().use('/s', service))
    try {
      const { __delta: link } = feedOf(await getJson(server, '/s/Products'))
      expect((await getJson(server, String(link))).status).toBe(200)
      expect(conflicts).toBe(6)
    } finally {
      await server.stop()
    }
  })
})
