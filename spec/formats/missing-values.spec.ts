import { format } from 'node:util'
import createDebug from 'debug'
import express from 'express'
import type { EntitySetProvider, Row } from '../../lib/index.js'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'S',
  complexTypes: { Size: { properties: { Width: edm.Double({ nullable: false }), Unit: edm.String() } } },
  entityTypes: {
    Box: {
      key: ['ID'],
      properties: {
        ID: edm.Int32(),
        Name: edm.String({ nullable: false }),
        Note: edm.String(),
        Size: { type: 'Size' },
      },
    },
  },
  entityContainer: { entitySets: { Boxes: { entityType: 'Box' } } },
})

const rows: readonly Row[] = [
  { ID: 1, Name: 'a', Note: null, Size: { Width: 1, Unit: null } },
  { ID: 2, Name: null, Note: 'b', Size: null },
  { ID: 3, Note: 'c' },
]

describe('A property that is null although the model declares it as not nullable', () => {
  const lines: string[] = []
  const { log } = createDebug
  const enabled = createDebug.disable()

  beforeAll(() => {
    createDebug.log = (...words: unknown[]) => lines.push(format(...words))
    createDebug.enable('odata-v2:provider')
  })

  afterAll(() => {
    createDebug.log = log
    createDebug.enable(enabled)
  })

  it.each(['application/json', 'application/atom+xml'])(
    'MUST be sent, and logged once in debug lines: %s',
    async (Accept) => {
      lines.length = 0
      const Boxes: EntitySetProvider = { read: () => rows }
      const service = odataV2(model, { entitySets: { Boxes } } as never)
      const server = await TestServer.start(express().use('/s', service))
      for (let count = 0; count < 2; count++) {
        expect((await server.send('/s/Boxes', { headers: { Accept } })).status).toBe(200)
      }
      await server.stop()
      const warned = lines.filter((line) => line.includes('is null, but'))
      expect(warned.map((line) => /Boxes\(\d\): '[\w/]+'/.exec(line)?.[0])).toEqual([
        "Boxes(2): 'Name'",
        "Boxes(2): 'Size/Width'",
      ])
    },
  )
})
