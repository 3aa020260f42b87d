import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'

/** Every simple type, keys of several kinds, ETags, a complex property, and links in all directions. */
export function valueModel(): EdmModel {
  return defineModel({
    namespace: 'R',
    complexTypes: {
      Place: {
        properties: { Town: edm.String(), Height: edm.Double(), Spot: { type: 'Spot', nullable: false } },
      },
      Spot: { properties: { No: edm.Int16() } },
    },
    entityTypes: {
      Thing: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Text: edm.String(),
          Flag: edm.Boolean(),
          Byte: edm.Byte(),
          Small: edm.SByte(),
          Short: edm.Int16(),
          Whole: edm.Int32(),
          Long: edm.Int64(),
          Amount: edm.Decimal({ precision: 30, scale: 10 }),
          Double: edm.Double(),
          Single: edm.Single(),
          Code: edm.Guid(),
          Day: edm.DateTime(),
          Milli: edm.DateTime({ precision: 3 }),
          Second: edm.DateTime({ precision: 0 }),
          Zoned: edm.DateTimeOffset(),
          Clock: edm.Time(),
          Place: { type: 'Place', nullable: false },
          Version: edm.Int64({ concurrencyMode: 'Fixed' }),
          OwnerName: edm.String(),
          OwnerNo: edm.Byte(),
        },
        navigationProperties: {
          Owner: { relationship: 'ThingOwner', fromRole: 'Thing', toRole: 'Owner' },
          Tags: { relationship: 'ThingTags', fromRole: 'Thing', toRole: 'Tag' },
        },
      },
      Owner: {
        key: ['Name', 'No'],
        properties: {
          Name: edm.String({ nullable: false }),
          No: edm.Byte({ nullable: false }),
          Note: edm.String({ concurrencyMode: 'Fixed' }),
        },
        navigationProperties: {
          Things: { relationship: 'ThingOwner', fromRole: 'Owner', toRole: 'Thing' },
        },
      },
      Tag: {
        key: ['Code'],
        properties: { Code: edm.Guid({ nullable: false }), Word: edm.String() },
        navigationProperties: {
          Things: { relationship: 'ThingTags', fromRole: 'Tag', toRole: 'Thing' },
        },
      },
    },
    associations: {
      ThingOwner: {
        ends: {
          Owner: { type: 'Owner', multiplicity: '0..1' },
          Thing: { type: 'Thing', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Owner', properties: ['Name', 'No'] },
          dependent: { role: 'Thing', properties: ['OwnerName', 'OwnerNo'] },
        },
      },
      ThingTags: {
        ends: {
          Thing: { type: 'Thing', multiplicity: '*' },
          Tag: { type: 'Tag', multiplicity: '*' },
        },
      },
    },
    entityContainer: {
      entitySets: {
        Things: { entityType: 'Thing' },
        Owners: { entityType: 'Owner' },
        Tags: { entityType: 'Tag' },
      },
      associationSets: {
        ThingOwner: { association: 'ThingOwner', ends: { Owner: 'Owners', Thing: 'Things' } },
        ThingTags: { association: 'ThingTags', ends: { Thing: 'Things', Tag: 'Tags' } },
      },
    },
  })
}
