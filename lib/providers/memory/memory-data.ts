import type { EdmModel } from '../../edm/edm-model.js'
import type { EntitySetName, InsertOf } from '../../edm/infer.js'

/** A media resource as rows hold it in `$media`. */
export interface MemoryMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
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
 * property, and `$media` for a media link entry. A row with `$type` is of a derived type, about whose properties
 * nothing is known before run time.
 */
export type MemoryRow<Model, SetName extends EntitySetName<Model>> =
  IsUntyped<Model> extends true
    ? object
    : | (Readonly<InsertOf<Model, SetName>> & Links<Model> & { readonly $type?: undefined } & Media)
      | ({ readonly $type: string; readonly [name: string]: unknown } & Media)

interface Media {
  readonly $media?: MemoryMedia
}

type DefinitionOf<Model> = Model extends EdmModel<infer Definition> ? Definition : never

/** True for a model that was read from EDMX. */
type IsUntyped<Model> = unknown extends DefinitionOf<Model> ? true : false

/**
 * Keys by the names of navigation properties: of the whole model rather than of one type, which is far cheaper to
 * check and catches nearly as much. The rest is told at start-up.
 */
type Links<Model> = { readonly [Name in NavigationNames<SchemasOf<DefinitionOf<Model>>>]?: unknown }

type SchemasOf<Definition> =
  Definition | (Definition extends { readonly schemas: readonly (infer Schema)[] } ? Schema : never)

type NavigationNames<Schema> = Schema extends { readonly entityTypes: infer Types }
  ? NavigationNamesOfTypes<Types>
  : never

type NavigationNamesOfTypes<Types> = {
  [Name in keyof Types]: Types[Name] extends { readonly navigationProperties: infer Navigation }
    ? keyof Navigation & string
    : never
}[keyof Types]
