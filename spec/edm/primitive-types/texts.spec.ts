import { codePoint, fc, runs } from '../../support/random.js'
import { compareBytes, compareStrings } from '../../../lib/edm/primitive-types/primitive-type.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'

/** Well-formed text with many characters around the surrogates, where UTF-16 and code points disagree. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '',
      'a',
      'b',
      'A',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10ffff}',
    ),
    fc.string({ unit: codePoint, maxLength: 1 }),
  ),
  maxLength: 8,
})

describe('Edm.String', () => {
  const type = primitiveTypes['Edm.String']

  it('MUST double quotes in literals, and escape no other characters', () => {
    expect(["it's", '', "''", 'a\\n%27\u{1f600}'].map(type.formatLiteral)).toEqual([
      "'it''s'",
      "''",
      "''''''",
      "'a\\n%27\u{1f600}'",
    ])
  })

  it('MUST accept any string unchanged, and only strings', () => {
    expect(type.parse(" it's ")).toBe(" it's ")
    for (const value of [5, true, null, ['a']]) expect(type.toOperand(value)).toBeUndefined()
  })

  it('MUST order by code point: characters beyond U+FFFF are last', () => {
    const ascending = ['', 'A', 'AB', 'B', 'a', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}']
    expect([...ascending].reverse().sort(type.compare)).toEqual(ascending)
  })

  it('MUST order like the bytes of UTF-8', () => {
    fc.assert(
      fc.property(text, text, text, (prefix, a, b) => {
        const [left, right] = [prefix + a, prefix + b]
        expect(Math.sign(compareStrings(left, right))).toBe(
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        )
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('Edm.Guid', () => {
  const type = primitiveTypes['Edm.Guid']
  const lower = '12345678-aaaa-bbbb-cccc-ddddeeeeffff'

  it('MUST parse any case and format lower case', () => {
    expect(type.parse(lower.toUpperCase())).toBe(lower)
    expect(type.formatLiteral(lower.toUpperCase())).toBe(`guid'${lower}'`)
    expect(type.toOperand(lower.toUpperCase())).toBe(lower)
  })

  it.each([
    ['8-4-4-12', '12345678-aaaa-bbbb-ddddeeeeffff'],
    ['no dashes', lower.replaceAll('-', '')],
    ['braces', `{${lower}}`],
    ['another letter', lower.replace('f', 'g')],
    ['a digit too few', lower.slice(1)],
    ['a line end behind', `${lower}\n`],
    ['nothing', ''],
  ])('MUST reject %s', (_, value) => {
    expect(type.parse(value)).toBeUndefined()
    expect(type.toOperand(value)).toBeUndefined()
  })

  it('MUST compare as lower-case strings', () => {
    expect(type.compare(`0${lower.slice(1)}`, lower)).toBeLessThan(0)
    expect(type.compare(lower, lower)).toBe(0)
  })
})

describe('Edm.Binary', () => {
  const type = primitiveTypes['Edm.Binary']

  it('MUST parse hexadecimal of either case and format upper case', () => {
    expect(type.parse('0fA0')).toEqual(new Uint8Array([0x0f, 0xa0]))
    expect(type.parse('')).toEqual(new Uint8Array())
    expect(type.formatLiteral(new Uint8Array([0x0f, 0xa0]))).toBe("binary'0FA0'")
    expect(type.formatLiteral(new Uint8Array())).toBe("binary''")
  })

  it.each(['0', '0fa', '0g', ' 0f', '0x0f'])('MUST reject %j', (value) => {
    expect(type.parse(value)).toBeUndefined()
  })

  it('MUST accept the bytes of a view, without the rest of its buffer', () => {
    const whole = new Uint8Array([1, 2, 3, 4])
    expect(type.formatLiteral(whole.subarray(1, 3))).toBe("binary'0203'")
    expect(type.formatLiteral(Buffer.from('hi'))).toBe("binary'6869'")
    for (const value of ['0fa0', [1, 2], new ArrayBuffer(2), null])
      expect(type.toOperand(value)).toBeUndefined()
  })

  it('MUST preserve the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(type.parse(type.formatLiteral(bytes).slice(7, -1))).toEqual(bytes)
      }),
    )
  })

  it('MUST compare byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 2 }), fc.uint8Array({ max: 2 }), (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b))
      }),
    )
  })
})
