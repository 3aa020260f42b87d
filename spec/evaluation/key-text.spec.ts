import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { keyShape, keyText } from '../../lib/evaluation/key-text.js'
import { setNamed } from '../support/protocol-model.js'

function textOf(value: unknown, type: PrimitiveTypeName): string | undefined {
  return keyText({ k: value }, ['k'], [type])
}

const pair: readonly PrimitiveTypeName[] = ['Edm.String', 'Edm.Decimal']

describe('Strings for lookups by key', () => {
  it.each([
    ['Edm.Int32', [5, 5n]],
    ['Edm.Int32', [0, -0]],
    ['Edm.Int64', [5, 5n, '5', '005']],
    ['Edm.Int64', [9007199254740993n, '9007199254740993']],
    ['Edm.Decimal', ['2.5', '2.50', '2.500', 2.5, '02.5']],
    ['Edm.Decimal', ['100', '100.0', 100, 100n, '1e2']],
    ['Edm.Decimal', ['0', '0.00', '-0', '-0.0', 0]],
    ['Edm.Decimal', ['-0.5', '-0.50']],
    ['Edm.Decimal', [1e-7, '0.0000001', '0.00000010']],
    ['Edm.Decimal', [1e21, '1000000000000000000000']],
    ['Edm.Single', [0.1, Math.fround(0.1)]],
    ['Edm.Double', [0, -0]],
    ['Edm.Guid', ['12345678-AAAA-bbbb-cccc-ddddeeeeffff', '12345678-aaaa-bbbb-cccc-ddddeeeeffff']],
    ['Edm.DateTime', [new Date('2012-05-29T09:13:28Z'), '2012-05-29T09:13:28', '2012-05-29T09:13:28.000']],
    ['Edm.DateTimeOffset', ['2012-05-29T09:13:28Z', '2012-05-29T11:13:28+02:00']],
    ['Edm.Time', ['09:13', '09:13:00', '9:13:00.0']],
    ['Edm.Binary', [Uint8Array.of(1, 2), Buffer.from([1, 2])]],
  ] as const)('MUST be the same for equal values of %s: %p', (type, values) => {
    const strings = new Set<unknown>(values.map((value) => textOf(value, type)))
    expect(strings.size).toBe(1)
    expect(typeof [...strings][0]).toBe('string')
  })

  it.each([
    ['Edm.String', ['a', 'A', 'a ', '']],
    ['Edm.Int64', [9007199254740992n, 9007199254740993n, -1n]],
    ['Edm.Decimal', ['1', '10', '100', '0.1', '0.01', '-1']],
    ['Edm.Double', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1, 0.2]],
    ['Edm.DateTime', ['2012-05-29T09:13:28', '2012-05-29T09:13:28.0000001', '2012-05-29T09:13:28.001']],
    ['Edm.Boolean', [true, false]],
    ['Edm.Binary', [new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(0, 0)]],
  ] as const)('MUST differ for different values of %s: %p', (type, values) => {
    expect(new Set<unknown>(values.map((value) => textOf(value, type))).size).toBe(values.length)
  })

  it('MUST be undefined for null, which equals no key', () => {
    expect(textOf(null, 'Edm.String')).toBeUndefined()
    expect(textOf(undefined, 'Edm.Int32')).toBeUndefined()
    expect(keyText({ a: 'x', b: null }, ['a', 'b'], pair)).toBeUndefined()
    expect(keyText({ b: '1' }, ['a', 'b'], pair)).toBeUndefined()
  })

  it('MUST be undefined for values of another type', () => {
    expect(textOf('x', 'Edm.Decimal')).toBeUndefined()
    expect(textOf('x', 'Edm.Guid')).toBeUndefined()
    expect(textOf({}, 'Edm.String')).toBeUndefined()
    expect(textOf(true, 'Edm.String')).toBeUndefined()
    expect(textOf({}, 'Edm.Int64')).toBeUndefined()
  })

  it('MUST separate the parts of a compound key', () => {
    const names = ['a', 'b']
    const types: readonly PrimitiveTypeName[] = ['Edm.String', 'Edm.String']
    const strings = [
      { a: 'a', b: 'bc' },
      { a: 'ab', b: 'c' },
      { a: '', b: 'abc' },
      { a: 'abc', b: '' },
      { a: '1:a', b: '' },
    ].map((key) => keyText(key, names, types))
    expect(new Set(strings).size).toBe(strings.length)
    expect(keyText({ a: 'x', b: '2.50' }, names, pair)).toBe(keyText({ b: 2.5, a: 'x' }, names, pair))
  })

  it('MUST use names and types of the key of a type', () => {
    expect(keyShape(setNamed('Lines').entityType.key)).toEqual({
      names: ['Order', 'No'],
      types: ['Edm.Int32', 'Edm.Int16'],
    })
  })
})
