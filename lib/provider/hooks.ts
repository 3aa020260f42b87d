import type { EdmModel } from '../edm/edm-model.js'
import type { EntityOf, EntitySetName, RowOf } from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/** What every hook is given beside the entity. */
export interface HookCall<Context = unknown> extends ProviderCall<Context> {
  /** Name of the set whose entity changes, as in the model. */
  readonly entitySet: string
  /** Whether it is the media resource of the entity that is written or removed, rather than its values. */
  readonly media: boolean
  /**
   * The name that the client would like for a new media link entry: its `Slug`, decoded, or the name of the file in a
   * form. Undefined for all other changes.
   */
  readonly slug?: string | undefined
}

/** What a hook returns: nothing, or values to be set over those of the client. */
export type HookValues<R = Row> = PromiseOrValue<Partial<R> | null | undefined | void>

/**
 * Called whenever an entity of one set changes, however a client does it: by itself, within another entity, by one of
 * its properties, by a link that its foreign key says, in a batch. A hook that throws refuses the change; everything
 * that belongs to the same change set is taken back, if the provider can do that.
 *
 * Rows are those of the provider; nothing that a hook is given can be changed in place.
 *
 * @typeParam E what a client may send of an entity
 * @typeParam R a row as the provider gives it
 */
export interface EntityHooks<E = Row, R = Row, Context = unknown> {
  /**
   * Before an entity is added, and before the caller is asked for that very entity. What neither the client nor the
   * model gives a value is missing, also if it is needed: the hook may fill it in.
   *
   * @returns nothing, or values to set over those of `entity`
   */
  beforeInsert?(entity: Readonly<Partial<E>>, call: HookCall<Context>): HookValues<R>
  /** After an entity was added, with everything that the store has filled in. */
  afterInsert?(entity: Readonly<R>, call: HookCall<Context>): unknown
  /**
   * Before an entity changes.
   *
   * @param changes the values that will be set; none when it is the media resource that changes
   * @returns nothing, or values to set over those of `changes`; the key cannot be changed
   */
  beforeUpdate?(changes: Readonly<Partial<E>>, current: Readonly<R>, call: HookCall<Context>): HookValues<R>
  /** After an entity has changed. */
  afterUpdate?(entity: Readonly<R>, previous: Readonly<R>, call: HookCall<Context>): unknown
  /** Before an entity is deleted. */
  beforeDelete?(current: Readonly<R>, call: HookCall<Context>): unknown
  /** After an entity was deleted. */
  afterDelete?(previous: Readonly<R>, call: HookCall<Context>): unknown
}

/**
 * The hooks of a service by the name of the entity set; outside the default container with the container in front:
 * `Archive.Products`.
 *
 * @typeParam Model type of the model, from which the entities are inferred
 * @typeParam Context what the service's `context` option returns
 * @example
 * const hooks: Hooks<typeof model> = {
 *   Products: { beforeInsert: () => ({ Created: new Date() }) },
 * }
 */
export type Hooks<Model = EdmModel, Context = unknown> = {
  readonly [Name in EntitySetName<Model>]?:
    EntityHooks<EntityOf<Model, Name>, RowOf<Model, Name>, Context> | undefined
}

/** The name of a hook. */
export type HookName = keyof EntityHooks

/** All hooks, to be checked and looked up by. */
export const hookNames: readonly HookName[] = [
  'beforeInsert',
  'afterInsert',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
]
