import { parseSkipToken } from '../../lib/uri/parse-query-options.js'
import { errorOf } from '../support/error-of.js'

function valuesOf(token: string): string[] {
  return parseSkipToken(token).map(({ form, text }) => `${form} ${text}`)
}

describe('The syntax of $skiptoken (MS-ODATA 2.2.3.6.1.9)', () => {
  it('MUST parse literals between commas', () => {
    expect(valuesOf('20')).toEqual(['Integer 20'])
    expect(valuesOf("'Gouda',56")).toEqual(['String Gouda', 'Integer 56'])
    expect(valuesOf('7,2')).toEqual(['Integer 7', 'Integer 2'])
    expect(valuesOf('null, true ,5L\t,2.5M')).toEqual(['Null null', 'Boolean true', 'Int64 5', 'Decimal 2.5'])
  })

  it('MUST NOT split at commas within quotes', () => {
    expect(valuesOf("'a,b','it''s, is it',1")).toEqual(['String a,b', "String it's, is it", 'Integer 1'])
    expect(valuesOf("''',''',''")).toEqual(["String ','", 'String '])
  })

  it.each([
    ['', 0],
    ['abc', 0],
    ['1,', 2],
    [',1', 0],
    ['1,,2', 2],
    ['1;2', 1],
    ['1 2', 2],
    ["'a", 0],
    ["'a'b", 3],
    ['(1)', 0],
    ['ID=1', 0],
    ['0x0123456789abcdef', 1],
  ])('MUST respond with 400 to %j and point at %i', (token, position) => {
    expect(errorOf(() => parseSkipToken(token))).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      message: expect.stringMatching(/^\$skiptoken: /),
      details: { position, source: token },
    })
  })

  it('MUST report the expected characters after a value', () => {
    expect(errorOf(() => parseSkipToken('1 2')).message).toContain("Expected ',' or the end. At position 2")
  })
})
