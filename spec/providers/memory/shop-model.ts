import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'

/** Creates a new instance of a model with every kind of key, link and type. */
export function shopModel(): EdmModel {
  const [many, optional] = ['*', '0..1'] as const
  const model = defineModel({
    namespace: 'Shop',
    complexTypes: { Size: { properties: { W: edm.Double(), Unit: edm.String() } } },
    entityTypes: {
      Category: {
        key: ['ID'],
        properties: { ID: edm.Int32(), Name: edm.String(), ParentID: edm.Int32() },
        navigationProperties: {
          Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
          Parent: { relationship: 'CategoryTree', fromRole: 'Child', toRole: 'Parent' },
          Children: { relationship: 'CategoryTree', fromRole: 'Parent', toRole: 'Child' },
        },
      },
      Product: {
        key: ['Code'],
        properties: {
          Code: edm.String(),
          Name: edm.String(),
          Price: edm.Decimal(),
          Stock: edm.Int64(),
          Weight: edm.Double(),
          Active: edm.Boolean(),
          Released: edm.DateTime(),
          Picture: edm.Binary(),
          Dims: { type: 'Size' },
        },
        navigationProperties: {
          Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
          Tags: { relationship: 'ProductTags', fromRole: 'Product', toRole: 'Tag' },
          Lines: { relationship: 'ProductLines', fromRole: 'Product', toRole: 'Line' },
        },
      },
      Tag: {
        key: ['T'],
        properties: { T: edm.Int64(), Name: edm.String() },
        navigationProperties: {
          Products: { relationship: 'ProductTags', fromRole: 'Tag', toRole: 'Product' },
        },
      },
      Line: {
        key: ['Order', 'No'],
        properties: {
          Order: edm.Int32(),
          No: edm.Int16(),
          ProductCode: edm.String(),
          Amount: edm.Single(),
          Opens: edm.Time(),
        },
        navigationProperties: {
          Product: { relationship: 'ProductLines', fromRole: 'Line', toRole: 'Product' },
        },
      },
      Party: { key: ['Id'], properties: { Id: edm.Guid(), Name: edm.String() } },
      Person: {
        baseType: 'Party',
        properties: { Age: edm.Int16() },
        navigationProperties: {
          Favourite: { relationship: 'Favourites', fromRole: 'Fan', toRole: 'Product' },
          Passport: { relationship: 'PersonPassport', fromRole: 'Holder', toRole: 'Passport' },
        },
      },
      Passport: {
        key: ['Issued'],
        properties: { Issued: edm.DateTime(), Country: edm.String() },
        navigationProperties: {
          Holder: { relationship: 'PersonPassport', fromRole: 'Passport', toRole: 'Holder' },
        },
      },
    },
    associations: {
      CategoryProducts: ends({ Category: ['Category', optional], Product: ['Product', many] }),
      CategoryTree: {
        ...ends({ Parent: ['Category', optional], Child: ['Category', many] }),
        referentialConstraint: {
          principal: { role: 'Parent', properties: ['ID'] },
          dependent: { role: 'Child', properties: ['ParentID'] },
        },
      },
      ProductTags: ends({ Product: ['Product', many], Tag: ['Tag', many] }),
      ProductLines: {
        ...ends({ Product: ['Product', optional], Line: ['Line', many] }),
        referentialConstraint: {
          principal: { role: 'Product', properties: ['Code'] },
          dependent: { role: 'Line', properties: ['ProductCode'] },
        },
      },
      Favourites: ends({ Fan: ['Person', many], Product: ['Product', optional] }),
      PersonPassport: ends({ Holder: ['Person', optional], Passport: ['Passport', optional] }),
    },
    entityContainer: {
      entitySets: {
        Categories: { entityType: 'Category' },
        Products: { entityType: 'Product' },
        Tags: { entityType: 'Tag' },
        Lines: { entityType: 'Line' },
        Parties: { entityType: 'Party' },
        Passports: { entityType: 'Passport' },
      },
      associationSets: {
        CategoryProducts: {
          association: 'CategoryProducts',
          ends: { Category: 'Categories', Product: 'Products' },
        },
        CategoryTree: { association: 'CategoryTree', ends: { Parent: 'Categories', Child: 'Categories' } },
        ProductTags: { association: 'ProductTags', ends: { Product: 'Products', Tag: 'Tags' } },
        ProductLines: { association: 'ProductLines', ends: { Product: 'Products', Line: 'Lines' } },
        Favourites: { association: 'Favourites', ends: { Fan: 'Parties', Product: 'Products' } },
        PersonPassport: { association: 'PersonPassport', ends: { Holder: 'Parties', Passport: 'Passports' } },
      },
    },
  })
  return model
}

type EndDefinition = readonly [type: string, multiplicity: '*' | '0..1']

function ends(roles: Record<string, EndDefinition>) {
  return {
    ends: Object.fromEntries(
      Object.entries(roles).map(([role, [type, multiplicity]]) => [role, { type, multiplicity }]),
    ),
  }
}
