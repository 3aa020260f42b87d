import type { EdmModel } from '../edm/edm-model.js'
import type { ColumnName, EntitySetName, FunctionName } from '../edm/infer.js'
import type { KeyValues } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

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
   * hidden. Properties that are derived from hidden columns are hidden, too. Default: none.
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

// The package exists as ES modules and as CommonJS: each must recognize filters of the other.
const brand = Symbol.for('express-odata-v2.FilterTemplate')

/**
 * A filter with embedded values, which are never parsed. Created by the tag {@link filter}.
 *
 * @example const ownedBy = (userId: string): FilterTemplate => filter`Owner eq ${userId}`
 */
export class FilterTemplate {
  /**
   * @param source a filter in the syntax of `$filter`, with `\0n\0` as the placeholder of value n
   * @param values JavaScript values
   */
  constructor(
    readonly source: string,
    readonly values: readonly unknown[],
  ) {}

  static {
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/**
 * Creates a filter in the syntax of `$filter`, as a template tag. Embedded values become literals of the required
 * type and are never parsed, which prevents injection. Filters can be embedded in filters.
 *
 * @param strings the static parts of the filter
 * @param values JavaScript values, or filters
 * @returns a filter that `authorize` may return
 * @throws TypeError for undefined, which is usually a missing value
 * @example
 * const authorize: Authorize<{ userId: string }> = (operation, { userId }) => filter`Owner eq ${userId} or Public`
 * @spec MS-ODATA 2.2.3.6.1.1.5
 */
export function filter(strings: TemplateStringsArray, ...values: unknown[]): FilterTemplate {
  let source = strings[0] ?? ''
  const collected: unknown[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof FilterTemplate) {
      const offset = collected.length
      const inner = value.source.replace(
        /\0(\d+)\0/g,
        (_, number: string) => `\0${Number(number) + offset}\0`,
      )
      source += `(${inner})`
      collected.push(...value.values)
    } else if (value === undefined) {
      // As null, it would grant everyone access to entities without an owner.
      throw new TypeError(
        `filter: the value after '${source.slice(-50)}' is undefined. Use null to compare with null.`,
      )
    } else {
      source += `\0${collected.length}\0`
      collected.push(value)
    }
    source += strings[index + 1] ?? ''
  }
  return new FilterTemplate(source, collected)
}
