import type {
  EntitySource,
  CollectionSource,
  RequestTarget,
  ValueOwner,
} from '../../lib/query/request-target.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'
import { protocolModel } from '../support/protocol-model.js'

function targetOf(address: string): RequestTarget {
  const { segments, query } = splitRelativeUri(address)
  return bindResourcePath(segments, protocolModel, parseQueryOptions(query))
}

/** Formats a source like an address. */
function textOf(source: CollectionSource | EntitySource | ValueOwner): string {
  switch (source.kind) {
    case 'EntitySet':
      return source.set.path
    case 'RelatedEntities':
    case 'RelatedEntity':
      return `${textOf(source.source)}/${source.navigation.name}[${source.set.name}]`
    case 'KeyedEntity':
      return `${textOf(source.collection)}${JSON.stringify(source.key)}`
    case 'ReturnedEntities':
    case 'ReturnedEntity':
    case 'ReturnedValue':
      return `${source.call.functionImport.path}${JSON.stringify(source.call.parameters)}`
  }
}

/** Formats a target as a line of text: its kind and all its members. */
function describeTarget(target: RequestTarget): string {
  switch (target.kind) {
    case 'ServiceDocument':
    case 'Metadata':
    case 'Batch':
      return target.kind
    case 'EntitySet':
      return `EntitySet ${textOf(target.collection)}`
    case 'Entity':
    case 'MediaResource':
      return `${target.kind} ${textOf(target.entity)}`
    case 'EntityCount':
      return `EntityCount ${textOf(target.of)}`
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return [target.kind, textOf(target.owner), ...target.path.map(({ name }) => name)].join(' ')
    case 'Links':
      return `Links ${textOf(target.source)} -> ${textOf(target.linked)}${target.count ? ' count' : ''}`
    case 'FunctionImport':
      return `FunctionImport ${target.call.functionImport.path}${JSON.stringify(target.call.parameters)}`
  }
}

const category = 'Categories{"ID":1}'
const product = 'Products{"ID":1}'

describe('Resource paths (MS-ODATA 2.2.3.4, 2.2.3.5)', () => {
  it.each([
    // URI 0, 8, 9
    ['/', 'ServiceDocument'],
    ['', 'ServiceDocument'],
    ['/$metadata', 'Metadata'],
    ['/$metadata/', 'Metadata'],
    ['/%24metadata', 'Metadata'],
    ['/$batch', 'Batch'],
    // URI 1
    ['/Categories', 'EntitySet Categories'],
    ['/Categories()', 'EntitySet Categories'],
    ['/Categories/', 'EntitySet Categories'],
    ['/C.Categories', 'EntitySet Categories'],
    ['/NW.C.Categories', 'EntitySet Categories'],
    ['/Archive.Old', 'EntitySet Archive.Old'],
    ['/NW.Archive.Old()', 'EntitySet Archive.Old'],
    // URI 2
    ['/Categories(1)', `Entity ${category}`],
    ['/Categories(ID=1)', `Entity ${category}`],
    ['/Categories%281%29', `Entity ${category}`],
    ['/C.Categories(1)', `Entity ${category}`],
    ['/Lines(No=2,Order=7)', 'Entity Lines{"Order":7,"No":2}'],
    ["/Files('/a/b')", 'Entity Files{"path":"/a/b"}'],
    // URI 3
    ['/Products(1)/Dims', `ComplexProperty ${product} Dims`],
    ['/Products(1)/Dims/Box', `ComplexProperty ${product} Dims Box`],
    // URI 4
    ['/Products(1)/Dims/Unit', `SimpleProperty ${product} Dims Unit`],
    ['/Products(1)/Dims/Unit/$value', `PropertyValue ${product} Dims Unit`],
    ['/Products(1)/Dims/Box/Depth', `SimpleProperty ${product} Dims Box Depth`],
    ['/Products(1)/Dims/Box/Depth/$value', `PropertyValue ${product} Dims Box Depth`],
    // URI 5
    ['/Products(1)/Name', `SimpleProperty ${product} Name`],
    ['/Products(1)/Name/$value', `PropertyValue ${product} Name`],
    ['/Products(1)/ID', `SimpleProperty ${product} ID`],
    // URI 6A
    ['/Products(1)/Category', `Entity ${product}/Category[Categories]`],
    ['/Parties(1)/Boss', 'Entity Parties{"ID":1}/Boss[Parties]'],
    ['/Categories(1)/Products(2)', `Entity ${category}/Products[Products]{"ID":2}`],
    ['/Categories(1)/Parent/Parent', `Entity ${category}/Parent[Categories]/Parent[Categories]`],
    ['/Products(1)/Category/Name', `SimpleProperty ${product}/Category[Categories] Name`],
    [
      '/Categories(1)/Products(2)/Dims/W/$value',
      `PropertyValue ${category}/Products[Products]{"ID":2} Dims W`,
    ],
    // URI 6B
    ['/Categories(1)/Products', `EntitySet ${category}/Products[Products]`],
    ['/Categories(1)/Products()', `EntitySet ${category}/Products[Products]`],
    ['/Products(1)/Category/Products', `EntitySet ${product}/Category[Categories]/Products[Products]`],
    ["/Files('/')/Files", 'EntitySet Files{"path":"/"}/Files[Files]'],
    // URI 7A
    ['/Products(1)/$links/Category', `Links ${product} -> ${product}/Category[Categories]`],
    ['/Categories(1)/$links/Products(2)', `Links ${category} -> ${category}/Products[Products]{"ID":2}`],
    [
      '/Categories(1)/Parent/$links/Parent',
      `Links ${category}/Parent[Categories] -> ${category}/Parent[Categories]/Parent[Categories]`,
    ],
    // URI 7B
    ['/Categories(1)/$links/Products', `Links ${category} -> ${category}/Products[Products]`],
    ['/Categories(1)/$links/Products()', `Links ${category} -> ${category}/Products[Products]`],
    // URI 50
    ['/Categories(1)/$links/Products/$count', `Links ${category} -> ${category}/Products[Products] count`],
    ['/Products(1)/$links/Category/$count', `Links ${product} -> ${product}/Category[Categories] count`],
    // URI 10 to 14
    ['/Best', 'Entity Best{}'],
    ['/Best()', 'Entity Best{}'],
    ['/C.Best', 'Entity Best{}'],
    ['/Best/Name/$value', 'PropertyValue Best{} Name'],
    ['/Best/Dims', 'ComplexProperty Best{} Dims'],
    ['/Best/Category', 'Entity Best{}/Category[Categories]'],
    ['/Best/$count', 'EntityCount Best{}'],
    ['/ByRating?min=3', 'EntitySet ByRating{"min":3}'],
    ['/ByRating()?min=null', 'EntitySet ByRating{"min":null}'],
    ['/ByRating/$count?min=3', 'EntityCount ByRating{"min":3}'],
    ['/Total', 'FunctionImport Total{}'],
    ['/Total/$value', 'PropertyValue Total{}'],
    ['/Largest', 'FunctionImport Largest{}'],
    ['/Largest/Unit', 'SimpleProperty Largest{} Unit'],
    ['/Largest/Box/Depth/$value', 'PropertyValue Largest{} Box Depth'],
    ['/Sizes', 'FunctionImport Sizes{}'],
    ['/Names', 'FunctionImport Names{}'],
    ['/Raise?pct=2.5', 'FunctionImport Raise{"pct":2.5}'],
    ["/Search?text='a/b'&exact=1", 'FunctionImport Search{"text":"a/b","exact":true}'],
    ['/Search', 'FunctionImport Search{"text":null,"exact":null}'],
    ['/Archive.Clean', 'FunctionImport Archive.Clean{}'],
    // URI 15
    ['/Categories/$count', 'EntityCount Categories'],
    ['/Categories()/$count', 'EntityCount Categories'],
    ['/Categories(1)/Products/$count', `EntityCount ${category}/Products[Products]`],
    // URI 16
    ['/Categories(1)/$count', `EntityCount ${category}`],
    ['/Products(1)/Category/$count', `EntityCount ${product}/Category[Categories]`],
    ['/Categories(1)/Products(2)/$count', `EntityCount ${category}/Products[Products]{"ID":2}`],
    // URI 17
    ['/Photos(1)/$value', 'MediaResource Photos{"ID":1}'],
    ["/Files('/')/Files('/a')/$value", 'MediaResource Files{"path":"/"}/Files[Files]{"path":"/a"}'],
    ['/Archive.Old(1)/$value', 'MediaResource Archive.Old{"ID":1}'],
  ])('MUST parse %s as %s', (address, target) => {
    expect(describeTarget(targetOf(address))).toBe(target)
  })

  describe('Unknown names', () => {
    it.each([
      ['/Category', "There is no resource 'Category'."],
      ['/Categoriess', "There is no resource 'Categoriess'. Did you mean 'Categories'?"],
      ['/categories', "There is no resource 'categories'. Did you mean 'Categories'?"],
      ['/Totl', "There is no resource 'Totl'. Did you mean 'Total'?"],
      ['/Old', "There is no resource 'Old'."],
      ['/D.Categories', "There is no resource 'D.Categories'. Did you mean 'Categories'?"],
      ['/Archive.Categories', "There is no resource 'Archive.Categories'."],
      ['/.Categories', "There is no resource '.Categories'. Did you mean 'Categories'?"],
      ['/..', "There is no resource '..'."],
      ['/(1)', "There is no resource ''."],
      ['/$count', "There is no resource '$count'."],
      ['/$value', "There is no resource '$value'."],
      ['/$links', "There is no resource '$links'."],
      ['/$Metadata', "There is no resource '$Metadata'. Did you mean '$metadata'?"],
      ['/$metdata', "There is no resource '$metdata'. Did you mean '$metadata'?"],
      ['/$metadata()', "There is no resource '$metadata'."],
      ['/__proto__', "There is no resource '__proto__'."],
      ['/constructor(1)', "There is no resource 'constructor'."],
      ['/Categories(1)/Nam', "There is no resource 'Nam'. Did you mean 'Name'?"],
      ['/Categories(1)/products', "There is no resource 'products'. Did you mean 'Products'?"],
      ['/Categories(1)/toString', "There is no resource 'toString'."],
      ['/Categories(1)/$metadata', "There is no resource '$metadata'."],
      ['/Parties(1)/Email', "There is no resource 'Email'."],
      ['/Parties(1)/Portrait', "There is no resource 'Portrait'."],
      ['/Products(1)/Dims/w', "There is no resource 'w'. Did you mean 'W'?"],
      ['/Products(1)/Dims/$value', "There is no resource '$value'."],
      ['/Products(1)/Dims/Box/$value', "There is no resource '$value'."],
      ['/Products(1)/$links/Categori', "There is no resource 'Categori'. Did you mean 'Category'?"],
      ['/Largest/Unt', "There is no resource 'Unt'. Did you mean 'Unit'?"],
      ['/Best/x', "There is no resource 'x'."],
    ])('MUST respond with 404 to %s', (address, message) => {
      const error = errorOf(() => targetOf(address))
      expect(error).toMatchObject({ code: 'ResourceNotFound', status: 404 })
      expect(error.message).toMatch(message.endsWith('?') ? message : new RegExp(`^${escaped(message)}`))
    })

    it('MUST NOT repeat a long name in full', () => {
      expect(errorOf(() => targetOf(`/${'x'.repeat(5000)}`)).message.length).toBeLessThan(300)
    })
  })

  describe('Invalid path segments', () => {
    it.each([
      ['/Categories/Name', "a key is required before 'Name': the path addresses many entities"],
      ['/Categories()/Products', "a key is required before 'Products': the path addresses many entities"],
      ['/Categories/$links', "a key is required before '$links': the path addresses many entities"],
      ['/Categories/$value', "a key is required before '$value': the path addresses many entities"],
      ['/Categories(1)/Products/Name', "a key is required before 'Name': the path addresses many entities"],
      ['/Categories/$count/x', "nothing can follow '$count'"],
      ['/Categories/$count/$count', "nothing can follow '$count'"],
      ['/Categories(1)/$count/$value', "nothing can follow '$count'"],
      ['/Photos(1)/$value/x', "nothing can follow '$value'"],
      ['/$metadata/x', "nothing can follow '$metadata'"],
      ['/$metadata/$count', "nothing can follow '$metadata'"],
      ['/$batch/x', "nothing can follow '$batch'"],
      ['/Products(1)/Name/x', "only '$value' can follow a simple property"],
      ['/Products(1)/Name/$count', "only '$value' can follow a simple property"],
      ['/Products(1)/Name/$value/$value', "only '$value' can follow a simple property"],
      ['/Products(1)/Dims/W/x', "only '$value' can follow a simple property"],
      ['/Products(1)/Dims/$count', "'$count' cannot follow a complex value"],
      ['/Products(1)/Dims/$links', "'$links' cannot follow a complex value"],
      ['/Products(1)/Name()', "'Name' is a property and takes no key"],
      ['/Products(1)/Name(1)', "'Name' is a property and takes no key"],
      ['/Products(1)/Dims(1)', "'Dims' is a property and takes no key"],
      ['/Products(1)/Dims/W()', "'W' is a property and takes no key"],
      ['/Products(1)/Category()', "'Category' leads to one entity and takes no key"],
      ['/Products(1)/Category(1)', "'Category' leads to one entity and takes no key"],
      ['/Products(1)/$value', "entities of 'Products' have no media resource"],
      ['/Products(1)/Category/$value', "entities of 'Categories' have no media resource"],
      ['/Products(1)/$links', "'$links' requires a navigation property after it"],
      ['/Products(1)/$links/', "'$links' requires a navigation property after it"],
      ['/Products(1)/$links/Name', "'Name' is not a navigation property"],
      ['/Products(1)/$links/Category/Name', "only '$count' can follow '$links/Category'"],
      ['/Products(1)/$links/Category/$value', "only '$count' can follow '$links/Category'"],
      ['/Products(1)/$links/Category/$links/Parent', "only '$count' can follow '$links/Category'"],
      ['/Categories(1)/$links/Products(1)/Name', "only '$count' can follow '$links/Products'"],
      ['/Categories(1)/$links/Products/$count/x', "only '$count' can follow '$links/Products'"],
      ['/Products(1)/$links/Category(1)', "'Category' leads to one entity and takes no key"],
      ['/Products(1)/$links/Category()', "'Category' leads to one entity and takes no key"],
      ['/ByRating/Name', "a key is required before 'Name': the path addresses many entities"],
      ['/ByRating(1)', "'ByRating' is a function: its parameters are query options"],
      ['/ByRating(min=1)', "'ByRating' is a function: its parameters are query options"],
      ['/Best(1)', "'Best' is a function: its parameters are query options"],
      ['/Best/$value', "entities of 'Products' have no media resource"],
      ['/Total/x', "only '$value' can follow a simple property"],
      ['/Total/$count', "only '$value' can follow a simple property"],
      ['/Largest/$count', "'$count' cannot follow a complex value"],
      ['/Sizes/$count', "'$count' cannot follow what 'Sizes' returns"],
      ['/Sizes/Unit', "'Unit' cannot follow what 'Sizes' returns"],
      ['/Names/$value', "'$value' cannot follow what 'Names' returns"],
      ['/Raise/x?pct=1', "'x' cannot follow what 'Raise' returns"],
      ['/Categories(1)%2FProducts', 'Unexpected characters after the key predicate'],
      ['/Categories(1)(2)', 'Unexpected characters after the key predicate'],
    ])('MUST respond with 400 to %s', (address, message) => {
      const error = errorOf(() => targetOf(address))
      expect(error).toMatchObject({ code: 'BadRequest', status: 400 })
      expect(error.message).toContain(`Resource path: ${message}.`)
    })

    it.each([
      ['/Categories(x)', 400],
      ['/Categories(1)/Products(null)', 400],
      ["/Files('/')/Files(1)", 400],
      [`/Files('${'a'.repeat(1025)}')/size`, 404],
    ])('MUST respond to %s with %i', (address, status) => {
      expect(errorOf(() => targetOf(address)).status).toBe(status)
    })

    it.each(['/ByRating?min=x', '/ByRating/$count?min=40000', '/Raise'])(
      'MUST reject the parameters of %s with 400 when they are bound',
      (address) => {
        const target = targetOf(address)
        expect(errorOf(() => describeTarget(target)).status).toBe(400)
      },
    )
  })
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
