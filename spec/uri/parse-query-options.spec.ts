import { parseQueryOptions, systemQueryOptions } from '../../lib/uri/parse-query-options.js'
import { errorOf } from '../support/error-of.js'

function systemOf(query: string): Record<string, string> {
  return Object.fromEntries(parseQueryOptions(query).system)
}

describe('Query options (MS-ODATA 2.2.3.6)', () => {
  it('MUST accept the nine system query options of version 2', () => {
    expect([...systemQueryOptions].sort()).toEqual([
      '$expand',
      '$filter',
      '$format',
      '$inlinecount',
      '$orderby',
      '$select',
      '$skip',
      '$skiptoken',
      '$top',
    ])
    for (const name of systemQueryOptions) expect(systemOf(`${name}=x`)).toEqual({ [name]: 'x' })
  })

  it('MUST parse an empty query as no options', () => {
    for (const query of ['', '&', '&&&']) {
      expect(parseQueryOptions(query).system.size).toBe(0)
      expect(parseQueryOptions(query).custom).toEqual([])
    }
  })

  it('MUST decode names and values once, and a plus as a space', () => {
    expect(systemOf('%24filter=Name+eq+%27a%2Bb%2520c%27')).toEqual({ $filter: "Name eq 'a+b%20c'" })
    expect(systemOf('%24%74op=1')).toEqual({ $top: '1' })
  })

  it('MUST split options before it decodes them', () => {
    expect(systemOf("$filter=Name%20eq%20'a%26b%3Dc'&$top=1")).toEqual({
      $filter: "Name eq 'a&b=c'",
      $top: '1',
    })
  })

  it('MUST split name and value at the first equals sign', () => {
    expect(systemOf('$filter=a=b=c')).toEqual({ $filter: 'a=b=c' })
  })

  it('MUST NOT depend on the order of options', () => {
    expect(systemOf('$top=1&$skip=2')).toEqual(systemOf('$skip=2&$top=1'))
  })

  it('MUST preserve the order and duplicates of custom options, also without a value', () => {
    expect(parseQueryOptions('sap-language=EN&$top=1&search=a+b&search=&!deltatoken=x&flag').custom).toEqual([
      ['sap-language', 'EN'],
      ['search', 'a b'],
      ['search', ''],
      ['!deltatoken', 'x'],
      ['flag', ''],
    ])
  })

  it.each(['=name', '=', '$top=1&=5', '=name&$top=1'])(
    'MUST respond with 400 to an option without a name, a result of variable expansion in a shell: %s',
    (query) => {
      const error = errorOf(() => parseQueryOptions(query))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
      expect(error.message).toContain('In a shell, put the URL in single quotes')
    },
  )

  it.each([
    ['$filtre=x', "'$filtre' is not a system query option. Did you mean '$filter'?"],
    ['$Top=1', "'$Top' is not a system query option. Did you mean '$top'?"],
    ['$oderby=ID', "'$oderby' is not a system query option. Did you mean '$orderby'?"],
    ['%24count=true', "'$count' is not a system query option."],
    ['$=1', "'$' is not a system query option."],
    ['$callback=f', "'$callback' is not a system query option."],
  ])('MUST respond with 400 to the unknown option of %s', (query, message) => {
    const error = errorOf(() => parseQueryOptions(query))
    expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
    expect(error.message).toContain(message)
  })

  it.each([
    ['$count=true', '$inlinecount=allpages'],
    ['$search=cheese', "$filter=substringof('text',Name)"],
    ['$apply=x', 'OData V2 has no aggregation'],
    ['$compute=x', 'In OData V2, compute in $filter and $orderby'],
    ['$levels=2', '$expand=Parent/Parent'],
    ['$index=2', 'In OData V2, use $skip and $top.'],
  ])('MUST suggest a replacement for %s of later versions', (query, hint) => {
    expect(errorOf(() => parseQueryOptions(query)).message).toContain(hint)
  })

  it('MUST show no more than 100 characters of an unknown option', () => {
    const { message } = errorOf(() => parseQueryOptions(`$${'a'.repeat(98)}bc=1`))
    expect(message).toBe(`'$${'a'.repeat(98)}b' is not a system query option.`)
  })

  it.each(['$top=1&$top=1', '$top=1&a=b&%24top=2', '$filter=true&$filter=false'])(
    'MUST respond with 400 to a duplicate system option: %s',
    (query) => {
      expect(errorOf(() => parseQueryOptions(query))).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        message: expect.stringMatching(/^\$(top|filter) is specified twice\.$/),
      })
    },
  )

  it.each(['$filter=', '$filter', '$orderby=%20', '$top=+', '$expand=%09'])(
    'MUST respond with 400 to the empty value of %s',
    (query) => {
      expect(errorOf(() => parseQueryOptions(query))).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        message: expect.stringContaining('has no value'),
      })
    },
  )

  it.each(['$filter=%', 'a=%FF', '%C3=1'])('MUST respond with 400 to the invalid encoding of %s', (query) => {
    expect(errorOf(() => parseQueryOptions(query))).toMatchObject({ code: 'BadRequest', status: 400 })
  })

  it('MUST treat names of object members like any other name', () => {
    expect(parseQueryOptions('__proto__=1&constructor=2').custom).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(errorOf(() => parseQueryOptions('$constructor=1')).code).toBe('InvalidSystemQueryOption')
  })
})
