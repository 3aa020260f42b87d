import type { EdmModel, EntitySet, EntityType } from '../edm/edm-model.js'
import { ODataError, errorAt } from '../errors/odata-error.js'
import type { ExpressionLimits } from '../uri/parse-expression.js'
import { parseOrderBy } from '../uri/parse-expression.js'
import type { QueryOptions, SystemQueryOption } from '../uri/parse-query-options.js'
import { truncate } from '../util/describe-value.js'
import { bindOrderBy } from './bind-expression.js'
import type { ExpandLimits } from './bind-projection.js'
import { bindProjection } from './bind-projection.js'
import type { BindingScope } from './bind-path.js'
import type { EntityQuery, SeekPosition } from './entity-query.js'
import type { Expression, OrderByTerm } from './expression.js'
import { optionSupport } from './query-option-support.js'
import type { RequestTarget } from './request-target.js'
import type { FilterCache } from './filter-cache.js'
import { bindFilterText } from './filter-cache.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../edm/primitive-types/primitive-type-name.js'
import { parseSkipToken } from '../uri/parse-query-options.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import { literalAs } from './bind-literal.js'
import { totalOrder } from './entity-query.js'

/** Limits of the cost of a query. */
export interface QueryLimits extends ExpressionLimits, ExpandLimits {
  /** Maximum number of terms of `$orderby`. Default: 20. */
  readonly orderByTerms: number
  /** Maximum value of `$top`. Default: 2,147,483,647. */
  readonly top: number
}

const largestInteger = 2_147_483_647

/**
 * Rejects options that are disabled, or not allowed on the resource.
 *
 * @spec MS-ODATA 2.2.3.6.1
 */
export function checkQueryOptions(
  options: QueryOptions,
  target: RequestTarget,
  disabled: ReadonlySet<SystemQueryOption>,
): void {
  for (const name of options.system.keys()) {
    if (disabled.has(name)) {
      throw new ODataError('QueryOptionNotAllowed', { message: `This service does not allow ${name}.` })
    }
    if (optionSupport(name, target) === undefined) {
      throw new ODataError('InvalidSystemQueryOption', {
        message: `${name} cannot be used on this resource.`,
      })
    }
  }
}

/**
 * Rejects system query options other than `$format` in requests that change data.
 *
 * @spec MS-ODATA 2.2.3.6.1
 */
export function checkWriteOptions(options: QueryOptions): void {
  for (const name of options.system.keys()) {
    if (name === '$format') continue
    throw new ODataError('InvalidSystemQueryOption', {
      message: `${name} cannot be used in a request that changes data.`,
    })
  }
}

/** The parts of a query that other requests have bound. */
export interface KnownQuery {
  readonly filters: FilterCache
  /** The shape of `$filter`; undefined if it has none. */
  readonly filterShape: string | undefined
  /** The query of a request that differs only in the values of `$filter`, `$skip` and `$top`. */
  readonly similar: EntityQuery | undefined
}

/**
 * Binds the query options of a request for entities.
 *
 * @param options options that passed {@link checkQueryOptions}
 * @throws ODataError InvalidSystemQueryOption or LimitExceeded
 */
export function bindQueryOptions(
  options: QueryOptions,
  target: RequestTarget,
  set: EntitySet,
  model: EdmModel,
  limits: QueryLimits,
  known?: KnownQuery,
): EntityQuery {
  const value = (name: SystemQueryOption): string | undefined => {
    const text = options.system.get(name)
    return text !== undefined && optionSupport(name, target) === 'yes' ? text : undefined
  }
  const scope = { model, entitySet: set, entityType: set.entityType }
  const similar = known?.similar
  const orderBy = similar?.orderBy ?? orderByOf(value('$orderby'), scope, limits)
  const token = similar === undefined ? value('$skiptoken') : undefined
  return {
    filter: filterOf(value('$filter'), scope, limits, known),
    orderBy,
    seek: token === undefined ? similar?.seek : bindSkipToken(token, orderBy, set.entityType),
    skip: countOf('$skip', value('$skip'), largestInteger) ?? 0,
    top: countOf('$top', value('$top'), limits.top),
    inlineCount: similar?.inlineCount ?? inlineCountOf(value('$inlinecount')),
    projection: similar?.projection ?? bindProjection(set, value('$expand'), value('$select'), limits),
    received: options,
  }
}

function filterOf(
  text: string | undefined,
  scope: BindingScope,
  limits: QueryLimits,
  known: KnownQuery | undefined,
): Expression | undefined {
  if (text === undefined) return undefined
  return known === undefined
    ? bindFilterText(text, scope, limits)
    : known.filters.bind(text, known.filterShape, scope, limits)
}

function orderByOf(
  text: string | undefined,
  scope: BindingScope,
  limits: QueryLimits,
): readonly OrderByTerm[] {
  if (text === undefined) return []
  const terms = parseOrderBy(text, { limits })
  if (terms.length > limits.orderByTerms) {
    throw new ODataError('LimitExceeded', {
      message: `$orderby: at most ${limits.orderByTerms} terms are allowed.`,
      details: { limit: 'orderByTerms' },
    })
  }
  return bindOrderBy(terms, scope, { source: text, label: '$orderby' })
}

/** Parses a number that consists of digits only. @spec MS-ODATA 2.2.3.6.1.7, 2.2.3.6.1.8 */
function countOf(name: '$top' | '$skip', text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= largestInteger)) {
    throw new ODataError('InvalidSystemQueryOption', {
      message: `${name} must be a whole number from 0 to ${largestInteger}, not '${truncate(text)}'.`,
    })
  }
  if (value > maximum) {
    throw new ODataError('LimitExceeded', {
      message: `${name} can be at most ${maximum} on this service.`,
      details: { limit: 'top' },
    })
  }
  return value
}

/** @spec MS-ODATA 2.2.3.6.1.10 */
function inlineCountOf(text: string | undefined): boolean {
  if (text === undefined || text === 'none') return false
  if (text === 'allpages') return true
  throw new ODataError('InvalidSystemQueryOption', {
    message: `$inlinecount must be 'allpages' or 'none', not '${truncate(text)}'.`,
  })
}

/**
 * Parses a `$skiptoken`: a value for each term of `$orderby`, followed by the key.
 *
 * @throws ODataError InvalidSystemQueryOption for a token that does not fit the order
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function bindSkipToken(text: string, orderBy: readonly OrderByTerm[], type: EntityType): SeekPosition {
  return bindSeekPosition(text, totalOrder(orderBy, type))
}

/**
 * Returns the values of the order terms in a `$skiptoken`.
 *
 * @param terms a total order
 * @throws ODataError InvalidSystemQueryOption for a token that does not fit the order
 */
export function bindSeekPosition(text: string, terms: readonly OrderByTerm[]): SeekPosition {
  const literals = parseSkipToken(text)
  if (literals.length !== terms.length) {
    throw invalid(`it must have ${terms.length} values for this order, not ${literals.length}`)
  }
  return literals.map((literal, index) => {
    const type = terms[index]?.expression.type
    const expected = typeof type === 'string' ? type : null
    const value = seekValue(literal, expected)
    if (value === undefined) {
      const message = `$skiptoken: value ${index + 1} must be ${expected ?? 'null'}`
      throw errorAt(message, text, literal.position)
    }
    return value
  })
}

/** Converts a literal of a `$skiptoken`. Returns undefined if it does not have the type of its term. */
function seekValue(literal: LiteralSyntax, type: PrimitiveTypeName | null): unknown {
  if (literal.form === 'Null') return null
  if (type === null) return undefined
  // Sums and products can exceed the range of their type.
  if (isInteger(type) && (literal.form === 'Integer' || (literal.form === 'Int64' && type === 'Edm.Int64'))) {
    const value = BigInt(literal.text)
    return type !== 'Edm.Int64' && Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  return literalAs(literal, type)?.value
}

function invalid(message: string): ODataError {
  return new ODataError('InvalidSystemQueryOption', { message: `$skiptoken: ${message}.` })
}
