import type { EdmModel } from '../edm/edm-model.js'
import type { EntityOf, EntitySetName, RowOf } from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * The request and the change that a hook is called for.
 *
 * @example
 * const hooks: EntityHooks = {
 *   beforeInsert: (entity, { slug, media }: HookCall) =>
 *     media ? { FileName: slug ?? 'unnamed' } : undefined,
 * }
 */
export interface HookCall<Context = unknown> extends ProviderCall<Context> {
  /** Name of the entity set in the model. */
  readonly entitySet: string
  /** True if the change is to the media resource of the entity, not to its values. */
  readonly media: boolean
  /**
   * The name that the client suggests for a new media link entry: its decoded `Slug` header, or the file name of a form
   * upload. Undefined for all other changes.
   */
  readonly slug?: string | undefined
}

/**
 * The result of a hook: nothing, or values that replace those of the client.
 *
 * @example const setCreated = (): HookValues => ({ Created: new Date() })
 */
export type HookValues<R = Row> = PromiseOrValue<Partial<R> | null | undefined | void>

/**
 * Hooks of one entity set, called for every change of its entities: single requests, deep inserts, changes of a
 * property, changes of a link that is stored as a foreign key, and batches. A hook that throws refuses the change, and
 * rolls back its change set if the provider supports change sets.
 *
 * Hooks receive rows of the provider, and must not modify them.
 *
 * @typeParam E type of the values that a client may send
 * @typeParam R type of a row of the provider
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const productHooks: EntityHooks<{ Price: number }> = {
 *   beforeUpdate: ({ Price }) => {
 *     if (Price !== undefined && Price < 0) throw new ODataError('BadRequest', { message: 'Price is negative.' })
 *   },
 * }
 */
export interface EntityHooks<E = Row, R = Row, Context = unknown> {
  /**
   * Called before an entity is inserted, and before `authorize` checks it. Properties without a value from the client or
   * the model are absent, even if they are required: the hook may set them.
   *
   * @returns nothing, or values that replace those of `entity`
   */
  beforeInsert?(entity: Readonly<Partial<E>>, call: HookCall<Context>): HookValues<R>
  /**
   * Called after an entity was inserted, with the values that the store has generated.
   *
   * @returns nothing, or values of virtual properties for the response
   */
  afterInsert?(entity: Readonly<R>, call: HookCall<Context>): unknown
  /**
   * Called before an entity is updated.
   *
   * @param changes the values to set; empty when the media resource changes
   * @returns nothing, or values that replace those of `changes`; the key cannot be changed
   */
  beforeUpdate?(changes: Readonly<Partial<E>>, current: Readonly<R>, call: HookCall<Context>): HookValues<R>
  /**
   * Called after an entity was updated.
   *
   * @returns nothing, or values of virtual properties for the response
   */
  afterUpdate?(entity: Readonly<R>, previous: Readonly<R>, call: HookCall<Context>): unknown
  /** Called before an entity is deleted. */
  beforeDelete?(current: Readonly<R>, call: HookCall<Context>): unknown
  /** Called after an entity was deleted. */
  afterDelete?(previous: Readonly<R>, call: HookCall<Context>): unknown
}

/**
 * The hooks of a service by name of the entity set; outside of the default container with the container's name:
 * `Archive.Products`.
 *
 * @typeParam Model type of the model, from which the entity types are inferred
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const hooks: Hooks<typeof model> = {
 *   Products: { beforeInsert: () => ({ Created: new Date() }) },
 * }
 */
export type Hooks<Model = EdmModel, Context = unknown> = {
  readonly [Name in EntitySetName<Model>]?:
    EntityHooks<EntityOf<Model, Name>, RowOf<Model, Name>, Context> | undefined
}

type HookName = keyof EntityHooks

export const hookNames: readonly HookName[] = [
  'beforeInsert',
  'afterInsert',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
]
