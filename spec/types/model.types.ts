/**
 * Checks the types of models, rows and keys. Nothing here runs: `tsc -p tsconfig.json` is the test. A line that is
 * marked as an error but compiles is an error itself.
 */
import type { EntityOf, EntitySetName, InsertOf, KeyOf } from '../../lib/index.js'
import { defineModel, edm, readEdmx } from '../../lib/index.js'

/** True for two types that are the same, not merely assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const yes = <Claim extends true>(_claim?: Claim): void => undefined

const ID = edm.Int32({ nullable: false })

const shop = defineModel({
  namespace: 'Shop',
  complexTypes: {
    Size: {
      properties: { W: edm.Double(), Unit: edm.String({ nullable: false }), Box: { type: 'Shop.Box' } },
    },
    Box: { baseType: 'Base', properties: { Depth: edm.Int16() } },
    Base: { properties: { Width: edm.Int32({ nullable: false }) } },
  },
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String({ nullable: false, maxLength: 80 }),
        Price: edm.Decimal({ precision: 10, scale: 2 }),
        Stock: edm.Int64({ nullable: false }),
        Released: edm.DateTime(),
        Pic: edm.Binary(),
        Code: edm.Guid({ nullable: false }),
        Active: edm.Boolean({ nullable: false, defaultValue: 'true' }),
        Version: edm.Int32({ nullable: false, storeGeneratedPattern: 'Computed' }),
        Dims: { type: 'Size' },
      },
    },
    Line: {
      key: ['Order', 'Row'],
      properties: { Order: edm.String({ nullable: false }), Row: edm.Int16(), Text: edm.String() },
    },
    Party: { key: ['ID'], properties: { ID, Name: edm.String() } },
    Person: { baseType: 'Shop.Party', properties: { Born: edm.DateTimeOffset({ nullable: false }) } },
  },
  entityContainer: {
    entitySets: {
      Products: { entityType: 'Product' },
      Lines: { entityType: 'Shop.Line' },
      People: { entityType: 'Person' },
    },
  },
})

type Shop = typeof shop
type Product = EntityOf<Shop, 'Products'>
type Line = EntityOf<Shop, 'Lines'>

// The names of the sets are those of the model.
yes<Same<EntitySetName<Shop>, 'Products' | 'Lines' | 'People'>>()
// @ts-expect-error: the set is called Products
export type Misspelt = EntityOf<Shop, 'Product'>

// Every simple type has its JavaScript type; what is nullable can be null.
yes<Same<Product['ID'], number>>()
yes<Same<Product['Name'], string>>()
yes<Same<Product['Price'], string | null>>()
yes<Same<Product['Stock'], bigint>>()
yes<Same<Product['Released'], Date | string | null>>()
yes<Same<Product['Pic'], Uint8Array | null>>()
yes<Same<Product['Code'], string>>()
yes<Same<Product['Active'], boolean>>()
yes<Same<Line['Row'], number>>()
yes<Same<Line['Text'], string | null>>()

// Complex properties are objects, however deep.
export const unit = (product: Product): string | undefined => product.Dims?.Unit
export const depth = (product: Product): number | null | undefined => product.Dims?.Box?.Depth
// @ts-expect-error: the member is called Unit
export const noUnit = (product: Product): unknown => product.Dims?.Units
// @ts-expect-error: there is no such property
export const color = (product: Product): unknown => product.Color

// Derived types have the properties and the key of their base type.
yes<Same<EntityOf<Shop, 'People'>, { ID: number; Name: string | null; Born: Date | string }>>()
yes<Same<KeyOf<Shop, 'People'>, { ID: number }>>()

// Keys are objects with the key properties alone.
yes<Same<KeyOf<Shop, 'Products'>, { ID: number }>>()
yes<Same<KeyOf<Shop, 'Lines'>, { Order: string; Row: number }>>()
export const key: KeyOf<Shop, 'Lines'> = { Order: 'A', Row: 1 }
// @ts-expect-error: a compound key needs all of its parts
export const halfKey: KeyOf<Shop, 'Lines'> = { Order: 'A' }

// A new row may omit values that are nullable, have a default, or are generated. Numbers may have any unambiguous form.
export const inserts: InsertOf<Shop, 'Products'>[] = [
  { Name: 'Gouda', Stock: 5, Code: 'c' },
  { ID: 1, Name: 'Gouda', Stock: 5n, Code: 'c', Price: 2.5, Released: new Date(), Dims: null },
  { Name: 'Gouda', Stock: '5', Code: 'c', Price: '2.50', Dims: { W: 1, Unit: 'cm', Box: null } },
]
// @ts-expect-error: Name is needed
export const noName: InsertOf<Shop, 'Products'> = { Stock: 5, Code: 'c' }
// @ts-expect-error: Name is not nullable
export const nullName: InsertOf<Shop, 'Products'> = { Name: null, Stock: 5, Code: 'c' }
// @ts-expect-error: a text key is not generated
export const noTextKey: InsertOf<Shop, 'Lines'> = { Row: 1 }

// A model in several schemas and containers.
export const split = defineModel({
  schemas: [
    { namespace: 'A', entityTypes: { T: { key: ['ID'], properties: { ID } } } },
    {
      namespace: 'B.C',
      entityContainers: {
        Main: { default: true, entitySets: { Ts: { entityType: 'A.T' } } },
        Old: { entitySets: { OldTs: { entityType: 'A.T' } } },
      },
    },
  ],
})
yes<Same<EntityOf<typeof split, 'Ts'>, { ID: number }>>()
// Members of other containers than the default one are addressed with their container.
yes<Same<EntitySetName<typeof split>, 'Ts' | 'Old.OldTs'>>()
yes<Same<EntityOf<typeof split, 'Old.OldTs'>, { ID: number }>>()

// Models from EDMX have no static types.
export const read = readEdmx('')
yes<Same<EntitySetName<typeof read>, string>>()
yes<Same<EntityOf<typeof read, 'Anything'>, Record<string, unknown>>>()
yes<Same<KeyOf<typeof read, 'Anything'>, Record<string, unknown>>>()
yes<Same<InsertOf<typeof read, 'Anything'>, Record<string, unknown>>>()

// A definition in a constant of its own retains its types with `as const`.
const definition = {
  namespace: 'S',
  entityTypes: { T: { key: ['ID'], properties: { ID: { type: 'Edm.Int32', nullable: false } } } },
  entityContainer: { entitySets: { Ts: { entityType: 'T' } } },
} as const
export const fromConstant = defineModel(definition)
yes<Same<EntityOf<typeof fromConstant, 'Ts'>, { ID: number }>>()

// Slips in a definition.
export const slips = [
  // @ts-expect-error: the facet is called maxLength
  () => edm.String({ maxLenght: 5 }),
  // @ts-expect-error: a length is a number
  () => edm.String({ maxLength: '5' }),
  // @ts-expect-error: there is no such simple type
  () => edm.Int128(),
  // @ts-expect-error: Fixed is written with a capital letter
  () => edm.Int32({ concurrencyMode: 'fixed' }),
  // @ts-expect-error: there is no such multiplicity
  () => defineModel({ associations: { A: { ends: { X: { type: 'T', multiplicity: '1..n' } } } } }),
  // @ts-expect-error: a key is a list
  () => defineModel({ entityTypes: { T: { key: 'ID' } } }),
  // @ts-expect-error: a property has a type
  () => defineModel({ entityTypes: { T: { properties: { ID: { nullable: false } } } } }),
  // @ts-expect-error: there is no such method for functions
  () => defineModel({ entityContainer: { functionImports: { F: { httpMethod: 'PUT' } } } }),
]

// A model is read-only.
export const change = (): void => {
  // @ts-expect-error: models do not change
  shop.defaultContainer.name = 'Other'
  // @ts-expect-error: nor do their lists
  shop.schemas.push()
}

// Names that a definition refers to are checked where they are written.
export const names = defineModel({
  namespace: 'Names',
  alias: 'N',
  entityTypes: {
    // @ts-expect-error -- the property is named ID
    Wrong: { key: ['Id'], properties: { ID } },
    Category: {
      key: ['ID'],
      properties: { ID },
      navigationProperties: {
        Products: { relationship: 'N.CategoryProducts', fromRole: 'Category', toRole: 'Products' },
        // @ts-expect-error -- there is no such association
        Misspelt: { relationship: 'CategoryProduct', fromRole: 'Category', toRole: 'Products' },
        // @ts-expect-error -- there is no such role
        WrongRole: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Product' },
      },
    },
    Product: { key: ['ID'], properties: { ID, CategoryID: edm.Int32() } },
    // @ts-expect-error -- there is no such entity type
    Derived: { baseType: 'Produkt' },
  },
  associations: {
    CategoryProducts: {
      ends: {
        Category: { type: 'Names.Category', multiplicity: '1' },
        Products: { type: 'Product', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        // @ts-expect-error -- the role is named Products
        dependent: { role: 'Product', properties: ['CategoryID'] },
      },
    },
    Wrong: {
      ends: {
        // @ts-expect-error -- there is no such entity type
        A: { type: 'Categori', multiplicity: '1' },
        B: { type: 'Product', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Products: { entityType: 'Names.Product' },
      // @ts-expect-error -- there is no such entity type
      Categories: { entityType: 'Categori' },
    },
    associationSets: {
      // @ts-expect-error -- there is no such association
      All: { association: 'CategoryProduct', ends: { Category: 'Categories', Products: 'Products' } },
    },
    // @ts-expect-error -- there is no such entity set
    functionImports: { Top: { returnType: 'Collection(Names.Product)', entitySet: 'Product' } },
  },
})

defineModel({
  namespace: 'Names',
  complexTypes: { Size: { properties: { Width: edm.Int32() } } },
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID,
        Size: { type: 'Names.Size' },
        // @ts-expect-error -- there is no such complex type
        Box: { type: 'Siz' },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' } },
    functionImports: {
      All: { returnType: 'Collection(Product)', entitySet: 'Products' },
      Largest: { returnType: 'Size' },
      Count: { returnType: 'Edm.Int32' },
      // @ts-expect-error -- there is no such type
      One: { returnType: 'Prodct' },
      // @ts-expect-error -- there is no such type
      Many: { returnType: 'Collection(Prodct)', entitySet: 'Products' },
    },
  },
})

// Names that are only known at run time are checked there.
const named = (name: string) =>
  defineModel({
    namespace: 'Late',
    entityTypes: { Thing: { key: [name], properties: { ID } } },
    entityContainer: { entitySets: { Things: { entityType: name } } },
  })
named('ID')
