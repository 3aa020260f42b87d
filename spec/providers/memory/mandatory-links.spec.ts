import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import type { EdmModel } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { messageOf } from '../../support/services/order-service.js'

const id = edm.Int32({ nullable: false })

/** Every payment must have a bill; every pilot must have a plane, and every plane a pilot. */
const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Bill: {
      key: ['ID'],
      properties: { ID: id },
      navigationProperties: { Payments: { relationship: 'Paying', fromRole: 'Bill', toRole: 'Payments' } },
    },
    Payment: {
      key: ['ID'],
      properties: { ID: id, Note: edm.String() },
      navigationProperties: {
        Bill: { relationship: 'Paying', fromRole: 'Payments', toRole: 'Bill' },
        Receipt: { relationship: 'Printing', fromRole: 'Payment', toRole: 'Receipt' },
      },
    },
    /** Has no navigation property to the payment. */
    Receipt: { key: ['ID'], properties: { ID: id } },
    Pilot: {
      key: ['ID'],
      properties: { ID: id },
      navigationProperties: { Plane: { relationship: 'Flying', fromRole: 'Pilot', toRole: 'Plane' } },
    },
    Plane: {
      key: ['ID'],
      properties: { ID: id },
      navigationProperties: { Pilot: { relationship: 'Flying', fromRole: 'Plane', toRole: 'Pilot' } },
    },
  },
  associations: {
    Paying: {
      ends: { Bill: { type: 'Bill', multiplicity: '1' }, Payments: { type: 'Payment', multiplicity: '*' } },
    },
    Printing: {
      ends: {
        Payment: { type: 'Payment', multiplicity: '1' },
        Receipt: { type: 'Receipt', multiplicity: '0..1' },
      },
    },
    Flying: {
      ends: { Pilot: { type: 'Pilot', multiplicity: '1' }, Plane: { type: 'Plane', multiplicity: '1' } },
    },
  },
  entityContainer: {
    entitySets: {
      Bills: { entityType: 'Bill' },
      Payments: { entityType: 'Payment' },
      Receipts: { entityType: 'Receipt' },
      Pilots: { entityType: 'Pilot' },
      Planes: { entityType: 'Plane' },
    },
    associationSets: {
      Paying: { association: 'Paying', ends: { Bill: 'Bills', Payments: 'Payments' } },
      Printing: { association: 'Printing', ends: { Payment: 'Payments', Receipt: 'Receipts' } },
      Flying: { association: 'Flying', ends: { Pilot: 'Pilots', Plane: 'Planes' } },
    },
  },
})

const data = {
  Bills: [{ ID: 1 }, { ID: 2 }],
  Payments: [{ ID: 1, Bill: 1 }, { ID: 2, Bill: 2 }, { ID: 7 }],
  Receipts: [{ ID: 1 }],
  Pilots: [
    { ID: 1, Plane: 1 },
    { ID: 2, Plane: 2 },
  ],
  Planes: [{ ID: 1 }, { ID: 2 }],
}

/** A change set of POST requests with the Content-IDs 1, 2, ... */
function changeSet(requests: readonly (readonly [method: string, path: string, body: unknown])[]): string {
  const parts = requests.map(([method, path, body], index) =>
    [
      '--c',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      `Content-ID: ${index + 1}`,
      '',
      `${method} ${path} HTTP/1.1`,
      'Content-Type: application/json',
      '',
      JSON.stringify(body),
    ].join('\r\n'),
  )
  return ['--b', 'Content-Type: multipart/mixed; boundary=c', '', ...parts, '--c--', '--b--', ''].join('\r\n')
}

describe('An entity that must be linked, without a foreign key', () => {
  let server: TestServer
  beforeEach(async () => {
    const app = express()
    app.use('/m', odataV2(model, memoryProvider(model as EdmModel, data)))
    server = await TestServer.start(app)
  })
  afterEach(() => server.stop())

  const send = (method: string, path: string, body?: unknown): Promise<HttpResponse> =>
    server.send(`/m/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const sendBatch = (body: string): Promise<HttpResponse> =>
    server.send('/m/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body,
    })
  const ids = async (path: string): Promise<number[]> => {
    const { d } = JSON.parse((await send('GET', path)).text) as { d: { results: { ID: number }[] } }
    return d.results.map(({ ID }) => ID)
  }

  it('MUST NOT be inserted without a link: 400 names the navigation property', async () => {
    const response = await send('POST', 'Payments', { ID: 3 })
    expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining("'Bill'")])
    expect(await ids('Payments')).toEqual([1, 2, 7])
  })

  it('MUST be inserted when it has no navigation property with which a client could link it', async () => {
    expect((await send('POST', 'Receipts', { ID: 3 })).status).toBe(201)
    const inside = { ID: 4, Bill: { __metadata: { uri: 'Bills(1)' } }, Receipt: { ID: 2 } }
    expect((await send('POST', 'Payments', inside)).status).toBe(201)
  })

  it.each([
    ['by a binding', 'Payments', { ID: 3, Bill: { __metadata: { uri: 'Bills(1)' } } }],
    ['with what it belongs to', 'Payments', { ID: 3, Bill: { ID: 3 } }],
    ['over a navigation property', 'Bills(1)/Payments', { ID: 3 }],
    ['inside of what it belongs to', 'Bills', { ID: 3, Payments: [{ ID: 3 }] }],
  ])('MUST be added %s', async (_how, path, body) => {
    expect((await send('POST', path, body)).status).toBe(201)
    expect(await ids('Payments')).toEqual([1, 2, 3, 7])
    expect((await send('GET', 'Payments(3)/Bill')).status).toBe(200)
  })

  it('MUST be linked at the end of a change set, but not earlier', async () => {
    const link = { uri: '$2' }
    const { text } = await sendBatch(
      changeSet([
        ['POST', 'Payments', { ID: 3 }],
        ['POST', 'Bills', { ID: 3 }],
        ['PUT', '$1/$links/Bill', link],
      ]),
    )
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 204'])
    expect(await ids('Bills(3)/Payments')).toEqual([3])
  })

  it('MUST fail a whole change set that leaves it unlinked', async () => {
    const { text } = await sendBatch(
      changeSet([
        ['POST', 'Bills', { ID: 3 }],
        ['POST', 'Payments', { ID: 3 }],
      ]),
    )
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400'])
    expect(text).toContain("'Bill'")
    expect(await ids('Bills')).toEqual([1, 2])
    expect(await ids('Payments')).toEqual([1, 2, 7])
  })

  it('MAY be unlinked in the initial data, and can be updated and deleted', async () => {
    expect((await send('MERGE', 'Payments(7)', { Note: 'x' })).status).toBe(204)
    expect((await send('DELETE', 'Payments(7)')).status).toBe(204)
  })

  it.each([
    ['DELETE', 'Payments(1)/$links/Bill', undefined],
    ['DELETE', 'Bills(1)/$links/Payments(1)', undefined],
    ['DELETE', 'Payments(1)/Bill', undefined],
    ['DELETE', 'Bills(1)/Payments(1)', undefined],
    ['MERGE', 'Payments(1)', { Bill: null }],
  ])('%s %s MUST respond with 400', async (method, path, body) => {
    expect((await send(method, path, body)).status).toBe(400)
    expect(await ids('Bills(1)/Payments')).toEqual([1])
  })

  it.each([
    ['PUT', 'Payments(1)/$links/Bill', { uri: 'Bills(2)' }],
    ['POST', 'Bills(2)/$links/Payments', { uri: 'Payments(1)' }],
    ['MERGE', 'Payments(1)', { Bill: { __metadata: { uri: 'Bills(2)' } } }],
    ['POST', 'Bills', { ID: 3, Payments: [{ __metadata: { uri: 'Payments(1)' } }] }],
  ])('%s %s MUST move it, seen from both sides', async (method, path, body) => {
    expect((await send(method, path, body)).status).toBeLessThan(300)
    expect(await ids('Bills(1)/Payments')).toEqual([])
    const { text } = await send('GET', 'Payments(1)/Bill')
    const { d } = JSON.parse(text) as { d: { ID: number } }
    expect(await ids(`Bills(${d.ID})/Payments`)).toContain(1)
  })

  it('MUST NOT lose its link to another entity', async () => {
    const response = await send('PUT', 'Pilots(1)/$links/Plane', { uri: 'Planes(2)' })
    expect(response.status).toBe(400)
    for (const one of [1, 2]) {
      expect(JSON.parse((await send('GET', `Pilots(${one})/Plane`)).text)).toMatchObject({ d: { ID: one } })
      expect(JSON.parse((await send('GET', `Planes(${one})/Pilot`)).text)).toMatchObject({ d: { ID: one } })
    }
    const swapped = changeSet([
      ['PUT', 'Pilots(1)/$links/Plane', { uri: 'Planes(2)' }],
      ['PUT', 'Pilots(2)/$links/Plane', { uri: 'Planes(1)' }],
    ])
    expect((await sendBatch(swapped)).text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 204'])
    expect(JSON.parse((await send('GET', 'Planes(1)/Pilot')).text)).toMatchObject({ d: { ID: 2 } })
  })

  it('MUST prevent the deletion of the entity that it needs, unless both are deleted', async () => {
    expect((await send('DELETE', 'Bills(1)')).status).toBe(409)
    expect(await ids('Bills(1)/Payments')).toEqual([1])
    const { text } = await sendBatch(
      changeSet([
        ['DELETE', 'Payments(1)', ''],
        ['DELETE', 'Bills(1)', ''],
      ]),
    )
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 204'])
  })
})
