import type { QueryLimits } from '../../lib/query/bind-query-options.js'
import {
  bindQueryOptions,
  checkQueryOptions,
  checkWriteOptions,
  bindSkipToken,
} from '../../lib/query/bind-query-options.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import type { EntityQuery } from '../../lib/query/entity-query.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'
import { protocolModel, setNamed } from '../support/protocol-model.js'
import { orderOn } from '../support/expressions.js'

const generous: QueryLimits = {
  expressionDepth: 100,
  expressionNodes: 1000,
  orderByTerms: 20,
  expandDepth: 5,
  expandPaths: 20,
  top: 2_147_483_647,
}

function queryOf(address: string, limits: Partial<QueryLimits> = {}, set = 'Products'): EntityQuery {
  const { segments, query } = splitRelativeUri(address)
  const options = parseQueryOptions(query)
  const target = bindResourcePath(segments, protocolModel, options)
  checkQueryOptions(options, target, new Set())
  return bindQueryOptions(options, target, setNamed(set), protocolModel, { ...generous, ...limits })
}

describe('The options of a query on entities (MS-ODATA 2.2.3.6.1)', () => {
  it('MUST default to all entities in no particular order', () => {
    expect(queryOf('/Products')).toMatchObject({
      filter: undefined,
      orderBy: [],
      seek: undefined,
      skip: 0,
      top: undefined,
      inlineCount: false,
      projection: { selected: undefined, expansions: [] },
    })
  })

  it('MUST bind all options of one request', () => {
    const query = queryOf(
      "/Products?$filter=Price%20gt%205&$orderby=Name%20desc&$top=10&$skip=5&$skiptoken='Gouda',56" +
        '&$inlinecount=allpages&$expand=Category&$select=Name,Category&$format=json&sap-language=EN',
    )
    expect(query).toMatchObject({
      filter: { kind: 'Binary', operator: 'gt' },
      orderBy: [{ descending: true }],
      seek: ['Gouda', 56],
      skip: 5,
      top: 10,
      inlineCount: true,
    })
    expect([...(query.projection.selected ?? [])]).toEqual(['Name', 'Category'])
    expect(query.received.custom).toEqual([['sap-language', 'EN']])
  })

  describe('$top and $skip', () => {
    it.each([
      ['0', 0],
      ['1', 1],
      ['007', 7],
      ['2147483647', 2147483647],
    ])('MUST accept %s', (text, value) => {
      expect(queryOf(`/Products?$top=${text}`).top).toBe(value)
      expect(queryOf(`/Products?$skip=${text}`).skip).toBe(value)
    })

    it.each([
      '-1',
      '%2B1',
      '+1',
      'a',
      '1.0',
      '1e3',
      '0x10',
      '1L',
      ' 1',
      '1 ',
      "'1'",
      '2147483648',
      '9'.repeat(400),
      '٣',
      'null',
    ])('MUST respond with 400 to %j', (text) => {
      for (const option of ['$top', '$skip']) {
        const error = errorOf(() => queryOf(`/Products?${option}=${text}`))
        expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
        expect(error.message).toContain(`${option} must be a whole number from 0 to 2147483647, not '`)
        expect(error.message.length).toBeLessThan(200)
      }
    })

    it('MUST respond with 400 to values above the limits of the service, and name the limit', () => {
      expect(queryOf('/Products?$top=100', { top: 100 }).top).toBe(100)
      expect(queryOf('/Products?$skip=101', { top: 100 }).skip).toBe(101)
      expect(errorOf(() => queryOf('/Products?$top=101', { top: 100 }))).toMatchObject({
        code: 'LimitExceeded',
        status: 400,
        message: '$top can be at most 100 on this service.',
        details: { limit: 'top' },
      })
    })
  })

  describe('$inlinecount', () => {
    it('MUST accept allpages and none', () => {
      expect(queryOf('/Products?$inlinecount=allpages').inlineCount).toBe(true)
      expect(queryOf('/Products?$inlinecount=none').inlineCount).toBe(false)
    })

    it.each(['AllPages', 'all', 'true', 'allpages,none', 'allpages '])(
      'MUST respond with 400 to %j',
      (text) => {
        const error = errorOf(() => queryOf(`/Products?$inlinecount=${text}`))
        expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
        expect(error.message).toBe(`$inlinecount must be 'allpages' or 'none', not '${text}'.`)
      },
    )
  })

  describe('Limits', () => {
    it.each([
      ['expressionDepth', '$filter=length(concat(Name,Name)) eq 1', 3],
      ['expressionDepth', '$orderby=length(concat(Name,Name))', 3],
      ['expressionNodes', '$filter=ID eq 1 and Active', 5],
      ['expressionNodes', '$orderby=ID,Name,Price,Stock,Rating', 5],
      ['orderByTerms', '$orderby=ID,Name,Price', 3],
      ['expandDepth', '$expand=Category/Parent/Products', 3],
      ['expandPaths', '$expand=Category,Category/Parent,Category/Products', 3],
    ] as const)('MUST accept values within %s and reject larger ones: %s', (limit, query, value) => {
      expect(() => queryOf(`/Products?${query}`, { [limit]: value })).not.toThrow()
      const error = errorOf(() => queryOf(`/Products?${query}`, { [limit]: value - 1 }))
      expect(error).toMatchObject({ code: 'LimitExceeded', status: 400, details: { limit } })
      expect(error.message).toMatch(/^\$(filter|orderby|expand): /)
      expect(error.message).toContain(String(value - 1))
    })
  })

  it('MUST ignore options that the table only tolerates', () => {
    const query = queryOf('/Products/$count?$expand=Nonsense&$filter=Active&$top=1')
    expect(query.projection.expansions).toEqual([])
    expect(query).toMatchObject({ filter: { kind: 'PropertyPath' }, top: 1 })
  })

  it.each([
    ['/Products?$filter=Nam', '$filter'],
    ['/Products?$orderby=Nam', '$orderby'],
    ['/Products?$expand=Nam', '$expand'],
    ['/Products?$select=Nam', '$select'],
    ['/Products?$skiptoken=x', '$skiptoken'],
    ['/Products(1)?$filter=Nam', '$filter'],
    ['/Products/$count?$filter=Nam', '$filter'],
  ])('MUST respond with 400 to %s and name the option', (address, option) => {
    const error = errorOf(() => queryOf(address))
    expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position: 0 } })
    expect(error.message).toContain(`${option}: `)
  })
})

describe('The options of a request that changes data (MS-ODATA 2.2.3.6.1)', () => {
  it.each(['', '$format=json', '$format=atom&x=1', 'top=1&filter=x'])('MUST be allowed: %j', (query) => {
    expect(() => checkWriteOptions(parseQueryOptions(query))).not.toThrow()
  })

  it.each(['$top', '$skip', '$filter', '$orderby', '$expand', '$select', '$inlinecount', '$skiptoken'])(
    'MUST NOT include %s, even after $format',
    (name) => {
      for (const query of [`${name}=1`, `$format=json&${name}=1`]) {
        expect(errorOf(() => checkWriteOptions(parseQueryOptions(query)))).toMatchObject({
          code: 'InvalidSystemQueryOption',
          status: 400,
          message: `${name} cannot be used in a request that changes data.`,
        })
      }
    },
  )
})

function seekIn(set: string, orderBy: string, token: string): readonly unknown[] {
  return bindSkipToken(token, orderBy === '' ? [] : orderOn(set, orderBy), setNamed(set).entityType)
}

describe('Continuation tokens (MS-ODATA 2.2.3.6.1.9)', () => {
  it.each([
    ['Products', '', '20', [20]],
    ['Products', 'Name desc', "'Gouda',56", ['Gouda', 56]],
    ['Products', 'Name', "'a,b''c,''',1", ["a,b'c,'", 1]],
    ['Products', 'Name', 'null,1', [null, 1]],
    ['Products', 'ID', '1,1', [1, 1]],
    ['Lines', '', '7,2', [7, 2]],
    ['Lines', 'Text', "'x',7,2", ['x', 7, 2]],
    ['Files', '', "'/docs/a.txt'", ['/docs/a.txt']],
    ['Products', 'Price', '2.50M,1', ['2.50', 1]],
    ['Products', 'Price', '2.50,1', ['2.50', 1]],
    ['Products', 'Stock', '9007199254740993L,1', [9007199254740993n, 1]],
    ['Products', 'Stock', '5,1', [5n, 1]],
    ['Products', 'Stock add 1', '9223372036854775808L,1', [9223372036854775808n, 1]],
    ['Products', 'ID mul 2', '4294967294,1', [4294967294, 1]],
    ['Products', 'Weight', 'NaND,1', [Number.NaN, 1]],
    ['Products', 'Weight desc', '-INFD,1', [Number.NEGATIVE_INFINITY, 1]],
    ['Products', 'Discount', '0.1F,1', [Math.fround(0.1), 1]],
    ['Products', 'Active', 'true,1', [true, 1]],
    ['Products', 'ID eq 1', 'false,1', [false, 1]],
    ['Products', 'Released', "datetime'2012-05-29T09:13:28.1234567',1", ['2012-05-29T09:13:28.1234567', 1]],
    ['Products', 'Changed', "datetimeoffset'2012-05-29T09:13:28 02:00',1", ['2012-05-29T09:13:28+02:00', 1]],
    ['Products', 'Opens', "time'PT09H13M28S',1", ['09:13:28', 1]],
    ['Products', 'Pic', "binary'0FA0',1", [Uint8Array.of(15, 160), 1]],
    ['Products', 'Category/Name,length(Name)', "'x',4,1", ['x', 4, 1]],
    ['Products', 'null', 'null,1', [null, 1]],
  ])('MUST parse on %s in the order %j the token %s', (set, orderBy, token, values) => {
    expect(seekIn(set, orderBy, token)).toEqual(values)
  })

  it.each([
    ['Products', '', '1,2', 'it must have 1 values for this order, not 2'],
    ['Products', 'Name', '1', 'it must have 2 values for this order, not 1'],
    ['Products', 'Name,Price', "'a',1", 'it must have 3 values for this order, not 2'],
    ['Lines', '', '7', 'it must have 2 values for this order, not 1'],
    ['Lines', 'Text', "'a,b',7", 'it must have 3 values for this order, not 2'],
  ])(
    'MUST respond with 400 on %s in the order %j to the wrong number of values in %s',
    (set, orderBy, token, message) => {
      const error = errorOf(() => seekIn(set, orderBy, token))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
      expect(error.message).toBe(`$skiptoken: ${message}.`)
    },
  )

  it.each([
    ['Products', '', "'1'", 0, 'value 1 must be Edm.Int32'],
    ['Products', '', '1.5', 0, 'value 1 must be Edm.Int32'],
    ['Products', '', '1L', 0, 'value 1 must be Edm.Int32'],
    ['Products', 'Name', '5,1', 0, 'value 1 must be Edm.String'],
    ['Products', 'Name', "'a', 'b'", 5, 'value 2 must be Edm.Int32'],
    ['Products', 'Active', '1,1', 0, 'value 1 must be Edm.Boolean'],
    ['Products', 'Released', "datetime'2012-02-30T00:00:00',1", 0, 'value 1 must be Edm.DateTime'],
    ['Products', 'Released', "'2012-05-29',1", 0, 'value 1 must be Edm.DateTime'],
    ['Products', 'Price', '2.5D,1', 0, 'value 1 must be Edm.Decimal'],
    ['Products', 'null', '5,1', 0, 'value 1 must be null'],
    ['Lines', '', '7,true', 2, 'value 2 must be Edm.Int16'],
    ['Products', '', 'x', 0, 'Expected a literal'],
    ['Products', '', '1;2', 1, "Expected ',' or the end"],
  ])(
    'MUST respond with 400 on %s in the order %j to %s and point at %i',
    (set, orderBy, token, position, message) => {
      const error = errorOf(() => seekIn(set, orderBy, token))
      expect(error).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        details: { position, source: token },
      })
      expect(error.message).toContain(`$skiptoken: ${message}.`)
    },
  )
})
