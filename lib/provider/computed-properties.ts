import type { EdmModel } from '../edm/edm-model.js'
import type { EntityOf, EntitySetName, RowOf } from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * A property that is computed instead of stored, by one of `expression`, `value` and `values`. Without them, the
 * property is virtual: it is null, and hooks receive the value that a client sends.
 *
 * @typeParam E type of the entities
 * @typeParam Value type of the value
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam Needs names of the properties that the functions receive
 * @example
 * const title: ComputedProperty = { expression: "concat(Name,concat(' ',Size))" }
 */
export interface ComputedProperty<
  E = Row,
  Value = unknown,
  Context = unknown,
  Needs extends keyof E = keyof E,
> {
  /** An expression in the syntax of `$filter`. Clients can filter and sort by the property. */
  readonly expression?: string | undefined
  /** The properties that `value` and `values` receive. They are read even if they are not selected. */
  readonly needs?: readonly Needs[] | undefined
  /** Returns the value for one entity of a response. Synchronous. */
  readonly value?: ((row: Readonly<Pick<E, Needs>>, call: ProviderCall<Context>) => Value) | undefined
  /** Returns the values for several entities of a response, in their order. Called once for each batch of entities. */
  readonly values?:
    | ((
        rows: readonly Readonly<Pick<E, Needs>>[],
        call: ProviderCall<Context>,
      ) => PromiseOrValue<readonly Value[]>)
    | undefined
  /**
   * If true, clients can filter and sort by the result of `value`. The service then reads all entities, up to
   * `limits.scannedRows`. Default: false.
   */
  readonly scan?: boolean | undefined
}

/** A value of a property, as a provider may return it. */
type ValueFor<Model, Name extends EntitySetName<Model>, Property> = Property extends keyof RowOf<Model, Name>
  ? Exclude<RowOf<Model, Name>[Property], undefined>
  : unknown

/**
 * Computed properties by entity set and name.
 *
 * @typeParam Model type of the model, from which names and values are inferred
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const computed: ComputedProperties<typeof model> = {
 *   Products: { Name: { expression: "concat('No. ',cast(ID,'Edm.String'))" } },
 * }
 */
export type ComputedProperties<Model = EdmModel, Context = unknown> = {
  readonly [Name in EntitySetName<Model>]?: {
    readonly [Property in keyof EntityOf<Model, Name>]?:
      ComputedProperty<EntityOf<Model, Name>, ValueFor<Model, Name, Property>, Context> | undefined
  }
}

/**
 * Declares a property that a function computes, with a row that has the needed properties only.
 *
 * @typeParam E type of the entities
 * @typeParam Needs names of the properties that the function gets
 * @param needs the properties that the function gets; they are read even if they are not selected
 * @param value returns the value for one entity of a response
 * @returns `{ needs, value }`
 * @example
 * const options: ODataV2Options<unknown, typeof model> = {
 *   computed: { Products: { Name: computeFrom(['ID'], ({ ID }) => `No. ${ID}`) } },
 * }
 */
export function computeFrom<E, const Needs extends keyof E, Value, Context>(
  needs: readonly Needs[],
  value: (row: Readonly<Pick<E, Needs>>, call: ProviderCall<Context>) => Value,
): ComputedProperty<E, Value, Context> {
  return { needs, value }
}
