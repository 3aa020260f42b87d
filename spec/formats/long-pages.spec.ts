import express from 'express'
import type { Row } from '../../lib/index.js'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { required } from '../../lib/util/required.js'
import { TestServer } from '../support/http-exchange.js'

const values = {
  Name: [
    'plain',
    '',
    ' blank ',
    'quote " \\ & < > \r\n\t',
    'Tür “é” €',
    '😀',
    '\ud800',
    '\u0000\ufffe',
    'ä"'.repeat(900),
  ],
  Byte: [0, 255],
  SByte: [-128, 127],
  Small: [-32_768, 5, -0],
  Whole: [2_147_483_647, -7, 7n],
  Long: [9_007_199_254_740_991, -1_000_000_007, 2n ** 62n, '9223372036854775807', -0],
  Price: ['12.50', 0.1, -3, 5n],
  Weight: [0.125, -0, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
  Ratio: [0.1, 2],
  Active: [true, false],
  Released: [new Date(1_700_000_000_123), '2012-05-29T09:13:28', '2012-05-29T09:13:28.1234567', new Date(-1)],
  Changed: [new Date(5), '2012-05-29T09:13:28Z', '2012-05-29T09:13:28+02:00'],
  Code: ['00000000-0000-4000-8000-00000000000a', 'ABCDEF00-0000-4000-8000-00000000000A'],
  Content: [new Uint8Array([1, 2, 3])],
  Duration: ['09:13:28', '09:13:28.5'],
}

const model = defineModel({
  namespace: 'S',
  complexTypes: { Size: { properties: { Unit: edm.String() } } },
  entityTypes: {
    Thing: {
      key: ['Set', 'ID'],
      properties: {
        Set: edm.String(),
        ID: edm.Int32(),
        Name: edm.String(),
        Byte: edm.Byte(),
        SByte: edm.SByte(),
        Small: edm.Int16(),
        Whole: edm.Int32(),
        Long: edm.Int64({ concurrencyMode: 'Fixed' }),
        Price: edm.Decimal(),
        Weight: edm.Double(),
        Ratio: edm.Single(),
        Active: edm.Boolean(),
        Released: edm.DateTime(),
        Changed: edm.DateTimeOffset(),
        Code: edm.Guid(),
        Content: edm.Binary(),
        Duration: edm.Time(),
        Size: { type: 'Size' },
      },
    },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
})

/** In the order of their keys. Each value occurs with values before and after it, and after null. */
const rows: readonly Row[] = Array.from({ length: 180 }, (_, ID) => ({
  Set: ID < 90 ? 'a' : "it's ü",
  ID,
  ...Object.fromEntries(
    Object.entries(values).map(([name, some], index) => [
      name,
      (ID + index) % 5 === 0 ? null : some[(ID + Math.floor(ID / 20)) % some.length],
    ]),
  ),
  Size: ID % 3 === 0 ? null : { Unit: values.Name[ID % values.Name.length] },
}))

describe('A page of many entities', () => {
  let shown = rows
  let server: TestServer
  beforeAll(async () => {
    const read = (): readonly Row[] => shown
    const service = odataV2(model, { entitySets: { Things: { read } } } as never)
    server = await TestServer.start(express().use('/s', service))
  })
  afterAll(() => server.stop())

  it.each([
    ['application/json', /^{"d":{"results":\[(.*)\]}}$/s, ','],
    ['application/atom+xml', /^.*?(<entry.*)<\/feed>$/s, ''],
  ])('MUST contain its entities as short pages do: %s', async (Accept, content, separator) => {
    const entitiesOf = async (page: readonly Row[]): Promise<string> => {
      shown = page
      const { status, text } = await server.send('/s/Things', { headers: { Accept } })
      expect(status).toBe(200)
      return required(content.exec(text)?.[1]).replaceAll(/<updated>[^<]*/g, '')
    }
    const pages: string[] = []
    for (let start = 0; start < rows.length; start += 20)
      pages.push(await entitiesOf(rows.slice(start, start + 20)))
    expect(await entitiesOf(rows)).toBe(pages.join(separator))
  })

  it('MUST be an error for an invalid value, which names the property', async () => {
    const error = async (page: readonly Row[]): Promise<string> => {
      shown = page
      const { status, text } = await server.send('/s/Things', { headers: { Accept: 'application/json' } })
      expect(status).toBe(500)
      return text
    }
    const [first, ...others] = rows
    const invalid = { ...first, Whole: 2 ** 31 }
    expect(await error([invalid, ...others])).toBe(await error([invalid]))
  })
})
