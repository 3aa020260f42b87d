import { fc } from '../support/random.js'
import { atomBody, atomValue } from './write-bodies.js'
import type { WriteSubject } from './write-contract.js'

/** How one value is written, and what makes two readings of it the same. */
interface Value {
  readonly property: string
  /** As it stands in Atom and under `$value`. */
  readonly text: string
  /** As it is sent in JSON. */
  readonly json: unknown
  /** Undefined when JSON shows less than there is. */
  readonly shown?: string | number | boolean
  /** Normalizes both values before they are compared. Default: exact comparison. */
  readonly as?: (text: string) => unknown
}

/** Of a number that is sent as it stands in Atom. */
function alike(
  property: string,
  strings: readonly string[],
  json: (text: string) => string | number | boolean,
): Value[] {
  return strings.map((text) => ({ property, text, json: json(text), shown: json(text) }))
}

/** Zeros at the end count for nothing. */
function decimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function instant(text: string): string {
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? []
  return `${Date.parse(seconds + zone)} ${fraction.replace(/0+$/, '')}`
}

function time(text: string): number {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M([\d.]+)S$/.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const numbers: readonly Value[] = [
  ...alike('Flag', ['true', 'false'], (text) => text === 'true'),
  ...alike('Tiny', ['0', '255'], Number),
  ...alike('Signed', ['-128', '127'], Number),
  ...alike('Small', ['-32768', '32767'], Number),
  ...alike('Whole', ['-2147483648', '0', '2147483647'], Number),
  ...alike('Large', ['-9223372036854775808', '9007199254740993', '9223372036854775807'], String),
  ...[
    '7922816251426433759.3543950335',
    '-9999999999999999999.9999999999',
    '0.0000000001',
    '-0.1',
    '0',
    '100',
    '2.5',
  ].map((text) => ({ property: 'Exact', text, json: text, shown: text, as: decimal })),
  ...['-9999.99', '0.01'].map((text) => ({ property: 'Money', text, json: text, shown: text, as: decimal })),
  ...[
    '1.7976931348623157E+308',
    '-5E-324',
    '2.2250738585072014E-308',
    '0.1',
    '9007199254740993',
    '1E+21',
  ].map((text) => ({ property: 'Real', text, json: text, shown: text, as: Number })),
  ...['3.4028234663852886E+38', '1.401298464324817E-45', '0.1', '-16777217'].map((text) => ({
    property: 'Rough',
    text,
    json: text,
    shown: text,
    as: (single: string) => Math.fround(Number(single)),
  })),
]

const nonFinite: readonly Value[] = ['Real', 'Rough'].flatMap((property) =>
  alike(property, ['NaN', 'INF', '-INF'], String),
)

/** @param digits the number of fraction digits of a second that the provider stores */
function times(digits: number): readonly Value[] {
  const fraction = (text: string): string =>
    text.replace(/\.(\d+)/, (_, all: string) => `.${all.slice(0, digits)}`)
  const moments = [
    '2012-05-29T09:13:28.1234567',
    '9999-12-31T23:59:59.9999999',
    '1969-12-31T23:59:59.5',
    '0001-01-01T00:00:00',
    '2012-02-29T00:00:00',
  ].map(fraction)
  const instants = [
    '2012-05-29T09:13:28.1234567+02:00',
    '1969-12-31T23:59:59.5Z',
    '2020-01-01T00:30:00-11:30',
  ]
  const clocks = ['PT23H59M59.9999999S', 'PT00H00M00S', 'PT09H13M28S', 'PT00H00M00.0000001S']
  return [
    ...moments.map((text) => ({ property: 'Moment', text, json: text })),
    ...instants.map(fraction).map((text) => ({ property: 'Instant', text, json: text, as: instant })),
    ...clocks.map(fraction).map((text) => ({ property: 'Clock', text, json: text, shown: text, as: time })),
  ]
}

const strings: readonly Value[] = [
  ...alike('Code', ['12345678-aaaa-bbbb-cccc-ddddeeeeffff', '00000000-0000-0000-0000-000000000000'], String),
  ...[
    '',
    ' ',
    '  both sides\t',
    'two\nlines\r\nand\ttabs\r',
    '"double" \'single\' `back`',
    '<a href="x">&amp;&lt;]]></a>',
    "'); DROP TABLE Samples; --",
    '%_[]*?\\ $1 {0} :name ?',
    '\u{1F600}\u{10FFFD}é e\u0301 \u2028\u00a0\uFFFD',
    'null',
    'x'.repeat(70_000),
  ].map((text) => ({ property: 'Text', text, json: text, shown: text })),
]

/** Any that text can hold, but NUL. */
const character = fc
  .oneof(fc.integer({ min: 1, max: 0x7f }), fc.integer({ min: 1, max: 0x10ffff }))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

/** Values that every provider must return exactly as it received them. */
export function describeRoundTrips({ service, has, fractionDigits, numRuns }: WriteSubject): void {
  const values = [
    ...numbers,
    ...(has('non-finite numbers') ? nonFinite : []),
    ...times(fractionDigits),
    ...strings,
  ]

  it.each(values.map((value) => [value.property, value.text.slice(0, 40), value] as const))(
    'MUST return %s %j unchanged, in Atom and in JSON',
    async (_name, _text, { property, text, json, shown, as = (one: string) => one }) => {
      const inJson = await service().addId('Samples', { [property]: json })
      const { text: response } = await service().atom('POST', 'Samples', 'Sample', { [property]: text })
      const inAtom = (JSON.parse(response) as { d: { ID: number } }).d.ID
      for (const ID of [inJson, inAtom]) {
        const atom = await service().send('GET', `Samples(${ID})`, {
          headers: { Accept: 'application/atom+xml' },
        })
        expect(as(atomValue(atom.text, property) ?? 'nothing')).toEqual(as(text))
        const raw = await service().send('GET', `Samples(${ID})/${property}/$value`)
        expect([raw.status, as(raw.text)]).toEqual([200, as(text)])
        if (shown === undefined) continue
        const read = (await service().entity(`Samples(${ID})`))[property]
        expect(typeof read).toBe(typeof shown)
        expect(as(String(read))).toEqual(as(String(shown)))
      }
    },
  )

  it('MUST return control characters, which only JSON can represent', async () => {
    const Text =
      Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join('') + '\x7f\x85'
    const ID = await service().addId('Samples', { Text })
    expect((await service().entity(`Samples(${ID})`)).Text).toBe(Text)
    expect((await service().send('GET', `Samples(${ID})/Text/$value`)).text).toBe(Text)
  })

  it('MUST return all byte values, and empty binary values', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))]) {
      const Bytes = bytes.toString('base64')
      const ID = await service().addId('Samples', { Bytes })
      const { text } = await service().atom('POST', 'Samples', 'Sample', { Bytes })
      expect(JSON.parse(text)).toMatchObject({ d: { Bytes } })
      expect(await service().entity(`Samples(${ID})`)).toMatchObject({ Bytes })
      const raw = await service().send('GET', `Samples(${ID})/Bytes/$value`)
      expect([raw.status, raw.body.equals(bytes)]).toEqual([200, true])
    }
  })

  it('MUST distinguish null from empty values', async () => {
    const nothing = await service().entity(`Samples(${await service().addId('Samples')})`)
    const { __metadata, ID, Place, ...others } = nothing
    expect([__metadata?.type, typeof ID]).toEqual(['Works.Sample', 'number'])
    expect(Place).toEqual({ Street: null, At: { X: null, Y: null } })
    expect([...new Set(Object.values(others))]).toEqual([null])
    const empty = await service().entity(
      `Samples(${await service().addId('Samples', { Text: '', Bytes: '' })})`,
    )
    expect([empty.Text, empty.Bytes, empty.Short]).toEqual(['', '', null])
    expect(
      await service().list(`Samples?$filter=Text eq null and ID eq ${String(ID)}`.replaceAll(' ', '%20')),
    ).toEqual([ID])
  })

  it('MUST preserve complex values in complex values', async () => {
    const Place = { Street: 'A 1', At: { X: '1.5', Y: null } }
    const ID = await service().addId('Samples', { Place })
    expect(await service().entity(`Samples(${ID})`)).toMatchObject({ Place })
    const filter = encodeURIComponent(`ID eq ${ID} and Place/At/X eq 1.5 and Place/At/Y eq null`)
    expect(await service().list(`Samples?$filter=${filter}`)).toEqual([ID])
  })

  it('MUST return and find random values', async () => {
    const sample = fc.record({
      Text: fc.array(character, { maxLength: 12 }).map((all) => all.join('')),
      Large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
      Real: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((real) => !Object.is(real, -0)),
      Bytes: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      Code: fc.uuid(),
    })
    const property = fc.asyncProperty(sample, async (given) => {
      const ID = await service().addId('Samples', { ...given, Real: String(given.Real) })
      const { Text, Large, Real, Bytes, Code } = await service().entity(`Samples(${ID})`)
      expect({ Text, Large, Real: Number(Real), Bytes, Code }).toEqual(given)
      const literals = `Large eq ${given.Large}L and Text eq '${given.Text.replaceAll("'", "''")}'`
      const filter = encodeURIComponent(`${literals} and Code eq guid'${given.Code}' and ID eq ${ID}`)
      expect(await service().list(`Samples?$filter=${filter}`)).toEqual([ID])
    })
    await fc.assert(property, { numRuns })
  })

  it('MUST ignore Atom elements that are not properties', async () => {
    const atom = atomBody('Sample', { Text: 'x' }).replace('<content', '<title>ignored</title><content')
    const { status, text } = await service().send('POST', 'Samples', { atom })
    expect([status, JSON.parse(text)]).toEqual([
      201,
      { d: expect.objectContaining({ Text: 'x', Short: null }) },
    ])
  })
}
