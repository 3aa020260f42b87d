import type { EdmModel } from '../../edm/edm-model.js'
import type { DefinitionOf, EntitySetName, InsertOf } from '../../edm/infer.js'

/** A media resource as rows hold it in `$media`. */
export interface MemoryMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Under which browsers may save it; the `Slug` of the client that sent it. */
  readonly fileName?: string | undefined
}

/**
 * The rows that a memory provider starts with, by the name of the entity set; outside the default container with
 * the container in front. Sets that are missing are empty.
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
 * One row of {@link MemoryData}: values by property name, keys of linked entities by the name of a navigation
 * property, `$media` for a media link entry, and `$type` for an entity of a derived type.
 */
export type MemoryRow<Model, SetName extends EntitySetName<Model>> =
  IsUntyped<Model> extends true
    ? object
    : Readonly<InsertOf<Model, SetName>> & OtherMembers<Model> & SpecialMembers

interface SpecialMembers {
  readonly $media?: MemoryMedia
  /** Qualified name of the derived type: `NW.Person`. */
  readonly $type?: string
}

/** True for a model that was read from EDMX. */
type IsUntyped<Model> = unknown extends DefinitionOf<Model> ? true : false

/**
 * Navigation properties, and properties of derived types: those of the whole model rather than of one type, which is
 * far cheaper to check and finds nearly every slip. The rest is found at start-up.
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
