import type { EdmModel, ODataV2Options } from '../../../lib/index.js'
import { defineModel, edm } from '../../../lib/index.js'

/** Products and categories with properties that are computed by expressions, or stored with the same values. */
export const productModel = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Category: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Code: edm.String(),
        IsNamed: edm.Boolean(),
      },
      navigationProperties: {
        Products: { relationship: 'ProductCategory', fromRole: 'Category', toRole: 'Product' },
      },
    },
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Size: edm.String(),
        Price: edm.Int32(),
        Quantity: edm.Int32(),
        CategoryID: edm.Int32(),
        Title: edm.String(),
        Total: edm.Int64(),
        IsLarge: edm.Boolean(),
        Origin: edm.String(),
      },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Product', toRole: 'Category' },
      },
    },
  },
  associations: {
    ProductCategory: {
      ends: {
        Category: { type: 'Category', multiplicity: '0..1' },
        Product: { type: 'Product', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Product', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Categories: { entityType: 'Category' } },
  },
})

/** The expressions of the computed properties. */
export const expressions = {
  Products: {
    Title: { expression: "concat(Name,concat(' ',Size))" },
    Total: { expression: 'Price mul Quantity' },
    IsLarge: { expression: 'Quantity gt 5 or Size eq null' },
    Origin: { expression: 'Category/Code' },
  },
  Categories: {
    Code: { expression: "toupper(concat(Name,'!'))" },
    IsNamed: { expression: 'Name ne null' },
  },
} satisfies ODataV2Options<unknown, typeof productModel>['computed']

type Cells = readonly (string | number | null)[]

const categoryCells: readonly Cells[] = [
  [1, 'Cheese'],
  [2, null],
  [3, 'Wine'],
]

/** ID, Name, Size, Price, Quantity, CategoryID */
const productCells: readonly Cells[] = [
  [1, 'Gouda', 'L', 12, 3, 1],
  [2, 'Brie', null, 5, 9, 1],
  [3, null, 'S', null, 6, 2],
  [4, 'Port', 'L', 30, null, 3],
  [5, 'Edam', 'M', 7, 7, null],
  [6, 'Edam', 'S', 12, 1, 1],
  [7, 'Soap', 'M', 2, 40, 2],
]

const rowsOf = (
  names: readonly string[],
  cells: readonly Cells[],
): Record<string, string | number | null>[] =>
  cells.map((one) => Object.fromEntries(names.map((name, index) => [name, one[index] ?? null])))

/** The rows without the computed properties. */
export const categories = rowsOf(['ID', 'Name'], categoryCells)
export const products = rowsOf(['ID', 'Name', 'Size', 'Price', 'Quantity', 'CategoryID'], productCells)

/** The rows with the values of the computed properties, calculated without the service. */
export const storedCategories = categories.map((row) => ({
  ...row,
  Code: row.Name === null ? null : `${String(row.Name).toUpperCase()}!`,
  IsNamed: row.Name !== null,
}))
export const storedProducts = products.map((row) => {
  const { Name, Size, Price, Quantity, CategoryID } = row
  return {
    ...row,
    Title: Name === null || Size === null ? null : `${String(Name)} ${String(Size)}`,
    Total: Price === null || Quantity === null ? null : Number(Price) * Number(Quantity),
    IsLarge: Number(Quantity ?? 0) > 5 || Size === null,
    Origin: storedCategories.find(({ ID }: Record<string, unknown>) => ID === CategoryID)?.Code ?? null,
  }
})

const sqlText = (value: string | number | null | undefined): string =>
  typeof value === 'string' ? `'${value}'` : String(value ?? null)

const insertsOf = (table: string, cells: readonly Cells[]): string =>
  `insert into "${table}" values ${cells.map((one) => `(${one.map(sqlText).join(', ')})`).join(', ')}`

/** Creates tables without columns for the computed properties. */
export const statements = [
  'create table "Categories" ("ID" integer primary key, "Name" text)',
  'create table "Products" ("ID" integer primary key, "Name" text, "Size" text, "Price" integer, "Quantity" integer, "CategoryID" integer)',
  insertsOf('Categories', categoryCells),
  insertsOf('Products', productCells),
]

export const anyModel = productModel as EdmModel
