import type {
  AnnotatedDefinition,
  AssociationEndDefinition,
  AssociationSetDefinition,
  ConstraintRoleDefinition,
  EntityTypeDefinition,
  FunctionImportDefinition,
} from './model-definition.js'

/**
 * The names that a definition of one schema may refer to. `defineModel` constrains definitions to them, so that the compiler
 * reports a misspelt name where it is written. Names that are only known as `string` are not checked, nor are
 * definitions with several schemas.
 */
export interface CheckedDefinition<Definition> {
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

/** The members of one kind, by their names. Members of the type `never` may have every name. */
type Members<Owner, Kind extends PropertyKey> = Kind extends keyof Owner
  ? [Owner[Kind]] extends [never]
    ? Record<string, unknown>
    : NonNullable<Owner[Kind]>
  : Record<never, never>

type NamesOf<Owner, Kind extends PropertyKey> = KeysOfUnion<Members<Owner, Kind>> & string

type KeysOfUnion<Union> = Union extends unknown ? keyof Union : never

/** A name as references have it: alone, or with the namespace or its alias in front. */
type Reference<Definition, Kind extends PropertyKey> =
  NamesOf<Definition, Kind> | `${PrefixOf<Definition>}.${NamesOf<Definition, Kind>}`

type PrefixOf<Definition> = StringMember<Definition, 'namespace'> | StringMember<Definition, 'alias'>

type StringMember<Owner, Name extends PropertyKey> = Owner extends {
  readonly [N in Name]: infer Value extends string
}
  ? Value
  : never

type Unqualified<Name> = Name extends `${string}.${infer Rest}` ? Unqualified<Rest> : Name

/** The member that a reference names; `never` for a name that is only known as `string`. */
type Referred<Definition, Kind extends PropertyKey, Name> =
  Unqualified<Name> extends infer Short extends keyof Members<Definition, Kind>
    ? Members<Definition, Kind>[Short]
    : never

/** The names that a member may have; every string where it is only known as `string`. */
type OneOf<Names, Owner, Name extends PropertyKey> = Name extends keyof Owner
  ? string extends Owner[Name]
    ? string
    : Names
  : Names

interface CheckedType<Definition, Type> extends Omit<
  EntityTypeDefinition,
  'key' | 'baseType' | 'navigationProperties'
> {
  readonly key?: readonly OneOf<NamesOf<Type, 'properties'>, Members<Type, 'key'>, number>[]
  readonly baseType?: OneOf<Reference<Definition, 'entityTypes'>, Type, 'baseType'>
  readonly navigationProperties?: {
    readonly [Name in keyof Members<Type, 'navigationProperties'>]: CheckedNavigation<
      Definition,
      Members<Type, 'navigationProperties'>[Name]
    >
  }
}

interface CheckedNavigation<Definition, Navigation> extends AnnotatedDefinition {
  readonly relationship: OneOf<Reference<Definition, 'associations'>, Navigation, 'relationship'>
  readonly fromRole: OneOf<RoleOf<Definition, Navigation>, Navigation, 'fromRole'>
  readonly toRole: OneOf<RoleOf<Definition, Navigation>, Navigation, 'toRole'>
}

/** The roles of the association of a navigation property. A misspelt association is reported alone. */
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
          'entitySet'
        > & {
          readonly entitySet?: OneOf<
            NamesOf<Container, 'entitySets'>,
            Members<Container, 'functionImports'>[Name],
            'entitySet'
          >
        }
      }
    }
