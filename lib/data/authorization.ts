import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import type { RestrictedColumns } from './column-rights.js'
import { restrictedColumns } from './column-rights.js'
import { ODataError } from '../errors/odata-error.js'
import { bindFilter } from '../query/bind-expression.js'
import type { Expression } from '../query/expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { getOrCreate } from '../util/get-or-create.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { Authorize, Operation, EntityOperation } from '../provider/authorize.js'
import { FilterTemplate } from '../provider/authorize.js'
import type { CollectionSource, EntitySource, FunctionCall } from '../query/request-target.js'

/** The number of parsed filter strings that are cached. */
const mostFilters = 200
/** The length of strings in cached filters, in characters. */
const MAX_CACHED_VALUE_LENGTH = 200

const noValues: readonly unknown[] = []

/** A filter that the application has returned, in the form in which conditions contain it. */
interface KnownFilter {
  readonly source: string
  readonly values: readonly unknown[]
  readonly filters: readonly [Expression]
}

/** Observes a call of `authorize`, and returns its result. */
export type ObserveAuthorize = <T>(ask: () => PromiseOrValue<T>, operation: Operation) => PromiseOrValue<T>

/**
 * The option `authorize` of a service. Parses the filters that the application returns.
 */
export class Authorization<Context> {
  /** Filters in the form of strings are usually the same for every request. */
  private readonly texts = new BoundedCache<string, Expression>(mostFilters)
  /** Filters with values of the caller are the same for all parts of a batch, and for the next requests of the caller. */
  private readonly templates = new BoundedCache<string, Expression>(mostFilters)
  /** The last filter of each entity set: comparing it takes less time than creating a key. */
  private readonly lastFilters = new Map<string, KnownFilter>()
  /** The last columns of each entity set. */
  private readonly knownColumns = new Map<string, RestrictedColumns>()
  /** True if `authorize` has returned a promise. */
  isAsynchronous = false

  constructor(
    readonly model: EdmModel,
    readonly authorize: Authorize<Context> | undefined,
  ) {}

  /** Returns a copy for one request that observes the calls of `authorize`. */
  around(observe: ObserveAuthorize): Authorization<Context> {
    const { authorize } = this
    if (authorize === undefined) return this
    return new Authorization<Context>(this.model, (operation, context) =>
      observe(() => authorize(operation, context), operation),
    )
  }

  /**
   * Parses a filter of the application. Its errors are errors of the application, not of the client.
   *
   * @param result what `authorize` returned
   * @throws ODataError InternalServerError
   */
  filters(result: unknown, { kind }: Operation, set: EntitySet | undefined): readonly [Expression] {
    const isText = typeof result === 'string'
    if (!isText && !(result instanceof FilterTemplate)) {
      throw createError(
        `authorize must return undefined, a filter (a string or filter\`…\`), or an object with filter, hidden or readonly, but returned ${typeof result}. ` +
          `To refuse, throw new ODataError('Forbidden').`,
      )
    }
    if (set === undefined) {
      throw createError(
        `authorize returned a filter for a ${kind} that gives no entities. Throw or return nothing.`,
      )
    }
    const source = isText ? result : result.source
    const values = isText ? noValues : result.values
    const last = this.lastFilters.get(set.path)
    if (last?.source === source && areSameValues(last.values, values)) return last.filters
    const filters: readonly [Expression] = [this.expression(source, isText ? undefined : values, set)]
    // The application may change its array.
    this.lastFilters.set(set.path, { source, values: [...values], filters })
    return filters
  }

  private expression(source: string, values: readonly unknown[] | undefined, set: EntitySet): Expression {
    const create = (): Expression => this.bind(source, values, set)
    if (values === undefined) return getOrCreate(this.texts, `${set.path}\n${source}`, create)
    if (!values.every(isCacheable)) return create()
    // JSON has no line breaks, so that the parts of the key cannot be confused.
    return getOrCreate(this.templates, `${set.path}\n${JSON.stringify(values)}\n${source}`, create)
  }

  /**
   * Validates the columns in a result of `authorize`. They are usually the same for every request.
   *
   * @throws ODataError InternalServerError
   */
  columns(
    rights: Readonly<Record<string, unknown>>,
    operation: Operation,
    set: EntitySet | undefined,
  ): RestrictedColumns {
    const known = set && this.knownColumns.get(set.path)
    if (known !== undefined && isSame(known.hidden, rights.hidden) && isSame(known.readonly, rights.readonly))
      return known
    const { hidden, readonly } = restrictedColumns(rights, operation, set)
    // The application may change its arrays.
    const columns = { hidden: [...hidden], readonly: [...readonly] }
    if (set !== undefined) this.knownColumns.set(set.path, columns)
    return columns
  }

  private bind(source: string, values: readonly unknown[] | undefined, set: EntitySet): Expression {
    const label = `authorize filter for '${set.path}'`
    const code = 'InternalServerError'
    const syntax = parseFilter(source, { label, code, ...(values === undefined ? {} : { values }) })
    // Filters of the application may contain hidden properties.
    const entitySet = originalSet(set)
    const scope = { model: this.model, entitySet, entityType: entitySet.entityType }
    return bindFilter(syntax, scope, { source, label, code })
  }
}

/** Returns true for equal values that the application cannot change. */
function areSameValues(known: readonly unknown[], values: readonly unknown[]): boolean {
  return (
    values.length === known.length &&
    known.every((value, index) => isUnchangeable(value) && Object.is(value, values[index]))
  )
}

function isUnchangeable(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function')
}

/** Returns true for short values that JSON distinguishes from all others. */
function isCacheable(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.length <= MAX_CACHED_VALUE_LENGTH
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    default:
      return typeof value === 'boolean' || value === null
  }
}

const noNames: readonly string[] = []

function isSame(known: readonly string[], names: unknown = noNames): boolean {
  return (
    Array.isArray(names) &&
    names.length === known.length &&
    known.every((name, index) => name === names[index])
  )
}

function createError(message: string): ODataError {
  return new ODataError('InternalServerError', { message })
}

/** Returns the operation that `authorize` is called with for a source of entities. */
export function operationOn(source: CollectionSource | EntitySource, kind: EntityOperation): Operation {
  const over = source.kind === 'KeyedEntity' ? source.collection : source
  return {
    kind,
    entitySet: source.set.path,
    key: source.kind === 'KeyedEntity' ? source.key : undefined,
    navigation: 'navigation' in over ? over.navigation.name : undefined,
    expandDepth: 0,
  }
}

/** Returns the operation that `authorize` is called with for a call of a function. */
export function functionOperation({ functionImport, parameters }: FunctionCall): Operation {
  const { path, entitySet } = functionImport
  return { kind: 'function', functionImport: path, parameters, entitySet: entitySet?.path }
}
