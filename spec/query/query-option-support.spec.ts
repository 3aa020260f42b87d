import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import { checkQueryOptions } from '../../lib/query/bind-query-options.js'
import type { OptionSupport } from '../../lib/query/query-option-support.js'
import { optionSupport } from '../../lib/query/query-option-support.js'
import type { RequestTarget } from '../../lib/query/request-target.js'
import { parseQueryOptions, systemQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'
import { protocolModel } from '../support/protocol-model.js'

function targetOf(address: string): RequestTarget {
  const { segments, query } = splitRelativeUri(address)
  return bindResourcePath(segments, protocolModel, parseQueryOptions(query))
}

const order = [
  '$filter',
  '$orderby',
  '$top',
  '$skip',
  '$skiptoken',
  '$inlinecount',
  '$expand',
  '$select',
  '$format',
] as const

/** One letter for each option in the order above: allowed, ignored, or rejected. */
const letters: Readonly<Record<string, OptionSupport | undefined>> = {
  y: 'yes',
  i: 'ignored',
  '-': undefined,
}

const feed = 'yyyyyyyyy'
const entry = 'y-----yyy'
const table: readonly (readonly [uriType: string, address: string, row: string])[] = [
  ['0', '/', '--------y'],
  ['1', '/Categories', feed],
  ['1', '/Archive.Old', feed],
  ['2', '/Categories(1)', entry],
  ['3', '/Products(1)/Dims', 'i-------y'],
  ['3', '/Products(1)/Dims/Box', 'i-------y'],
  ['4', '/Products(1)/Dims/Unit', '--------y'],
  ['4', '/Products(1)/Dims/Unit/$value', '--------i'],
  ['5', '/Products(1)/Name', '--------y'],
  ['5', '/Products(1)/Name/$value', '--------i'],
  ['6A', '/Products(1)/Category', entry],
  ['6A', '/Categories(1)/Products(2)', entry],
  ['6B', '/Categories(1)/Products', feed],
  ['7A', '/Products(1)/$links/Category', 'y-------y'],
  ['7A', '/Categories(1)/$links/Products(2)', 'y-------y'],
  ['7B', '/Categories(1)/$links/Products', 'yyyyyy--y'],
  ['8', '/$metadata', '--------y'],
  ['9', '/$batch', '--------i'],
  ['10', '/Best', '------yyy'],
  ['1', '/ByRating', feed],
  ['11', '/Sizes', '--------y'],
  ['12', '/Largest', '--------y'],
  ['13', '/Names', '--------y'],
  ['14', '/Total', '--------y'],
  ['a function without result', '/Raise?pct=1', '--------y'],
  ['15', '/Categories/$count', 'yyyy--iii'],
  ['15', '/Categories(1)/Products/$count', 'yyyy--iii'],
  ['15', '/ByRating/$count', 'yyyy--iii'],
  ['16', '/Categories(1)/$count', 'y-----iii'],
  ['16', '/Products(1)/Category/$count', 'y-----iii'],
  ['17', '/Photos(1)/$value', '--------i'],
  ['50', '/Categories(1)/$links/Products/$count', 'yyyy--iii'],
  ['50', '/Products(1)/$links/Category/$count', 'y-----iii'],
]

const cells = table.flatMap(([uriType, address, row]) =>
  order.map((option, index) => [option, uriType, address, letters[row[index] ?? '-']] as const),
)

describe('System query options that a resource accepts (MS-ODATA 2.2.3.6.1)', () => {
  it('MUST list every option in the table', () => {
    expect([...order].sort()).toEqual([...systemQueryOptions].sort())
  })

  it.each(cells)('%s on URI %s, %s: %s', (option, _, address, support) => {
    const target = targetOf(address)
    expect(optionSupport(option, target)).toBe(support)
    const check = (): void => {
      checkQueryOptions(parseQueryOptions(`${option}=x`), target, new Set())
    }
    if (support !== undefined) {
      expect(check).not.toThrow()
      return
    }
    expect(errorOf(check)).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      message: `${option} cannot be used on this resource.`,
    })
  })

  it('MUST allow custom options everywhere', () => {
    for (const [, address] of table) {
      const custom = parseQueryOptions('sap-language=EN&filter=x&!deltatoken=1')
      expect(() => {
        checkQueryOptions(custom, targetOf(address), new Set(['$filter']))
      }).not.toThrow()
    }
  })

  it('MUST respond with 400 QueryOptionNotAllowed to an option that the service has disabled', () => {
    const check = (query: string): void => {
      checkQueryOptions(parseQueryOptions(query), targetOf('/Categories'), new Set(['$filter', '$orderby']))
    }
    expect(() => {
      check('$top=1&$select=Name')
    }).not.toThrow()
    for (const name of ['$filter', '$orderby']) {
      expect(errorOf(() => check(`${name}=ID`))).toMatchObject({
        code: 'QueryOptionNotAllowed',
        status: 400,
        message: `This service does not allow ${name}.`,
      })
    }
  })
})
