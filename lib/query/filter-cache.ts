import type { ExpressionLimits } from '../uri/parse-expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { bindFilter } from './bind-expression.js'
import type { BindingScope } from './bind-path.js'
import type { Expression } from './expression.js'

const MAX_CACHED_FILTERS = 500
/** Longer filters, in characters, are rarely repeated. */
const MAX_CACHED_LENGTH = 1000

/** The last filter of a shape. */
interface CachedFilter {
  readonly text: string
  readonly expression: Expression
}

/**
 * The last bound filter of each shape. Filters with the same text share their expression, and with it everything that is
 * cached for it: tables of UI5 request the count of a filter together with a page.
 */
export class FilterCache {
  private readonly filters = new BoundedCache<string, CachedFilter>(MAX_CACHED_FILTERS)

  /**
   * Parses and binds a filter.
   *
   * @param shape the shape of the text; undefined if it has none
   * @throws ODataError InvalidSystemQueryOption or LimitExceeded
   */
  bind(text: string, shape: string | undefined, scope: BindingScope, limits: ExpressionLimits): Expression {
    if (text.length > MAX_CACHED_LENGTH) return bindFilterText(text, scope, limits)
    const key = `${scope.entitySet.path} ${shape ?? text}`
    const cached = this.filters.get(key)
    if (cached?.text === text) return cached.expression
    const expression = bindFilterText(text, scope, limits)
    this.filters.set(key, { text, expression })
    return expression
  }
}

/** Parses and binds a filter. @throws ODataError InvalidSystemQueryOption or LimitExceeded */
export function bindFilterText(text: string, scope: BindingScope, limits: ExpressionLimits): Expression {
  return bindFilter(parseFilter(text, { limits }), scope, { source: text, label: '$filter' })
}
