import type { EdmModel } from '../edm/edm-model.js'
import type { EntitySetName, FunctionName } from '../edm/infer.js'
import type { KeyValues } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { FilterTemplate } from './filter-template.js'

export type EntityOperation = 'read' | 'count' | 'media' | 'insert' | 'update' | 'delete' | 'link' | 'unlink'

/**
 * An operation on data, which `authorize` allows, refuses or restricts.
 *
 * @typeParam Model type of the model, whose names the operation has
 */
export type Operation<Model = EdmModel> =
  | {
      /**
       * Entities are read: `count` when only their number, `media` when a media resource. Or they are changed: a
       * filter then says which may be, and what a new one must be like.
       */
      readonly kind: EntityOperation
      /** Name of the set as in the model. */
      readonly entitySet: EntitySetName<Model>
      /** When one entity is addressed by its key. */
      readonly key?: KeyValues | undefined
      /** The navigation property over which the entities are reached. */
      readonly navigation?: string | undefined
      /** 0 for what the URI addresses, 1 for what is expanded from it, and so on. */
      readonly expandDepth: number
    }
  | {
      readonly kind: 'function'
      readonly functionImport: FunctionName<Model>
      readonly parameters: Readonly<Record<string, unknown>>
      /** The set that the returned entities belong to. */
      readonly entitySet: EntitySetName<Model> | undefined
    }

/**
 * Decides about an operation before the data is touched: returns nothing to allow it, throws an `ODataError` to
 * refuse it, or returns a filter that restricts it.
 *
 * @typeParam Context what the service's `context` option returns
 * @typeParam Model type of the model, whose names the operation has
 * @param context what the `context` option returned for the request
 * @returns a filter in the syntax of `$filter`, or one made with the `filter` tag
 */
export type Authorize<Context = unknown, Model = EdmModel> = (
  operation: Operation<Model>,
  context: Context,
) => PromiseOrValue<string | FilterTemplate | undefined | void>
