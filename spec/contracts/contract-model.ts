import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'

const many = '*'
const optional = '0..1'

/**
 * The model of the provider contract: every simple type, keys of many types, a compound key, a complex property,
 * inheritance, media, and associations of every multiplicity with and without foreign key. Built anew at each call,
 * since a service and its provider may have been given two models.
 */
export function contractModel(): EdmModel {
  const model = defineModel({
    namespace: 'Depot',
    complexTypes: { Size: { properties: { W: edm.Double(), Unit: edm.String() } } },
    entityTypes: { ...catalogueTypes, ...otherTypes },
    associations: {
      CategoryTree: association(['Parent', 'Category', optional], ['Child', 'Category', many], {
        principal: { role: 'Parent', properties: ['ID'] },
        dependent: { role: 'Child', properties: ['ParentID'] },
      }),
      CategoryProducts: association(['Category', 'Category', optional], ['Product', 'Product', many], {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Product', properties: ['CategoryID'] },
      }),
      SupplierProducts: association(['Supplier', 'Supplier', optional], ['Product', 'Product', many], {
        principal: { role: 'Supplier', properties: ['Name'] },
        dependent: { role: 'Product', properties: ['SupplierName'] },
      }),
      ProductLines: association(['Product', 'Product', optional], ['Line', 'Line', many], {
        principal: { role: 'Product', properties: ['ID'] },
        dependent: { role: 'Line', properties: ['ProductID'] },
      }),
      ProductTags: association(['Product', 'Product', many], ['Tag', 'Tag', many]),
      PhotoProduct: association(['Photo', 'Photo', optional], ['Product', 'Product', optional]),
      Favourites: association(['Fan', 'Person', many], ['Product', 'Product', optional]),
    },
    entityContainer: {
      entitySets: {
        Categories: { entityType: 'Category' },
        Products: { entityType: 'Product' },
        Suppliers: { entityType: 'Supplier' },
        Lines: { entityType: 'Line' },
        Tags: { entityType: 'Tag' },
        Journal: { entityType: 'Note' },
        Parties: { entityType: 'Party' },
        Photos: { entityType: 'Photo' },
      },
      associationSets: {
        CategoryTree: associationSet('CategoryTree', { Parent: 'Categories', Child: 'Categories' }),
        CategoryProducts: associationSet('CategoryProducts', { Category: 'Categories', Product: 'Products' }),
        SupplierProducts: associationSet('SupplierProducts', { Supplier: 'Suppliers', Product: 'Products' }),
        ProductLines: associationSet('ProductLines', { Product: 'Products', Line: 'Lines' }),
        ProductTags: associationSet('ProductTags', { Product: 'Products', Tag: 'Tags' }),
        PhotoProduct: associationSet('PhotoProduct', { Photo: 'Photos', Product: 'Products' }),
        Favourites: associationSet('Favourites', { Fan: 'Parties', Product: 'Products' }),
      },
      functionImports: {
        Rated: {
          returnType: 'Collection(Product)',
          entitySet: 'Products',
          httpMethod: 'GET',
          parameters: { min: { type: 'Edm.Int16' } },
        },
        Best: { returnType: 'Product', entitySet: 'Products', httpMethod: 'GET' },
        Total: { returnType: 'Edm.Int32', httpMethod: 'GET' },
      },
    },
  })
  return model
}

const catalogueTypes = {
  Category: {
    key: ['ID'],
    properties: {
      ID: edm.Int32({ nullable: false }),
      Name: edm.String({ maxLength: 40 }),
      ParentID: edm.Int32(),
    },
    navigationProperties: {
      Parent: { relationship: 'CategoryTree', fromRole: 'Child', toRole: 'Parent' },
      Children: { relationship: 'CategoryTree', fromRole: 'Parent', toRole: 'Child' },
      Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
    },
  },
  Product: {
    key: ['ID'],
    properties: {
      ID: edm.Int64({ nullable: false }),
      Name: edm.String({ maxLength: 80 }),
      Price: edm.Decimal({ precision: 28, scale: 10 }),
      Stock: edm.Int64(),
      Rating: edm.Int16(),
      Grade: edm.SByte(),
      Shelf: edm.Byte(),
      Weight: edm.Double(),
      Discount: edm.Single(),
      Active: edm.Boolean(),
      Released: edm.DateTime(),
      Changed: edm.DateTimeOffset(),
      Opens: edm.Time(),
      Code: edm.Guid(),
      Pic: edm.Binary(),
      Dims: { type: 'Size', nullable: false },
      CategoryID: edm.Int32(),
      SupplierName: edm.String({ maxLength: 40 }),
    },
    navigationProperties: {
      Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
      Supplier: { relationship: 'SupplierProducts', fromRole: 'Product', toRole: 'Supplier' },
      Lines: { relationship: 'ProductLines', fromRole: 'Product', toRole: 'Line' },
      Tags: { relationship: 'ProductTags', fromRole: 'Product', toRole: 'Tag' },
      Photo: { relationship: 'PhotoProduct', fromRole: 'Product', toRole: 'Photo' },
    },
  },
  Supplier: {
    key: ['Name'],
    properties: { Name: edm.String({ nullable: false, maxLength: 40 }), City: edm.String() },
    navigationProperties: {
      Products: { relationship: 'SupplierProducts', fromRole: 'Supplier', toRole: 'Product' },
    },
  },
  Line: {
    key: ['Order', 'No'],
    properties: {
      Order: edm.Int32({ nullable: false }),
      No: edm.Int16({ nullable: false }),
      Amount: edm.Decimal({ precision: 10, scale: 2 }),
      ProductID: edm.Int64(),
    },
    navigationProperties: {
      Product: { relationship: 'ProductLines', fromRole: 'Line', toRole: 'Product' },
    },
  },
} as const

const otherTypes = {
  Tag: {
    key: ['Id'],
    properties: { Id: edm.Guid({ nullable: false }), Label: edm.String() },
    navigationProperties: {
      Products: { relationship: 'ProductTags', fromRole: 'Tag', toRole: 'Product' },
    },
  },
  Note: {
    key: ['At'],
    properties: { At: edm.DateTime({ nullable: false }), Text: edm.String() },
  },
  Party: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  Person: {
    baseType: 'Party',
    properties: { Age: edm.Int16() },
    navigationProperties: {
      Favourite: { relationship: 'Favourites', fromRole: 'Fan', toRole: 'Product' },
    },
  },
  Photo: {
    key: ['ID'],
    hasStream: true,
    properties: { ID: edm.Int32({ nullable: false }), Title: edm.String() },
    navigationProperties: {
      Product: { relationship: 'PhotoProduct', fromRole: 'Photo', toRole: 'Product' },
    },
  },
} as const

type End = readonly [role: string, type: string, multiplicity: typeof many | typeof optional]

interface Constraint {
  readonly principal: { readonly role: string; readonly properties: readonly string[] }
  readonly dependent: { readonly role: string; readonly properties: readonly string[] }
}

function association(first: End, second: End, referentialConstraint?: Constraint) {
  const ends = Object.fromEntries(
    [first, second].map(([role, type, multiplicity]) => [role, { type, multiplicity }]),
  )
  return referentialConstraint === undefined ? { ends } : { ends, referentialConstraint }
}

function associationSet(name: string, ends: Readonly<Record<string, string>>) {
  return { association: name, ends }
}
