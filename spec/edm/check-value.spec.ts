import { valueViolation } from '../../lib/edm/check-value.js'
import type { CheckedProperty } from '../../lib/edm/check-value.js'
import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { protocolModel } from '../support/protocol-model.js'

function error(type: PrimitiveTypeName, value: unknown, facets: Partial<CheckedProperty> = {}): unknown {
  return valueViolation({ name: 'P', type, nullable: true, ...facets }, value)
}

describe('A value for a simple property', () => {
  it.each<[PrimitiveTypeName, unknown]>([
    ['Edm.String', ''],
    ['Edm.String', '😀'],
    ['Edm.Boolean', false],
    ['Edm.Byte', 0],
    ['Edm.Byte', 255],
    ['Edm.SByte', -128],
    ['Edm.SByte', 127],
    ['Edm.Int16', -32768],
    ['Edm.Int16', 32767],
    ['Edm.Int32', -2147483648],
    ['Edm.Int32', 2147483647],
    ['Edm.Int64', -9223372036854775808n],
    ['Edm.Int64', 9223372036854775807n],
    ['Edm.Int64', '5'],
    ['Edm.Decimal', '2.50'],
    ['Edm.Decimal', 2.5],
    ['Edm.Decimal', '9'.repeat(255)],
    ['Edm.Decimal', 7n],
    ['Edm.Double', Number.NaN],
    ['Edm.Double', 1.7976931348623157e308],
    ['Edm.Single', 3.4028234663852886e38],
    ['Edm.Single', Number.NEGATIVE_INFINITY],
    ['Edm.Guid', '12345678-AAAA-bbbb-cccc-ddddeeeeffff'],
    ['Edm.Binary', new Uint8Array(0)],
    ['Edm.DateTime', new Date(0)],
    ['Edm.DateTime', '2012-05-29T09:13:28.1234567'],
    ['Edm.DateTimeOffset', '2012-05-29T09:13:28+02:00'],
    ['Edm.Time', '23:59:59.9999999'],
  ])('MUST be accepted when it has the type: %s %p', (type, value) => {
    expect(error(type, value)).toBeUndefined()
  })

  it.each<[PrimitiveTypeName, unknown, string]>([
    ['Edm.String', 5, 'must be of type Edm.String, not 5'],
    ['Edm.Boolean', 'true', "must be of type Edm.Boolean, not 'true'"],
    ['Edm.Int32', '5', "must be of type Edm.Int32, not '5'"],
    ['Edm.Int32', 2.5, 'must be of type Edm.Int32, not 2.5'],
    ['Edm.Int32', Number.NaN, 'must be of type Edm.Int32, not NaN'],
    ['Edm.Int64', 2 ** 53, 'must be of type Edm.Int64, not 9007199254740992'],
    ['Edm.Decimal', '1,5', "must be of type Edm.Decimal, not '1,5'"],
    ['Edm.Decimal', Number.NaN, 'must be of type Edm.Decimal, not NaN'],
    ['Edm.Double', '2.5', "must be of type Edm.Double, not '2.5'"],
    ['Edm.Guid', '1234', "must be of type Edm.Guid, not '1234'"],
    ['Edm.Binary', 'AA==', "must be of type Edm.Binary, not 'AA=='"],
    ['Edm.Binary', [1], 'must be of type Edm.Binary, not an array'],
    ['Edm.DateTime', new Date(Number.NaN), 'must be of type Edm.DateTime, not an invalid Date'],
    ['Edm.DateTime', '2012-02-30T00:00:00', "must be of type Edm.DateTime, not '2012-02-30T00:00:00'"],
    ['Edm.Time', '24:00:00', "must be of type Edm.Time, not '24:00:00'"],
    ['Edm.Time', {}, 'must be of type Edm.Time, not an object'],
  ])('MUST be rejected when it has another type: %s %p', (type, value, message) => {
    expect(error(type, value)).toBe(message)
  })

  it.each<[PrimitiveTypeName, unknown, string]>([
    ['Edm.Byte', -1, 'must be from 0 to 255, not -1'],
    ['Edm.Byte', 256, 'must be from 0 to 255, not 256'],
    ['Edm.SByte', 128, 'must be from -128 to 127, not 128'],
    ['Edm.Int16', 32768, 'must be from -32768 to 32767, not 32768'],
    ['Edm.Int32', -2147483649, 'must be from -2147483648 to 2147483647, not -2147483649'],
    [
      'Edm.Int64',
      9223372036854775808n,
      'must be from -9223372036854775808 to 9223372036854775807, not 9223372036854775808',
    ],
    ['Edm.Single', 3.5e38, 'must be in the range of 32-bit floating-point numbers, not 3.5e+38'],
    ['Edm.Decimal', '1'.repeat(256), 'must not have more than 255 digits before or after the decimal point'],
    ['Edm.String', 'a\ud83d', 'must be well-formed Unicode; it has a lone surrogate'],
  ])('MUST be rejected when it is outside of the range of the type: %s %p', (type, value, message) => {
    expect(error(type, value)).toBe(message)
  })

  it('MUST be rejected when it is null or missing, unless the property is nullable', () => {
    expect(error('Edm.String', null)).toBeUndefined()
    expect(error('Edm.String', undefined)).toBeUndefined()
    expect(error('Edm.String', null, { nullable: false })).toBe('must not be null')
    expect(error('Edm.Int32', undefined, { nullable: false })).toBe('must not be null')
  })

  it('MUST NOT belong to a complex property', () => {
    const dims = protocolModel.entityTypes.get('NW.Product')?.property('Dims')
    if (dims === undefined) throw new Error('The model has changed.')
    expect(() => valueViolation(dims, {})).toThrow(new TypeError("'Dims' is not a simple property."))
  })
})

describe('The facets', () => {
  it('MUST limit strings by characters of Unicode, as databases do, and binary values by bytes', () => {
    expect(error('Edm.String', 'Gouda', { maxLength: 5 })).toBeUndefined()
    expect(error('Edm.String', 'Gouda', { maxLength: 4 })).toBe(
      "must not be longer than 4 characters; 'Gouda' has 5",
    )
    expect(error('Edm.String', '😀😀', { maxLength: 2 })).toBeUndefined()
    expect(error('Edm.String', '😀😀', { maxLength: 1 })).toBe(
      "must not be longer than 1 characters; '😀😀' has 2",
    )
    expect(error('Edm.String', 'x'.repeat(5000), { maxLength: 'Max' })).toBeUndefined()
    expect(error('Edm.Binary', new Uint8Array(2), { maxLength: 2 })).toBeUndefined()
    expect(error('Edm.Binary', new Uint8Array(3), { maxLength: 2 })).toBe(
      'must not be longer than 2 bytes; the value has 3',
    )
  })

  it('MUST truncate a long value in messages', () => {
    expect(error('Edm.String', 'x'.repeat(5000), { maxLength: 10 })).toBe(
      `must not be longer than 10 characters; '${'x'.repeat(40)}…' has 5000`,
    )
  })

  it('MUST require the exact length with FixedLength', () => {
    const facets = { maxLength: 5, fixedLength: true }
    expect(error('Edm.String', 'ALFKI', facets)).toBeUndefined()
    expect(error('Edm.String', 'ALF', facets)).toBe("must be exactly 5 characters long; 'ALF' has 3")
    expect(error('Edm.Binary', new Uint8Array(8), { maxLength: 8, fixedLength: true })).toBeUndefined()
    expect(error('Edm.String', 'ALF', { maxLength: 5, fixedLength: false })).toBeUndefined()
    expect(error('Edm.String', 'ALF', { fixedLength: true })).toBeUndefined()
  })

  it('MUST reject characters other than ASCII with Unicode=false', () => {
    expect(error('Edm.String', 'Gouda\u007f', { unicode: false })).toBeUndefined()
    expect(error('Edm.String', 'Käse', { unicode: false })).toBe("must be ASCII text; 'ä' is not ASCII")
    expect(error('Edm.String', 'a😀', { unicode: false })).toBe("must be ASCII text; '😀' is not ASCII")
    expect(error('Edm.String', 'Käse', { unicode: true })).toBeUndefined()
  })

  it.each<[unknown, string | undefined]>([
    ['12345678.12', undefined],
    ['-12345678.12', undefined],
    ['0.5', undefined],
    ['2.500', undefined],
    ['2.5e1', undefined],
    [0.25, undefined],
    ['0', undefined],
    ['2.505', "must not have more than 2 digits after the decimal point; '2.505' has 3"],
    [0.125, 'must not have more than 2 digits after the decimal point; 0.125 has 3'],
    ['123456789', "must not have more than 8 digits before the decimal point; '123456789' has 9"],
    [123456789n, 'must not have more than 8 digits before the decimal point; 123456789 has 9'],
  ])('MUST count the digits of a decimal number of Precision 10 and Scale 2: %p', (value, message) => {
    expect(error('Edm.Decimal', value, { precision: 10, scale: 2 })).toBe(message)
  })

  it('MUST count all digits without Scale', () => {
    expect(error('Edm.Decimal', '12.3', { precision: 3 })).toBeUndefined()
    expect(error('Edm.Decimal', '0.123', { precision: 3 })).toBeUndefined()
    expect(error('Edm.Decimal', '12.34', { precision: 3 })).toBe(
      "must not have more than 3 digits; '12.34' has 4",
    )
    expect(error('Edm.Decimal', '1234', { precision: 3 })).toBe(
      "must not have more than 3 digits before the decimal point; '1234' has 4",
    )
  })
})
