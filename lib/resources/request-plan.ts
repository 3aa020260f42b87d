import createDebug from 'debug'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { AuthorizedQuery } from '../data/permissions.js'
import { unrestrictedQuery } from '../data/permissions.js'
import type { Settings } from '../options.js'
import { bindQueryOptions, checkQueryOptions, checkWriteOptions } from '../query/bind-query-options.js'
import { bindResourcePath } from '../query/bind-resource-path.js'
import type { EntityQuery } from '../query/entity-query.js'
import { keyedPath, KeyedShape } from '../query/keyed-path.js'
import type { RequestTarget } from '../query/request-target.js'
import { isFunctionCall, querySource } from '../query/request-target.js'
import { checkSapQuery, checkSearch } from '../query/sap-query-restrictions.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitTarget } from '../uri/split-resource-path.js'
import { BoundedCache } from '../util/bounded-cache.js'

const debug = createDebug('odata-v2:query')

/**
 * A parsed URI: its target and query options.
 *
 * @typeParam Route how requests of the target are routed
 */
export interface RequestPlan<Route> {
  readonly target: RequestTarget
  readonly options: QueryOptions
  readonly meaning: QueryMeaning<Route>
}

/** Facts that are computed once for all requests whose URIs differ only in the value of a key. */
interface QueryMeaning<Route> {
  readonly route: Route
  /** Bound when it is first needed: only then is it known that the method is allowed. */
  query?: EntityQuery | undefined
  /** The same query as it is read on a service without `authorize`; undefined with `authorize`. */
  unrestricted?: AuthorizedQuery | undefined
  /** Names of the entity sets that {@link unrestricted} reads. */
  entitySets?: readonly string[] | undefined
  /** Whether the page cache may have responses to the query. */
  isCacheable?: boolean
  checked?: boolean
}

/** What is known of targets that differ in the value of a key alone. */
interface KnownShape<Route> extends Omit<RequestPlan<Route>, 'target'> {
  readonly keyed: KeyedShape
}

const keptPlans = 500
/** Longer texts are rarely the same twice. */
const longestKeptTarget = 1000

/** Finds out what requests ask for, and keeps it for when the same text comes again, or one with another key. */
export class RequestPlans<Route> {
  private readonly plans = new BoundedCache<string, RequestPlan<Route>>(keptPlans)
  private readonly shapes = new BoundedCache<string, KnownShape<Route>>(keptPlans)

  constructor(
    private readonly model: EdmModel,
    private readonly settings: Settings,
    private readonly sapRestrictions: SapRestrictions | undefined,
    private readonly canSearch: (set: EntitySet) => boolean,
    private readonly routeOf: (target: RequestTarget) => Route,
  ) {}

  /**
   * @param text path and query below the service root
   * @throws ODataError for what is no path of the service, and for options that are none
   */
  of(text: string): RequestPlan<Route> {
    if (text.length > longestKeptTarget) return this.read(text)
    const keyed = keyedPath(text)
    if (keyed === undefined) return this.kept(text)
    const known = this.shapes.get(keyed.shape)
    if (known !== undefined) {
      const { options, meaning } = known
      return { target: known.keyed.with(keyed.literal), options, meaning }
    }
    const plan = this.kept(text)
    const { target, options, meaning } = plan
    const shape = KeyedShape.of(target)
    if (shape !== undefined) this.shapes.set(keyed.shape, { keyed: shape, options, meaning })
    return plan
  }

  /** Looks whether a method may be used with the options of a request, and what they mean. */
  check({ target, options, meaning }: RequestPlan<Route>, method: string): void {
    if (method !== 'GET' && method !== 'HEAD' && !isFunctionCall(target)) {
      checkWriteOptions(options)
      return
    }
    if (meaning.checked === true) return
    const { model, sapRestrictions } = this
    const { authorize, limits, disabledQueryOptions } = this.settings
    checkQueryOptions(options, target, disabledQueryOptions)
    checkSearch(options, target, this.canSearch)
    const set = querySource(target)?.set
    if (set !== undefined) {
      const query = bindQueryOptions(options, target, set, model, limits)
      if (sapRestrictions !== undefined) checkSapQuery(options, query, target, sapRestrictions)
      meaning.query = query
      if (authorize === undefined) meaning.unrestricted = unrestrictedQuery(query)
    }
    meaning.checked = true
  }

  private kept(text: string): RequestPlan<Route> {
    let plan = this.plans.get(text)
    if (plan === undefined) {
      plan = this.read(text)
      this.plans.set(text, plan)
    }
    return plan
  }

  private read(text: string): RequestPlan<Route> {
    const { segments, query } = splitTarget(text)
    const { pathSegments } = this.settings.limits
    if (segments.length > pathSegments) {
      throw new ODataError('LimitExceeded', {
        message: `A resource path can have at most ${pathSegments} segments on this service.`,
        details: { limit: 'pathSegments' },
      })
    }
    const options = parseQueryOptions(query)
    const target = bindResourcePath(segments, this.model, options)
    debug('%s is %s', text, target.kind)
    return { target, options, meaning: { route: this.routeOf(target) } }
  }
}
