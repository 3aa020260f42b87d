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

/** A kind of members of all containers, by the names with which they are addressed. */
type ContainerMembers<Schema, Kind extends 'entitySets' | 'functionImports'> =
  | Member<Member<Schema, 'entityContainer'>, Kind>
  | (Schema extends { readonly entityContainers: infer Containers }
      ? {
          [Name in keyof Containers]: Addressed<Containers, Name, Member<Containers[Name], Kind>>
        }[keyof Containers]
      : never)

/** The name of a member of a container. Outside of the default container it starts with the container's name. */
type Addressed<Containers, Container extends keyof Containers, Members> = [keyof Containers] extends [
  Container,
]
  ? Members
  : Containers[Container] extends { readonly default: true }
    ? Members
    : { readonly [Name in keyof Members as `${Container & string}.${Name & string}`]: Members[Name] }

type EntitySetsOf<Definition> = ContainerMembers<SchemasOf<Definition>, 'entitySets'>

type FunctionImportsOf<Definition> = ContainerMembers<SchemasOf<Definition>, 'functionImports'>

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

/** A conditional type, so that editors show the members instead of this name with its arguments. */
type Structure<Definition, Properties, Keys, Values> = [Properties] extends [never]
  ? never
  : {
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

type InsertStructure<Definition, Properties, Keys, Values> = Flatten<
  Needed<Definition, Properties, Keys, OptionalNames<Properties, Keys>, Values> & {
    -readonly [Name in OptionalNames<Properties, Keys>]?: Name extends Keys
      ? ValueOf<Definition, Properties[Name], Values>
      : Nullable<Definition, Properties[Name], Values>
  }
>

type GivenStructure<Definition, Properties, Keys> = Shown<
  Needed<Definition, Properties, Keys, NullableNames<Properties, Keys>, PrimitiveInputs> & {
    -readonly [Name in NullableNames<Properties, Keys>]?:
      ValueOf<Definition, Properties[Name], PrimitiveInputs> | null | undefined
  }
>

/** The members that cannot be missing. */
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

/** The same as a conditional type: editors show its members, not the types that it is computed from. */
type Shown<T> = T extends infer Members ? { [Name in keyof Members]: Members[Name] } : never

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
 * The rows of an entity set as a provider may give them: what is null can be left out, and numbers may be written the
 * easy way.
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
 * The key of an entity set: an object with the key properties alone.
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
 * A new row of an entity set: what can be null, has a default or is generated may be missing.
 *
 * @typeParam Values default: what an application may write, numbers the easy way. `insert` of a provider is called with
 * checked values, which are {@link PrimitiveValues}.
 * @example type NewProduct = InsertOf<typeof model, 'Products'>
 */
export type InsertOf<Model, SetName extends EntitySetName<Model>, Values = PrimitiveInputs> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? UntypedRow
      : InsertOfType<Definition, EntityTypeOf<Definition, SetName>, Values>
    : never

/** Names of the function imports of a model. */
export type FunctionName<Model> =
  IsDefined<DefinitionOf<Model>> extends true
    ? KeysOfUnion<FunctionImportsOf<DefinitionOf<Model>>> & string
    : string

/** The parameters that the handler of a function import is called with. */
export type FunctionParameters<Model, Name extends FunctionName<Model>> =
  Model extends EdmModel<infer Definition>
    ? unknown extends Definition
      ? Readonly<UntypedRow>
      : ParametersOf<Definition, Member<InUnion<FunctionImportsOf<Definition>, Name>, 'parameters'>>
    : never

type ParametersOf<Definition, Parameters> = [Parameters] extends [never]
  ? Readonly<Record<never, unknown>>
  : Shown<{ readonly [Name in keyof Parameters]: Nullable<Definition, Parameters[Name], PrimitiveValues> }>

/** The result of a function handler: a value, a row, or an array of them. */
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
