import { parsePathSegment } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'

/** `[name, form, text]` of each value. */
function valuesOf(text: string): unknown[] | undefined {
  return parsePathSegment(text).key?.values.map(({ name, literal }) => [name, literal.form, literal.text])
}

describe('Segments of the resource path (MS-ODATA 2.2.3.1)', () => {
  it('MUST parse a segment without parentheses as a name, with any characters', () => {
    for (const name of ['Categories', '$value', 'a b', '..', "it's", '', 'C.Categories']) {
      expect(parsePathSegment(name)).toEqual({ name })
    }
  })

  it('MUST distinguish empty parentheses from missing ones', () => {
    expect(parsePathSegment('Categories()')).toEqual({ name: 'Categories', key: { values: [] } })
    expect(valuesOf('Categories( )')).toEqual([])
  })

  it.each([
    ['Categories(1)', [[undefined, 'Integer', '1']]],
    ['Categories(-1)', [[undefined, 'Integer', '-1']]],
    ['Categories( 1 )', [[undefined, 'Integer', '1']]],
    ["Files('/a(b),c=d')", [[undefined, 'String', '/a(b),c=d']]],
    ["Files('it''s')", [[undefined, 'String', "it's"]]],
    ["Files('')", [[undefined, 'String', '']]],
    ["X(guid'a')", [[undefined, 'Guid', 'a']]],
    ["X(datetime'2012-05-29T09:13:28')", [[undefined, 'DateTime', '2012-05-29T09:13:28']]],
    ["X(X'0F')", [[undefined, 'Binary', '0F']]],
    ['X(true)', [[undefined, 'Boolean', 'true']]],
    ['X(null)', [[undefined, 'Null', 'null']]],
    ['X(5L)', [[undefined, 'Int64', '5']]],
    ['X(2.5)', [[undefined, 'Real', '2.5']]],
    ['Categories(ID=1)', [['ID', 'Integer', '1']]],
    ["X(guid=guid'a')", [['guid', 'Guid', 'a']]],
    ['X(true=true)', [['true', 'Boolean', 'true']]],
    ['X(Größe=1)', [['Größe', 'Integer', '1']]],
    [
      'Lines(Order=7,No=2)',
      [
        ['Order', 'Integer', '7'],
        ['No', 'Integer', '2'],
      ],
    ],
    [
      "Lines( No = 2 ,\tOrder='a,b=c' )",
      [
        ['No', 'Integer', '2'],
        ['Order', 'String', 'a,b=c'],
      ],
    ],
    [
      'Lines(7,No=2)',
      [
        [undefined, 'Integer', '7'],
        ['No', 'Integer', '2'],
      ],
    ],
  ])('MUST parse the key of %s', (text, values) => {
    expect(valuesOf(text)).toEqual(values)
  })

  it.each([
    ['Categories(,)', 11],
    ['Categories(1,)', 13],
    ['Categories(,1)', 11],
    ['Categories(ID=)', 14],
    ['Categories(=1)', 11],
    ['Categories(ID 1)', 11],
    ['Categories(1', 12],
    ['Categories(', 11],
    ['Categories(1)x', 13],
    ['Categories(1)(2)', 13],
    ['Categories(1 2)', 13],
    ['Categories((1))', 11],
    ['Categories(1))', 13],
    ['Categories(ID)', 11],
    ['Categories(ID=ID)', 14],
    ["Files('a)", 6],
    ["Files('a'b')", 9],
    ["Files(guid'a)", 10],
    ['Categories(1x)', 12],
    ['Categories(1.)', 12],
    ['Categories(+1)', 11],
    ["Files(x'0F')", 6],
    ["Files(guid 'a')", 6],
    ['Categories(A.B=1)', 11],
  ])('MUST respond with 400 to %s and point at %i', (text, position) => {
    expect(errorOf(() => parsePathSegment(text))).toMatchObject({
      code: 'BadRequest',
      status: 400,
      message: expect.stringContaining('Resource path: '),
      details: { position, source: text },
    })
  })

  it.each([
    ['Products(abc)', "Write Products(1) for a number, Products('abc') for a string."],
    ['Products(ID=abc)', "Products('abc') for a string."],
    ['Products()(', 'Unexpected characters after the key predicate.'],
    ['Products(#)', "Products('abc') for a string."],
    ['Products(Gouda)', "Write Products(1) for a number, Products('Gouda') for a string."],
    ['Products(ID=A-b.c_d)', "Products('A-b.c_d') for a string."],
    ['Products(abc(1))', "Write Products(1) for a number, Products('abc') for a string."],
    ['Products(1 2)', "Expected ',' or ')'."],
    [`${'P'.repeat(101)}(#)`, `. Write ${'P'.repeat(100)}(1) for a number, ${'P'.repeat(100)}('abc')`],
    ['(#)', "Write (1) for a number, ('abc') for a string."],
  ])('MUST explain the notation of keys for %s', (text, hint) => {
    expect(errorOf(() => parsePathSegment(text)).message).toContain(hint)
  })
})
