import type { ComputedProperties, RowOf } from '../../lib/index.js'
import { computeFrom, defineModel, edm } from '../../lib/index.js'

export const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Price: edm.Double({ nullable: false }),
        Margin: edm.Double(),
        Title: edm.String({ nullable: false, computed: { expression: 'Name' } }),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

type Computed = ComputedProperties<typeof model>

/** Rows need no value for a computed property. */
export const row: RowOf<typeof model, 'Products'> = { ID: 1, Price: 2 }

export const right: Computed = {
  Products: {
    Name: { expression: 'Title' },
    Margin: computeFrom(['Price', 'ID'], ({ Price, ID }) => Price - ID),
  },
}
export const batch: Computed = {
  Products: { Margin: { needs: ['Price'], values: async (rows) => rows.map(({ Price }) => Price) } },
}

// @ts-expect-error -- the set is misspelt
export const wrongSet: Computed = { Product: {} }
// @ts-expect-error -- the property is misspelt
export const wrongName: Computed = { Products: { Nam: {} } }
// @ts-expect-error -- the needed property is misspelt
export const wrongNeed: Computed = { Products: { Margin: { needs: ['Pric'], value: () => 1 } } }
// @ts-expect-error -- the value is not a number
export const wrongValue: Computed = { Products: { Margin: { needs: ['Price'], value: () => 'x' } } }
// @ts-expect-error -- the row has no ID
export const wrongRow: Computed = { Products: { Margin: computeFrom(['Price'], (one) => one.ID) } }
