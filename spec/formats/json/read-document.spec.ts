import type { LinkPayload, ReadOptions } from '../../../lib/formats/payload.js'
import { errorOf } from '../../support/error-of.js'
import { readJsonEntity } from '../../support/payload-documents.js'

function message(set: string, body: unknown, options: Partial<ReadOptions> = {}): string {
  const error = errorOf(() => readJsonEntity(set, body, options))
  expect([error.code, error.status]).toEqual(['BadRequest', 400])
  return error.message
}

function link(set: string, body: Record<string, unknown>, name: string): LinkPayload | undefined {
  return readJsonEntity(set, body).links.get(name)
}

describe('An entity in verbose JSON', () => {
  it.each([
    '{"d":{"ID":1,"Name":"Cheese"}}',
    '{"ID":1,"Name":"Cheese"}',
    '{"d":{"results":{"ID":1,"Name":"Cheese"}}}',
  ])('MUST be read in any wrapping: %s', (text) => {
    expect(readJsonEntity('Categories', text)).toEqual({
      typeName: undefined,
      uri: undefined,
      values: { ID: 1, Name: 'Cheese' },
      links: new Map(),
    })
  })

  it('MUST have only the properties that are present', () => {
    expect(readJsonEntity('Categories', {}).values).toEqual({})
    expect(readJsonEntity('Products', { Name: null, Dims: { Unit: 'cm' } }).values).toEqual({
      Name: null,
      Dims: { Unit: 'cm' },
    })
  })

  it('MUST have the address and type of its metadata', () => {
    const body = { __metadata: { uri: 'http://h/n/Parties(1)', type: 'NW.Person', etag: 'x' }, Email: 'a@b' }
    expect(readJsonEntity('Parties', body)).toMatchObject({
      typeName: 'NW.Person',
      uri: 'http://h/n/Parties(1)',
      values: { Email: 'a@b' },
    })
    expect(readJsonEntity('Parties', { __metadata: { type: 'NW.Party' } }).typeName).toBe('NW.Party')
  })

  it('MUST ignore members of the protocol that are not values', () => {
    const text = '{"__count":"5","__next":"y","__anything":[],"ID":1}'
    const { values } = readJsonEntity('Categories', text)
    expect(Object.entries(values)).toEqual([['ID', 1]])
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
  })

  it.each([
    ['Categories', '5', 'The body must be an object with the properties of an entity, not 5.'],
    ['Categories', '[{}]', 'The body must be an object with the properties of an entity, not an array.'],
    [
      'Categories',
      '{"d":{"results":[]}}',
      'The body must be an object with the properties of an entity, not an array.',
    ],
    ['Categories', 'null', 'The body must be an object with the properties of an entity, not null.'],
    [
      'Categories',
      '{"Nmae":1}',
      "'Nmae' does not exist: NW.Category has no such property. Did you mean 'Name'?",
    ],
    [
      'Categories',
      '{"Prodcts":[]}',
      "'Prodcts' does not exist: NW.Category has no such property. Did you mean 'Products'?",
    ],
    [
      'Parties',
      '{"Email":"x"}',
      "'Email' belongs to the type NW.Person: specify that type in the body, or omit the property.",
    ],
    [
      'Parties',
      '{"Portrait":{}}',
      "'Portrait' belongs to the type NW.Person: specify that type in the body, or omit the property.",
    ],
    [
      'Parties',
      '{"__metadata":{"type":"NW.Persn"}}',
      "The body has the type 'NW.Persn'; expected NW.Party or a type derived from it. " +
        "Did you mean 'NW.Person'?",
    ],
    [
      'Categories',
      '{"__metadata":{"type":"NW.Line"}}',
      "The body has the type 'NW.Line'; expected NW.Category.",
    ],
    ['Categories', '{"__metadata":{"type":5}}', "'__metadata/type' must be a string, not 5."],
    ['Categories', '{"__metadata":[]}', "'__metadata' must be an object with 'uri' or 'type', not an array."],
  ])('MUST be rejected with a message that names the accepted form: %s %s', (set, text, expected) => {
    expect(message(set, text)).toBe(expected)
  })

  it('MUST be read without unknown names if these are ignored', () => {
    const body = { ID: 1, Unknown: { deep: [1] }, Dims: { W: 1, Unknown: 2 } }
    expect(readJsonEntity('Products', body, { ignoreUnknown: true }).values).toEqual({
      ID: 1,
      Dims: { W: 1 },
    })
  })
})

describe('Links in verbose JSON', () => {
  const bound = { __metadata: { uri: 'Categories(1)' } }

  it('MUST bind by an object that has only metadata', () => {
    expect(link('Products', { Category: bound }, 'Category')).toEqual({
      kind: 'Bind',
      uris: ['Categories(1)'],
    })
    const typed = { __metadata: { uri: '$1', type: 'NW.Category' }, __deferred: undefined }
    expect(link('Products', { Category: typed }, 'Category')).toEqual({ kind: 'Bind', uris: ['$1'] })
  })

  it('MUST bind by deferred content that names a target', () => {
    const deferred = { __deferred: { uri: 'http://h/n/Categories(1)' } }
    expect(link('Products', { Category: deferred }, 'Category')).toEqual({
      kind: 'Bind',
      uris: ['http://h/n/Categories(1)'],
    })
  })

  it.each([
    ['in an array', [{ __metadata: { uri: 'Products(1)' } }, { __deferred: { uri: 'Products(2)' } }]],
    [
      'in results',
      { results: [{ __metadata: { uri: 'Products(1)' } }, { __metadata: { uri: 'Products(2)' } }] },
    ],
  ])('MUST bind many entities %s', (_where, Products) => {
    expect(link('Categories', { Products }, 'Products')).toEqual({
      kind: 'Bind',
      uris: ['Products(1)', 'Products(2)'],
    })
  })

  it('MUST be loosed by null', () => {
    expect(link('Products', { Category: null }, 'Category')).toEqual({ kind: 'Unlink' })
  })

  it.each([
    ['with metadata', { __metadata: { uri: 'http://h/n/Products(1)' } }, 'http://h/n/Products(1)/Category'],
    ['relative to the service', { __metadata: { uri: 'http://h/n/Products(1)' } }, 'Products(1)/Category'],
    ['in another spelling', { __metadata: { uri: 'Products%281%29' } }, 'http://h/n/Products(1)/Category'],
    [
      'behind another host',
      { __metadata: { uri: 'https://p/Products(1)' } },
      'https://p/Products(1)/Category',
    ],
    ['without metadata', {}, 'http://h/n/Products(1)/Category'],
  ])('MUST be ignored when they repeat those of a response, %s', (_how, self, uri) => {
    expect(readJsonEntity('Products', { ...self, Category: { __deferred: { uri } } }).links.size).toBe(0)
  })

  it('MUST count when they lead elsewhere, although they look like an echo', () => {
    const body = {
      __metadata: { uri: 'http://h/n/Products(1)' },
      Category: { __deferred: { uri: 'http://h/n/Products(2)/Category' } },
    }
    expect(link('Products', body, 'Category')).toEqual({
      kind: 'Bind',
      uris: ['http://h/n/Products(2)/Category'],
    })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['Products', { Category: 5 }, "'Category' is single-valued: write an object or null, not 5."],
    ['Products', { Category: [] }, "'Category' is single-valued: write an object or null, not an array."],
    ['Categories', { Products: null }, "'Products' is a collection: write an array, not null."],
    ['Categories', { Products: bound }, "'Products' is a collection: write an array, not an object."],
    [
      'Categories',
      { Products: { results: {} } },
      "'Products' is a collection: write an array, not an object.",
    ],
    ['Categories', { Products: [1] }, "'Products[0]' must be an object, not 1."],
    [
      'Products',
      { Category: { __deferred: {} } },
      "'Category/__deferred' must be an object with the string 'uri'.",
    ],
    [
      'Products',
      { Category: { __metadata: { uri: 1 } } },
      "'Category/__metadata/uri' must be a string, not 1.",
    ],
    [
      'Categories',
      { Products: [{}, { Category: { Nmae: 1 } }] },
      "'Products[1]/Category/Nmae' does not exist: NW.Category has no such property. Did you mean 'Name'?",
    ],
    [
      'Parties',
      { Boss: { __metadata: { type: 'NW.Category' } } },
      "'Boss' has the type 'NW.Category'; expected NW.Party or a type derived from it.",
    ],
  ])('MUST be rejected with a message that names the accepted form: %s %p', (set, body, expected) => {
    expect(message(set, body)).toBe(expected)
  })
})

describe('Inline entities in verbose JSON', () => {
  it('MUST be read with their own links', () => {
    const body = {
      ID: 1,
      Products: [
        { ID: 2, Category: null },
        { ID: 3, Successor: { ID: 4 } },
      ],
    }
    const products = link('Categories', body, 'Products')
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
    const Boss = { __metadata: { type: 'NW.Person' }, Email: 'a@b' }
    expect(link('Parties', { Boss }, 'Boss')).toMatchObject({
      kind: 'Inline',
      entities: [{ typeName: 'NW.Person', values: { Email: 'a@b' } }],
    })
  })

  it('MUST be absent for an empty array', () => {
    expect(link('Categories', { Products: [] }, 'Products')).toEqual({ kind: 'Inline', entities: [] })
    expect(link('Categories', { Products: { results: [] } }, 'Products')).toEqual({
      kind: 'Inline',
      entities: [],
    })
  })

  it('MUST be rejected where only links are accepted', () => {
    expect(message('Products', { Category: { ID: 1 } }, { depth: 0 })).toBe(
      "'Category' contains an entity, but only links are accepted here.",
    )
    expect(message('Categories', { Products: [{}] }, { depth: 0 })).toBe(
      "'Products[0]' contains an entity, but only links are accepted here.",
    )
    const body = { Category: { __metadata: { uri: 'Categories(1)' } }, Successor: null }
    expect([...readJsonEntity('Products', body, { depth: 0 }).links.keys()]).toEqual([
      'Category',
      'Successor',
    ])
  })

  it('MUST be rejected when there are too many levels of them', () => {
    const body = { Boss: { Boss: { Boss: {} } } }
    expect(readJsonEntity('Parties', body, { depth: 3 }).links.size).toBe(1)
    const error = errorOf(() => readJsonEntity('Parties', body, { depth: 2 }))
    expect([error.code, error.status, error.message]).toEqual([
      'LimitExceeded',
      400,
      "'Boss/Boss/Boss' is nested too deeply: insert it in a separate request.",
    ])
  })
})
