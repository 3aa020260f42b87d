import type { EdmModel } from './edm-model.js'

/**
 * The types of rows, keys and new rows, inferred from the definition of a model. The rows of models from EDMX, which are
 * not known before run time, are records of unknown values.
 */

/**
 * The JavaScript values of the primitive types, as the service passes them to providers and hooks.
 *
 * @example const price: PrimitiveValues['Edm.Decimal'] = '12.50'
 */
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

/**
 * The JavaScript values that providers may return for the primitive types.
 *
 * @example const price: PrimitiveInputs['Edm.Decimal'] = 12.5 // or '12.50'
 */
export interface PrimitiveInputs extends Omit<PrimitiveValues, 'Edm.Int64' | 'Edm.Decimal'> {
  'Edm.Decimal': string | number
  'Edm.Int64': bigint | number | string
}

/** The definition of a model. */
export type DefinitionOf<Model> = Model extends EdmModel<infer Definition> ? Definition : never
/** False for models of `readEdmx`, whose definition is `unknown`. */
export type IsDefined<Definition> = unknown extends Definition ? false : true

export type Member<Thing, Name extends PropertyKey> = Thing extends { readonly [K in Name]: infer Value }
  ? Value
  : never

/** The schemas of a definition, including the one whose members are those of the definition itself. */
export type SchemasOf<Definition> =
  | (Definition extends { readonly schemas: readonly (infer Schema)[] } ? Schema : never)
  | (Definition extends { readonly namespace: string } ? Definition : never)

/** The members of one kind of all containers, by their names in URIs. */
type ContainerMembers<Schema, Kind extends 'entitySets' | 'functionImports'> =
  | Member<Member<Schema, 'entityContainer'>, Kind>
  | (Schema extends { readonly entityContainers: infer Containers }
      ? {
          [Name in keyof Containers]: Addressed<Containers, Name, Member<Containers[Name], Kind>>
        }[keyof Containers]
      : never)

/** Qualifies the names of members with the container, except in the default container. */
type Addressed<Containers, Container extends keyof Containers, Members> = [keyof Containers] extends [
  Container,
]
  ? Members
  : Containers[Container] extends { readonly default: true }
    ? Members
    : { readonly [Name in keyof Members as `${Container & string}.${Name & string}`]: Members[Name] }

type EntitySetsOf<Definition> = ContainerMembers<SchemasOf<Definition>, 'entitySets'>

type FunctionImportsOf<Definition> = ContainerMembers<SchemasOf<Definition>, 'functionImports'>

export type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never
type InUnion<Union, Name extends PropertyKey> = Union extends { readonly [K in Name]: infer Value }
  ? Value
  : never

/** Removes the namespace or alias from a name. */
export type Unqualified<Name> = Name extends `${string}.${infer Rest}` ? Unqualified<Rest> : Name

export type TypeNamed<
  Definition,
  Kind extends 'entityTypes' | 'complexTypes' | 'associations',
  Name,
> = InUnion<Member<SchemasOf<Definition>, Kind>, Unqualified<Name> & PropertyKey>

/**
 * The names of the entity sets of a model.
 *
 * @example type SetName = EntitySetName<typeof model> // 'Products' | 'Categories'
 */
export type EntitySetName<Model> =
  IsDefined<DefinitionOf<Model>> extends true
    ? KeysOfUnion<EntitySetsOf<DefinitionOf<Model>>> & string
    : string

type ValueOfKeys<Thing> = Thing extends unknown ? Thing[keyof Thing] : never

/** The names of properties, and the paths of the members of complex properties. */
type PropertyPaths<Definition, Properties> = Properties extends unknown
  ? {
      [Name in keyof Properties & string]: Properties[Name] extends { readonly type: infer Type }
        ? Type extends keyof PrimitiveValues
          ? Name
          : | Name
            | `${Name}/${PropertyPaths<Definition, Member<TypeNamed<Definition, 'complexTypes', Type>, 'properties'>> & string}`
        : Name
    }[keyof Properties & string]
  : never

type ColumnsOf<Definition, Types> =
  | PropertyPaths<Definition, Member<ValueOfKeys<Types>, 'properties'>>
  | (KeysOfUnion<Member<ValueOfKeys<Types>, 'navigationProperties'>> & string)

/** The names of the columns of a model: properties, members of complex properties, and navigation properties. */
export type ColumnName<Model> =
  IsDefined<DefinitionOf<Model>> extends true
    ? ColumnsOf<DefinitionOf<Model>, Member<SchemasOf<DefinitionOf<Model>>, 'entityTypes'>>
    : string

/** The definition of the type of an entity set. */
export type EntityTypeOf<Definition, SetName extends PropertyKey> = TypeNamed<
  Definition,
  'entityTypes',
  Member<InUnion<EntitySetsOf<Definition>, SetName>, 'entityType'>
>

type KeyNames<Definition, Type> = Type extends { readonly key: readonly (infer Name)[] }
  ? Name & string
  : Type extends { readonly baseType: infer Base }
    ? KeyNames<Definition, TypeNamed<Definition, 'entityTypes', Base>>
    : never

export type PropertiesOf<
  Definition,
  Type,
  Kind extends 'entityTypes' | 'complexTypes' = 'entityTypes',
> = Type extends { readonly baseType: infer Base }
  ? PropertiesOf<Definition, TypeNamed<Definition, Kind, Base>, Kind> & OwnProperties<Type>
  : OwnProperties<Type>

type OwnProperties<Type> = Type extends { readonly properties: infer Properties } ? Properties : unknown

/**
 * The values of a property, except null. {@link ValueOf} and {@link Nullable} do not depend on the entity type, so that
 * the compiler reuses the result for equal properties of large models.
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

/** A conditional type, so that editors show its members instead of its name. */
type Structure<Definition, Properties, Keys, Values> = [Properties] extends [never]
  ? never
  : {
      -readonly [Name in keyof Properties]: Name extends Keys
        ? ValueOf<Definition, Properties[Name], Values>
        : Nullable<Definition, Properties[Name], Values>
    }

/** True for properties that new rows may omit: they are nullable, generated, or have a default value. */
type IsOptional<Property> = Property extends { readonly nullable: false }
  ? Property extends
      | { readonly defaultValue: string }
      | { readonly computedDefaultValue: true }
      | { readonly storeGeneratedPattern: 'Identity' | 'Computed' }
      | { readonly computed: object }
    ? true
    : false
  : true

/** True for key properties that new rows may omit. */
type IsGenerated<Property> = Property extends
  | { readonly defaultValue: string }
  | { readonly computedDefaultValue: true }
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

/** The names of the properties that rows may omit because they are nullable or computed. */
type NullableNames<Properties, Keys> = {
  [Name in keyof Properties]: Name extends Keys
    ? never
    : Properties[Name] extends { readonly nullable: false; readonly computed?: never }
      ? never
      : Name
}[keyof Properties]

type InsertStructure<Definition, Properties, Keys, Values> = Flatten<
  Needed<Definition, Properties, Keys, OptionalNames<Properties, Keys>, Values> & {
    -readonly [Name in OptionalNames<Properties, Keys>]?: Name extends Keys
      ? ValueOf<Definition, Properties[Name], Values>
      : Nullable<Definition, Properties[Name], Values>
  }
>

type GivenStructure<Definition, Properties, Keys> = Members<
  Needed<Definition, Properties, Keys, NullableNames<Properties, Keys>, PrimitiveInputs> & {
    -readonly [Name in NullableNames<Properties, Keys>]?:
      ValueOf<Definition, Properties[Name], PrimitiveInputs> | null | undefined
  }
>

/** The required members. */
type Needed<Definition, Properties, Keys, Optional, Values> = {
  -readonly [Name in Exclude<keyof Properties, Optional>]: Name extends Keys
    ? ValueOf<Definition, Properties[Name], Values>
    : Nullable<Definition, Properties[Name], Values>
}

type KeyStructure<Definition, Properties, Keys> = {
  [Name in Keys & keyof Properties]: ValueOf<Definition, Properties[Name], PrimitiveValues>
}

type EntityOfType<Definition, Type> = Structure<
  Definition,
  PropertiesOf<Definition, Type>,
  KeyNames<Definition, Type>,
  PrimitiveValues
>
type RowOfType<Definition, Type> = GivenStructure<
  Definition,
  PropertiesOf<Definition, Type>,
  KeyNames<Definition, Type>
>
type KeyOfType<Definition, Type> = KeyStructure<
  Definition,
  PropertiesOf<Definition, Type>,
  KeyNames<Definition, Type>
>
type InsertOfType<Definition, Type, Values> = InsertStructure<
  Definition,
  PropertiesOf<Definition, Type>,
  KeyNames<Definition, Type>,
  Values
>

type Flatten<T> = { [Name in keyof T]: T[Name] }

/** Flattens by a conditional type, so that editors show the members instead of the intersected types. */
type Members<T> = T extends infer All ? { [Name in keyof All]: All[Name] } : never

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
      : EntityOfType<Definition, EntityTypeOf<Definition, SetName>>
    : never

/**
 * The rows of an entity set as a provider may return them: nullable members may be omitted, and Edm.Int64 and
 * Edm.Decimal may be numbers.
 *
 * @example const rows: RowOf<typeof model, 'Products'>[] = [{ ID: 1, Price: 12.5 }]
 */
export type RowOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : RowOfType<Definition, EntityTypeOf<Definition, SetName>>
    : never

/**
 * The keys of an entity set: objects with the key properties.
 *
 * @example type ProductKey = KeyOf<typeof model, 'Products'> // { ID: number }
 */
export type KeyOf<Model, SetName extends EntitySetName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : KeyOfType<Definition, EntityTypeOf<Definition, SetName>>
    : never

/**
 * A new row of an entity set. Nullable and generated properties and those with a default value may be omitted.
 *
 * @typeParam Values the types of values; by default those that applications may use. `insert` of a provider is called
 * with {@link PrimitiveValues}.
 * @example type NewProduct = InsertOf<typeof model, 'Products'>
 */
export type InsertOf<Model, SetName extends EntitySetName<Model>, Values = PrimitiveInputs> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : InsertOfType<Definition, EntityTypeOf<Definition, SetName>, Values>
    : never

/**
 * The names of the function imports of a model.
 *
 * @example type Name = FunctionName<typeof model> // 'Cheapest' | 'ByName'
 */
export type FunctionName<Model> =
  IsDefined<DefinitionOf<Model>> extends true
    ? KeysOfUnion<FunctionImportsOf<DefinitionOf<Model>>> & string
    : string

/**
 * The parameters of the handler of a function import.
 *
 * @example type Parameters = FunctionParameters<typeof model, 'ByName'> // { name: string | null }
 */
export type FunctionParameters<Model, Name extends FunctionName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? Readonly<UntypedRow>
      : ParametersOf<Definition, Member<InUnion<FunctionImportsOf<Definition>, Name>, 'parameters'>>
    : never

type ParametersOf<Definition, Parameters> = [Parameters] extends [never]
  ? Readonly<Record<never, unknown>>
  : Members<{ readonly [Name in keyof Parameters]: Nullable<Definition, Parameters[Name], PrimitiveValues> }>

/**
 * The result of a function handler: a value, a row, or an array of them.
 *
 * @example type Result = FunctionResult<typeof model, 'Cheapest'> // a row of 'Products'
 */
export type FunctionResult<Model, Name extends FunctionName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? unknown
      : ResultOf<Definition, Member<InUnion<FunctionImportsOf<Definition>, Name>, 'returnType'>>
    : never

type ResultOf<Definition, Type> = [Type] extends [never]
  ? unknown
  : Type extends `Collection(${infer Item})`
    ? readonly ResultItem<Definition, Item>[]
    : ResultItem<Definition, Type> | undefined | void

type ResultItem<Definition, Name> = Name extends keyof PrimitiveInputs
  ? PrimitiveInputs[Name] | null
  : [TypeNamed<Definition, 'entityTypes', Name>] extends [never]
    ? GivenStructure<Definition, ComplexMembers<Definition, Name>, never> | null
    : RowOfType<Definition, TypeNamed<Definition, 'entityTypes', Name>> | null

type ComplexMembers<Definition, Name> = PropertiesOf<
  Definition,
  TypeNamed<Definition, 'complexTypes', Name>,
  'complexTypes'
>
