import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'

const call = callWith()

/** Read twice: a service and its provider can have different instances of a model. */
const [model, otherModel] = [shop(), shop()]

function shop(): EdmModel {
  return defineModel({
    namespace: 'S',
    entityTypes: {
      Category: {
        key: ['ID'],
        properties: { ID: edm.Int32(), ParentID: edm.Int32() },
        navigationProperties: {
          Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
          Parent: { relationship: 'Tree', fromRole: 'Child', toRole: 'Parent' },
          Children: { relationship: 'Tree', fromRole: 'Parent', toRole: 'Child' },
          Symbol: { relationship: 'CategorySymbol', fromRole: 'Category', toRole: 'Symbol' },
          Nowhere: { relationship: 'CategoryLost', fromRole: 'Category', toRole: 'Lost' },
        },
      },
      Product: {
        key: ['Code'],
        properties: { Code: edm.String() },
        navigationProperties: {
          Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
        },
      },
      Bundle: { baseType: 'Product' },
      Symbol: {
        key: ['A', 'B'],
        properties: { A: edm.Int32(), B: edm.String(), CategoryID: edm.Int32() },
        navigationProperties: {
          Category: { relationship: 'CategorySymbol', fromRole: 'Symbol', toRole: 'Category' },
          Next: { relationship: 'NextSymbol', fromRole: 'Before', toRole: 'Next' },
          Bundle: { relationship: 'SymbolBundle', fromRole: 'Symbol', toRole: 'Bundle' },
        },
      },
      Lost: { key: ['ID'], properties: { ID: edm.Int32() } },
    },
    associations: {
      CategoryProducts: {
        ends: {
          Category: { type: 'Category', multiplicity: '0..1' },
          Product: { type: 'Product', multiplicity: '*' },
        },
      },
      Tree: {
        ends: {
          Parent: { type: 'Category', multiplicity: '0..1' },
          Child: { type: 'Category', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Parent', properties: ['ID'] },
          dependent: { role: 'Child', properties: ['ParentID'] },
        },
      },
      CategorySymbol: {
        ends: {
          Category: { type: 'Category', multiplicity: '1' },
          Symbol: { type: 'Symbol', multiplicity: '0..1' },
        },
        referentialConstraint: {
          principal: { role: 'Category', properties: ['ID'] },
          dependent: { role: 'Symbol', properties: ['CategoryID'] },
        },
      },
      NextSymbol: {
        ends: {
          Before: { type: 'Symbol', multiplicity: '0..1' },
          Next: { type: 'Symbol', multiplicity: '0..1' },
        },
      },
      SymbolBundle: {
        ends: {
          Symbol: { type: 'Symbol', multiplicity: '*' },
          Bundle: { type: 'Bundle', multiplicity: '0..1' },
        },
      },
      CategoryLost: {
        ends: {
          Category: { type: 'Category', multiplicity: '*' },
          Lost: { type: 'Lost', multiplicity: '*' },
        },
      },
    },
    entityContainer: {
      entitySets: {
        Categories: { entityType: 'Category' },
        Products: { entityType: 'Product' },
        OldProducts: { entityType: 'Product' },
        Symbols: { entityType: 'Symbol' },
      },
      associationSets: {
        CategoryProducts: {
          association: 'CategoryProducts',
          ends: { Category: 'Categories', Product: 'Products' },
        },
        SymbolBundle: { association: 'SymbolBundle', ends: { Symbol: 'Symbols', Bundle: 'Products' } },
      },
    },
  })
}

type Data = Record<string, readonly Record<string, unknown>[]>

/** The keys of the related entities, read as the service reads them. */
async function behind(
  provider: Provider<EdmModel>,
  set: string,
  key: Row,
  navigation: string,
): Promise<unknown[]> {
  const source = model.defaultContainer.entitySet(set)
  const over = source?.entityType.navigationProperty(navigation)
  if (source === undefined || over === undefined) throw new Error(`no ${set}/${navigation}`)
  const target = source.targetOf(over)?.path ?? ''
  const row = await provider.entitySets[set]?.readByKey?.(key, {}, call)
  const query = { entitySet: target, source: { entitySet: set, navigation: over, row: row ?? {} } }
  const rows = (await provider.entitySets[target]?.read(query, call)) as readonly Row[]
  expect(await provider.entitySets[target]?.count?.(query, call)).toBe(rows.length)
  return rows.map(({ ID, Code, A, B }) => ID ?? Code ?? `${String(A)}${String(B)}`)
}

function errorsOf(data: Data): string[] {
  try {
    memoryProvider(model, data)
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
  return []
}

describe('Links between entities in memory', () => {
  it.each<[string, Data]>([
    [
      'the side with one',
      {
        Categories: [{ ID: 1 }],
        Products: [
          { Code: 'b', Category: { ID: 1 } },
          { Code: 'a', Category: 1 },
        ],
      },
    ],
    [
      'the side with many',
      { Categories: [{ ID: 1, Products: [{ Code: 'b' }, 'a'] }], Products: [{ Code: 'b' }, { Code: 'a' }] },
    ],
    [
      'both sides',
      {
        Categories: [{ ID: 1, Products: ['a', 'b'] }],
        Products: [{ Code: 'b', Category: { ID: 1 } }, { Code: 'a' }],
      },
    ],
  ])('MUST be found from both sides when %s gives them', async (_, data) => {
    const provider = memoryProvider(otherModel, data)
    expect(await behind(provider, 'Categories', { ID: 1 }, 'Products')).toEqual(['a', 'b'])
    expect(await behind(provider, 'Products', { Code: 'a' }, 'Category')).toEqual([1])
    expect(await behind(provider, 'Products', { Code: 'b' }, 'Category')).toEqual([1])
  })

  it('MUST be determined by the foreign key alone if there is one', async () => {
    const Categories = [{ ID: 1 }, { ID: 3, ParentID: 1 }, { ID: 2, ParentID: 1 }, { ID: 4, ParentID: 99 }]
    const provider = memoryProvider(otherModel, { Categories })
    expect(await behind(provider, 'Categories', { ID: 1 }, 'Children')).toEqual([2, 3])
    expect(await behind(provider, 'Categories', { ID: 2 }, 'Parent')).toEqual([1])
    expect(await behind(provider, 'Categories', { ID: 1 }, 'Parent')).toEqual([])
    // A foreign key can refer to an entity that does not exist.
    expect(await behind(provider, 'Categories', { ID: 4 }, 'Parent')).toEqual([])
  })

  it('MUST set a foreign key that is null from keys at either end', async () => {
    const Categories = [
      { ID: 1, Children: [2] },
      { ID: 2 },
      { ID: 3, Parent: { ID: 1 } },
      { ID: 4, ParentID: 1, Parent: 1 },
    ]
    const provider = memoryProvider(otherModel, { Categories })
    expect(await behind(provider, 'Categories', { ID: 1 }, 'Children')).toEqual([2, 3, 4])
    expect(await provider.entitySets.Categories?.readByKey?.({ ID: 3 }, {}, call)).toMatchObject({
      ParentID: 1,
    })
  })

  it('MUST be read for many entities in one call, with the query applied to each list', async () => {
    const Products = ['a', 'b', 'c', 'd'].map((Code, index) => ({ Code, Category: 1 + (index % 2) }))
    const provider = memoryProvider(otherModel, { Categories: [{ ID: 1 }, { ID: 2 }, { ID: 3 }], Products })
    const navigation = model.entityTypes.get('S.Category')?.navigationProperty('Products')
    if (navigation === undefined) throw new Error('no navigation property')
    const rows = [{ ID: 3 }, { ID: 2 }, { ID: 1 }]
    const sources = { entitySet: 'Categories', navigation, rows }
    const lists = await provider.entitySets.Products?.readRelated?.(
      { entitySet: 'Products', sources, top: 1 },
      call,
    )
    expect(lists).toEqual([[], [{ Code: 'b' }], [{ Code: 'a' }]])
  })

  it('MUST NOT refer to sets or entities that do not exist', () => {
    const errors = errorsOf({
      Categories: [
        { ID: 1, Products: [{ Code: 'x' }], Nowhere: [1] },
        { ID: 2, Products: 'a', Parent: [1] },
        { ID: 3, Products: [{ code: 'a' }], Parent: 'one', Symbol: 5 },
      ],
      Products: [{ Code: 'a' }],
      Symbols: [{ A: 1, B: 'x', Bundle: { Code: 'a' } }],
    })
    expect(errors).toEqual([
      "- Categories[0].Products: Products('x') does not exist.",
      '- Categories[0].Nowhere: The navigation property has no target. Add an association set to the model.',
      "- Categories[1].Products: Expected an array of keys, not 'a'.",
      '- Categories[1].Parent: Expected one key, not an array.',
      "- Categories[2].Products: The key of the linked entity has no 'Code'. Did you mean 'code'?",
      "- Categories[2].Parent: 'one' is not a valid Edm.Int32. Expected a whole number from -2147483648 to 2147483647.",
      '- Categories[2].Symbol: 5 is not a key. Expected an object with A, B.',
      "- Symbols[0].Bundle: Products('a') is not a S.Bundle.",
    ])
  })

  it('MUST NOT contradict each other if an entity can have only one', () => {
    expect(
      errorsOf({
        Categories: [{ ID: 1, Products: ['a'] }, { ID: 2 }],
        Products: [{ Code: 'a', Category: 2 }],
      }),
    ).toEqual([
      "- Products[0].Category: Products('a') can have only one Category but is linked to Categories(2) and Categories(1).",
    ])
    const next = { A: 1, B: 'x' }
    expect(errorsOf({ Symbols: [next, { A: 2, B: 'x', Next: next }, { A: 3, B: 'x', Next: next }] })).toEqual(
      [
        "- Symbols[2].Next: Symbols(A=1,B='x') can have only one Before but is linked to Symbols(A=3,B='x') and Symbols(A=2,B='x').",
      ],
    )
  })

  it('MUST be removed with an entity, even if the model has no association set', async () => {
    const [before, next] = [
      { A: 1, B: 'x' },
      { A: 2, B: 'x' },
    ]
    const provider: Provider<EdmModel> = memoryProvider(model, {
      Symbols: [{ ...before, Next: next }, next],
    })
    expect(await behind(provider, 'Symbols', before, 'Next')).toEqual(['2x'])
    await provider.entitySets.Symbols?.delete?.(next, {}, call)
    await provider.entitySets.Symbols?.insert?.(next, call)
    expect(await behind(provider, 'Symbols', before, 'Next')).toEqual([])
  })

  it('MUST NOT contradict a foreign key', () => {
    expect(
      errorsOf({ Categories: [{ ID: 1 }, { ID: 2, ParentID: 1, Parent: 2 }, { ID: 3, Children: [2] }] }),
    ).toEqual([
      '- Categories[1].Parent: Categories(2) has the foreign key ParentID 1, which does not refer to Categories(2).',
      '- Categories[2].Children: Categories(2) has the foreign key ParentID 1, which does not refer to Categories(3).',
    ])
    expect(
      errorsOf({
        Categories: [{ ID: 1 }],
        Symbols: [
          { A: 1, B: 'x', CategoryID: 1 },
          { A: 2, B: 'x', CategoryID: 1 },
        ],
      }),
    ).toEqual([
      "- Symbols: Symbols(A=1,B='x') and Symbols(A=2,B='x') have the same CategoryID, but 'Symbol' is a single entity.",
    ])
  })
})
