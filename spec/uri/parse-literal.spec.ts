import { parseLiteral } from '../../lib/uri/parse-literal.js'
import { Scanner } from '../../lib/uri/scanner.js'
import { errorOf } from '../support/error-of.js'

/** `form text` of a text that is one literal as a whole; undefined when no literal stands there. */
function formOf(source: string): string | undefined {
  const scanner = new Scanner(source, '$filter')
  const literal = parseLiteral(scanner)
  if (literal === undefined) {
    expect(scanner.position).toBe(0)
    return undefined
  }
  expect(literal).toMatchObject({ kind: 'Literal', position: 0 })
  expect(scanner.atEnd).toBe(true)
  return `${literal.form} ${literal.text}`
}

describe('Literals (MS-ODATA 2.2.2)', () => {
  it.each([
    ['null', 'Null null'],
    ['true', 'Boolean true'],
    ['false', 'Boolean false'],
    ['5', 'Integer 5'],
    ['-5', 'Integer -5'],
    ['007', 'Integer 007'],
    ['99999999999999999999', 'Integer 99999999999999999999'],
    ['5L', 'Int64 5'],
    ['5l', 'Int64 5'],
    ['-5L', 'Int64 -5'],
    ['2.5', 'Real 2.5'],
    ['-2.50', 'Real -2.50'],
    ['1e5', 'Real 1e5'],
    ['1E+3', 'Real 1E+3'],
    ['1.5e-10', 'Real 1.5e-10'],
    ['2.5M', 'Decimal 2.5'],
    ['2.5m', 'Decimal 2.5'],
    ['2M', 'Decimal 2'],
    // As SAP Cloud SDK writes decimals below 0.000001.
    ['1e-7M', 'Decimal 1e-7'],
    ['-1.5E+21m', 'Decimal -1.5E+21'],
    ['2.5D', 'Double 2.5'],
    ['2d', 'Double 2'],
    ['1E+3D', 'Double 1E+3'],
    ['2.5F', 'Single 2.5'],
    ['2f', 'Single 2'],
    ['1e3f', 'Single 1e3'],
    ['NaN', 'Real NaN'],
    ['Nan', 'Real NaN'],
    ['INF', 'Real INF'],
    ['-INF', 'Real -INF'],
    ['NaND', 'Double NaN'],
    ['Nand', 'Double NaN'],
    ['INFd', 'Double INF'],
    ['-INFD', 'Double -INF'],
    ['NaNF', 'Single NaN'],
    ['INFF', 'Single INF'],
    ['-INFf', 'Single -INF'],
    ["''", 'String '],
    ["'Gouda'", 'String Gouda'],
    ["'it''s'", "String it's"],
    ["''''", "String '"],
    ["''''''", "String ''"],
    ["'a,b (c) = d'", 'String a,b (c) = d'],
    ["'a\\n\\'", 'String a\\n\\'],
    ["'é😀\u0000'", 'String é😀\u0000'],
    ["guid'12345678-AAAA-bbbb-cccc-ddddeeeeffff'", 'Guid 12345678-AAAA-bbbb-cccc-ddddeeeeffff'],
    ["GUID'x'", 'Guid x'],
    ["binary'0FA0'", 'Binary 0FA0'],
    ["Binary''", 'Binary '],
    ["X'0fa0'", 'Binary 0fa0'],
    ["X''", 'Binary '],
    ["datetime'2012-05-29T09:13:28'", 'DateTime 2012-05-29T09:13:28'],
    ["DateTime'2012-05-29T09:13'", 'DateTime 2012-05-29T09:13'],
    ["datetimeoffset'2012-05-29T09:13:28Z'", 'DateTimeOffset 2012-05-29T09:13:28Z'],
    ["DATETIMEOFFSET'2012-05-29T09:13:28+02:00'", 'DateTimeOffset 2012-05-29T09:13:28+02:00'],
    ["time'PT09H13M28S'", 'Time PT09H13M28S'],
    ["Time'09:13:28'", 'Time 09:13:28'],
  ])('MUST parse %s', (source, form) => {
    expect(formOf(source)).toBe(form)
  })

  it('MUST accept a space for the plus of a zone, because query strings decode plus to space', () => {
    expect(formOf("datetimeoffset'2012-05-29T09:13:28 02:00'")).toBe(
      'DateTimeOffset 2012-05-29T09:13:28+02:00',
    )
    expect(formOf("datetimeoffset'2012-05-29T09:13:28.125 02:00'")).toBe(
      'DateTimeOffset 2012-05-29T09:13:28.125+02:00',
    )
    expect(formOf("datetimeoffset'2012-05-29 09:13'")).toBe('DateTimeOffset 2012-05-29 09:13')
    expect(formOf("datetime'2012-05-29T09:13:28 02:00'")).toBe('DateTime 2012-05-29T09:13:28 02:00')
  })

  it.each([
    'Name',
    'nullable',
    'trueish',
    'falsehood',
    'True',
    'NULL',
    'INFO',
    'INFORMATION',
    'NaNs',
    'NaNd1',
    'inf',
    'nan',
    '-INFO',
    "x'0F'",
    "guid '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
    "string'x'",
    "datetimes'x'",
    'guid',
    '.5',
    '+5',
    '-',
    '- 5',
    '--5',
    '(5)',
    '"a"',
    '',
  ])('MUST NOT find a literal at the beginning of %j', (source) => {
    expect(formOf(source)).toBeUndefined()
  })

  it.each([
    ["'Gouda", 0, 'The string that starts here has no closing quote'],
    ["'it''s", 0, 'The string that starts here has no closing quote'],
    ["'''", 0, 'The string that starts here has no closing quote'],
    ["guid'1234", 4, 'The string that starts here has no closing quote'],
    ["'a'b", 3, 'Unexpected character after a literal'],
    ["X'0F'0", 5, 'Unexpected character after a literal'],
    ['5x', 1, 'Unexpected character after a literal'],
    ['5Lx', 2, 'Unexpected character after a literal'],
    ['5e', 1, 'Unexpected character after a literal'],
    ['1_000', 1, 'Unexpected character after a literal'],
    ['0x1F', 1, 'Unexpected character after a literal'],
    ["5'", 1, 'Unexpected character after a literal'],
    ['2.5LL', 0, 'A number with the suffix L must not have a fraction or an exponent'],
    ['2.5L', 0, 'A number with the suffix L must not have a fraction or an exponent'],
    ['1e5L', 0, 'A number with the suffix L must not have a fraction or an exponent'],
  ])('MUST respond with 400 to %s and point at %i', (source, position, message) => {
    const error = errorOf(() => parseLiteral(new Scanner(source, '$filter')))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source },
    })
    expect(error.message).toBe(
      `$filter: ${message}. At position ${position}:\n${source}\n${' '.repeat(position)}^`,
    )
  })

  it.each([
    ['5 eq 5', 'Integer', 1],
    ['5)', 'Integer', 1],
    ['5,6', 'Integer', 1],
    ['5.', 'Integer', 1],
    ["'a''b' eq", 'String', 6],
    ['null)', 'Null', 4],
    ['true/x', 'Boolean', 4],
    ['INF,', 'Real', 3],
    ['-INF eq', 'Real', 4],
  ])('MUST stop after the literal of %j', (source, form, position) => {
    const scanner = new Scanner(source, '$filter')
    expect(parseLiteral(scanner)?.form).toBe(form)
    expect(scanner.position).toBe(position)
  })
})
