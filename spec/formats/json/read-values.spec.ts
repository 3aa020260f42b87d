import type { Property } from '../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import { jsonFormat } from '../../../lib/formats/json/json-format.js'
import { errorOf } from '../../support/error-of.js'
import { inLinearTime } from '../../support/linear-time.js'
import { setNamed } from '../../support/protocol-model.js'

function property(name: string): Property {
  const found = setNamed('Products').entityType.property(name)
  if (found === undefined) throw new Error(`There is no '${name}'.`)
  return found
}

function read(name: string, json: string): unknown {
  return jsonFormat.read.property(`{"${name}":${json}}`, property(name))
}

function message(name: string, json: string): string {
  const error = errorOf(() => read(name, json))
  expect([error.code, error.status]).toEqual(['BadRequest', 400])
  return error.message
}

describe('Simple values in verbose JSON', () => {
  it.each<[string, string, unknown]>([
    ['Name', '"it\'s"', "it's"],
    ['Name', '"\\u00e9\\n\\ud83d\\ude00"', 'é\n😀'],
    ['Name', '""', ''],
    ['Name', '"/Date(0)/"', '/Date(0)/'],
    ['Active', 'true', true],
    ['Active', 'false', false],
    ['Small', '255', 255],
    ['Tiny', '-128', -128],
    ['Rating', '-32768', -32768],
    ['ID', '2147483647', 2147483647],
    ['ID', '-0', 0],
    ['ID', '5.0', 5],
    ['ID', '5e2', 500],
    ['ID', '"-5"', -5],
    ['Rating', '"5"', 5],
    ['Small', '"255"', 255],
    ['Tiny', '"-128"', -128],
    ['Stock', '"9223372036854775807"', 9223372036854775807n],
    ['Stock', '9223372036854775807', 9223372036854775807n],
    ['Stock', '-9223372036854775808', -9223372036854775808n],
    ['Stock', '9.007199254740993e15', 9007199254740993n],
    ['Price', '"2.50"', '2.50'],
    ['Price', '2.50', '2.50'],
    ['Price', '-1e3', '-1000'],
    ['Price', '"1E-2"', '0.01'],
    ['Price', '12345678901234567890.12345678', '12345678901234567890.12345678'],
    ['Weight', '2.5', 2.5],
    ['Weight', '"2.5"', 2.5],
    ['Weight', '"1E+21"', 1e21],
    ['Weight', '"NaN"', Number.NaN],
    ['Weight', '"INF"', Number.POSITIVE_INFINITY],
    ['Weight', '"-INF"', Number.NEGATIVE_INFINITY],
    ['Weight', '5', 5],
    ['Discount', '"0.1"', Math.fround(0.1)],
    ['Discount', '0.1', Math.fround(0.1)],
    ['Code', '"12345678-AAAA-bbbb-cccc-ddddeeeeffff"', '12345678-aaaa-bbbb-cccc-ddddeeeeffff'],
    ['Pic', '"D6A="', Uint8Array.of(15, 160)],
    ['Pic', '"D6\\r\\nA="', Uint8Array.of(15, 160)],
    ['Pic', '""', new Uint8Array(0)],
    ['Released', '"/Date(1357095845678)/"', new Date('2013-01-02T03:04:05.678Z')],
    ['Released', '"\\/Date(1357095845678)\\/"', new Date('2013-01-02T03:04:05.678Z')],
    ['Released', '"/Date(1357095845678+0000)/"', new Date('2013-01-02T03:04:05.678Z')],
    ['Released', '"/Date(-1)/"', new Date('1969-12-31T23:59:59.999Z')],
    ['Released', '"/Date(-62135596800000)/"', new Date('0001-01-01T00:00:00Z')],
    ['Released', '"/Date(253402300799999)/"', new Date('9999-12-31T23:59:59.999Z')],
    ['Released', '"2013-01-02T03:04:05.678"', new Date('2013-01-02T03:04:05.678Z')],
    ['Released', '"2013-01-02T03:04:05Z"', new Date('2013-01-02T03:04:05Z')],
    ['Released', '"2013-01-02T03:04:05.1234567"', '2013-01-02T03:04:05.1234567'],
    ['Changed', '"/Date(1357095845678+0000)/"', new Date('2013-01-02T03:04:05.678Z')],
    ['Changed', '"/Date(1357095845678)/"', new Date('2013-01-02T03:04:05.678Z')],
    // The ticks are the clock of the zone: 03:04:05 there is 01:04:05 in UTC.
    ['Changed', '"/Date(1357095845000+0120)/"', '2013-01-02T03:04:05+02:00'],
    ['Changed', '"/Date(1357095845000-0090)/"', '2013-01-02T03:04:05-01:30'],
    ['Changed', '"2013-01-02T03:04:05+02:00"', '2013-01-02T03:04:05+02:00'],
    ['Opens', '"PT09H13M28S"', '09:13:28'],
    ['Opens', '"PT9H"', '09:00:00'],
    ['Opens', '"09:13:28.5"', '09:13:28.5'],
  ])('MUST be read exactly: %s %s', (name, json, value) => {
    expect(read(name, json)).toEqual(value)
  })

  it.each(['Name', 'Active', 'Small', 'ID', 'Stock', 'Price', 'Weight', 'Released', 'Changed', 'Pic'])(
    'MUST be null where null is written: %s',
    (name) => {
      expect(read(name, 'null')).toBeNull()
    },
  )

  it.each([
    [
      'ID',
      '"5x"',
      'a whole number from -2147483648 to 2147483647 as a number without quotes',
      "the string '5x'",
    ],
    ['Rating', '""', 'a whole number from -32768 to 32767 as a number without quotes', "the string ''"],
    [
      'ID',
      '2147483648',
      'a whole number from -2147483648 to 2147483647 as a number without quotes',
      '2147483648',
    ],
    ['Small', '-1', 'a whole number from 0 to 255 as a number without quotes', '-1'],
    ['Tiny', '128', 'a whole number from -128 to 127 as a number without quotes', '128'],
    ['ID', '5.5', 'a whole number from -2147483648 to 2147483647 as a number without quotes', '5.5'],
    [
      'ID',
      '2147483646.99999999999',
      'a whole number from -2147483648 to 2147483647 as a number without quotes',
      '2147483646.99999999999',
    ],
    ['ID', 'true', 'a whole number from -2147483648 to 2147483647 as a number without quotes', 'true'],
    ['ID', '{}', 'a whole number from -2147483648 to 2147483647 as a number without quotes', 'an object'],
    [
      'Stock',
      '9223372036854775808',
      "the digits of a whole number of 64 bits such as '5'",
      '9223372036854775808',
    ],
    ['Stock', '"5L"', "the digits of a whole number of 64 bits such as '5'", "the string '5L'"],
    ['Stock', '0.5', "the digits of a whole number of 64 bits such as '5'", '0.5'],
    ['Price', '"2,5"', "digits such as '2.50'", "the string '2,5'"],
    ['Price', '"NaN"', "digits such as '2.50'", "the string 'NaN'"],
    ['Price', '1e999', "digits such as '2.50'", '1e999'],
    ['Weight', '1e400', "a number such as '2.5', 'NaN', 'INF' or '-INF'", '1e400'],
    ['Discount', '1e39', "a number of 32 bits such as '2.5', 'NaN', 'INF' or '-INF'", '1e39'],
    ['Weight', '""', "a number such as '2.5', 'NaN', 'INF' or '-INF'", "the string ''"],
    ['Active', '"true"', 'true or false without quotes', "the string 'true'"],
    ['Active', '1', 'true or false without quotes', '1'],
    ['Name', '5', 'a string', '5'],
    ['Name', '["a"]', 'a string', 'an array'],
    ['Code', '"1234"', "digits such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'", "the string '1234'"],
    ['Pic', '"D6A"', "base64 such as 'D6A='", "the string 'D6A'"],
    ['Pic', '"D-A="', "base64 such as 'D6A='", "the string 'D-A='"],
    ['Pic', '"===="', "base64 such as 'D6A='", "the string '===='"],
    ['Opens', '"PT25H"', "a time of day such as 'PT09H13M28S'", "the string 'PT25H'"],
  ])('MUST be rejected with a message that names the accepted form: %s %s', (name, json, expected, found) => {
    const type = nameOfType(property(name).type)
    expect(message(name, json)).toBe(`'${name}' is of type ${type}: write ${expected}, not ${found}.`)
  })

  it.each([
    ['Released', '1357095845678'],
    ['Released', '"/Date(1357095845678+0060)/"'],
    ['Released', '"2013-01-02T03:04:05+02:00"'],
    ['Released', '"/Date(253402300800000)/"'],
    ['Released', '"/Date(99999999999999999999)/"'],
    ['Released', '"/Date(1.5)/"'],
    ['Released', '"2013-02-30T00:00:00"'],
    ['Changed', '"2013-01-02T03:04:05"'],
    ['Changed', '"/Date(0+0841)/"'],
    ['Changed', '"/Date(-62135596800000+0060)/"'],
  ])(
    'MUST be rejected when there is no such time, or it has a zone too much or too few: %s %s',
    (name, json) => {
      const examples: Record<string, string> = {
        Released: "'/Date(1338282808000)/' or a time without zone such as '2012-05-29T09:13:28'",
        Changed: "'/Date(1338282808000+0000)/' or a time with zone such as '2012-05-29T09:13:28Z'",
      }
      expect(message(name, json)).toContain(`: write ${examples[name]}, not `)
    },
  )

  it('MUST not cost more than their length, nor make messages as long', () => {
    for (const name of ['Stock', 'Price', 'Weight', 'ID', 'Code', 'Opens', 'Released', 'Pic']) {
      for (const json of ['1'.repeat(1_000_000), `"1${'1'.repeat(1_000_000)}"`]) {
        expect(inLinearTime(() => message(name, json)).length).toBeLessThan(300)
      }
    }
  })
})

describe('Complex values in verbose JSON', () => {
  it('MUST have only the members that are present', () => {
    expect(read('Dims', '{"Unit":"cm","Box":{}}')).toEqual({ Unit: 'cm', Box: {} })
    expect(read('Dims', '{}')).toEqual({})
  })

  it('MUST be null in all members when they are null', () => {
    expect(read('Dims', 'null')).toEqual({ W: null, Unit: null, Box: { Depth: null } })
    expect(read('Dims', '{"Box":null}')).toEqual({ Box: { Depth: null } })
  })

  it.each(['NW.Size', 'Size'])('MUST be accepted with their type: %s', (type) => {
    expect(read('Dims', `{"__metadata":{"type":"${type}"},"W":"1"}`)).toEqual({ W: 1 })
  })

  it('MUST ignore members of the protocol', () => {
    expect(read('Dims', '{"__anything":{"W":5},"__count":"1","W":1}')).toEqual({ W: 1 })
  })

  it.each([
    ['5', "'Dims' is of type NW.Size: write an object with its members, not 5."],
    ['[]', "'Dims' is of type NW.Size: write an object with its members, not an array."],
    ['{"Wide":1}', "'Dims/Wide' does not exist: NW.Size has no such property."],
    ['{"Unt":"cm"}', "'Dims/Unt' does not exist: NW.Size has no such property. Did you mean 'Unit'?"],
    ['{"constructor":1}', "'Dims/constructor' does not exist: NW.Size has no such property."],
    [
      '{"Box":{"Depth":"5x"}}',
      "'Dims/Box/Depth' is of type Edm.Int32: write a whole number from -2147483648 to 2147483647 " +
        "as a number without quotes, not the string '5x'.",
    ],
    ['{"__metadata":{"type":"NW.Box"}}', "'Dims' has the type 'NW.Box'; expected NW.Size."],
    ['{"__metadata":5}', "'Dims/__metadata' must be an object with 'uri' or 'type', not 5."],
  ])('MUST be rejected with the path of the error: %s', (json, text) => {
    expect(message('Dims', json)).toBe(text)
  })
})

describe('A property document in JSON', () => {
  it.each([
    '{"d":{"Name":"x"}}',
    '{"Name":"x"}',
    '{"d":{"results":{"Name":"x"}}}',
    '{"results":{"Name":"x"}}',
    '\ufeff {"__metadata":{},"Name":"x"}',
  ])('MUST be read in any wrapping: %s', (text) => {
    expect(jsonFormat.read.property(text, property('Name'))).toBe('x')
  })

  it.each([
    ['5', 'The body must be an object {"Name":…}, not 5.'],
    ['"x"', 'The body must be an object {"Name":…}, not the string \'x\'.'],
    ['{}', 'The body must be an object {"Name":…}; it is empty.'],
    ['{"d":{}}', 'The body must be an object {"Name":…}; it is empty.'],
    ['{"Nmae":"x"}', "The body must be an object {\"Name\":…}, without 'Nmae'. Did you mean 'Name'?"],
    ['{"Name":"x","ID":1}', 'The body must be an object {"Name":…}, without \'ID\'.'],
  ])('MUST be rejected in another form: %s', (text, expected) => {
    expect(errorOf(() => jsonFormat.read.property(text, property('Name'))).message).toBe(expected)
  })

  it('MUST be rejected with the position when it is not JSON', () => {
    const error = errorOf(() => jsonFormat.read.property('{"Name":"x"', property('Name')))
    expect([error.status, error.details.position]).toEqual([400, 11])
  })
})

describe('A property that is called like a wrapper', () => {
  const named = (name: string, type: Property['type']): Property => ({ ...property('Name'), name, type })

  it('MUST be distinguished from it', () => {
    expect(jsonFormat.read.property('{"d":"x"}', named('d', 'Edm.String'))).toBe('x')
    expect(jsonFormat.read.property('{"d":{"d":"x"}}', named('d', 'Edm.String'))).toBe('x')
    expect(jsonFormat.read.property('{"d":{"results":"x"}}', named('results', 'Edm.String'))).toBe('x')
    const size = property('Dims').type
    expect(jsonFormat.read.property('{"d":{"W":1}}', named('d', size))).toEqual({ W: 1 })
    expect(jsonFormat.read.property('{"d":{"d":{"W":1}}}', named('d', size))).toEqual({ W: 1 })
  })
})

describe('A link in JSON', () => {
  it.each([
    '{"uri":"Products(1)"}',
    '{"d":{"uri":"Products(1)"}}',
    '{"d":{"results":{"uri":" Products(1) "}}}',
  ])('MUST be read: %s', (text) => {
    expect(jsonFormat.read.link(text)).toBe('Products(1)')
  })

  it.each([
    '{}',
    '{"uri":5}',
    '{"uri":""}',
    '{"url":"Products(1)"}',
    '[{"uri":"Products(1)"}]',
    'null',
    '"Products(1)"',
  ])('MUST be rejected without URI: %s', (text) => {
    expect(errorOf(() => jsonFormat.read.link(text)).message).toBe(
      'The body must be a link such as {"uri":"Products(1)"}.',
    )
  })
})
