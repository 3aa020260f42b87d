import {
  fileHash,
  formatAddress,
  formatLiteral,
  parseAddress,
  parseLiteral,
  parseRoute,
  resourceHash,
  safeAddress,
  splitPath,
  typeHash,
} from '../../../../lib/tools/explorer/page/address.js'
import { resourceOf } from '../../../../lib/tools/explorer/page/model.js'
import { createSnippets } from '../../../../lib/tools/explorer/page/snippets.js'
import { shopModel } from './shop-model.js'

describe('safeAddress', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,AAAA',
    'blob:http://h/1',
    'file:///etc/passwd',
  ])('MUST reject %j', (address) => {
    expect(safeAddress(address)).toBe('#')
  })

  it.each([
    'https://example.org/a',
    '#/Products(1)',
    './a',
    '/a?b=c:d',
    'data:image/png;base64,iVBORw0KGgo=',
  ])('MUST accept %s', (address) => {
    expect(safeAddress(address)).toBe(address)
  })
})

describe('parseRoute', () => {
  it.each([
    ['', { view: 'start' }],
    ['#/', { view: 'start' }],
    ['#/Products(1)?$expand=Category', { view: 'resource', address: 'Products(1)?$expand=Category' }],
    ['#types', { view: 'types', name: '' }],
    [typeHash('S.Product'), { view: 'types', name: 'S.Product' }],
    ['#diagram', { view: 'diagram' }],
    ['#nothing', { view: 'start' }],
    ['#files', { view: 'files', path: '/' }],
    [fileHash('/a b/100% #?.txt'), { view: 'files', path: '/a b/100% #?.txt' }],
    [resourceHash('Products'), { view: 'resource', address: 'Products' }],
  ])('MUST parse the fragment %j', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route)
  })
})

describe('resourceOf', () => {
  it.each([
    ['Products', 'collection', 'S.Product', 'Products'],
    ['Products()', 'collection', 'S.Product', 'Products'],
    ['Products(1)', 'entity', 'S.Product', 'Products'],
    ['Products(1)/Category', 'entity', 'S.Category', 'Categories'],
    ["Categories('a%2Fb')/Products", 'collection', 'S.Product', 'Products'],
    ["Categories('a/b')/Products(2)/Category", 'entity', 'S.Category', 'Categories'],
    ['Products(1)/Lines', 'collection', 'S.Line', undefined],
    ['Best', 'function', 'S.Product', 'Products'],
    ['Best(1)/Category', 'entity', 'S.Category', 'Categories'],
    ['Products(1)/Name', 'other', 'S.Product', 'Products'],
    ['Nothing', 'other', undefined, undefined],
    ['$metadata', 'other', undefined, undefined],
  ])('MUST find the resource of %s', (path, kind, type, set) => {
    const resource = resourceOf(shopModel, path)
    expect([resource.kind, resource.type?.qualifiedName, resource.set?.path]).toEqual([kind, type, set])
  })

  it('MUST split paths at slashes outside of quotes', () => {
    expect(splitPath("A('x/y')/B")).toEqual(["A('x/y')", 'B'])
  })

  it('MUST round-trip query options', () => {
    const address = formatAddress('Products', [
      ['$filter', "Name eq 'a&b+c=d#e'"],
      ['$orderby', ''],
      ['$top', '5'],
    ])
    expect(address).toBe("Products?$filter=Name%20eq%20'a%26b%2Bc%3Dd%23e'&$top=5")
    expect([...parseAddress(address).options]).toEqual([
      ['$filter', "Name eq 'a&b+c=d#e'"],
      ['$top', '5'],
    ])
  })
})

describe('formatLiteral and parseLiteral', () => {
  it.each([
    ['Edm.String', "O'Neil", "'O''Neil'"],
    ['Edm.Int32', '5', '5'],
    ['Edm.Int64', '5', '5L'],
    ['Edm.Decimal', '5.1', '5.1M'],
    ['Edm.Guid', 'a', "guid'a'"],
    ['Edm.DateTime', '2026-01-01T00:00:00', "datetime'2026-01-01T00:00:00'"],
  ])('MUST round-trip %s %s', (type, text, literal) => {
    expect([formatLiteral(type, text), parseLiteral(type, literal)]).toEqual([literal, text])
  })
})

describe('createSnippets', () => {
  const address = parseAddress("Products('a%2Fb')?$filter=Name%20eq%20'O''Neil'&$top=5")
  const [url, curl, ui5, typeScript] = createSnippets('http://h/n/', address, 'GET').map(({ text }) => text)

  it('MUST contain the URL', () => {
    expect(url).toBe("http://h/n/Products('a%2Fb')?$filter=Name%20eq%20'O''Neil'&$top=5")
  })

  it('MUST quote the URL for a shell', () => {
    expect(curl).toBe(
      `curl -H 'Accept: application/json' 'http://h/n/Products('\\''a%2Fb'\\'')?$filter=Name%20eq%20'\\''O'\\'''\\''Neil'\\''&$top=5'`,
    )
  })

  it('MUST contain the same request in TypeScript and UI5', () => {
    const run = (code: string): unknown => Reflect.construct(Function, [`return ${code}`])()
    expect(run(/fetch\(('(?:[^'\\]|\\.)*')/.exec(typeScript ?? '')?.[1] ?? '')).toBe(url)
    expect(run(/urlParameters: (\{[^}]*\})/.exec(ui5 ?? '')?.[1] ?? '')).toEqual({
      $filter: "Name eq 'O''Neil'",
      $top: '5',
    })
  })

  it.each(['$top', '$skip', '$filter', 'x'])('MUST quote all values in programs for pyodata: %s', (name) => {
    const value = '1)\nprint("injected")\n#'
    const snippets = createSnippets(
      'http://h/n/',
      { path: 'Products', options: new Map([[name, value]]) },
      'GET',
    )
    const program = snippets.find(({ title }) => title === 'pyodata')?.text
    expect(program).toContain(JSON.stringify(value))
    expect(program).not.toContain(value)
  })
})
