import { formatDateTime, formatDateTimeOffset } from '../../../lib/edm/primitive-types/date-time.js'
import type { PrimitiveType } from '../../../lib/edm/primitive-types/primitive-type.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'
import { formatTime } from '../../../lib/edm/primitive-types/time.js'

function compare(type: PrimitiveType, a: unknown, b: unknown): number {
  const [left, right] = [type.toOperand(a), type.toOperand(b)]
  if (left === undefined || right === undefined) throw new Error('No operand.')
  return Math.sign(type.compare(left, right))
}

describe('Edm.DateTime', () => {
  const type = primitiveTypes['Edm.DateTime']

  it.each([
    ['2012-05-29T09:13:28', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13', new Date('2012-05-29T09:13:00Z')],
    ['2012-5-9T9:13:28', new Date('2012-05-09T09:13:28Z')],
    ['2012-05-29T09:13:28.123', new Date('2012-05-29T09:13:28.123Z')],
    ['2012-05-29T09:13:28.1230000', new Date('2012-05-29T09:13:28.123Z')],
    ['2012-05-29T09:13:28Z', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13:28.1234567', '2012-05-29T09:13:28.1234567'],
    ['0001-01-01T00:00:00', new Date('0001-01-01T00:00:00Z')],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
  ])('MUST parse %s, as a Date if milliseconds are sufficient', (text, value) => {
    expect(type.parse(text)).toEqual(value)
  })

  it.each([
    ['an offset', '2012-05-29T09:13:28+02:00'],
    ['the offset of UTC', '2012-05-29T09:13:28+00:00'],
    ['eight digits of fraction', '2012-05-29T09:13:28.12345678'],
    ['a day that does not exist', '2012-02-30T00:00:00'],
    ['no date', 'abc'],
  ])('MUST reject %s', (_, text) => {
    expect(type.parse(text)).toBeUndefined()
  })

  it.each([
    [new Date('2012-05-29T09:13:28Z'), "datetime'2012-05-29T09:13:28'"],
    [new Date('2012-05-29T09:13:28.120Z'), "datetime'2012-05-29T09:13:28.12'"],
    ['2012-05-29T09:13:28.1234567', "datetime'2012-05-29T09:13:28.1234567'"],
    ['2012-05-29T09:13:28Z', "datetime'2012-05-29T09:13:28'"],
  ])('MUST format %p as %s', (value, literal) => {
    expect(type.formatLiteral(value)).toBe(literal)
  })

  it.each([
    [undefined, '2012-05-29T09:13:28.9876543'],
    [0, '2012-05-29T09:13:28'],
    [3, '2012-05-29T09:13:28.987'],
    [7, '2012-05-29T09:13:28.9876543'],
  ])('MUST truncate to Precision %p without rounding', (precision, text) => {
    expect(formatDateTime('2012-05-29T09:13:28.9876543', precision)).toBe(text)
  })

  it('MUST pad to Precision with zeros', () => {
    expect(formatDateTime(new Date('2012-05-29T09:13:28Z'), 3)).toBe('2012-05-29T09:13:28.000')
  })

  it.each([
    ['2012-05-29T09:13:28', '2012-05-29T09:13:28'],
    ['2012-05-29T09:13:28.000', '2012-05-29T09:13:28'],
    ['2012-05-29T09:13:28.100', '2012-05-29T09:13:28.1'],
    ['2012-05-29T09:13:28.120', '2012-05-29T09:13:28.12'],
    ['1969-12-31T23:59:59.001', '1969-12-31T23:59:59.001'],
    ['2012-05-29T09:13:20', '2012-05-29T09:13:20'],
    ['2012-05-29T09:13:00.000', '2012-05-29T09:13:00'],
  ])('MUST format the string %s as the same Date, with as many digits as are needed', (text, formatted) => {
    expect(formatDateTime(text)).toBe(formatted)
    expect(formatDateTime(new Date(`${text}Z`))).toBe(formatted)
  })

  it.each([[new Date(Number.NaN)], ['yesterday'], [1338282808000], [null], [true]])(
    'MUST NOT accept %p',
    (value) => {
      expect(type.toOperand(value)).toBeUndefined()
      expect(() => formatDateTime(value)).toThrow(TypeError)
    },
  )

  it('MUST compare dates and strings to 100 nanoseconds', () => {
    const date = new Date('2012-05-29T09:13:28.123Z')
    expect(compare(type, date, '2012-05-29T09:13:28.123')).toBe(0)
    expect(compare(type, date, '2012-05-29T09:13:28.1230001')).toBe(-1)
    expect(compare(type, '1969-12-31T23:59:59.9999999', '1970-01-01T00:00:00')).toBe(-1)
  })

  it('MUST parse formatted values', () => {
    for (const value of [new Date('2012-05-29T09:13:28.123Z'), '2012-05-29T09:13:28.1234567']) {
      const operand = type.toOperand(value)
      expect(operand && type.toValue(operand)).toEqual(value)
    }
  })
})

describe('Edm.DateTimeOffset', () => {
  const type = primitiveTypes['Edm.DateTimeOffset']

  it.each([
    ['2012-05-29T09:13:28Z', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13:28z', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13:28+00:00', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13:28-00:00', new Date('2012-05-29T09:13:28Z')],
    ['2012-05-29T09:13:28+02:00', '2012-05-29T09:13:28+02:00'],
    ['2012-05-29T09:13:28.5-05:30', '2012-05-29T09:13:28.5-05:30'],
    ['2012-05-29T09:13:28.1234567Z', '2012-05-29T09:13:28.1234567Z'],
    ['0001-01-01T00:00:00-05:00', '0001-01-01T00:00:00-05:00'],
    ['9999-12-31T23:59:59+14:00', '9999-12-31T23:59:59+14:00'],
  ])('MUST parse %s and preserve its time zone', (text, value) => {
    expect(type.parse(text)).toEqual(value)
  })

  it.each(['2012-05-29T09:13:28', '2012-05-29T09:13:28+15:00', '2012-05-29T09:13:28.12345678Z', ''])(
    'MUST reject %j',
    (text) => {
      expect(type.parse(text)).toBeUndefined()
    },
  )

  it.each([
    [new Date('2012-05-29T09:13:28Z'), "datetimeoffset'2012-05-29T09:13:28Z'"],
    ['2012-05-29T09:13:28+02:00', "datetimeoffset'2012-05-29T09:13:28+02:00'"],
    ['2012-05-29T09:13:28.1234567-05:30', "datetimeoffset'2012-05-29T09:13:28.1234567-05:30'"],
  ])('MUST format %p as %s', (value, literal) => {
    expect(type.formatLiteral(value)).toBe(literal)
  })

  it('MUST compare points in time, not local times', () => {
    expect(compare(type, '2012-05-29T09:13:28+02:00', new Date('2012-05-29T07:13:28Z'))).toBe(0)
    expect(compare(type, '2012-05-29T09:13:28+02:00', '2012-05-29T08:13:28Z')).toBe(-1)
    expect(compare(type, '2012-05-29T09:13:28.0000001Z', '2012-05-29T09:13:28Z')).toBe(1)
  })

  it('MUST NOT accept invalid points in time', () => {
    for (const value of [new Date(Number.NaN), 'yesterday', 0, null]) {
      expect(type.toOperand(value)).toBeUndefined()
      expect(() => formatDateTimeOffset(value)).toThrow(TypeError)
    }
  })
})

describe('Edm.Time', () => {
  const type = primitiveTypes['Edm.Time']

  it.each([
    ['PT09H13M28S', '09:13:28'],
    ['PT9H', '09:00:00'],
    ['PT13H20M1.5S', '13:20:01.5'],
    ['09:13:28', '09:13:28'],
    ['PT23H59M59.9999999S', '23:59:59.9999999'],
  ])('MUST parse %s', (text, value) => {
    expect(type.parse(text)).toBe(value)
  })

  it.each(['PT24H', 'P1D', '24:00:00', '-PT1H', '', 'PT'])(
    'MUST reject %j, which is not a time of day',
    (text) => {
      expect(type.parse(text)).toBeUndefined()
    },
  )

  it('MUST format a duration with two digits each', () => {
    expect(type.formatLiteral('9:13:28')).toBe("time'PT09H13M28S'")
    expect(type.formatLiteral('00:00:00.5')).toBe("time'PT00H00M00.5S'")
  })

  it('MUST compare by time of day', () => {
    expect(compare(type, '09:00:00', '10:00:00')).toBe(-1)
    expect(compare(type, '9:00', '09:00:00.0')).toBe(0)
  })

  it.each([[new Date()], [5], ['PT1H'], ['25:00:00'], [null]])('MUST NOT accept %p', (value) => {
    expect(type.toOperand(value)).toBeUndefined()
    expect(() => formatTime(value)).toThrow(TypeError)
  })
})
