import { buildModel } from './build/build-model.js'
import { checkDefinition } from './build/check-definition.js'
import { ModelErrors } from './build/model-error.js'
import type { EdmModel } from './edm-model.js'
import type {
  Facets,
  ModelDefinition,
  AnnotatedDefinition,
  AssociationEndDefinition,
  AssociationSetDefinition,
  ConstraintRoleDefinition,
  EntityTypeDefinition,
  FunctionImportDefinition,
  PropertyDefinition,
} from './model-definition.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypeNames } from './primitive-types/primitive-type-name.js'
import type { SapFacets } from './sap-facets.js'
import type { AggregationMethod } from './measure-option.js'
import type { KeysOfUnion, Unqualified } from './infer.js'

/**
 * Creates a model from a definition, from which the types of rows and keys are inferred.
 *
 * @param definition the members of one schema, or `schemas` for several
 * @returns the frozen model, like that of {@link readEdmx}
 * @throws ModelError with all errors of the definition, and suggestions for misspelt names
 * @example
 * const model = defineModel({
 *   namespace: 'Shop',
 *   entityTypes: {
 *     Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
 *   },
 *   entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
 * })
 * type Product = EntityOf<typeof model, 'Products'> // { ID: number; Name: string | null }
 * @spec MC-CSDL 2.1
 */
export function defineModel<const Definition extends ModelDefinition & CheckedDefinition<Definition>>(
  definition: Definition,
): EdmModel<Definition> {
  const errors = new ModelErrors()
  if (!checkDefinition(definition, errors)) errors.check()
  return buildModel(definition, errors) as EdmModel<Definition>
}

type ShortName<Name extends PrimitiveTypeName> = Name extends `Edm.${infer Short}` ? Short : never

type PropertyBuilder<Name extends PrimitiveTypeName> = <const F extends Facets = Record<never, never>>(
  facets?: F & WithKnownSapFacets<F>,
) => { readonly type: Name } & F

/** Rejects misspelt names of annotations. */
type WithKnownSapFacets<F> = F extends { readonly sap: infer Sap }
  ? { readonly sap: { readonly [Name in keyof Sap]: Name extends keyof SapFacets ? SapFacets[Name] : never } }
  : unknown

/**
 * Functions that define properties of the primitive types, with their facets.
 *
 * @example edm.String({ maxLength: 40 }) // { type: 'Edm.String', maxLength: 40 }
 * @spec MC-CSDL 2.1.3 (Property) and 2.2.1 (simple types)
 */
export const edm = Object.freeze(
  Object.fromEntries(
    primitiveTypeNames.map((type) => [type.slice('Edm.'.length), (facets?: Facets) => ({ ...facets, type })]),
  ),
) as { readonly [Name in PrimitiveTypeName as ShortName<Name>]: PropertyBuilder<Name> }

/**
 * The constraint of `defineModel` on a definition: references must be names of the definition, so that the compiler
 * reports misspelt ones. It does not check names of type `string` and definitions with several schemas.
 */
interface CheckedDefinition<Definition> {
  readonly entityTypes?: Checked<
    Definition,
    {
      readonly [Type in keyof Members<Definition, 'entityTypes'>]: CheckedType<
        Definition,
        Members<Definition, 'entityTypes'>[Type]
      >
    }
  >
  readonly associations?: Checked<
    Definition,
    {
      readonly [Name in keyof Members<Definition, 'associations'>]: CheckedAssociation<
        Definition,
        Members<Definition, 'associations'>[Name]
      >
    }
  >
  readonly entityContainer?: Checked<
    Definition,
    CheckedContainer<Definition, Members<Definition, 'entityContainer'>>
  >
}

type Checked<Definition, Names> = Definition extends
  { readonly schemas: unknown } | { readonly usings: unknown }
  ? unknown
  : Names

/** The members of one kind by name. Members of type `never` may have any name. */
type Members<Owner, Kind extends PropertyKey> = Kind extends keyof Owner
  ? [Owner[Kind]] extends [never]
    ? Record<string, unknown>
    : NonNullable<Owner[Kind]>
  : Record<never, never>

type NamesOf<Owner, Kind extends PropertyKey> = KeysOfUnion<Members<Owner, Kind>> & string

/** A reference: a name, optionally qualified by the namespace or its alias. */
type Reference<Definition, Kind extends PropertyKey> =
  NamesOf<Definition, Kind> | `${PrefixOf<Definition>}.${NamesOf<Definition, Kind>}`

type PrefixOf<Definition> = StringMember<Definition, 'namespace'> | StringMember<Definition, 'alias'>

type StringMember<Owner, Name extends PropertyKey> = Owner extends {
  readonly [N in Name]: infer Value extends string
}
  ? Value
  : never

/** The referenced member; `never` for names of type `string`. */
type Referred<Definition, Kind extends PropertyKey, Name> =
  Unqualified<Name> extends infer Short extends keyof Members<Definition, Kind>
    ? Members<Definition, Kind>[Short]
    : never

/** The valid names for a member; any string if its type is `string`. */
type OneOf<Names, Owner, Name extends PropertyKey> = Name extends keyof Owner
  ? string extends Owner[Name]
    ? string
    : Names
  : Names

interface CheckedType<Definition, Type> extends Omit<
  EntityTypeDefinition,
  'key' | 'baseType' | 'navigationProperties' | 'sap'
> {
  readonly sap?: KnownSapFacets<Type>
  readonly properties?: Readonly<Record<string, PropertyDefinition>> &
    CheckedProperties<Type, Members<Type, 'properties'>> &
    CheckedTypes<Members<Type, 'properties'>, PrimitiveTypeName | Reference<Definition, 'complexTypes'>>
  readonly key?: readonly OneOf<NamesOf<Type, 'properties'>, Members<Type, 'key'>, number>[]
  readonly baseType?: OneOf<Reference<Definition, 'entityTypes'>, Type, 'baseType'>
  readonly navigationProperties?: {
    readonly [Name in keyof Members<Type, 'navigationProperties'>]: CheckedNavigation<
      Definition,
      Members<Type, 'navigationProperties'>[Name]
    >
  }
}

/** Checks the types of properties or parameters. They are resolved one by one only if one of them is misspelt. */
type CheckedTypes<Members, Names> = [Exclude<TypesOf<Members>, Names>] extends [never]
  ? unknown
  : { readonly [Name in keyof Members]: { readonly type: OneOf<Names, Members[Name], 'type'> } }

type TypesOf<Members> = Members[keyof Members] extends { readonly type: infer Type } ? Type : never

/** The types of values, and of the results of functions. */
type TypeReference<Definition> =
  PrimitiveTypeName | Reference<Definition, 'complexTypes'> | Reference<Definition, 'entityTypes'>

/** Types without SAP annotations of properties are not checked: that would cost the compiler a fifth more. */
type CheckedProperties<Type, Properties> = [
  Extract<Properties[keyof Properties], { readonly sap: unknown }>,
] extends [never]
  ? unknown
  : { readonly [Name in keyof Properties]: CheckedProperty<Type, Properties[Name]> }

/** Annotations may name other properties of the type, and measures may aggregate them. */
type CheckedProperty<Type, Property> = Property extends { readonly sap: infer Sap }
  ? {
      readonly sap: {
        readonly [Name in keyof Sap]: Name extends SapReference
          ? NameOfProperty<Type>
          : Name extends keyof SapFacets
            ? SapFacets[Name]
            : never
      }
      readonly aggregate?:
        AggregationMethod | { readonly [Method in AggregationMethod]?: NameOfProperty<Type> }
    }
  : unknown

/** The facets whose value is the name of a property, or a path. */
type SapReference =
  | 'unit'
  | 'text'
  | 'attributeFor'
  | 'superOrdinate'
  | 'fieldControl'
  | 'lowerBoundary'
  | 'upperBoundary'
  | `hierarchy${string}For`

/** Derived types inherit properties, whose names are not checked. */
type NameOfProperty<Type> = Type extends { readonly baseType: unknown }
  ? string
  : NamesOf<Type, 'properties'> | `${string}/${string}`

type KnownSapFacets<Element> = Element extends { readonly sap: infer Sap }
  ? { readonly [Name in keyof Sap]: Name extends keyof SapFacets ? SapFacets[Name] : never }
  : SapFacets

interface CheckedNavigation<Definition, Navigation> extends AnnotatedDefinition {
  readonly relationship: OneOf<Reference<Definition, 'associations'>, Navigation, 'relationship'>
  readonly fromRole: OneOf<RoleOf<Definition, Navigation>, Navigation, 'fromRole'>
  readonly toRole: OneOf<RoleOf<Definition, Navigation>, Navigation, 'toRole'>
}

/** The roles of the association of a navigation property; any string if the association is misspelt. */
type RoleOf<Definition, Navigation> =
  Referred<Definition, 'associations', StringMember<Navigation, 'relationship'>> extends infer Association
    ? [Association] extends [never]
      ? string
      : NamesOf<Association, 'ends'>
    : never

interface CheckedAssociation<Definition, Association> extends AnnotatedDefinition {
  readonly ends: {
    readonly [Role in keyof Members<Association, 'ends'>]: Omit<AssociationEndDefinition, 'type'> & {
      readonly type: OneOf<Reference<Definition, 'entityTypes'>, Members<Association, 'ends'>[Role], 'type'>
    }
  }
  readonly referentialConstraint?: AnnotatedDefinition & {
    readonly principal: CheckedRole<Association, 'principal'>
    readonly dependent: CheckedRole<Association, 'dependent'>
  }
}

interface CheckedRole<Association, Kind extends 'principal' | 'dependent'> extends Omit<
  ConstraintRoleDefinition,
  'role'
> {
  readonly role: OneOf<
    NamesOf<Association, 'ends'>,
    Members<Members<Association, 'referentialConstraint'>, Kind>,
    'role'
  >
}

/** Containers that extend another one may refer to its sets. */
type CheckedContainer<Definition, Container> = Container extends { readonly extends: unknown }
  ? unknown
  : {
      readonly entitySets?: {
        readonly [Name in keyof Members<Container, 'entitySets'>]: AnnotatedDefinition & {
          readonly sap?: KnownSapFacets<Members<Container, 'entitySets'>[Name]>
          readonly entityType: OneOf<
            Reference<Definition, 'entityTypes'>,
            Members<Container, 'entitySets'>[Name],
            'entityType'
          >
        }
      }
      readonly associationSets?: {
        readonly [Name in keyof Members<Container, 'associationSets'>]: Omit<
          AssociationSetDefinition,
          'association'
        > & {
          readonly association: OneOf<
            Reference<Definition, 'associations'>,
            Members<Container, 'associationSets'>[Name],
            'association'
          >
        }
      }
      readonly functionImports?: {
        readonly [Name in keyof Members<Container, 'functionImports'>]: Omit<
          FunctionImportDefinition,
          'entitySet' | 'returnType'
        > & {
          readonly returnType?: OneOf<
            TypeReference<Definition> | `Collection(${TypeReference<Definition>})`,
            Members<Container, 'functionImports'>[Name],
            'returnType'
          >
          readonly entitySet?: OneOf<
            NamesOf<Container, 'entitySets'>,
            Members<Container, 'functionImports'>[Name],
            'entitySet'
          >
        }
      }
    }
