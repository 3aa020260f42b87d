import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'

/**
 * A model for comparing databases: all simple types, members of complex properties, and to-one navigation properties
 * over foreign keys of this side and of the other, and over a link table.
 */
export function alikeModel(): EdmModel {
  return defineModel({
    namespace: 'NW',
    complexTypes: {
      Size: { properties: { W: edm.Double(), Unit: edm.String(), Box: { type: 'Box', nullable: false } } },
      Box: { properties: { Depth: edm.Int32() } },
    },
    entityTypes: {
      Category: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String({ nullable: false }),
          Note: edm.String(),
          Rank: edm.Int16(),
          ParentID: edm.Int32(),
        },
        navigationProperties: {
          Parent: { relationship: 'CategoryTree', fromRole: 'Child', toRole: 'Parent' },
          Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
        },
      },
      Product: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String(),
          Price: edm.Decimal({ precision: 28, scale: 10 }),
          Stock: edm.Int64(),
          Rating: edm.Int16(),
          Small: edm.Byte(),
          Tiny: edm.SByte(),
          Weight: edm.Double(),
          Discount: edm.Single(),
          Active: edm.Boolean(),
          Released: edm.DateTime(),
          Changed: edm.DateTimeOffset(),
          Opens: edm.Time(),
          Code: edm.Guid(),
          Pic: edm.Binary(),
          Items: edm.Int32(),
          Dims: { type: 'Size', nullable: false },
          CategoryID: edm.Int32(),
        },
        navigationProperties: {
          Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
          Successor: { relationship: 'Succession', fromRole: 'Old', toRole: 'New' },
          Manual: { relationship: 'ProductManual', fromRole: 'Product', toRole: 'Manual' },
        },
      },
      Manual: {
        key: ['Title', 'Edition'],
        properties: {
          Title: edm.String({ nullable: false }),
          Edition: edm.Byte({ nullable: false }),
          Pages: edm.Int32(),
          ProductID: edm.Int32(),
        },
        navigationProperties: {
          Product: { relationship: 'ProductManual', fromRole: 'Manual', toRole: 'Product' },
        },
      },
    },
    associations: {
      CategoryTree: {
        ends: {
          Parent: { type: 'Category', multiplicity: '0..1' },
          Child: { type: 'Category', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Parent', properties: ['ID'] },
          dependent: { role: 'Child', properties: ['ParentID'] },
        },
      },
      CategoryProducts: {
        ends: {
          Category: { type: 'Category', multiplicity: '0..1' },
          Product: { type: 'Product', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Category', properties: ['ID'] },
          dependent: { role: 'Product', properties: ['CategoryID'] },
        },
      },
      Succession: {
        ends: {
          Old: { type: 'Product', multiplicity: '*' },
          New: { type: 'Product', multiplicity: '0..1' },
        },
      },
      ProductManual: {
        ends: {
          Product: { type: 'Product', multiplicity: '0..1' },
          Manual: { type: 'Manual', multiplicity: '0..1' },
        },
        referentialConstraint: {
          principal: { role: 'Product', properties: ['ID'] },
          dependent: { role: 'Manual', properties: ['ProductID'] },
        },
      },
    },
    entityContainer: {
      entitySets: {
        Categories: { entityType: 'Category' },
        Products: { entityType: 'Product' },
        Manuals: { entityType: 'Manual' },
      },
      associationSets: {
        CategoryTree: {
          association: 'CategoryTree',
          ends: { Parent: 'Categories', Child: 'Categories' },
        },
        CategoryProducts: {
          association: 'CategoryProducts',
          ends: { Category: 'Categories', Product: 'Products' },
        },
        Succession: { association: 'Succession', ends: { Old: 'Products', New: 'Products' } },
        ProductManual: { association: 'ProductManual', ends: { Product: 'Products', Manual: 'Manuals' } },
      },
    },
  })
}
