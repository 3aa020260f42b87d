import { defineModel, edm } from '../../lib/index.js'

/** Products, which are deleted together with their category. */
export const deltaModel = defineModel({
  namespace: 'NW',
  entityTypes: {
    Category: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: {
        Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
      },
    },
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Price: edm.Decimal({ precision: 12, scale: 2 }),
        Owner: edm.String(),
        Changed: edm.DateTime({ precision: 3 }),
        Photo: edm.Binary(),
        CategoryID: edm.Int32(),
      },
      navigationProperties: {
        Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
      },
    },
  },
  associations: {
    CategoryProducts: {
      ends: {
        Category: { type: 'Category', multiplicity: '0..1', onDelete: 'Cascade' },
        Product: { type: 'Product', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Product', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Categories: { entityType: 'Category' }, Products: { entityType: 'Product' } },
    associationSets: {
      CategoryProductsSet: {
        association: 'CategoryProducts',
        ends: { Category: 'Categories', Product: 'Products' },
      },
    },
    functionImports: {
      Cheap: { returnType: 'Collection(Product)', entitySet: 'Products', httpMethod: 'GET' },
    },
  },
})

/** Five products with the prices 10 to 50, in two categories. */
export const deltaData = {
  Categories: [
    { ID: 1, Name: 'Cheese' },
    { ID: 2, Name: 'Wine' },
  ],
  Products: [1, 2, 3, 4, 5].map((ID) => ({
    ID,
    Name: `N${String(ID)}`,
    Price: String(ID * 10),
    Owner: ID % 2 === 0 ? 'ann' : 'bob',
    CategoryID: ID < 4 ? 1 : 2,
  })),
}
