import type { EdmModel } from '../edm/edm-model.js'
import type { ColumnName, EntitySetName, FunctionName } from '../edm/infer.js'
import type { KeyValues } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { FilterTemplate } from './filter-template.js'

export type EntityOperation = 'read' | 'count' | 'media' | 'insert' | 'update' | 'delete' | 'link' | 'unlink'

/**
 * An operation on data, which `authorize` allows, denies or restricts.
 *
 * @typeParam Model type of the model, which determines the names of entity sets and functions
 * @example
 * const describe = (operation: Operation) =>
 *   operation.kind === 'function' ? operation.functionImport : `${operation.kind} ${operation.entitySet}`
 */
export type Operation<Model = EdmModel> =
  | {
      /**
       * `count` reads only the number of entities, `media` reads a media resource. For changes, a returned filter
       * restricts the entities that can be changed, and the values of new entities.
       */
      readonly kind: EntityOperation
      /** Name of the entity set in the model. */
      readonly entitySet: EntitySetName<Model>
      /** The key of the addressed entity; undefined for collections. */
      readonly key?: KeyValues | undefined
      /** The navigation property through which the entities are addressed. */
      readonly navigation?: string | undefined
      /** 0 for entities that the URI addresses, 1 for entities expanded from these, and so on. */
      readonly expandDepth: number
    }
  | {
      readonly kind: 'function'
      readonly functionImport: FunctionName<Model>
      readonly parameters: Readonly<Record<string, unknown>>
      /** The entity set of the returned entities. */
      readonly entitySet: EntitySetName<Model> | undefined
    }

/**
 * Restricts an operation to some entities and columns. Names are those of properties, of members of complex properties
 * (`Address/Zip`), and of navigation properties.
 *
 * @typeParam Model type of the model, which determines the names of columns
 * @example
 * const authorize: Authorize<{ role: string }> = (operation, { role }) =>
 *   role === 'clerk' ? { filter: 'Active', hidden: ['Salary'], readonly: ['Grade'] } : undefined
 */
export interface AccessRights<Model = EdmModel> {
  /** A filter in the syntax of `$filter`, or one created with the `filter` tag. Default: all entities. */
  readonly filter?: string | FilterTemplate | undefined
  /**
   * Columns that do not exist for the caller, in the whole request. Key properties and concurrency tokens cannot be
   * hidden. Default: none.
   */
  readonly hidden?: readonly ColumnName<Model>[] | undefined
  /** Columns that the caller sees but cannot change. Default: none. */
  readonly readonly?: readonly ColumnName<Model>[] | undefined
}

/**
 * Allows, denies or restricts an operation before data is accessed. Return undefined to allow it, throw an `ODataError`
 * to deny it, or return a filter or column rights to restrict it.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam Model type of the model, which determines the names of entity sets and functions
 * @param operation the operation to decide on
 * @param context the per-request context that the option `context` returned
 * @returns a filter in the syntax of `$filter`, one created with the `filter` tag, or {@link AccessRights}
 * @throws ODataError Unauthorized or Forbidden to deny the operation
 * @example
 * const authorize: Authorize<{ userId?: string }> = (operation, { userId }) => {
 *   if (userId === undefined) throw new ODataError('Unauthorized')
 *   return operation.kind === 'function' ? undefined : filter`Owner eq ${userId}`
 * }
 */
export type Authorize<Context = unknown, Model = EdmModel> = (
  operation: Operation<Model>,
  context: Context,
) => PromiseOrValue<string | FilterTemplate | AccessRights<Model> | undefined | void>
