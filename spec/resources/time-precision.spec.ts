import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'T',
  entityTypes: {
    Event: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        At: edm.DateTime({ precision: 0 }),
        Moment: edm.DateTimeOffset({ precision: 3 }),
        Time: edm.Time({ precision: 1 }),
        Exact: edm.DateTime(),
        Span: { type: 'Span' },
        Created: edm.DateTime({ precision: 0, nullable: false, computedDefaultValue: true }),
        Of: edm.Int32(),
      },
      navigationProperties: { Parts: { relationship: 'Parts', fromRole: 'Whole', toRole: 'Parts' } },
    },
  },
  associations: {
    Parts: {
      ends: {
        Whole: { type: 'Event', multiplicity: '0..1' },
        Parts: { type: 'Event', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Whole', properties: ['ID'] },
        dependent: { role: 'Parts', properties: ['Of'] },
      },
    },
  },
  complexTypes: { Span: { properties: { From: edm.DateTime({ precision: 0 }) } } },
  entityContainer: {
    entitySets: { Events: { entityType: 'Event' }, Stamped: { entityType: 'Event' } },
    associationSets: { Parts: { association: 'Parts', ends: { Whole: 'Events', Parts: 'Events' } } },
    functionImports: {
      Year: { returnType: 'Edm.String', parameters: { at: { type: 'Edm.DateTime', precision: 0 } } },
    },
  },
})

/** An entity with more fraction digits than clients can send. */
const stored = {
  ID: 100,
  At: '2024-02-29T12:00:00.1234567',
  Moment: '2024-02-29T12:00:00.1234567+02:00',
  Time: '12:00:00.19',
  Span: { From: '2024-02-29T12:00:00.1234567' },
}

describe('The Precision of dates and times', () => {
  let server: TestServer
  let at = 0

  beforeEach(async () => {
    const app = express()
    const now = new Date('2024-02-29T12:00:00.789Z')
    const set = () => ({
      At: now,
      Moment: '2024-02-29T12:00:00.1239+02:00',
      Time: '12:00:00.19',
      Span: { From: now },
    })
    const hooks = { Stamped: { beforeInsert: set } }
    const data = { Events: [{ ID: 0 }, stored] }
    const functions = { Year: ({ at }: { readonly at: Date | string | null }) => String(at) }
    app.use(odataV2(model, memoryProvider(model, data, { functions }), { hooks }))
    server = await TestServer.start(app)
  })

  afterEach(() => server.stop())

  const send = async (method: string, path: string, body: object): Promise<readonly [number, string]> => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const { status, text } = await server.send(`/${path}`, { method, headers, body: JSON.stringify(body) })
    const { error, d } = JSON.parse(text || '{}') as { error?: { message: { value: string } }; d?: unknown }
    return [status, error?.message.value ?? JSON.stringify(d)]
  }

  it.each([
    [
      { At: '2024-02-29T12:00:00.5' },
      "^'At' must not have more than 0 fraction digits of a second; 2024-02-29T12:00:00.500Z has 1. Send fewer digits, or raise the Precision in the model.$",
    ],
    [{ At: '/Date(1709208000001)/' }, "'At' .* more than 0 .* 2024-02-29T12:00:00.001Z has 3"],
    [{ At: '/Date(-1)/' }, "'At' .* more than 0 .* has 3"],
    [{ Moment: '2024-02-29T12:00:00.1234Z' }, "'Moment' .* more than 3 .* has 4"],
    [{ Time: 'PT12H00M00.25S' }, "'Time' .* more than 1 .* '12:00:00.25' has 2"],
    [{ Span: { From: '2024-02-29T12:00:00.0000001' } }, "'Span.From' .* more than 0 .* has 7"],
  ])('MUST reject further digits that are not zero: %j', async (values, message) => {
    const expected = expect.stringMatching(message) as string
    expect(await send('POST', 'Events', { ID: ++at, ...values })).toEqual([400, expected])
    expect(await send('MERGE', 'Events(0)', values)).toEqual([400, expected])
    expect(await send('PUT', 'Events(0)', values)).toEqual([400, expected])
  })

  it.each([
    { At: '2024-02-29T12:00:00.0000000' },
    { At: '/Date(1709208000000)/' },
    { At: '/Date(-1000)/' },
    { Moment: '/Date(1709208000123+0060)/' },
    { Moment: '2024-02-29T12:00:00.1230000+01:00' },
    { Time: 'PT12H00M00.20S' },
    { Exact: '2024-02-29T12:00:00.1234567' },
    { At: null, Moment: null, Time: null, Span: { From: null } },
  ])('MUST accept zeros, and all digits without Precision: %j', async (values) => {
    expect((await send('POST', 'Events', { ID: ++at, ...values }))[0]).toBe(201)
    expect((await send('MERGE', 'Events(0)', values))[0]).toBe(204)
  })

  it.each(['MERGE', 'PUT'])('MUST accept null in place of a stored value: %s', async (method) => {
    const none = { At: null, Moment: null, Time: null, Span: { From: null } }
    expect((await send(method, 'Events(100)', none))[0]).toBe(204)
  })

  const storedCount = async (): Promise<string> => {
    const moment = "datetime'2024-02-29T12:00:00.1234567'"
    const filter = `At eq ${moment} and Span/From eq ${moment} and Time eq time'PT12H00M00.19S'`
    return (await server.send(`/Events/$count?$filter=${encodeURIComponent(filter)}`)).text
  }

  it.each([
    ['PUT', 'application/json'],
    ['MERGE', 'application/json'],
    ['PUT', 'application/atom+xml;type=entry'],
    ['MERGE', 'application/atom+xml;type=entry'],
  ])('MUST accept the stored values as they are shown: %s %s', async (method, type) => {
    const { text } = await server.send('/Events(100)', { headers: { Accept: type } })
    const isJson = type === 'application/json'
    const body = isJson ? JSON.stringify((JSON.parse(text) as { d: unknown }).d) : text
    const { status } = await server.send('/Events(100)', { method, headers: { 'Content-Type': type }, body })
    // Atom shows as many digits as the Precision, which are valid values.
    expect([status, await storedCount()]).toEqual([204, isJson ? '1' : '0'])
  })

  it.each([
    ['Events(100)/At', { At: '/Date(1709208000123)/' }, 204],
    ['Events(100)/At', { At: '/Date(1709208000124)/' }, 400],
    ['Events(100)/Span', { Span: { From: '/Date(1709208000123)/' } }, 204],
    ['Events(100)/Span', { Span: { From: '/Date(1709208000124)/' } }, 400],
    ['Events(100)/Span/From', { From: '/Date(1709208000124)/' }, 400],
  ])('MUST apply to single properties: PUT %s %j', async (path, body, status) => {
    for (const method of ['PUT', 'MERGE']) expect((await send(method, path, body))[0]).toBe(status)
    expect(await storedCount()).toBe('1')
  })

  it('MUST apply to raw values', async () => {
    const put = async (path: string, body: string): Promise<number> => {
      const headers = { 'Content-Type': 'text/plain' }
      return (await server.send(`/${path}/$value`, { method: 'PUT', headers, body })).status
    }
    expect(await put('Events(100)/At', '2024-02-29T12:00:00.123')).toBe(204)
    expect(await put('Events(100)/At', '2024-02-29T12:00:00.1234568')).toBe(400)
    expect(await put('Events(100)/Time', '12:00:00.18')).toBe(400)
    expect(await storedCount()).toBe('1')
  })

  it('MUST apply to entities of a deep insert, and roll all of them back', async () => {
    const body = { ID: 200, Parts: [{ ID: 201 }, { ID: 202, Span: { From: '2024-02-29T12:00:00.5' } }] }
    const message = /^'Parts\[1\]\/Span.From' must not have more than 0 fraction digits/
    expect(await send('POST', 'Events', body)).toEqual([400, expect.stringMatching(message)])
    expect((await server.send('/Events(200)')).status).toBe(404)
  })

  it('MUST apply to parameters of functions', async () => {
    const year = async (at: string): Promise<readonly [number, string]> => {
      const { status, text } = await server.send(`/Year?at=datetime'${at}'`)
      return [status, text]
    }
    expect((await year('2024-02-29T12:00:00.000'))[0]).toBe(200)
    const message = "The parameter 'at' must not have more than 0 fraction digits of a second;"
    expect(await year('2024-02-29T12:00:00.5')).toEqual([400, expect.stringContaining(message)])
  })

  it('MUST truncate the values of hooks and of generated defaults', async () => {
    const [status, text] = await send('POST', 'Stamped', { ID: 1 })
    expect(status).toBe(201)
    const noon = Date.parse('2024-02-29T12:00:00Z')
    const offset = noon - 2 * 3_600_000 + 123
    expect(JSON.parse(text)).toMatchObject({
      At: `/Date(${noon})/`,
      Moment: `/Date(${offset}+0000)/`,
      Time: 'PT12H00M00.1S',
      Span: { From: `/Date(${noon})/` },
      Created: expect.stringMatching(/000\)\/$/) as string,
    })
  })
})
