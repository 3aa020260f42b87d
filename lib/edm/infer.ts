import type { EdmModel } from './edm-model.js'

/**
 * Types of rows, keys and new rows, read from the literal that a model was defined with. For a model that was
 * read from EDMX nothing is known before run time: rows are then records of unknown values.
 */

/** The JavaScript values of the simple types, as providers and hooks are given them. */
export interface PrimitiveValues {
  'Edm.Binary': Uint8Array
  'Edm.Boolean': boolean
  'Edm.Byte': number
  'Edm.DateTime': Date | string
  'Edm.DateTimeOffset': Date | string
  'Edm.Decimal': string
  'Edm.Double': number
  'Edm.Guid': string
  'Edm.Int16': number
  'Edm.Int32': number
  'Edm.Int64': bigint
  'Edm.SByte': number
  'Edm.Single': number
  'Edm.String': string
  'Edm.Time': string
}

/** What may be given instead, where the meaning is clear. */
export interface PrimitiveInputs extends Omit<PrimitiveValues, 'Edm.Int64' | 'Edm.Decimal'> {
  'Edm.Decimal': string | number
  'Edm.Int64': bigint | number | string
}

/** The literal that a model was defined with. */
export type DefinitionOf<Model> = Model extends EdmModel<infer Definition> ? Definition : never
/** False for a model without a literal: `unknown` is what `readEdmx` knows. */
type IsDefined<Definition> = unknown extends Definition ? false : true

type Member<Thing, Name extends PropertyKey> = Thing extends { readonly [K in Name]: infer Value }
  ? Value
  : never

/** The schemas of a definition: those listed and the one whose members stand in the definition itself. */
type SchemasOf<Definition> =
  | (Definition extends { readonly schemas: readonly (infer Schema)[] } ? Schema : never)
  | (Definition extends { readonly namespace: string } ? Definition : never)

type ContainersOf<Schema> =
  | Member<Schema, 'entityContainer'>
  | (Schema extends { readonly entityContainers: infer Containers } ? Containers[keyof Containers] : never)

type EntitySetsOf<Definition> = Member<ContainersOf<SchemasOf<Definition>>, 'entitySets'>

type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never
type InUnion<Union, Name extends PropertyKey> = Union extends { readonly [K in Name]: infer Value }
  ? Value
  : never

/** The name behind the last dot: references may be qualified. */
type Unqualified<Name> = Name extends `${string}.${infer Rest}` ? Unqualified<Rest> : Name

type TypeNamed<Definition, Kind extends 'entityTypes' | 'complexTypes', Name> = InUnion<
  Member<SchemasOf<Definition>, Kind>,
  Unqualified<Name> & PropertyKey
>

/** Names of the entity sets of a model. */
export type EntitySetName<Model> =
  IsDefined<DefinitionOf<Model>> extends true
    ? KeysOfUnion<EntitySetsOf<DefinitionOf<Model>>> & string
    : string

type EntityTypeOf<Definition, SetName extends PropertyKey> = TypeNamed<
  Definition,
  'entityTypes',
  Member<InUnion<EntitySetsOf<Definition>, SetName>, 'entityType'>
>

type KeyNames<Definition, Type> = Type extends { readonly key: readonly (infer Name)[] }
  ? Name & string
  : Type extends { readonly baseType: infer Base }
    ? KeyNames<Definition, TypeNamed<Definition, 'entityTypes', Base>>
    : never

type PropertiesOf<
  Definition,
  Type,
  Kind extends 'entityTypes' | 'complexTypes' = 'entityTypes',
> = Type extends { readonly baseType: infer Base }
  ? PropertiesOf<Definition, TypeNamed<Definition, Kind, Base>, Kind> & OwnProperties<Type>
  : OwnProperties<Type>

type OwnProperties<Type> = Type extends { readonly properties: infer Properties } ? Properties : unknown

/**
 * The values of a property, null left out. Nothing here and in {@link Nullable} depends on the entity type: what the
 * compiler finds for one property holds for all that are written alike, which is why large models are cheap.
 */
type ValueOf<Definition, Property, Values> = Property extends { readonly type: infer Name }
  ? Name extends keyof Values
    ? Values[Name]
    : ComplexValue<Definition, TypeNamed<Definition, 'complexTypes', Name>, Values>
  : never

type ComplexValue<Definition, Type, Values> = Type extends { readonly properties: unknown }
  ? Structure<Definition, PropertiesOf<Definition, Type, 'complexTypes'>, never, Values>
  : never

type Nullable<Definition, Property, Values> = Property extends { readonly nullable: false }
  ? ValueOf<Definition, Property, Values>
  : ValueOf<Definition, Property, Values> | null

type Structure<Definition, Properties, Keys, Values> = {
  -readonly [Name in keyof Properties]: Name extends Keys
    ? ValueOf<Definition, Properties[Name], Values>
    : Nullable<Definition, Properties[Name], Values>
}

/** Properties a new row may leave out: they are null, have a default, or are made by the store. */
type IsOptional<Property> = Property extends { readonly nullable: false }
  ? Property extends
      { readonly defaultValue: string } | { readonly storeGeneratedPattern: 'Identity' | 'Computed' }
    ? true
    : false
  : true

/** The same for properties of the key. */
type IsGenerated<Property> = Property extends
  | { readonly defaultValue: string }
  | { readonly storeGeneratedPattern: 'Identity' | 'Computed' }
  | { readonly type: 'Edm.Int16' | 'Edm.Int32' | 'Edm.Int64' | 'Edm.Guid' }
  ? true
  : false

type OptionalNames<Properties, Keys> = {
  [Name in keyof Properties]: (
    Name extends Keys ? IsGenerated<Properties[Name]> : IsOptional<Properties[Name]>
  ) extends true
    ? Name
    : never
}[keyof Properties]

/** Null may be written by leaving a member out. */
type NullableNames<Properties, Keys> = {
  [Name in keyof Properties]: Name extends Keys
    ? never
    : Properties[Name] extends { readonly nullable: false }
      ? never
      : Name
}[keyof Properties]

type InsertStructure<Definition, Properties, Keys> = Flatten<
  Needed<Definition, Properties, Keys, OptionalNames<Properties, Keys>> & {
    -readonly [Name in OptionalNames<Properties, Keys>]?: Name extends Keys
      ? ValueOf<Definition, Properties[Name], PrimitiveInputs>
      : Nullable<Definition, Properties[Name], PrimitiveInputs>
  }
>

type GivenStructure<Definition, Properties, Keys> = Flatten<
  Needed<Definition, Properties, Keys, NullableNames<Properties, Keys>> & {
    -readonly [Name in NullableNames<Properties, Keys>]?:
      ValueOf<Definition, Properties[Name], PrimitiveInputs> | null | undefined
  }
>

/** The members that cannot be missing. */
type Needed<Definition, Properties, Keys, Optional> = {
  -readonly [Name in Exclude<keyof Properties, Optional>]: Name extends Keys
    ? ValueOf<Definition, Properties[Name], PrimitiveInputs>
    : Nullable<Definition, Properties[Name], PrimitiveInputs>
}

type KeyStructure<Definition, Properties, Keys> = {
  [Name in Keys & keyof Properties]: ValueOf<Definition, Properties[Name], PrimitiveValues>
}

type EntityStructure<Definition, Properties, Keys> = Flatten<
  Structure<Definition, Properties, Keys, PrimitiveValues>
>

type Flatten<T> = { [K in keyof T]: T[K] }

type UntypedRow = Record<string, unknown>

/**
 * The rows of an entity set.
 *
 * @example type Product = EntityOf<typeof model, 'Products'>
 */
export type EntityOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : EntityStructure<
          Definition,
          PropertiesOf<Definition, EntityTypeOf<Definition, SetName>>,
          KeyNames<Definition, EntityTypeOf<Definition, SetName>>
        >
    : never

/**
 * The rows of an entity set as a provider may give them: what is null can be left out, and numbers may be written the
 * easy way.
 *
 * @example const rows: RowOf<typeof model, 'Products'>[] = [{ ID: 1, Price: 12.5 }]
 */
export type RowOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : GivenStructure<
          Definition,
          PropertiesOf<Definition, EntityTypeOf<Definition, SetName>>,
          KeyNames<Definition, EntityTypeOf<Definition, SetName>>
        >
    : never

/**
 * The key of an entity set: an object with the key properties alone.
 *
 * @example type ProductKey = KeyOf<typeof model, 'Products'> // { ID: number }
 */
export type KeyOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : KeyStructure<
          Definition,
          PropertiesOf<Definition, EntityTypeOf<Definition, SetName>>,
          KeyNames<Definition, EntityTypeOf<Definition, SetName>>
        >
    : never

/**
 * A new row of an entity set: what can be null, has a default or is generated may be missing, and numbers may be
 * written the easy way.
 *
 * @example type NewProduct = InsertOf<typeof model, 'Products'>
 */
export type InsertOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : InsertStructure<
          Definition,
          PropertiesOf<Definition, EntityTypeOf<Definition, SetName>>,
          KeyNames<Definition, EntityTypeOf<Definition, SetName>>
        >
    : never
