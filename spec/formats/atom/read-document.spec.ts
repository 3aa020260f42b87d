import { atomFormat } from '../../../lib/formats/atom/atom-format.js'
import type { LinkPayload, ReadOptions } from '../../../lib/formats/payload.js'
import { errorOf } from '../../support/error-of.js'
import { inLinearTime } from '../../support/linear-time.js'
import { entryOf, readAtomEntity, readOptions, related } from '../../support/payload-documents.js'
import { setNamed } from '../../support/protocol-model.js'

const scheme = 'http://schemas.microsoft.com/ado/2007/08/dataservices/scheme'

function message(set: string, content: string, options: Partial<ReadOptions> = {}): string {
  const error = errorOf(() => readAtomEntity(set, content, options))
  expect([error.code, error.status]).toEqual(['BadRequest', 400])
  return error.message
}

function category(term: string): string {
  return `<category term="${term}" scheme="${scheme}"/>`
}

function properties(content: string): string {
  return `<content type="application/xml"><m:properties>${content}</m:properties></content>`
}

function link(set: string, content: string, name: string): LinkPayload | undefined {
  return readAtomEntity(set, content).links.get(name)
}

function reference(name: string, href: string): string {
  return `<link rel="${related}${name}" href="${href}"/>`
}

function inline(name: string, content: string): string {
  return `<link rel="${related}${name}" href="x"><m:inline>${content}</m:inline></link>`
}

describe('An entity in Atom', () => {
  it.each([
    ['in the content', properties('<d:ID>1</d:ID><d:Title>x</d:Title>')],
    [
      'outside of the content of a media link entry',
      '<content type="image/png" src="Photos(1)/$value"/>' +
        '<m:properties><d:ID>1</d:ID><d:Title>x</d:Title></m:properties>',
    ],
    ['without content', '<m:properties>\n <d:ID>1</d:ID>\n <d:Title>x</d:Title>\n</m:properties>'],
    ['in both', `${properties('<d:ID>1</d:ID>')}<m:properties><d:Title>x</d:Title></m:properties>`],
  ])('MUST have its properties %s', (_where, content) => {
    expect(readAtomEntity('Photos', content)).toEqual({
      typeName: undefined,
      uri: undefined,
      values: { ID: 1, Title: 'x' },
      links: new Map(),
    })
  })

  it('MUST ignore id, title, updated, author and unknown elements', () => {
    const content =
      '<id>urn:uuid:1</id><title>T</title><updated>2000-01-01T00:00:00Z</updated><author><name>A</name></author>' +
      '<category term="cheese"/><link rel="alternate" href="x"/><x:properties xmlns:x="urn:x"><d:ID>2</d:ID></x:properties>' +
      '<rights>R</rights><content type="text">text</content><d:ID>3</d:ID>'
    expect(readAtomEntity('Categories', content)).toEqual({
      typeName: undefined,
      uri: 'urn:uuid:1',
      values: {},
      links: new Map(),
    })
  })

  it('MUST have the type of the category with the scheme of types', () => {
    const content = `<category term="NW.Party"/>${category('NW.Person')}${properties('<d:Email>a@b</d:Email>')}`
    expect(readAtomEntity('Parties', content)).toMatchObject({
      typeName: 'NW.Person',
      values: { Email: 'a@b' },
    })
  })

  it.each([
    ['<id>http://h/n/Categories(1)</id><link rel="edit" href="Categories(2)"/>', 'http://h/n/Categories(1)'],
    ['<id/><link rel="self" href="Categories(3)"/><link rel="edit" href="Categories(2)"/>', 'Categories(2)'],
    ['<link rel="self" href="Categories(3)"/>', 'Categories(3)'],
    ['<id> </id>', undefined],
  ])('MUST have the address of its id or link: %s', (content, uri) => {
    expect(readAtomEntity('Categories', content).uri).toBe(uri)
  })

  it('MUST be read with any prefixes', () => {
    const text =
      '<a:entry xmlns:a="http://www.w3.org/2005/Atom"><a:content type="application/xml">' +
      '<properties xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">' +
      '<ID xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">1</ID></properties></a:content></a:entry>'
    const { values } = atomFormat.read.entity(`\ufeff${text}`, setNamed('Categories').entityType, readOptions)
    expect(values).toEqual({ ID: 1 })
  })

  it.each([
    [
      'Categories',
      properties('<d:Nmae/>'),
      "'Nmae' does not exist: NW.Category has no such property. Did you mean 'Name'?",
    ],
    [
      'Categories',
      properties('<d:__proto__/>'),
      "'__proto__' does not exist: NW.Category has no such property.",
    ],
    [
      'Parties',
      properties('<d:Email>x</d:Email>'),
      "'Email' belongs to the type NW.Person: specify that type in the body, or omit the property.",
    ],
    [
      'Parties',
      category('NW.Persn'),
      "The body has the type 'NW.Persn'; expected NW.Party or a type derived from it. " +
        "Did you mean 'NW.Person'?",
    ],
    ['Categories', category('NW.Line'), "The body has the type 'NW.Line'; expected NW.Category."],
  ])('MUST be rejected with a message that names the accepted form: %s %s', (set, content, expected) => {
    expect(message(set, content)).toBe(expected)
  })

  it.each([
    ['<entry/>', '<entry> without namespace'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"/>', "<feed> of the namespace 'http://www.w3.org/2005/Atom'"],
  ])('MUST be an entry: %s', (text, found) => {
    const error = errorOf(() => atomFormat.read.entity(text, setNamed('Categories').entityType, readOptions))
    expect([error.status, error.message]).toEqual([
      400,
      `The body must be an element <entry> of the namespace 'http://www.w3.org/2005/Atom', not ${found}.`,
    ])
  })

  it('MUST be read without unknown names if these are ignored', () => {
    const content =
      properties('<d:X><d:Y/></d:X><d:Dims><d:W>1</d:W><d:X/></d:Dims>') + reference('Nowhere', 'Products(1)')
    expect(readAtomEntity('Products', content, { ignoreUnknown: true })).toMatchObject({
      values: { Dims: { W: 1 } },
      links: new Map(),
    })
  })

  it('MUST be rejected with line and column when it is not XML', () => {
    expect(message('Categories', '\n<a></b>')).toMatch(/^The document is not well-formed XML: 2:\d+: /)
  })
})

describe('Links in Atom', () => {
  it('MUST bind to their address', () => {
    expect(link('Products', reference('Category', ' Categories(1) '), 'Category')).toEqual({
      kind: 'Bind',
      uris: ['Categories(1)'],
    })
    const many = reference('Products', 'Products(1)') + reference('Products', 'http://h/n/Products(2)')
    expect(link('Categories', many, 'Products')).toEqual({
      kind: 'Bind',
      uris: ['Products(1)', 'http://h/n/Products(2)'],
    })
  })

  it.each([
    ['by its id', '<id>http://h/n/Products(1)</id>', 'Products(1)/Category'],
    ['by its edit link', '<id>urn:x</id><link rel="edit" href="Products(1)"/>', 'Products(1)/Category'],
    ['by an absolute address', '<link rel="edit" href="Products(1)"/>', 'http://h/n/Products(1)/Category'],
    ['that does not say what it is', '', 'Products(1)/Category'],
  ])('MUST be ignored when they repeat those of a response, of an entity known %s', (_how, self, href) => {
    expect(readAtomEntity('Products', self + reference('Category', href)).links.size).toBe(0)
  })

  it('MUST count when they lead elsewhere, although they look like an echo', () => {
    const content = `<id>http://h/n/Products(1)</id>${reference('Category', 'Products(2)/Category')}`
    expect(link('Products', content, 'Category')).toEqual({ kind: 'Bind', uris: ['Products(2)/Category'] })
  })

  it('MUST be loosed by an empty m:inline of a single-valued property', () => {
    expect(link('Products', inline('Category', ''), 'Category')).toEqual({ kind: 'Unlink' })
    expect(link('Products', inline('Category', ' <!-- nothing --> '), 'Category')).toEqual({ kind: 'Unlink' })
  })

  it.each([
    [
      'Products',
      reference('Categry', 'x'),
      "'Categry' does not exist: NW.Product has no such property. Did you mean 'Category'?",
    ],
    [
      'Parties',
      reference('Portrait', 'x'),
      "'Portrait' belongs to the type NW.Person: specify that type in the body, or omit the property.",
    ],
    [
      'Products',
      reference('Category', ''),
      "The link 'Category' must have the URI of an entity in its href.",
    ],
    [
      'Products',
      reference('Category', 'Categories(1)') + reference('Category', 'Categories(2)'),
      "'Category' is single-valued: write one link, not several.",
    ],
    [
      'Categories',
      inline('Products', '<entry/>'),
      "'Products' is a collection: write <feed>, not <entry> of the namespace 'http://www.w3.org/2005/Atom'.",
    ],
    [
      'Products',
      inline('Category', '<feed/>'),
      "'Category' is single-valued: write <entry>, not <feed> of the namespace 'http://www.w3.org/2005/Atom'.",
    ],
    [
      'Categories',
      inline(
        'Products',
        `<feed><entry/><entry>${inline('Category', `<entry>${properties('<d:Nmae/>')}</entry>`)}</entry></feed>`,
      ),
      "'Products[1]/Category/Nmae' does not exist: NW.Category has no such property. Did you mean 'Name'?",
    ],
  ])('MUST be rejected with a message that names the accepted form: %s %s', (set, content, expected) => {
    expect(message(set, content)).toBe(expected)
  })

  it('MUST be read in time in proportion to their number', () => {
    const content = Array.from({ length: 100_000 }, (_, index) => reference('Products', `Products(${index})`))
    const linked = inLinearTime(() => link('Categories', content.join(''), 'Products'))
    expect(linked).toMatchObject({ kind: 'Bind' })
  })
})

describe('Inline entities in Atom', () => {
  it('MUST be read with their own links', () => {
    const successor = inline('Successor', `<entry>${properties('<d:ID>4</d:ID>')}</entry>`)
    const feed =
      `<feed><title/><entry>${properties('<d:ID>2</d:ID>')}${inline('Category', '')}</entry>` +
      `<entry>${properties('<d:ID>3</d:ID>')}${successor}</entry></feed>`
    const products = link('Categories', inline('Products', feed), 'Products')
    expect(products).toMatchObject({
      kind: 'Inline',
      entities: [{ values: { ID: 2 } }, { values: { ID: 3 } }],
    })
    if (products?.kind !== 'Inline') throw new Error('Not inline.')
    expect(products.entities[0]?.links).toEqual(new Map([['Category', { kind: 'Unlink' }]]))
    expect(products.entities[1]?.links.get('Successor')).toMatchObject({
      kind: 'Inline',
      entities: [{ values: { ID: 4 } }],
    })
  })

  it('MUST be of the type that they name', () => {
    const boss = `<entry>${category('NW.Person')}${properties('<d:Email>a@b</d:Email>')}</entry>`
    expect(link('Parties', inline('Boss', boss), 'Boss')).toMatchObject({
      entities: [{ typeName: 'NW.Person', values: { Email: 'a@b' } }],
    })
  })

  it.each(['', '<feed/>', '<feed><title>none</title></feed>'])(
    'MUST be none where there is no entry: %s',
    (feed) => {
      expect(link('Categories', inline('Products', feed), 'Products')).toEqual({
        kind: 'Inline',
        entities: [],
      })
    },
  )

  it('MUST be rejected where only links are accepted', () => {
    expect(message('Products', inline('Category', '<entry/>'), { depth: 0 })).toBe(
      "'Category' contains an entity, but only links are accepted here.",
    )
    const content = reference('Category', 'Categories(1)') + inline('Successor', '')
    expect([...readAtomEntity('Products', content, { depth: 0 }).links.keys()]).toEqual([
      'Category',
      'Successor',
    ])
  })

  it('MUST be rejected when there are too many levels of them', () => {
    const boss = (content: string): string => inline('Boss', `<entry>${content}</entry>`)
    const content = boss(boss(boss('')))
    expect(readAtomEntity('Parties', content, { depth: 3 }).links.size).toBe(1)
    const error = errorOf(() => readAtomEntity('Parties', content, { depth: 2 }))
    expect([error.code, error.status, error.message]).toEqual([
      'LimitExceeded',
      400,
      "'Boss/Boss/Boss' is nested too deeply: insert it in a separate request.",
    ])
  })

  it('MUST be an entry in the form of other client libraries', () => {
    const { values } = atomFormat.read.entity(
      `<?xml version="1.0" encoding="utf-8" standalone="yes"?>${entryOf(
        `${category('NW.Category')}<title /><author><name /></author><updated>2024-01-02T03:04:05.678Z</updated><id />` +
          properties('<d:ID m:type="Edm.Int32">0</d:ID><d:Name>x</d:Name><d:Note m:null="true" />'),
      )}`,
      setNamed('Categories').entityType,
      readOptions,
    )
    expect(values).toEqual({ ID: 0, Name: 'x', Note: null })
  })
})
