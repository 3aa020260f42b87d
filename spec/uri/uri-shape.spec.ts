import { filterShape, uriShape } from '../../lib/uri/uri-shape.js'

describe('The shape of a filter', () => {
  it.each([
    ["Name eq 'a'", "Name eq 'b''c'", "Name eq ''"],
    ['ID gt 1', 'ID gt 27', 'ID gt -3'],
    ['Price lt 1M', 'Price lt -2.5m', 'Price lt 007M'],
    ["Code eq guid'x' or not Active", "Code eq guid'' or not Active"],
    ["substringof('a',Name) and(Rank in 5)", "substringof('b c',Name) and(Rank in 6)"],
    ["Pic eq X'00'", "Pic eq X''"],
  ])('MUST be the same for filters that differ in values: %s', (...filters) => {
    const [first, ...others] = filters.map(filterShape)
    expect(first).toBeDefined()
    expect(others).toEqual(others.map(() => first))
  })

  it.each([
    ['ID gt 1', 'ID gt 1L', 'ID gt 1.0', 'ID gt 1M', 'ID gt 1d', 'ID gt 1f', "ID gt '1'", 'ID gt null'],
    ['Active eq true', 'Active eq false', 'Active eq  true', 'Active eq null'],
    ["A1 eq 'x'", "A2 eq 'x'", "A1 ne 'x'", "not(A1 eq 'x')"],
    ["D eq datetime'x'", "D eq time'x'", "D eq datetimeoffset'x'", "D eq X'0'"],
  ])('MUST differ for filters with other types, constants or operators: %s', (...filters) => {
    const shapes = filters.map(filterShape)
    expect(shapes).not.toContain(undefined)
    expect(new Set(shapes).size).toBe(filters.length)
  })

  it.each(["Name eq 'a", "Name eq a'b'", 'ID eq 5x', 'Größe eq 5', 'ID eq 5;', 'ID eq - 5', "x'00' eq Pic"])(
    'MUST NOT exist where values cannot be separated: %s',
    (filter) => {
      expect(filterShape(filter)).toBeUndefined()
    },
  )
})

describe('The shape of a URI', () => {
  it('MUST be the same for URIs that differ in the values of $filter, $skip and $top', () => {
    const keys = [
      "/A?$filter=N%20eq%20'x'&$skip=0&$top=5&$select=N&",
      '/A?$filter=N+eq+%27y%26z%27&$skip=10&$top=99999&$select=N&',
    ].map((uri) => uriShape(uri)?.key)
    expect(keys[0]).toBeDefined()
    expect(keys[0]).toBe(keys[1])
  })

  it('MUST contain the decoded values', () => {
    expect(uriShape('/A?x=1&$filter=N%20eq%205&$top=3')?.values).toEqual([
      ['$filter', 'N eq 5'],
      ['$top', '3'],
    ])
  })

  it.each([
    ['/A?$filter=N%20eq%205', '/B?$filter=N%20eq%205'],
    ['/A?$top=5', '/A?$skip=5'],
    ['/A?$top=5', '/A?$top=5&'],
    ['/A?$top=5&a=b', '/A?$top=5&a=c'],
    ['/A?$filter=N%20eq%205&$top=5', '/A?$top=5&$filter=N%20eq%205'],
  ])('MUST differ for other paths, options and orders: %s', (one, other) => {
    expect(uriShape(one)?.key).not.toBe(uriShape(other)?.key)
  })

  it.each(['/A', '/A?', '/A?a=b', '/A?$top=', '/A?$top=-1', '/A?$skip=5x', '/A?$filter=N%2', "/A?$filter='"])(
    'MUST NOT exist without values that can be separated: %s',
    (uri) => {
      expect(uriShape(uri)).toBeUndefined()
    },
  )
})
