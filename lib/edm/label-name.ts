import type { DefinitionOf, KeysOfUnion, Member, SchemasOf } from './infer.js'

/**
 * The names of the elements of a model that have labels: `Namespace.Type`, `Namespace.Type/Property`,
 * `Container/EntitySet`, `Container/Function` and `Container/Function/Parameter`. Any string for models of `readEdmx`.
 */
export type LabelName<Model> =
  unknown extends DefinitionOf<Model> ? string : NamesInSchema<SchemasOf<DefinitionOf<Model>>>

type NamesInSchema<Schema> = Schema extends { readonly namespace: infer Namespace extends string }
  ? | TypeNames<Namespace, Member<Schema, 'entityTypes'>>
    | TypeNames<Namespace, Member<Schema, 'complexTypes'>>
    | ContainerNames<Member<Schema, 'entityContainer'>>
    | (Schema extends { readonly entityContainers: infer Containers }
        ? `${keyof Containers & string}/${string}`
        : never)
  : never

type TypeNames<Namespace extends string, Types> = Types extends unknown
  ? {
      [Name in keyof Types & string]:
        | `${Namespace}.${Name}`
        | `${Namespace}.${Name}/${NamesOf<Types[Name], 'properties'> | NamesOf<Types[Name], 'navigationProperties'>}`
    }[keyof Types & string]
  : never

/** Names of containers, and of parameters, are checked at start-up. */
type ContainerNames<Container> =
  | `${string}/${NamesOf<Container, 'entitySets'> | NamesOf<Container, 'functionImports'>}`
  | `${string}/${NamesOf<Container, 'functionImports'>}/${string}`

/** The names of members of one kind; `keyof` would accept any name for an empty object. */
type NamesOf<Owner, Kind extends PropertyKey> = KeysOfUnion<Member<Owner, Kind>> & string
