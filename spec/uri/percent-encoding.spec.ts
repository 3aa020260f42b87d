import { codePoint, fc } from '../support/random.js'
import { formDecode, percentDecode, percentEncode } from '../../lib/uri/percent-encoding.js'
import { errorOf } from '../support/error-of.js'

describe('Percent-encoding (RFC 3986 2.1)', () => {
  it.each([
    ["'Gouda'", "'Gouda'"],
    ["'it''s'", "'it''s'"],
    ["guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff'", "guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff'"],
    ['a-b._~()*!,=:@$;', 'a-b._~()*!,=:@$;'],
    ['é,=:@$;', '%C3%A9,=:@$;'],
    ["'/docs/a.txt'", "'%2Fdocs%2Fa.txt'"],
    ["'a b'", "'a%20b'"],
    ["'?#%+&'", "'%3F%23%25%2B%26'"],
    ['"<>[]{}|\\^`', '%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60'],
    ['é€😀', '%C3%A9%E2%82%AC%F0%9F%98%80'],
    ['\u0000\r\n', '%00%0D%0A'],
    ["datetimeoffset'2012-05-29T09:13:28+02:00'", "datetimeoffset'2012-05-29T09:13:28%2B02:00'"],
  ])('MUST encode %j as %s', (text, encoded) => {
    expect(percentEncode(text)).toBe(encoded)
  })

  it('MUST encode a lone surrogate, which has no UTF-8 form, as U+FFFD', () => {
    expect(percentEncode('a\ud83d/')).toBe('a%EF%BF%BD%2F')
    expect(percentEncode('\ude00')).toBe('%EF%BF%BD')
  })

  it('MUST decode every string that it encoded, from a path and from a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(percentDecode(percentEncode(text))).toBe(text)
        expect(formDecode(percentEncode(text))).toBe(text)
      }),
    )
  })

  it('MUST show at most 100 characters of an invalid encoding', () => {
    const { message } = errorOf(() => percentDecode(`${'a'.repeat(99)}b%FFc`))
    expect(message).toBe(`The URI is not percent-encoded UTF-8: '${'a'.repeat(99)}b'.`)
  })

  it('MUST decode a plus as a space in a query only', () => {
    expect(formDecode('a+b%2Bc')).toBe('a b+c')
    expect(formDecode('++a+')).toBe('  a ')
    expect(formDecode('a%2Bc')).toBe('a+c')
    expect(percentDecode('a+b%2Bc')).toBe('a+b+c')
  })

  it.each(['%', 'a%2', '%zz', '%FF', '%C3', '%C3%28', '%F8%80%80%80%80'])(
    'MUST respond with 400 to the invalid sequence %s',
    (text) => {
      expect(errorOf(() => percentDecode(text))).toMatchObject({ code: 'BadRequest', status: 400 })
      expect(errorOf(() => formDecode(text))).toMatchObject({ code: 'BadRequest', status: 400 })
    },
  )
})
