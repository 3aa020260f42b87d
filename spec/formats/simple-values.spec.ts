import { jsonValue } from '../../lib/formats/json/values.js'
import { formatText, rawValue } from '../../lib/formats/plain-text.js'
import type { WriteContext } from '../../lib/formats/format.js'
import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'

const context: WriteContext = {
  root: 'http://h/n/',
  version: '2.0',
  updated: '2024-01-02T03:04:05Z',
  doubleAsNumber: false,
  media: () => undefined,
}

function written(type: PrimitiveTypeName, value: unknown): [string, string] {
  return [formatText[type](value), jsonValue(type, value, context)]
}

describe('Simple values in XML and in JSON', () => {
  it.each<[PrimitiveTypeName, unknown, string, string]>([
    ['Edm.Boolean', true, 'true', 'true'],
    ['Edm.Boolean', false, 'false', 'false'],
    ['Edm.Byte', 255, '255', '255'],
    ['Edm.SByte', -128, '-128', '-128'],
    ['Edm.Int16', -32768, '-32768', '-32768'],
    ['Edm.Int32', -2147483648, '-2147483648', '-2147483648'],
    ['Edm.Int32', 0, '0', '0'],
    ['Edm.Int64', 9223372036854775807n, '9223372036854775807', '"9223372036854775807"'],
    ['Edm.Int64', -5, '-5', '"-5"'],
    ['Edm.Int64', '-9223372036854775808', '-9223372036854775808', '"-9223372036854775808"'],
    ['Edm.Decimal', '2.50', '2.50', '"2.50"'],
    ['Edm.Decimal', 2.5, '2.5', '"2.5"'],
    ['Edm.Decimal', 1e21, '1000000000000000000000', '"1000000000000000000000"'],
    ['Edm.Decimal', 1e-7, '0.0000001', '"0.0000001"'],
    [
      'Edm.Decimal',
      '79228162514264337593543950335',
      '79228162514264337593543950335',
      '"79228162514264337593543950335"',
    ],
    ['Edm.Double', 2.5, '2.5', '"2.5"'],
    ['Edm.Double', 5, '5', '"5"'],
    ['Edm.Double', 0.1, '0.1', '"0.1"'],
    ['Edm.Double', 1e21, '1E+21', '"1E+21"'],
    ['Edm.Double', 5e-324, '5E-324', '"5E-324"'],
    ['Edm.Double', Number.MAX_VALUE, '1.7976931348623157E+308', '"1.7976931348623157E+308"'],
    ['Edm.Double', Number.NaN, 'NaN', '"NaN"'],
    ['Edm.Double', Number.POSITIVE_INFINITY, 'INF', '"INF"'],
    ['Edm.Double', Number.NEGATIVE_INFINITY, '-INF', '"-INF"'],
    ['Edm.Single', 0.1, '0.1', '"0.1"'],
    ['Edm.Single', 3.4028234663852886e38, '3.4028235E+38', '"3.4028235E+38"'],
    ['Edm.Single', 16777217, '16777216', '"16777216"'],
    ['Edm.Single', Number.NEGATIVE_INFINITY, '-INF', '"-INF"'],
    ['Edm.String', 'a"b\\c/d', 'a"b\\c/d', '"a\\"b\\\\c/d"'],
    ['Edm.String', '', '', '""'],
    [
      'Edm.Guid',
      '12345678-AAAA-bbbb-CCCC-ddddeeeeffff',
      '12345678-aaaa-bbbb-cccc-ddddeeeeffff',
      '"12345678-aaaa-bbbb-cccc-ddddeeeeffff"',
    ],
    ['Edm.Binary', Uint8Array.of(0, 255, 62, 63), 'AP8+Pw==', '"AP8+Pw=="'],
    ['Edm.Binary', new Uint8Array(0), '', '""'],
    ['Edm.Binary', new Uint8Array([9, 1, 2, 9]).subarray(1, 3), 'AQI=', '"AQI="'],
    [
      'Edm.DateTime',
      new Date('2013-01-02T03:04:05.678Z'),
      '2013-01-02T03:04:05.678',
      '"\\/Date(1357095845678)\\/"',
    ],
    ['Edm.DateTime', new Date('2013-01-02T03:04:05Z'), '2013-01-02T03:04:05', '"\\/Date(1357095845000)\\/"'],
    [
      'Edm.DateTime',
      '2013-01-02T03:04:05.1234567',
      '2013-01-02T03:04:05.1234567',
      '"\\/Date(1357095845123)\\/"',
    ],
    ['Edm.DateTime', '1969-12-31T23:59:59', '1969-12-31T23:59:59', '"\\/Date(-1000)\\/"'],
    [
      'Edm.DateTime',
      new Date('0001-01-01T00:00:00Z'),
      '0001-01-01T00:00:00',
      '"\\/Date(-62135596800000)\\/"',
    ],
    [
      'Edm.DateTimeOffset',
      new Date('2013-01-02T03:04:05Z'),
      '2013-01-02T03:04:05Z',
      '"\\/Date(1357095845000+0000)\\/"',
    ],
    [
      'Edm.DateTimeOffset',
      '2013-01-02T03:04:05+02:00',
      '2013-01-02T03:04:05+02:00',
      '"\\/Date(1357088645000+0000)\\/"',
    ],
    [
      'Edm.DateTimeOffset',
      '2013-01-02T03:04:05.5-11:30',
      '2013-01-02T03:04:05.5-11:30',
      '"\\/Date(1357137245500+0000)\\/"',
    ],
    ['Edm.Time', '09:13:28', 'PT09H13M28S', '"PT09H13M28S"'],
    ['Edm.Time', '00:00:00', 'PT00H00M00S', '"PT00H00M00S"'],
    ['Edm.Time', '23:59:59.9999999', 'PT23H59M59.9999999S', '"PT23H59M59.9999999S"'],
  ])('MUST write %s %p as %s and %s', (type, value, text, json) => {
    expect(written(type, value)).toEqual([text, json])
    JSON.parse(json)
  })

  it.each([
    [0, '2013-01-02T03:04:05'],
    [1, '2013-01-02T03:04:05.6'],
    [2, '2013-01-02T03:04:05.67'],
    [3, '2013-01-02T03:04:05.678'],
    [7, '2013-01-02T03:04:05.6780000'],
  ])('MUST format dates with as many digits as their Precision: %i', (precision, text) => {
    const date = new Date('2013-01-02T03:04:05.678Z')
    expect(formatText['Edm.DateTime'](date, precision)).toBe(text)
    expect(formatText['Edm.DateTimeOffset'](date, precision)).toBe(`${text}Z`)
    expect(rawValue('Edm.DateTime', date, { mimeType: undefined, precision }).body).toBe(text)
  })

  it('MUST cut, never round, digits beyond the Precision', () => {
    expect(formatText['Edm.DateTime']('2013-12-31T23:59:59.9999999', 3)).toBe('2013-12-31T23:59:59.999')
    expect(formatText['Edm.DateTime']('1969-12-31T23:59:59.9999999', 0)).toBe('1969-12-31T23:59:59')
  })

  it.each<[PrimitiveTypeName, unknown]>([
    ['Edm.Boolean', 'true'],
    ['Edm.Boolean', 1],
    ['Edm.Byte', 'x'],
    ['Edm.Int32', 1.5],
    ['Edm.Int32', {}],
    ['Edm.Int64', 1.5],
    ['Edm.Int64', 'x'],
    ['Edm.Decimal', 'x'],
    ['Edm.Decimal', Number.NaN],
    ['Edm.Double', '2.5'],
    ['Edm.Single', 5n],
    ['Edm.String', 5],
    ['Edm.Guid', 'x'],
    ['Edm.Binary', 'AA=='],
    ['Edm.DateTime', 'yesterday'],
    ['Edm.DateTime', new Date(Number.NaN)],
    ['Edm.DateTimeOffset', 5],
    ['Edm.Time', '25:00:00'],
  ])('MUST not accept an invalid %s: %p', (type, value) => {
    expect(() => formatText[type](value)).toThrow(TypeError)
    expect(() => jsonValue(type, value, context)).toThrow(TypeError)
    expect(() => formatText[type](value)).toThrow(type)
  })

  it.each<[PrimitiveTypeName, number, string]>([
    ['Edm.Double', 2.5, '2.5'],
    ['Edm.Double', 1e21, '1e+21'],
    ['Edm.Double', Number.NaN, '"NaN"'],
    ['Edm.Double', Number.POSITIVE_INFINITY, '"INF"'],
    ['Edm.Single', Math.fround(0.1), '0.1'],
    ['Edm.Single', Number.NEGATIVE_INFINITY, '"-INF"'],
  ])('MUST write %s %p as the number %s where numbers are wanted', (type, value, json) => {
    expect(jsonValue(type, value, { ...context, doubleAsNumber: true })).toBe(json)
  })
})

describe('rawValue', () => {
  it('MUST return the bytes of Edm.Binary with the MIME type of the model', () => {
    const bytes = Uint8Array.of(1, 2)
    expect(rawValue('Edm.Binary', bytes)).toEqual({ contentType: 'application/octet-stream', body: bytes })
    const image = { mimeType: 'image/png', precision: undefined }
    expect(rawValue('Edm.Binary', bytes, image)).toEqual({ contentType: 'image/png', body: bytes })
  })

  it('MUST return all other values as text', () => {
    expect(rawValue('Edm.Int64', 5n)).toEqual({ contentType: 'text/plain;charset=utf-8', body: '5' })
    expect(rawValue('Edm.String', '', { mimeType: 'text/html', precision: undefined })).toEqual({
      contentType: 'text/html',
      body: '',
    })
  })
})
