import type {
  DefinitionOf,
  EntityTypeOf,
  IsDefined,
  KeysOfUnion,
  Member,
  PropertiesOf,
  SchemasOf,
  TypeNamed,
} from '../infer.js'
import type { TargetAnnotations } from './terms.js'

/** The annotations of a model by target. Models of `readEdmx` have any targets and paths. */
export type AnnotationTargets<Definition> = unknown extends Definition
  ? Readonly<Record<string, TargetAnnotations>>
  : SchemasOf<Definition> extends infer Schema
    ? Union<Schema extends unknown ? TargetsOf<Definition, Schema> : never>
    : never

/** The intersection of the members of a union. */
type Union<Types> = (Types extends unknown ? (type: Types) => void : never) extends (type: infer All) => void
  ? All
  : never

type NamespaceOf<Schema> = Schema extends { readonly namespace: infer Name extends string } ? Name : never

type TargetsOf<Definition, Schema> = TypeTargets<Definition, Schema, 'entityTypes'> &
  TypeTargets<Definition, Schema, 'complexTypes'> & {
    readonly [Name in ContainerTarget<Schema>]?: TargetAnnotations
  }

/** The types of a schema and their properties; the annotations of a type are only resolved when it is annotated. */
type TypeTargets<Definition, Schema, Kind extends 'entityTypes' | 'complexTypes'> = {
  readonly [
    Name in NamesOf<Schema, Kind> as
      | `${NamespaceOf<Schema>}.${Name}`
      | `${NamespaceOf<Schema>}.${Name}/${PartsOf<TypeNamed<Definition, Kind, Name>>}`
  ]?: TargetAnnotations<PathsOf<Definition, TypeNamed<Definition, Kind, Name>, Kind>>
}

/** The names of members of one kind; `keyof` would accept any name for an empty object. */
type NamesOf<Owner, Kind extends PropertyKey> = KeysOfUnion<Member<Owner, Kind>> & string

type PartsOf<Type> = NamesOf<Type, 'properties'> | NamesOf<Type, 'navigationProperties'>

/** Containers and their members: entity sets and functions. Their paths are checked at start-up. */
type ContainerTarget<Schema> =
  | `${NamespaceOf<Schema>}.${string}/${ContainerMember<Member<Schema, 'entityContainer'>>}`
  | (Schema extends { readonly entityContainers: infer All }
      ? `${NamespaceOf<Schema>}.${keyof All & string}/${string}`
      : never)

type ContainerMember<Container> = NamesOf<Container, 'entitySets'> | NamesOf<Container, 'functionImports'>

/** The paths of properties from the entities of a set, as far as they are checked by the compiler. */
export type SetPath<Model, SetName extends PropertyKey> =
  IsDefined<DefinitionOf<Model>> extends true
    ? PathsOf<DefinitionOf<Model>, EntityTypeOf<DefinitionOf<Model>, SetName>, 'entityTypes'>
    : string

/** Properties, and those of related entities and complex properties, which are checked at start-up beyond two steps. */
type PathsOf<Definition, Type, Kind extends 'entityTypes' | 'complexTypes'> =
  | (keyof PropertiesOf<Definition, Type, Kind> & string)
  | RelatedPaths<Definition, Type, NamesOf<Type, 'navigationProperties'>>
  | ComplexPaths<Definition, PropertiesOf<Definition, Type, Kind>>
  | (Type extends { readonly baseType: string } ? `${string}/${string}` : never)
  | `${string}/${string}/${string}`

type RelatedPaths<Definition, Type, Navigations extends string> = {
  [Name in Navigations]: `${Name}/${keyof PropertiesOf<
    Definition,
    RelatedType<Definition, Member<Member<Type, 'navigationProperties'>, Name>>
  > &
    string}`
}[Navigations]

type RelatedType<Definition, Navigation> = Navigation extends {
  readonly relationship: infer Association
  readonly toRole: infer Role extends string
}
  ? TypeNamed<
      Definition,
      'entityTypes',
      Member<Member<Member<TypeNamed<Definition, 'associations', Association>, 'ends'>, Role>, 'type'>
    >
  : never

type ComplexPaths<Definition, Properties> = {
  [Name in keyof Properties & string]: Properties[Name] extends { readonly type: infer Type extends string }
    ? Type extends `Edm.${string}`
      ? never
      : `${Name}/${keyof PropertiesOf<Definition, TypeNamed<Definition, 'complexTypes', Type>, 'complexTypes'> & string}`
    : never
}[keyof Properties & string]
