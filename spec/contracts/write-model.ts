import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { writeAssociations } from './write-associations.js'

/**
 * The model of the write contract. What a provider under test must be given:
 *
 * - The rows of `write-data.ts`, in sets that are else empty. Keys made by the store come after them.
 * - A table for each entity set. Complex values are never null; `Samples.Place.At` is a complex value in another.
 * - Foreign keys for the associations with a referential constraint. A row that others refer to cannot be deleted
 *   when the foreign key may not be null; it takes them along where the principal end says `onDelete: 'Cascade'`
 *   (OrderLines, LineRemarks), and else leaves the foreign key null (CategoryTree, CategoryProducts).
 * - A table with the keys of both ends for each association without one. Deleting an entity deletes its links.
 * - Integer and Guid keys are made when they are missing, the parts of compound keys excepted.
 * - `Counters.Version` is raised by the store at every change, and begins at any number.
 * - Parties are of two types, and photos have media resources, unless the provider declines that.
 *
 * Built anew at each call, since a service and its provider may have been given two models.
 */
export function writeModel(): EdmModel {
  const model = defineModel({
    namespace: 'Works',
    complexTypes: {
      Point: { properties: { X: edm.Double(), Y: edm.Double() } },
      Place: { properties: { Street: edm.String(), At: { type: 'Point', nullable: false } } },
      Size: { properties: { W: edm.Double(), Unit: edm.String({ defaultValue: 'cm' }) } },
    },
    entityTypes: { ...valueTypes, ...catalogueTypes, ...dependentTypes, ...otherTypes },
    ...writeAssociations,
  })
  return model
}

const generated = { ID: edm.Int32({ nullable: false }) }

const valueTypes = {
  Sample: {
    key: ['ID'],
    properties: {
      ...generated,
      Flag: edm.Boolean(),
      Tiny: edm.Byte(),
      Signed: edm.SByte(),
      Small: edm.Int16(),
      Whole: edm.Int32(),
      Large: edm.Int64(),
      Exact: edm.Decimal({ precision: 29, scale: 10 }),
      Money: edm.Decimal({ precision: 6, scale: 2 }),
      Real: edm.Double(),
      Rough: edm.Single(),
      Moment: edm.DateTime(),
      Instant: edm.DateTimeOffset(),
      Clock: edm.Time(),
      Code: edm.Guid(),
      Bytes: edm.Binary(),
      Text: edm.String(),
      Short: edm.String({ maxLength: 8 }),
      Ascii: edm.String({ unicode: false, maxLength: 8 }),
      Place: { type: 'Place', nullable: false },
    },
  },
  Form: {
    key: ['ID'],
    properties: {
      ...generated,
      Title: edm.String({ nullable: false }),
      Note: edm.String(),
      Color: edm.String({ defaultValue: 'red' }),
      Count: edm.Int32({ nullable: false, defaultValue: '7' }),
      Price: edm.Decimal({ precision: 10, scale: 2, defaultValue: '1.50' }),
      Active: edm.Boolean({ nullable: false, defaultValue: 'true' }),
      Size: { type: 'Size', nullable: false },
    },
  },
  Counter: {
    key: ['ID'],
    properties: {
      ...generated,
      Name: edm.String(),
      Value: edm.Int32({ nullable: false }),
      Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
    },
  },
  Reading: {
    key: ['At', 'Sensor', 'Channel'],
    properties: {
      At: edm.DateTime({ nullable: false }),
      Sensor: edm.Guid({ nullable: false }),
      Channel: edm.Int64({ nullable: false }),
      Value: edm.Decimal({ precision: 29, scale: 10 }),
    },
  },
  Coupon: {
    key: ['ID'],
    properties: { ID: edm.Int64({ nullable: false }), Text: edm.String() },
  },
} as const

const catalogueTypes = {
  Category: {
    key: ['ID'],
    properties: { ...generated, Name: edm.String({ maxLength: 40 }), ParentID: edm.Int32() },
    navigationProperties: {
      Parent: { relationship: 'CategoryTree', fromRole: 'Child', toRole: 'Parent' },
      Children: { relationship: 'CategoryTree', fromRole: 'Parent', toRole: 'Child' },
      Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
    },
  },
  Product: {
    key: ['ID'],
    properties: { ...generated, Name: edm.String({ maxLength: 40 }), CategoryID: edm.Int32() },
    navigationProperties: {
      Category: { relationship: 'CategoryProducts', fromRole: 'Product', toRole: 'Category' },
      Tags: { relationship: 'ProductTags', fromRole: 'Product', toRole: 'Tag' },
      Parts: { relationship: 'ProductParts', fromRole: 'Whole', toRole: 'Part' },
      Wholes: { relationship: 'ProductParts', fromRole: 'Part', toRole: 'Whole' },
      Cover: { relationship: 'ProductCover', fromRole: 'Product', toRole: 'Cover' },
    },
  },
  Tag: {
    key: ['ID'],
    properties: { ID: edm.Guid({ nullable: false }), Label: edm.String() },
    navigationProperties: {
      Products: { relationship: 'ProductTags', fromRole: 'Tag', toRole: 'Product' },
    },
  },
  Cover: {
    key: ['Name'],
    properties: { Name: edm.String({ nullable: false, maxLength: 40 }), Sheets: edm.Int16() },
    navigationProperties: {
      Product: { relationship: 'ProductCover', fromRole: 'Cover', toRole: 'Product' },
    },
  },
} as const

const dependentTypes = {
  Order: {
    key: ['ID'],
    properties: { ...generated, Customer: edm.String() },
    navigationProperties: {
      Lines: { relationship: 'OrderLines', fromRole: 'Order', toRole: 'Line' },
    },
  },
  Line: {
    key: ['OrderID', 'No'],
    properties: {
      OrderID: edm.Int32({ nullable: false }),
      No: edm.Int16({ nullable: false }),
      Text: edm.String(),
    },
    navigationProperties: {
      Order: { relationship: 'OrderLines', fromRole: 'Line', toRole: 'Order' },
      Remarks: { relationship: 'LineRemarks', fromRole: 'Line', toRole: 'Remark' },
    },
  },
  Remark: {
    key: ['ID'],
    properties: {
      ...generated,
      Text: edm.String(),
      OrderID: edm.Int32({ nullable: false }),
      LineNo: edm.Int16({ nullable: false }),
    },
    navigationProperties: {
      Line: { relationship: 'LineRemarks', fromRole: 'Remark', toRole: 'Line' },
    },
  },
  Warehouse: {
    key: ['ID'],
    properties: { ...generated, City: edm.String() },
    navigationProperties: {
      Bins: { relationship: 'WarehouseBins', fromRole: 'Warehouse', toRole: 'Bin' },
    },
  },
  Bin: {
    key: ['ID'],
    properties: { ...generated, Label: edm.String(), WarehouseID: edm.Int32({ nullable: false }) },
    navigationProperties: {
      Warehouse: { relationship: 'WarehouseBins', fromRole: 'Bin', toRole: 'Warehouse' },
    },
  },
  Worker: {
    key: ['ID'],
    properties: { ...generated, Name: edm.String() },
    navigationProperties: {
      Badge: { relationship: 'WorkerBadge', fromRole: 'Worker', toRole: 'Badge' },
    },
  },
  Badge: {
    key: ['ID'],
    properties: { ...generated, Color: edm.String(), WorkerID: edm.Int32({ nullable: false }) },
    navigationProperties: {
      Worker: { relationship: 'WorkerBadge', fromRole: 'Badge', toRole: 'Worker' },
    },
  },
} as const

const otherTypes = {
  Party: {
    key: ['ID'],
    properties: { ...generated, Name: edm.String() },
  },
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
    properties: { ...generated, Title: edm.String() },
  },
} as const
