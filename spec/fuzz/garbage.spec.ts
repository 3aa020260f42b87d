import { codePoint, fc, runs } from '../support/random.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { bindQueryOptions, checkQueryOptions } from '../../lib/query/bind-query-options.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import type { EntityQuery } from '../../lib/query/entity-query.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { SystemQueryOption } from '../../lib/uri/parse-query-options.js'
import { parseQueryOptions, systemQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { embeddedNavigation, outcomeOf } from '../support/expressions.js'
import { protocolModel, setNamed } from '../support/protocol-model.js'
import { randomCondition } from '../support/random-expressions.js'
import { randomProduct } from '../support/random-rows.js'

const limits = {
  expressionDepth: 100,
  expressionNodes: 1000,
  orderByTerms: 20,
  expandDepth: 5,
  expandPaths: 20,
  top: 2_147_483_647,
}

const words = [
  ...[
    'Name',
    'ID',
    'Price',
    'Active',
    'Dims',
    'Category',
    'Products',
    'Released',
    'Opens',
    'Weight',
    'W',
    'Nonsense',
  ],
  ...[
    'eq',
    'ne',
    'lt',
    'add',
    'div',
    'mod',
    'and',
    'or',
    'not',
    'asc',
    'desc',
    'cast',
    'isof',
    'length',
    'concat',
  ],
  ...[
    'round',
    'hour',
    'substring',
    'replace',
    'null',
    'true',
    'NaN',
    'INF',
    'guid',
    'datetime',
    'X',
    '__proto__',
  ],
  ...['0', '1', '-1', '5L', '2.5', '1e400', '99999999999999999999', '5x', '0M', '1e5M', '2147483648'],
  ...[
    "'a'",
    "''",
    "'it''s'",
    "'",
    "guid'1'",
    "X'0'",
    "time'PT1H'",
    "datetime'2012-02-30T00:00:00'",
    "'NW.Product'",
  ],
  ...[
    '(',
    ')',
    ',',
    '/',
    '*',
    '-',
    '+',
    '=',
    '$',
    '@',
    '.',
    ';',
    ':',
    '"',
    '\\',
    '&',
    '?',
    '#',
    '%',
    '\u0000',
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\u00a0',
    'é',
    '😀',
    '\ud83d',
    '$value',
    '$count',
    '$links',
    '$metadata',
    '$batch',
  ],
  ...[
    'Categories',
    'Lines',
    'Order=7',
    'No=2',
    'Files',
    'Best',
    'ByRating',
    'Archive.Old',
    '(1)',
    '()',
    '..',
  ],
]
const token = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 3 }) },
)
const garbage = fc
  .tuple(fc.array(token, { maxLength: 25 }), fc.constantFrom('', ' '))
  .map(([parts, glue]) => parts.join(glue))

/** Strings with a part that is removed, repeated, or replaced by garbage. */
function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(200), fc.nat(10), token, fc.nat(2))
    .map(([whole, from, length, chunk, how]) => {
      const start = from % (whole.length + 1)
      const cut = whole.slice(start, start + length)
      return whole.slice(0, start) + ['', cut + cut, chunk][how] + whole.slice(start + length)
    })
}

/** Runs what a client can cause; only errors of the client may come of it. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof ODataError)) throw error
    expect(error.status).toBeGreaterThanOrEqual(400)
    expect(error.status).toBeLessThan(500)
    expect(error.message).not.toBe('')
    return undefined
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function queryOf(address: string): EntityQuery | undefined {
  return attempt(() => {
    const { segments, query } = splitRelativeUri(address)
    const options = parseQueryOptions(query)
    const target = bindResourcePath(segments, protocolModel, options)
    checkQueryOptions(options, target, new Set())
    return bindQueryOptions(options, target, setNamed('Products'), protocolModel, limits)
  })
}

function evaluate({ filter, orderBy }: EntityQuery, row: Row): void {
  attempt(() => (filter === undefined ? undefined : outcomeOf(filter, row)))
  attempt(() => new RowOrder(orderBy, setNamed('Products').entityType, embeddedNavigation).positionOf(row))
}

describe('Garbage', () => {
  const options: readonly SystemQueryOption[] = systemQueryOptions

  it.each(options)('MUST only cause client errors in %s', (option) => {
    fc.assert(
      fc.property(garbage, randomProduct, (text, row) => {
        const query = queryOf(`/Products?${option}=${encoded(text)}`)
        if (query !== undefined) evaluate(query, row)
      }),
      { numRuns: runs(300) },
    )
  })

  it('MUST only cause client errors in damaged filters and orders', () => {
    fc.assert(
      fc.property(damaged(randomCondition), randomProduct, (text, row) => {
        for (const option of ['$filter', '$orderby']) {
          const query = queryOf(`/Products?${option}=${encoded(text)}`)
          if (query !== undefined) evaluate(query, row)
        }
      }),
      { numRuns: runs(600) },
    )
  })

  it('MUST only cause client errors in damaged $select and $expand', () => {
    const paths = fc.constantFrom(
      'Category',
      'Category/Products,Successor',
      '*,Name',
      'Name,Category/Name',
      'Dims',
    )
    fc.assert(
      fc.property(damaged(paths), damaged(paths), (expand, select) => {
        queryOf(`/Products?$expand=${encoded(expand)}&$select=${encoded(select)}`)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST only cause client errors in damaged tokens', () => {
    const tokens = fc.constantFrom("'a,b''c',2.50M,1", 'null,null,1', "'😀',-5,2147483647", "'',1e5,0")
    fc.assert(
      fc.property(damaged(tokens), (text) => {
        queryOf(`/Products?$orderby=Name,Price&$skiptoken=${encoded(text)}`)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST only cause client errors in paths, encoded or not', () => {
    const near = fc.constantFrom(
      "/Files('/a/b')/Files('%2Fa%2Fb')/$value",
      '/Categories(1)/Products(2)/Dims/Box/Depth/$value',
      '/Lines(Order=7,No=2)/Text',
      '/Products(1)/$links/Category/$count',
      '/ByRating/$count?min=5',
      "http://h/Search?text='a'&exact=1",
    )
    fc.assert(
      fc.property(garbage, damaged(near), fc.boolean(), (text, path, whole) => {
        queryOf(`/${whole ? encoded(text) : text}`)
        queryOf(path)
        queryOf(whole ? encoded(path) : `${path}/${encoded(text)}`)
      }),
      { numRuns: runs(700) },
    )
  })

  it('MUST only cause client errors in whole queries and in parameters', () => {
    fc.assert(
      fc.property(garbage, garbage, (name, value) => {
        queryOf(`/Products?${name}=${value}&${encoded(name)}=${encoded(value)}`)
        queryOf(`/ByRating?min=${encoded(value)}`)
        queryOf(`/Search?text=${value}&exact=${encoded(name)}`)
      }),
      { numRuns: runs(500) },
    )
  })
})
