import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EntitySet } from '../../lib/edm/edm-model.js'
import type { BindingScope } from '../../lib/query/bind-path.js'

/**
 * A model without data in which every statement on addresses, keys and expressions can be made: all simple types,
 * nested complex types, links of every kind, inheritance, media, functions of every kind of result, a second
 * container, and names that are also words of the expression grammar.
 */
export const protocolModel = defineModel({
  schemas: [
    {
      namespace: 'NW',
      entityTypes: {
        Category: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Name: edm.String({ nullable: false, maxLength: 40 }),
            Note: edm.String(),
            Rank: edm.Int16(),
          },
          navigationProperties: {
            Products: { relationship: 'ProductCategory', fromRole: 'Category', toRole: 'Products' },
            Parent: { relationship: 'CategoryTree', fromRole: 'Child', toRole: 'Parent' },
          },
        },
        Product: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Name: edm.String({ maxLength: 80 }),
            Price: edm.Decimal({ precision: 10, scale: 2 }),
            Stock: edm.Int64(),
            Rating: edm.Int16(),
            Small: edm.Byte(),
            Tiny: edm.SByte(),
            Weight: edm.Double(),
            Discount: edm.Single(),
            Active: edm.Boolean(),
            Released: edm.DateTime({ precision: 3 }),
            Changed: edm.DateTimeOffset(),
            Opens: edm.Time(),
            Code: edm.Guid(),
            Pic: edm.Binary(),
            Items: edm.Int32(),
            Dims: { type: 'Size' },
          },
          navigationProperties: {
            Category: { relationship: 'ProductCategory', fromRole: 'Products', toRole: 'Category' },
            Successor: { relationship: 'ProductSuccession', fromRole: 'Old', toRole: 'New' },
          },
        },
        Line: {
          key: ['Order', 'No'],
          properties: {
            Order: edm.Int32({ nullable: false }),
            No: edm.Int16({ nullable: false }),
            Text: edm.String(),
          },
        },
        Party: {
          key: ['ID'],
          properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
          navigationProperties: {
            Boss: { relationship: 'PartyBoss', fromRole: 'Staff', toRole: 'Boss' },
          },
        },
        Person: {
          baseType: 'Party',
          properties: { Email: edm.String(), Born: edm.DateTime() },
          navigationProperties: {
            Portrait: { relationship: 'PersonPortrait', fromRole: 'Person', toRole: 'Portrait' },
          },
        },
        Photo: {
          key: ['ID'],
          hasStream: true,
          properties: { ID: edm.Int32({ nullable: false }), Title: edm.String() },
        },
        File: {
          key: ['path'],
          hasStream: true,
          properties: { path: edm.String({ nullable: false, maxLength: 1024 }), size: edm.Int32() },
          navigationProperties: {
            Files: { relationship: 'Directory', fromRole: 'Parent', toRole: 'Child' },
            Parent: { relationship: 'Directory', fromRole: 'Child', toRole: 'Parent' },
          },
        },
        Word: {
          key: ['Date'],
          properties: {
            Date: edm.Int32({ nullable: false }),
            eq: edm.Int32(),
            add: edm.Int32(),
            not: edm.Boolean(),
            and: edm.Boolean(),
            desc: edm.Int32(),
            datetime: edm.Int32(),
            nullable: edm.Int32(),
            INFO: edm.Int32(),
          },
        },
      },
      complexTypes: {
        Size: { properties: { W: edm.Double(), Unit: edm.String(), Box: { type: 'Box' } } },
        Box: { properties: { Depth: edm.Int32() } },
      },
      associations: {
        ProductCategory: {
          ends: {
            Category: { type: 'Category', multiplicity: '0..1' },
            Products: { type: 'Product', multiplicity: '*' },
          },
        },
        ProductSuccession: {
          ends: {
            Old: { type: 'Product', multiplicity: '*' },
            New: { type: 'Product', multiplicity: '0..1' },
          },
        },
        CategoryTree: {
          ends: {
            Parent: { type: 'Category', multiplicity: '0..1' },
            Child: { type: 'Category', multiplicity: '*' },
          },
        },
        PartyBoss: {
          ends: { Boss: { type: 'Party', multiplicity: '1' }, Staff: { type: 'Party', multiplicity: '*' } },
        },
        PersonPortrait: {
          ends: {
            Person: { type: 'Person', multiplicity: '*' },
            Portrait: { type: 'Photo', multiplicity: '0..1' },
          },
        },
        Directory: {
          ends: {
            Parent: { type: 'File', multiplicity: '0..1' },
            Child: { type: 'File', multiplicity: '*' },
          },
        },
      },
      entityContainers: {
        C: {
          default: true,
          entitySets: {
            Categories: { entityType: 'Category' },
            Products: { entityType: 'Product' },
            Lines: { entityType: 'Line' },
            Parties: { entityType: 'Party' },
            Photos: { entityType: 'Photo' },
            Files: { entityType: 'File' },
            Words: { entityType: 'Word' },
          },
          associationSets: {
            ProductCategories: {
              association: 'ProductCategory',
              ends: { Category: 'Categories', Products: 'Products' },
            },
            ProductSuccessions: {
              association: 'ProductSuccession',
              ends: { Old: 'Products', New: 'Products' },
            },
            CategoryTrees: {
              association: 'CategoryTree',
              ends: { Parent: 'Categories', Child: 'Categories' },
            },
            PartyBosses: { association: 'PartyBoss', ends: { Boss: 'Parties', Staff: 'Parties' } },
            PersonPortraits: {
              association: 'PersonPortrait',
              ends: { Person: 'Parties', Portrait: 'Photos' },
            },
            Directories: { association: 'Directory', ends: { Parent: 'Files', Child: 'Files' } },
          },
          functionImports: {
            ByRating: {
              returnType: 'Collection(NW.Product)',
              entitySet: 'Products',
              parameters: { min: { type: 'Edm.Int16' } },
            },
            Best: { returnType: 'NW.Product', entitySet: 'Products' },
            Total: { returnType: 'Edm.Int32' },
            Largest: { returnType: 'NW.Size' },
            Sizes: { returnType: 'Collection(NW.Size)' },
            Names: { returnType: 'Collection(Edm.String)' },
            Raise: { httpMethod: 'POST', parameters: { pct: { type: 'Edm.Double', nullable: false } } },
            Search: {
              returnType: 'Edm.String',
              parameters: { text: { type: 'Edm.String' }, exact: { type: 'Edm.Boolean' } },
            },
          },
        },
        Archive: {
          entitySets: { Old: { entityType: 'Photo' } },
          functionImports: { Clean: {} },
        },
      },
    },
  ],
})

/** An entity set of the default container. */
export function setNamed(name: string): EntitySet {
  const set = protocolModel.defaultContainer.entitySet(name)
  if (set === undefined) throw new Error(`The model has no set '${name}'.`)
  return set
}

/** Returns the scope in which names of expressions on the entities of a set are resolved. */
export function scopeOf(name: string): BindingScope {
  const entitySet = setNamed(name)
  return { model: protocolModel, entitySet, entityType: entitySet.entityType }
}
