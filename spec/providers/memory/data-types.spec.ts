import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'

const model = defineModel({
  namespace: 'T',
  entityTypes: {
    Product: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32(), Name: edm.String({ nullable: false }), Price: edm.Decimal() },
      navigationProperties: {
        Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
      },
    },
    Bundle: { baseType: 'Product', properties: { Size: edm.Byte() } },
    Category: {
      key: ['ID'],
      properties: { ID: edm.Int32() },
      navigationProperties: {
        Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
      },
    },
  },
  associations: {
    CategoryProducts: {
      ends: {
        Category: { type: 'Category', multiplicity: '0..1' },
        Product: { type: 'Product', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Categories: { entityType: 'Category' } },
    functionImports: { Count: { returnType: 'Edm.Int32' } },
  },
})

interface Caller {
  readonly userId: number
}

describe('The types of memoryProvider', () => {
  it('MUST infer the rows of a model that is defined in code', () => {
    const provider: Provider<typeof model, Caller> = memoryProvider(model, {
      Categories: [{ ID: 1, Products: [{ ID: 1 }, 2] }],
      Products: [
        { ID: 1, Name: 'a', Price: 2.5, $media: { contentType: 'text/plain', bytes: new Uint8Array() } },
        { ID: 2, Name: 'b', Price: null },
        { ID: 3, Name: 'c', Category: { ID: 1 } },
        { $type: 'T.Bundle', ID: 4, Name: 'd', Size: 3 },
      ],
    })
    expect(Object.keys(provider.entitySets)).toEqual(['Products', 'Categories'])
  })

  it('MUST report errors at the misspelled name', () => {
    // @ts-expect-error there is no set 'Product'
    expect(() => memoryProvider(model, { Product: [] })).toThrow(TypeError)
    // @ts-expect-error there is no property 'Nmae'
    expect(() => memoryProvider(model, { Products: [{ ID: 1, Name: 'a', Nmae: 'b' }] })).toThrow(TypeError)
    // @ts-expect-error a name is a string
    expect(() => memoryProvider(model, { Products: [{ ID: 1, Name: 1 }] })).toThrow(TypeError)
    // @ts-expect-error there is no option 'function'
    expect(() => memoryProvider(model, {}, { function: {} })).toThrow(TypeError)
  })

  it('MUST infer the type of the context from handlers, or accept any', () => {
    const Count = (_: unknown, caller: Caller) => caller.userId
    const provider: Provider<typeof model, Caller> = memoryProvider(model, {}, { functions: { Count } })
    const forAnyone: Provider<typeof model, Caller> = memoryProvider(model)
    expect([provider.functions, forAnyone.functions]).toEqual([{ Count }, undefined])
  })

  it('MUST accept any rows for a model without static types', () => {
    interface Product {
      ID: number
      Name: string
    }
    const rows: Product[] = [{ ID: 1, Name: 'a' }]
    const data: Record<string, readonly Record<string, unknown>[]> = { Products: [{ ID: 1 }] }
    const untyped: EdmModel = model
    const providers: Provider<EdmModel, Caller>[] = [
      memoryProvider(untyped, { Products: rows }),
      memoryProvider(untyped, data),
      memoryProvider(untyped),
    ]
    expect(providers).toHaveLength(3)
  })
})
