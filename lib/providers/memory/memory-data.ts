import type { EdmModel } from '../../edm/edm-model.js'
import type { DefinitionOf, EntitySetName, InsertOf } from '../../edm/infer.js'

/** The media resource of a row, in its member `$media`. */
interface MemoryMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The name that browsers suggest for a download. Uploads have the `Slug` of their request. */
  readonly fileName?: string | undefined
}

/**
 * The initial rows of a memory provider by entity set, qualified by the container unless it is the default container.
 * Missing sets are empty.
 *
 * @example
 * const data: MemoryData<typeof model> = {
 *   Categories: [{ ID: 1, Name: 'Cheese' }],
 *   Products: [{ ID: 7, Name: 'Gouda', Category: { ID: 1 } }],
 * }
 */
export type MemoryData<Model = EdmModel> = {
  readonly [SetName in EntitySetName<Model>]?: readonly MemoryRow<Model, SetName>[]
}

/**
 * A row of {@link MemoryData}: values by property, keys of linked entities by navigation property, `$media` for a media
 * link entry, and `$type` for an entity of a derived type.
 */
type MemoryRow<Model, SetName extends EntitySetName<Model>> =
  IsUntyped<Model> extends true
    ? object
    : Readonly<InsertOf<Model, SetName>> & OtherMembers<Model> & SpecialMembers

interface SpecialMembers {
  readonly $media?: MemoryMedia
  /** The qualified name of the derived type: `NW.Person`. */
  readonly $type?: string
}

/** True for models without static types, such as those of `readEdmx`. */
type IsUntyped<Model> = unknown extends DefinitionOf<Model> ? true : false

/**
 * Navigation properties and properties of derived types. Accepts those of all types of the model, which the compiler
 * checks much faster; misplaced members are errors at start-up.
 */
type OtherMembers<Model> = { readonly [Name in MemberNames<SchemasOf<DefinitionOf<Model>>>]?: unknown }

type SchemasOf<Definition> =
  Definition | (Definition extends { readonly schemas: readonly (infer Schema)[] } ? Schema : never)

type MemberNames<Schema> = Schema extends { readonly entityTypes: infer Types }
  ? { [Name in keyof Types]: MemberNamesOf<Types[Name]> }[keyof Types]
  : never

type MemberNamesOf<Type> =
  | (Type extends { readonly properties: infer Properties } ? keyof Properties : never)
  | (Type extends { readonly navigationProperties: infer Navigation } ? keyof Navigation : never)
