import express from 'express'
import type { EdmModel } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { sapRestrictionsOf } from '../../lib/edm/sap-annotations.js'
import { changeableValues } from '../../lib/resources/fixed-properties.js'
import { notUpdatable } from '../../lib/resources/sap-restrictions.js'
import { restrictedModel, sap } from '../support/services/restricted-service.js'

const fixed = sap({ creatable: 'false', updatable: 'false' })

/** A value of each type that no client can change. */
const model = defineModel({
  namespace: 'V',
  entityTypes: {
    Base: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false, ...sap({ updatable: 'false' }) }),
        Free: edm.String(),
        Binary: edm.Binary(fixed),
        Boolean: edm.Boolean(fixed),
        Byte: edm.Byte(fixed),
        DateTime: edm.DateTime({ precision: 7, ...fixed }),
        Second: edm.DateTime({ precision: 0, ...fixed }),
        Micro: edm.DateTime({ precision: 6, ...fixed }),
        DateTimeOffset: edm.DateTimeOffset(fixed),
        Decimal: edm.Decimal({ precision: 20, scale: 3, ...fixed }),
        Double: edm.Double(fixed),
        Guid: edm.Guid(fixed),
        Int64: edm.Int64(fixed),
        SByte: edm.SByte(fixed),
        Single: edm.Single(fixed),
        String: edm.String({ nullable: false, defaultValue: 'd', ...fixed }),
        Time: edm.Time(fixed),
      },
    },
    Derived: { baseType: 'Base', properties: { Own: edm.String(fixed), Inner: { type: 'Inner' } } },
  },
  complexTypes: {
    Inner: { properties: { Deep: { type: 'Deep' }, Text: edm.String() } },
    Deep: { properties: { Fixed: edm.String(fixed), Other: edm.String() } },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Base' } } },
})

const values = {
  Binary: Uint8Array.of(1, 2),
  Boolean: true,
  Byte: 200,
  DateTime: '2020-02-03T04:05:06.1234567',
  Second: '1960-02-03T04:05:06.1234567',
  Micro: '1960-02-03T04:05:06.1234567',
  DateTimeOffset: '2020-02-03T04:05:06.1234567+02:00',
  Decimal: 12.5,
  Double: 1e300,
  Guid: '0123abcd-0000-0000-0000-0000000000ff',
  Int64: 9007199254740993n,
  SByte: -3,
  Single: 0.1,
  String: 'x',
  Time: '01:02:03',
}

const derived = {
  $type: 'V.Derived' as const,
  ...values,
  Own: 'o',
  Inner: { Deep: { Fixed: 'f', Other: 'g' }, Text: 't' },
}

let server: TestServer
beforeEach(async () => {
  const data = {
    Things: [
      { ID: 1, ...values },
      { ID: 2, String: 'y' },
      { ID: 3, ...derived },
      { ID: 4, ...values, Double: NaN, Single: Infinity },
    ],
  }
  const provider = memoryProvider(model as EdmModel, data as never)
  server = await TestServer.start(express().use('/v', odataV2(model as EdmModel, provider)))
})
afterEach(() => server.stop())

async function send(method: string, path: string, body: string, type: string): Promise<number> {
  const headers = { 'Content-Type': type, 'If-Match': '*' }
  const { status } = await server.send(`/v/${path}`, { method, headers, body })
  return status
}

async function textOf(path: string, type: string): Promise<string> {
  return (await server.send(`/v/${path}`, { headers: { Accept: type } })).text
}

async function valuesOf(path: string): Promise<Record<string, unknown>> {
  return (JSON.parse(await textOf(path, 'application/json')) as { d: Record<string, unknown> }).d
}

const atom = 'application/atom+xml;type=entry'

describe('Values that clients cannot change', () => {
  it.each([
    ['PUT', 'application/json'],
    ['MERGE', 'application/json'],
    ['PUT', atom],
    ['MERGE', atom],
  ])(
    'MUST be accepted by %s in the form in which they were returned, for every type: %s',
    async (method, type) => {
      for (const path of ['Things(1)', 'Things(2)', 'Things(3)', 'Things(4)']) {
        const text = await textOf(path, type)
        const body = type === atom ? text : JSON.stringify((JSON.parse(text) as { d: unknown }).d)
        const before = await valuesOf(path)
        expect([path, await send(method, path, body, type)]).toEqual([path, 204])
        expect(await valuesOf(path)).toEqual(before)
      }
    },
  )

  it.each([
    { Binary: 'AQM=' },
    { Boolean: false },
    { Byte: 201 },
    { DateTime: '/Date(1)/' },
    { DateTime: '2020-02-03T04:05:06.1234568' },
    { DateTime: '2020-02-03T04:05:06' },
    { Micro: '1960-02-03T04:05:06.123457' },
    { DateTimeOffset: '2020-02-03T04:05:06+01:00' },
    { Decimal: '12.501' },
    { Double: '1e299' },
    { Guid: '0123abcd-0000-0000-0000-0000000000fe' },
    { Int64: '9007199254740992' },
    { SByte: 3 },
    { Single: '0.2' },
    { String: 'X' },
    { Time: 'PT1H2M4S' },
    { String: null },
    { Byte: null },
  ])('MUST not become others: %j', async (given) => {
    const before = await valuesOf('Things(1)')
    for (const method of ['PUT', 'MERGE']) {
      expect(await send(method, 'Things(1)', JSON.stringify(given), 'application/json')).toBe(400)
    }
    expect(await valuesOf('Things(1)')).toEqual(before)
    const [name = '', value] = Object.entries(given)[0] ?? []
    const isAllowed = value === null && name !== 'String'
    const body = JSON.stringify({ ID: 9, ...given })
    expect(await send('MERGE', 'Things(2)', JSON.stringify(given), 'application/json')).toBe(
      isAllowed ? 204 : 400,
    )
    const { status } = await server.send('/v/Things', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect(status).toBe(isAllowed ? 201 : 400)
  })

  it('MUST NOT include keys, since the default of a type does not apply to them', async () => {
    expect(await send('MERGE', 'Things(2)', '{"ID":0,"Free":"x"}', 'application/json')).toBe(204)
    expect(await send('MERGE', 'Things(2)', '{"ID":3}', 'application/json')).toBe(400)
    expect(await valuesOf('Things(2)')).toMatchObject({ ID: 2, Free: 'x' })
  })

  it('MUST stay when an entity of a derived type is replaced as one of its base type', async () => {
    const body = JSON.stringify({ Free: 'x', __metadata: { type: 'V.Base' } })
    expect(await send('PUT', 'Things(3)', body, 'application/json')).toBe(204)
    expect(await valuesOf('Things(3)')).toMatchObject({
      Free: 'x',
      Own: 'o',
      String: 'x',
      Inner: { Deep: { Fixed: 'f', Other: null }, Text: null },
    })
  })

  it('MUST stay in complex values of complex values', async () => {
    const inner = { Inner: { Deep: { Other: 'h' } }, __metadata: { type: 'V.Derived' } }
    expect(await send('MERGE', 'Things(3)', JSON.stringify(inner), 'application/json')).toBe(204)
    expect(await valuesOf('Things(3)')).toMatchObject({
      Inner: { Deep: { Fixed: 'f', Other: 'h' }, Text: 't' },
    })
    const error = { Inner: { Deep: { Fixed: 'F' } }, __metadata: { type: 'V.Derived' } }
    expect(await send('MERGE', 'Things(3)', JSON.stringify(error), 'application/json')).toBe(400)
    expect(await send('PUT', 'Things(3)', JSON.stringify(inner), 'application/json')).toBe(204)
    expect(await valuesOf('Things(3)')).toMatchObject({
      Inner: { Deep: { Fixed: 'f', Other: 'h' }, Text: null },
    })
  })

  it('MUST not be passed to a provider, except those that a replaced entity retains and versions', () => {
    const type = restrictedModel.entityTypes.get('R.Order')
    const restrictions = sapRestrictionsOf(restrictedModel)
    if (type === undefined || restrictions === undefined) throw new Error('incomplete')
    const current = { ID: 1, Number: 'N', Status: 'sent', Level: null, Ver: 3 }
    const given = { Customer: 'x', Number: 'N', Ver: 3 }
    expect(changeableValues(type.properties, given, current, 'merge', notUpdatable(restrictions))).toEqual({
      Customer: 'x',
    })
    expect(changeableValues(type.properties, given, current, 'replace', notUpdatable(restrictions))).toEqual({
      Customer: 'x',
      Number: 'N',
      Status: 'sent',
      Level: null,
      Address: {},
    })
    const free = { Customer: 'x' }
    expect(changeableValues(type.properties, free, current, 'merge', notUpdatable(restrictions))).toBe(free)
  })
})
