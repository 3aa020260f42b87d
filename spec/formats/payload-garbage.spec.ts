import { codePoint, fc, runs } from '../support/random.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { atomFormat } from '../../lib/formats/atom/atom-format.js'
import type { Format } from '../../lib/formats/format.js'
import { jsonFormat } from '../../lib/formats/json/json-format.js'
import { decodeBody, requestFormat } from '../../lib/formats/negotiate-content.js'
import { entryOf, expanding, readOptions, related, serializedEntity } from '../support/payload-documents.js'
import { setNamed } from '../support/protocol-model.js'
import { randomProduct } from '../support/random-rows.js'

const product = setNamed('Products').entityType
const properties = product.properties.filter(({ name }) => name === 'Dims' || name === 'Name')

/** Reads a string as every kind of payload. Any error must be a client error. */
function readAll(format: Format, text: string, ignoreUnknown: boolean): void {
  const options = { ...readOptions, depth: 3, ignoreUnknown }
  for (const read of [
    () => format.read.entity(text, product, options),
    ...properties.map((property) => () => format.read.property(text, property)),
    () => format.read.link(text),
  ]) {
    try {
      read()
    } catch (error) {
      if (!(error instanceof ODataError)) throw error
      expect(error.status).toBe(400)
      expect(error.message.length).toBeLessThan(500)
    }
  }
}

const noise = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '&',
    '&#0;',
    '\\',
    '\u0000',
    '\ud800',
    '/>',
  ),
  fc.constantFrom(
    'null',
    'true',
    '1e999',
    '-',
    '__metadata',
    'm:null="true"',
    '<![CDATA[',
    ']]>',
    '<!--',
    '<?x',
  ),
  fc.string({ unit: codePoint, maxLength: 4 }),
)

/** A good document in which something has been cut out, put in or doubled. */
function damaged(document: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  return fc
    .tuple(document, fc.array(fc.tuple(place, fc.nat(20), noise), { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) =>
      edits.reduce((current, [at, length, inserted]) => {
        const start = Math.floor(at * current.length)
        return current.slice(0, start) + inserted + current.slice(start + length)
      }, text),
    )
}

const projection = expanding('Products', 'Category', 'Successor')

describe('A body that is garbage', () => {
  it.each<[string, Format]>([
    ['Atom', atomFormat],
    ['JSON', jsonFormat],
  ])('MUST only receive 400: damaged %s', (_name, format) => {
    const document = randomProduct.map((row) => serializedEntity(format, projection, row))
    fc.assert(
      fc.property(damaged(document), fc.boolean(), (text, ignoreUnknown) => {
        readAll(format, text, ignoreUnknown)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST get 400 only: JSON with the right names and any values', () => {
    const names = [
      ...product.properties.map(({ name }) => name),
      ...[
        'Category',
        'Successor',
        'W',
        'Unit',
        'Box',
        'Depth',
        'd',
        'results',
        'uri',
        'type',
        'X',
        '__proto__',
      ],
      ...['__metadata', '__metadata', '__deferred', 'Category', 'Successor', 'Dims'],
    ]
    const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
      object: fc.array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 5 }).map((members) => {
        // Not by assignment, to which __proto__ would be something else.
        return Object.fromEntries(members)
      }),
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom<unknown>(
          null,
          true,
          0,
          -1,
          2.5,
          1e300,
          '',
          '5',
          '/Date(0)/',
          'NW.Size',
          'NW.Product',
        ),
        fc.string({ unit: codePoint, maxLength: 5 }),
        tie('object'),
        tie('object'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.boolean(), (body, ignoreUnknown) => {
        readAll(jsonFormat, JSON.stringify(body), ignoreUnknown)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('MUST get 400 only: XML with the right names in any order', () => {
    const elements = [
      ...['d:ID', 'd:Name', 'd:Price', 'd:Dims', 'd:W', 'd:Box', 'd:X', 'd:constructor', 'd:Pic', 'uri'],
      ...['entry', 'feed', 'content', 'm:properties', 'm:inline', 'category', 'title', 'id', 'link', 'link'],
    ]
    const attributes = [
      ...[
        '',
        '',
        ' m:null="true"',
        ' m:type="Edm.Int32"',
        ' m:type="Size"',
        ' href="Categories(1)"',
        ' href=""',
      ],
      ` rel="${related}Category"`,
      ` rel="${related}Category" href="Products(1)/Category"`,
      ` rel="${related}Successor" href="x"`,
      ` rel="${related}X"`,
      ' term="NW.Product" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"',
    ]
    const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
      content: fc
        .array(fc.oneof({ depthSize: 'medium' }, fc.constantFrom('', ' ', '5', 'x'), tie('element')), {
          maxLength: 4,
        })
        .map((parts) => parts.join('')),
      element: fc
        .tuple(fc.constantFrom(...elements), fc.constantFrom(...attributes), tie('content'))
        .map(([name, attribute, inside]) => `<${name}${attribute}>${String(inside)}</${name}>`),
    }))
    fc.assert(
      fc.property(content, fc.boolean(), (inside, ignoreUnknown) => {
        readAll(atomFormat, entryOf(inside), ignoreUnknown)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST get 4xx only, whatever the bytes and the Content-Type', () => {
    const contentType = fc.oneof(
      fc.constantFrom('application/json', 'application/xml;charset=utf-16', 'text/xml;charset=latin1'),
      fc.string({ unit: codePoint, maxLength: 30 }),
    )
    fc.assert(
      fc.property(contentType, fc.uint8Array({ maxLength: 30 }), (header, bytes) => {
        try {
          const { format, charset } = requestFormat(header, 'entry')
          readAll(format, decodeBody(bytes, charset), false)
        } catch (error) {
          if (!(error instanceof ODataError)) throw error
          expect([400, 415]).toContain(error.status)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})
