import express from 'express'
import request from 'supertest'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { Operation } from '../../lib/provider/authorize.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'

const key = { ID: edm.Int32({ nullable: false }) }
const model = defineModel({
  namespace: 'S',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: key,
      navigationProperties: { Items: { relationship: 'OrderItems', fromRole: 'Order', toRole: 'Item' } },
    },
    Item: { key: ['ID'], properties: { ...key, OrderID: edm.Int32() } },
  },
  associations: {
    OrderItems: {
      ends: { Order: { type: 'Order', multiplicity: '0..1' }, Item: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['OrderID'] },
      },
    },
  },
  entityContainer: { entitySets: { Orders: { entityType: 'Order' }, Items: { entityType: 'Item' } } },
})

/** Longer than any request may hold the event loop. */
const STEP_MS = 10

function holdEventLoop(): void {
  const end = performance.now() + STEP_MS
  while (performance.now() < end);
}

describe('An insert of many entities', () => {
  it.each([
    ['new entities', Array.from({ length: 5 }, () => ({}))],
    ['links', Array.from({ length: 5 }, (_, index) => ({ __metadata: { uri: `Items(${index + 1})` } }))],
  ])('MUST yield to the event loop between %s', async (_name, Items) => {
    let turns = 0
    const turnsAtStep: number[] = []
    const count = (): void => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const provider = memoryProvider(model, { Items: Items.map((_, index) => ({ ID: index + 1 })) })
    const authorize = ({ kind, entitySet }: Operation): void => {
      if (kind === 'link' || (kind === 'insert' && entitySet === 'Items')) {
        turnsAtStep.push(turns)
        holdEventLoop()
      }
    }
    const app = express().use('/', odataV2(model, provider, { authorize }))
    const { status } = await request(app).post('/Orders').send({ Items })
    clearImmediate(timer)
    expect(status).toBe(201)
    // The first of them is authorized before the body is bound, to learn its columns.
    expect(new Set(turnsAtStep).size).toBeGreaterThanOrEqual(Items.length - 1)
  })
})
