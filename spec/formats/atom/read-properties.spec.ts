import type { Property } from '../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import { atomFormat } from '../../../lib/formats/atom/atom-format.js'
import { errorOf } from '../../support/error-of.js'
import { inLinearTime } from '../../support/linear-time.js'
import { setNamed } from '../../support/protocol-model.js'

const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'

function property(name: string): Property {
  const found = setNamed('Products').entityType.property(name)
  if (found === undefined) throw new Error(`There is no '${name}'.`)
  return found
}

/** Reads a property document with the given content and attributes of its root element. */
function read(name: string, content: string, attributes = ''): unknown {
  const text = `<${name} xmlns="${data}" xmlns:m="${data}/metadata"${attributes}>${content}</${name}>`
  return atomFormat.read.property(text, property(name))
}

function message(action: () => unknown): string {
  const error = errorOf(action)
  expect([error.code, error.status]).toEqual(['BadRequest', 400])
  return error.message
}

describe('Simple values in XML', () => {
  it.each<[string, string, unknown]>([
    ['Name', '  ', '  '],
    ['Name', '', ''],
    ['Name', ' a\r\nb ', ' a\nb '],
    ['Name', 'a<![CDATA[<&>]]>&amp;&#13;<!-- c -->z', 'a<&>&\rz'],
    ['Active', 'true', true],
    ['Active', '0', false],
    ['Small', '255', 255],
    ['Tiny', '-128', -128],
    ['Rating', '-32768', -32768],
    ['ID', '\n 2147483647 ', 2147483647],
    ['Stock', '9223372036854775807', 9223372036854775807n],
    ['Price', '2.50', '2.50'],
    ['Price', '12345678901234567890.12345678', '12345678901234567890.12345678'],
    ['Weight', '1E+21', 1e21],
    ['Weight', 'NaN', Number.NaN],
    ['Weight', '-INF', Number.NEGATIVE_INFINITY],
    ['Discount', '0.1', Math.fround(0.1)],
    ['Code', '12345678-AAAA-bbbb-cccc-ddddeeeeffff', '12345678-aaaa-bbbb-cccc-ddddeeeeffff'],
    ['Pic', 'D6\n  A=', Uint8Array.of(15, 160)],
    ['Pic', '', new Uint8Array(0)],
    ['Released', '2013-01-02T03:04:05.678', new Date('2013-01-02T03:04:05.678Z')],
    ['Released', '2013-01-02T03:04:05.1234567', '2013-01-02T03:04:05.1234567'],
    ['Changed', '2013-01-02T03:04:05+02:00', '2013-01-02T03:04:05+02:00'],
    ['Opens', 'PT09H13M28.5S', '09:13:28.5'],
  ])('MUST be read exactly: %s %p', (name, text, value) => {
    expect(read(name, text)).toEqual(value)
    expect(read(name, text, ` m:type="${nameOfType(property(name).type)}" xml:space="preserve"`)).toEqual(
      value,
    )
  })

  it.each([' m:null="true"', ' m:null="1"', ' m:type="Edm.Int32" m:null=" true "'])(
    'MUST be null with%s',
    (attributes) => {
      expect(read('ID', '', attributes)).toBeNull()
    },
  )

  it('MUST not be null with m:null="false", nor with an attribute of another namespace', () => {
    expect(read('Name', 'x', ' m:null="false"')).toBe('x')
    expect(read('Name', 'x', ' null="true"')).toBe('x')
  })

  it.each([
    ['ID', 'a', "'ID' is of type Edm.Int32: write a whole number from -2147483648 to 2147483647, not 'a'."],
    [
      'ID',
      '2147483648',
      "'ID' is of type Edm.Int32: write a whole number from -2147483648 to 2147483647, not '2147483648'.",
    ],
    [
      'ID',
      '',
      "'ID' is of type Edm.Int32: write a whole number from -2147483648 to 2147483647, not nothing; " +
        'null is m:null="true".',
    ],
    ['Small', '256', "'Small' is of type Edm.Byte: write a whole number from 0 to 255, not '256'."],
    ['Active', 'yes', "'Active' is of type Edm.Boolean: write true or false, not 'yes'."],
    ['Price', '2,50', "'Price' is of type Edm.Decimal: write digits such as '2.50', not '2,50'."],
    [
      'Released',
      '2013-01-02T03:04:05+02:00',
      "'Released' is of type Edm.DateTime: write a time without zone such as '2012-05-29T09:13:28', " +
        "not '2013-01-02T03:04:05+02:00'.",
    ],
    [
      'Changed',
      '2013-01-02T03:04:05',
      "'Changed' is of type Edm.DateTimeOffset: write a time with zone such as '2012-05-29T09:13:28Z', " +
        "not '2013-01-02T03:04:05'.",
    ],
    ['Name', 'a<b xmlns=""/>', "'Name' is of type Edm.String: write a string, not <b> without namespace."],
  ])('MUST be rejected with a message that names the accepted form: %s %p', (name, content, expected) => {
    expect(message(() => read(name, content))).toBe(expected)
  })

  it('MUST be rejected when they declare another type', () => {
    expect(message(() => read('ID', '5', ' m:type="Edm.Int64"'))).toBe(
      `'ID' is of type Edm.Int32: write m:type="Edm.Int32" or omit it, instead of 'Edm.Int64'.`,
    )
    expect(message(() => read('ID', '', ' m:type="Edm.Sting" m:null="true"'))).toContain("'Edm.Sting'")
  })
})

describe('A long string in XML', () => {
  it.each([
    ['characters', 'x', 2_000_000],
    ['references', '&amp;', 500_000],
    ['CDATA sections', '<![CDATA[x]]>', 500_000],
    ['comments', 'x<!-- c -->', 500_000],
  ])('MUST be read in time in proportion to its length: %s', (_what, chunk, count) => {
    expect(inLinearTime(() => read('Name', chunk.repeat(count)))).toHaveLength(count)
  })
})

describe('Complex values in XML', () => {
  it('MUST have only the members that are present', () => {
    expect(read('Dims', '\n <Unit> cm </Unit>\n <Box/> ')).toEqual({ Unit: ' cm ', Box: {} })
    expect(read('Dims', '')).toEqual({})
  })

  it('MUST be null in all members when they are null', () => {
    expect(read('Dims', '', ' m:null="true"')).toEqual({ W: null, Unit: null, Box: { Depth: null } })
    expect(read('Dims', '<Box m:null="true"/>')).toEqual({ Box: { Depth: null } })
  })

  it.each(['NW.Size', 'Size'])('MUST be accepted with their type: %s', (type) => {
    expect(read('Dims', '<W>1</W>', ` m:type="${type}"`)).toEqual({ W: 1 })
  })

  it('MUST NOT have a member twice', () => {
    expect(message(() => read('Dims', '<W>1</W><W>1</W>'))).toBe("Duplicate property 'Dims/W'.")
  })

  it('MUST ignore elements of other namespaces', () => {
    expect(read('Dims', '<W>1</W><W xmlns="urn:x">2</W><m:x/>')).toEqual({ W: 1 })
  })

  it.each([
    ['<Unt>cm</Unt>', '', "'Dims/Unt' does not exist: NW.Size has no such property. Did you mean 'Unit'?"],
    [
      '<Box><Depth>x</Depth></Box>',
      '',
      "'Dims/Box/Depth' is of type Edm.Int32: write a whole number from -2147483648 to 2147483647, not 'x'.",
    ],
    ['5 cm', '', "'Dims' is of type NW.Size: write an element for each member, not the text '5 cm'."],
    ['', ' m:type="NW.Box"', "'Dims' has the type 'NW.Box'; expected NW.Size."],
  ])('MUST be rejected with the path of the error: %s', (content, attributes, expected) => {
    expect(message(() => read('Dims', content, attributes))).toBe(expected)
  })
})

describe('A property document in XML', () => {
  it('MUST be parsed with any prefix and after a byte order mark', () => {
    const text = `\ufeff<?xml version="1.0"?>\n<x:Name xmlns:x="${data}">a</x:Name>\n`
    expect(atomFormat.read.property(text, property('Name'))).toBe('a')
  })

  it.each([
    ['<Name>a</Name>', '<Name> without namespace.'],
    [`<Nmae xmlns="${data}">a</Nmae>`, `<Nmae> of the namespace '${data}'. Did you mean 'Name'?`],
  ])('MUST be rejected in another form: %s', (text, found) => {
    expect(message(() => atomFormat.read.property(text, property('Name')))).toBe(
      `The body must be the value of 'Name' (Edm.String) in an element <Name> of the namespace '${data}', not ${found}`,
    )
  })

  it.each([
    ['', /^The document is not well-formed XML: .*must contain a root element/],
    ['{"Name":"x"}', /^The document is not well-formed XML: 1:\d+: text data outside of root node/],
    [
      `<Name xmlns="${data}">\n<x></Name>`,
      /^The document is not well-formed XML: 2:\d+: unexpected close tag/,
    ],
    [`<!DOCTYPE Name><Name xmlns="${data}"/>`, /^Document type declarations are not accepted\.$/],
    ['<Name>'.repeat(101), /^Elements are nested deeper than 100\.$/],
  ])('MUST be rejected with the position when it is not XML: %s', (text, expected) => {
    expect(message(() => atomFormat.read.property(text, property('Name')))).toMatch(expected)
  })
})

describe('A link in XML', () => {
  it.each([data, `${data}/metadata`])('MUST be read in the namespace %s', (namespace) => {
    expect(atomFormat.read.link(`<uri xmlns="${namespace}">\n Products(1)?a=1&amp;b=2 </uri>`)).toBe(
      'Products(1)?a=1&b=2',
    )
  })

  it.each([
    '<uri>Products(1)</uri>',
    `<uri xmlns="${data}"/>`,
    `<uri xmlns="${data}">Products<b>(1)</b></uri>`,
    `<links xmlns="${data}"><uri>Products(1)</uri></links>`,
    `<url xmlns="${data}">Products(1)</url>`,
  ])('MUST be rejected without URI: %s', (text) => {
    expect(message(() => atomFormat.read.link(text))).toBe(
      `The body must be a link such as <uri xmlns="${data}">Products(1)</uri>.`,
    )
  })
})
