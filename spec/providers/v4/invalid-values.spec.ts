import { FaultyServer, json, metadataOf } from '../../support/v4/faulty-server.js'

/** A value that each type does not have, and its JSON type. */
const invalid: readonly (readonly [type: string, value: unknown, found: string])[] = [
  ['Edm.Boolean', 'true', 'string'],
  ['Edm.Byte', 256, 'number'],
  ['Edm.SByte', -129, 'number'],
  ['Edm.Int16', 32_768, 'number'],
  ['Edm.Int32', 3_000_000_000, 'number'],
  ['Edm.Int32', 1.5, 'number'],
  ['Edm.Int64', '9223372036854775808', 'string'],
  ['Edm.Int64', [], 'array'],
  ['Edm.Decimal', '1,5', 'string'],
  ['Edm.Double', '0x10', 'string'],
  ['Edm.Single', 1e300, 'number'],
  ['Edm.Guid', '1234', 'string'],
  ['Edm.Date', '2024-13-45', 'string'],
  ['Edm.DateTimeOffset', '2024-06-31T25:00:00Z', 'string'],
  ['Edm.TimeOfDay', '25:00:00', 'string'],
  ['Edm.Binary', 'ä', 'string'],
  ['Edm.String', { a: 1 }, 'object'],
]

describe('Values that a V4 service must not send', () => {
  const upstream = new FaultyServer()

  beforeAll(async () => {
    const types = [...new Set(invalid.map(([type]) => type))]
    upstream.metadata = metadataOf(
      `<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
      ${types.map((type) => `<Property Name="${type.slice(4)}" Type="${type}"/>`).join('')}</EntityType>
      <Function Name="Count"><ReturnType Type="Edm.Int32"/></Function>`,
      '<EntitySet Name="Items" EntityType="S.Item"><Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection/></Annotation></EntitySet>' +
        '<FunctionImport Name="Count" Function="S.Count"/>',
    )
    await upstream.start()
  })
  afterAll(() => upstream.stop())
  beforeEach(() => upstream.reset())

  it.each(invalid)('MUST get 502 with the property and the types: %s %p', async (type, value, found) => {
    upstream.respond = json({ value: [{ ID: 1, [type.slice(4)]: value }] })
    const { status, text } = await upstream.send('/Items')
    expect([status, text]).toEqual([
      502,
      expect.stringContaining(
        `'S.Item/${type.slice(4)}': a value of the JSON type ${found} that is not a valid ${type}.`,
      ),
    ])
    expect(text).not.toMatch(/ at .*\.ts|stack/)
  })

  it.each([null, undefined])('MUST get 502 with the key property: %p', async (ID) => {
    upstream.respond = json({ value: [{ ID }] })
    const { status, text } = await upstream.send('/Items')
    expect([status, text]).toEqual([502, expect.stringContaining("'S.Item/ID'")])
  })

  it('MUST get 502 with the function', async () => {
    upstream.respond = json({ value: 'many' })
    const { status, text } = await upstream.send('/Count')
    expect([status, text]).toEqual([502, expect.stringContaining("the result of 'Count'")])
  })

  it('MUST get 502 if they are ETags', async () => {
    upstream.respond = json({ value: [{ ID: 1, '@odata.etag': 'W/"1\n"' }] })
    const { status, text } = await upstream.send('/Items')
    expect([status, text]).toEqual([502, expect.stringContaining('ETag')])
  })
})
