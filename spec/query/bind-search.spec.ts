import { parseSearch } from '../../lib/query/bind-search.js'

describe('The text of the query option search', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  \t\u3000\u0085 ', []],
    ['gouda', ['gouda']],
    [' gouda\u00a0cheese ', ['gouda', 'cheese']],
    ['"aged gouda" cheese', ['aged gouda', 'cheese']],
    ['"unclosed phrase', ['unclosed phrase']],
    ['"', []],
    ['""', []],
    ['"say \\"hi\\" \\\\ now"', ['say "hi" \\ now']],
    ['"ends with \\', ['ends with \\']],
    ['"\\"', ['"']],
    ['*gou* ** *', ['gou']],
    ['a*b', ['a*b']],
    ['"*"', ['*']],
    ['5" screen', ['5"', 'screen']],
    ['"a"b', ['a', 'b']],
    ['NOT a OR -b AND c? 100% _', ['NOT', 'a', 'OR', '-b', 'AND', 'c?', '100%', '_']],
    ['a\ufeffb', ['a\ufeffb']],
  ])('MUST have the terms: %j', (text, terms) => {
    expect(parseSearch(text)).toEqual(terms)
  })

  it('MUST be parsed in linear time', () => {
    expect(parseSearch(`"${'\\'.repeat(100_000)}`)).toHaveLength(1)
    expect(parseSearch('*'.repeat(100_000))).toEqual([])
    expect(parseSearch(`${'*'.repeat(50_000)}a`)).toEqual(['a'])
    expect(parseSearch(`a${'*'.repeat(50_000)}b`)).toHaveLength(1)
  })
})
