import { defineModel, edm } from '../../../lib/edm/define-model.js'

/** Products of categories, with names in which case matters. */
export function cheeseModel() {
  return defineModel({
    namespace: 'Cheese',
    complexTypes: { Origin: { properties: { Country: edm.String() } } },
    entityTypes: {
      Product: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String(),
          Note: edm.String(),
          Origin: { type: 'Origin', nullable: false },
          CategoryID: edm.Int32(),
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
      associationSets: {
        ProductCategories: {
          association: 'ProductCategory',
          ends: { Category: 'Categories', Product: 'Products' },
        },
      },
      functionImports: {
        Fresh: {
          returnType: 'Collection(Product)',
          entitySet: 'Products',
          httpMethod: 'GET',
          parameters: {},
        },
      },
    },
  })
}

export const cheeses = {
  Categories: [
    { ID: 1, Name: 'Cheese' },
    { ID: 2, Name: 'Straßenfest' },
  ],
  Products: [
    { ID: 1, Name: 'Gouda', Note: 'aged', Origin: { Country: 'NL' }, CategoryID: 1 },
    { ID: 2, Name: 'gouda', Note: null, Origin: { Country: 'DE' }, CategoryID: 1 },
    { ID: 3, Name: 'Brie', Note: 'goes with GOUDA', Origin: { Country: 'FR' }, CategoryID: 1 },
    { ID: 4, Name: 'STRASSE 7', Note: '50% "off"', Origin: { Country: null }, CategoryID: 2 },
    { ID: 5, Name: 'Straße 7', Note: '', Origin: { Country: 'DE' }, CategoryID: null },
    { ID: 6, Name: null, Note: null, Origin: { Country: null }, CategoryID: 2 },
  ],
}
