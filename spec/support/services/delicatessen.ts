import type { AccessRights, LanguageTexts, ODataV2Options, Operation } from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError } from '../../../lib/index.js'
import type { Mount } from '../hosts.js'

/** Products with labels, computed properties and names in which case matters, and the staff that sells them. */
const delicatessenModel = defineModel({
  namespace: 'Deli',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ sap: { label: 'Product' } }),
        Size: edm.String(),
        Price: edm.Decimal({ precision: 9, scale: 2 }),
        Cost: edm.Decimal({ precision: 9, scale: 2 }),
        Made: edm.DateTime({ precision: 0, sap: { label: 'Made on', displayFormat: 'Date' } }),
        CategoryID: edm.Int32(),
        Title: edm.String(),
        Margin: edm.Decimal({ precision: 9, scale: 2 }),
        Stock: edm.Int32(),
        Remark: edm.String(),
      },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Product', toRole: 'Category' },
      },
    },
    Category: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: {
        Products: { relationship: 'ProductCategory', fromRole: 'Category', toRole: 'Product' },
      },
    },
    Person: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Grade: edm.String(),
        Salary: edm.Int32(),
        BossID: edm.Int32(),
      },
      navigationProperties: {
        Boss: { relationship: 'Hierarchy', fromRole: 'Report', toRole: 'Boss' },
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
    Hierarchy: {
      ends: {
        Boss: { type: 'Person', multiplicity: '0..1' },
        Report: { type: 'Person', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Boss', properties: ['ID'] },
        dependent: { role: 'Report', properties: ['BossID'] },
      },
    },
  },
  entityContainer: {
    name: 'Shop',
    entitySets: {
      Products: { entityType: 'Product' },
      Categories: { entityType: 'Category' },
      Staff: { entityType: 'Person', sap: { searchable: false } },
    },
    associationSets: {
      ProductCategories: {
        association: 'ProductCategory',
        ends: { Category: 'Categories', Product: 'Products' },
      },
      Hierarchy: { association: 'Hierarchy', ends: { Boss: 'Staff', Report: 'Staff' } },
    },
    functionImports: {
      Fresh: { returnType: 'Collection(Product)', entitySet: 'Products', httpMethod: 'GET' },
      Order: { returnType: 'Product', entitySet: 'Products', httpMethod: 'POST' },
    },
  },
})

const products = [
  { ID: 1, Name: 'Gouda', Size: 'L', Price: '12.50', Cost: '8.00', CategoryID: 1 },
  { ID: 2, Name: 'gouda', Size: 'S', Price: '9', Cost: null, CategoryID: 1 },
  { ID: 3, Name: 'Aged Gouda cheese', Size: 'XL', Price: '20.5', Cost: '11.25', CategoryID: 1 },
  { ID: 4, Name: 'Straße 7', Size: null, Price: '-5.00', Cost: null, CategoryID: 2 },
  { ID: 5, Name: '=1+1', Size: '', Price: null, Cost: null, CategoryID: null },
].map((product) => ({ ...product, Made: product.ID === 1 ? new Date('2024-02-29') : null }))

const staff = [
  { ID: 1, Name: 'Ada', Grade: 'A', Salary: 4711, BossID: null },
  { ID: 2, Name: 'Bob', Grade: 'B', Salary: 3500, BossID: 1 },
]

const german: LanguageTexts = {
  labels: {
    'Deli.Product': 'Produkt',
    'Deli.Product/Name': { label: 'Bezeichnung', quickinfo: 'Name des Produkts' },
    'Deli.Product/Made': 'Hergestellt am',
    'Shop/Products': 'Produkte',
  },
  messages: { ResourceNotFound: 'Nicht gefunden.', Conflict: (error) => `Konflikt: ${error.message}` },
}

type Amount = string | number | bigint | null

function marginOf(price: Amount, cost: Amount): string | null {
  if (price === null || cost === null) return null
  return String(Math.round(Number(price) * 100 - Number(cost) * 100) / 100)
}

const delicatessenOptions: ODataV2Options<unknown, typeof delicatessenModel> = {
  search: { Products: ['Name', 'Title', 'Category/Name'] },
  exports: true,
  languages: { default: 'en', texts: { de: german } },
  computed: {
    Products: {
      Title: { expression: "concat(Name,concat(' ',Size))" },
      Margin: {
        needs: ['Price', 'Cost'],
        value: ({ Price, Cost }) => marginOf(Price ?? null, Cost ?? null),
      },
      Stock: { needs: ['ID'], values: (rows) => Promise.resolve(rows.map(({ ID }) => Number(ID) * 10)) },
      Remark: {},
    },
  },
}

/** Mounts the service in any host. */
export function delicatessenIn(mount: Mount, options: ODataV2Options = {}): ReturnType<Mount> {
  const data = {
    Products: products,
    Categories: [
      { ID: 1, Name: 'Cheese' },
      { ID: 2, Name: 'Pastries' },
    ],
    Staff: staff,
  }
  const provider = memoryProvider(delicatessenModel, data, {
    functions: {
      Fresh: () => products.slice(0, 3),
      Order: () => {
        throw new ODataError('Conflict', { message: 'Gouda is sold out.' })
      },
    },
  })
  return mount(delicatessenModel, provider, { ...delicatessenOptions, ...options } as ODataV2Options)
}

/** The rights of a clerk, who must not know what others earn. */
export function restrictClerk({ entitySet }: Operation): AccessRights | undefined {
  if (entitySet === 'Staff') return { hidden: ['Salary', 'Boss'], readonly: ['Grade'] }
  return entitySet === 'Products' ? { hidden: ['Cost', 'Category'] } : undefined
}
