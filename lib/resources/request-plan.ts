import createDebug from 'debug'
import type { EdmModel, EntitySet, Property } from '../edm/edm-model.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { AuthorizedQuery } from '../data/permissions.js'
import { unrestrictedQuery } from '../data/permissions.js'
import type { Settings } from '../options.js'
import type { KnownQuery } from '../query/bind-query-options.js'
import { bindQueryOptions, checkQueryOptions, checkWriteOptions } from '../query/bind-query-options.js'
import { bindGroupOptions } from '../query/bind-groups.js'
import { bindResourcePath } from '../query/bind-resource-path.js'
import type { EntityQuery } from '../query/entity-query.js'
import { FilterCache } from '../query/filter-cache.js'
import type { ProviderSearches } from '../query/match-query.js'
import { matchQuery, searchesService } from '../query/match-query.js'
import type { CollectionSource, EntitySource, RequestTarget } from '../query/request-target.js'
import { isCollection, isFunctionCall, querySource } from '../query/request-target.js'
import { checkSapQuery } from '../query/sap-query-restrictions.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitRelativeUri } from '../uri/split-resource-path.js'
import type { UriShape } from '../uri/uri-shape.js'
import { uriShape } from '../uri/uri-shape.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import { keyValue } from '../query/bind-key-predicate.js'
import { textHash } from './page-cache.js'

const debug = createDebug('odata-v2:query')

/**
 * A parsed URI: its target and query options.
 *
 * @typeParam Route how requests of the target are routed. Always `ResourceRoute`, whose handlers get a session, which
 * refers to plans: importing that type here would be a circle of files
 */
export interface RequestPlan<Route> {
  readonly target: RequestTarget
  readonly options: QueryOptions
  readonly prepared: PreparedQuery<Route>
  /** Undefined if the URI has no shape, and for later requests. A hash decides, so that `second` is only probable. */
  readonly occurrence?: 'first' | 'second' | undefined
}

/** The parts of a plan that requests share whose URIs differ only in the value of a key. */
interface PreparedQuery<Route> {
  readonly route: Route
  /** True if a function returns the resource. The response is then that of a read, for GET and POST. */
  readonly isCall: boolean
  /** Bound when it is first needed: only then is it known that the method is allowed. */
  query?: EntityQuery | undefined
  /** The authorized query of a service without `authorize`; undefined with `authorize`. */
  unrestricted?: AuthorizedQuery | undefined
  /** Names of the entity sets that {@link unrestricted} reads. */
  entitySets?: readonly string[] | undefined
  /** True if the page cache may contain responses to the query. */
  isCacheable?: boolean | undefined
  checked?: boolean
  /** The shape of the filter of a URI that differs from others in its values. */
  readonly filterShape?: string | undefined
  /** Parts of a URI with other values, which may be bound. */
  readonly similar?: PreparedQuery<Route> | undefined
  /** The query before `search` and the case of strings are applied. */
  bound?: EntityQuery | undefined
  /** Names of the entity sets that the query names without showing their entities. */
  namedSets?: readonly string[] | undefined
}

/** The plan of all URIs that differ only in the value of a key. */
interface KnownPattern<Route> extends Omit<RequestPlan<Route>, 'target'> {
  readonly keyed: KeyPathPattern
}

const MAX_CACHED_PLANS = 500
/** The number of hashes of URIs that are remembered. A power of 2. */
const REMEMBERED_URIS = 4096
/** Longer URIs, in characters, are rarely repeated. */
const MAX_CACHED_URI_LENGTH = 1000

/**
 * Parses URIs, and caches the results by URI, for all entities of a set by the pattern of their paths, and for pages and
 * filters by their shape.
 */
export class RequestPlans<Route> {
  private readonly plans = new BoundedCache<string, RequestPlan<Route>>(MAX_CACHED_PLANS)
  private readonly patterns = new BoundedCache<string, KnownPattern<Route>>(MAX_CACHED_PLANS)
  /** Plans by the shape of their URIs: tables of UI5 request another filter or another page each time. */
  private readonly shapes = new BoundedCache<string, RequestPlan<Route>>(MAX_CACHED_PLANS)
  private readonly filters = new FilterCache()
  /** Hashes of URIs with a known shape, each at a place that others may take. */
  private readonly seen = new Int32Array(REMEMBERED_URIS)

  constructor(
    private readonly model: EdmModel,
    private readonly settings: Settings,
    private readonly sapRestrictions: SapRestrictions | undefined,
    private readonly providerSearches: ProviderSearches,
    private readonly routeOf: (target: RequestTarget) => Route,
  ) {}

  /**
   * Returns the plan of a request.
   *
   * @param relativeUri path and query below the service root
   * @throws ODataError for an invalid path, and for invalid query options
   */
  of(relativeUri: string): RequestPlan<Route> {
    const cached = this.plans.get(relativeUri)
    if (cached !== undefined) return cached
    if (relativeUri.length > MAX_CACHED_URI_LENGTH) return this.parse(relativeUri)
    const keyed = keyedPath(relativeUri)
    if (keyed === undefined) return this.planOfShape(relativeUri)
    const known = this.patterns.get(keyed.pattern)
    if (known === undefined) return this.addPattern(relativeUri, keyed.pattern)
    const { options, prepared } = known
    return { target: known.keyed.with(keyed.literal), options, prepared }
  }

  private planOfShape(relativeUri: string): RequestPlan<Route> {
    const shape = uriShape(relativeUri)
    if (shape === undefined) return this.addPlan(relativeUri)
    const similar = this.shapes.get(shape.key)
    if (similar === undefined) return this.addShape(relativeUri, shape)
    const plan = similarPlan(similar, shape)
    // A plan for each value would only fill the heap.
    if (!this.isRepeated(relativeUri)) return { ...plan, occurrence: 'first' }
    this.plans.set(relativeUri, plan)
    return { ...plan, occurrence: 'second' }
  }

  private addShape(relativeUri: string, { filter, key }: UriShape): RequestPlan<Route> {
    const plan = this.parse(relativeUri, filter)
    // The target of a call contains all options.
    if (plan.prepared.isCall) this.plans.set(relativeUri, plan)
    else this.shapes.set(key, plan)
    return plan.prepared.isCall || this.isRepeated(relativeUri) ? plan : { ...plan, occurrence: 'first' }
  }

  /** Returns true if a URI was probably requested a short time ago. */
  private isRepeated(relativeUri: string): boolean {
    const hash = textHash(relativeUri)
    const place = hash & (REMEMBERED_URIS - 1)
    if (this.seen[place] === hash) return true
    this.seen[place] = hash
    return false
  }

  private addPlan(relativeUri: string): RequestPlan<Route> {
    const plan = this.parse(relativeUri)
    this.plans.set(relativeUri, plan)
    return plan
  }

  private addPattern(relativeUri: string, name: string): RequestPlan<Route> {
    const plan = this.parse(relativeUri)
    const { target, options, prepared } = plan
    const pattern = this.isGroup(target) ? undefined : KeyPathPattern.of(target)
    if (pattern === undefined) this.plans.set(relativeUri, plan)
    else this.patterns.set(name, { keyed: pattern, options, prepared })
    return plan
  }

  /** Returns true if a request reads a group. Such requests share no plan, because the id determines the properties. */
  private isGroup(target: RequestTarget): boolean {
    const source = querySource(target)
    return source !== undefined && this.settings.analytics?.setOf(source) !== undefined
  }

  /** Binds the query options of a request, unless it changes data: such requests may have few of them. */
  check({ target, options, prepared }: RequestPlan<Route>, method: string): void {
    if (method !== 'GET' && method !== 'HEAD' && !prepared.isCall) {
      checkWriteOptions(options)
      return
    }
    if (prepared.checked === true) return
    const { sapRestrictions } = this
    const { authorize, disabledQueryOptions } = this.settings
    const similar = prepared.similar?.bound
    if (similar === undefined) checkQueryOptions(options, target, disabledQueryOptions)
    const source = querySource(target)
    if (source !== undefined) {
      const known = { filters: this.filters, filterShape: prepared.filterShape, similar }
      const bound = this.bind(options, target, source, known)
      prepared.bound = bound
      if (prepared.similar !== undefined) prepared.similar.bound ??= bound
      if (sapRestrictions !== undefined) checkSapQuery(options, bound, target, sapRestrictions)
      const query = this.match(bound, options, target, source)
      prepared.query = query
      if (authorize === undefined) prepared.unrestricted = unrestrictedQuery(query)
    }
    prepared.checked = true
  }

  private match(
    bound: EntityQuery,
    options: QueryOptions,
    target: RequestTarget,
    source: CollectionSource | EntitySource,
  ): EntityQuery {
    const { model, providerSearches, settings } = this
    const { analytics } = settings
    const analytical = analytics?.setOf(source)
    // The conditions of a group are complete.
    if (analytical !== undefined && !isCollection(source)) return bound
    const query = matchQuery(bound, options, target, model, settings, providerSearches, analytical)
    return analytics?.onRows(query) ?? query
  }

  private bind(
    options: QueryOptions,
    target: RequestTarget,
    source: CollectionSource | EntitySource,
    known: KnownQuery,
  ): EntityQuery {
    const { model } = this
    const { analytics, limits } = this.settings
    const analytical = analytics?.setOf(source)
    if (analytics !== undefined && analytical !== undefined) {
      const canSearch = searchesService(source.set, this.settings, this.providerSearches)
      return bindGroupOptions(options, target, source, analytical, analytics, { canSearch, limits, model })
    }
    const query = bindQueryOptions(options, target, source.set, model, limits, known)
    analytics?.checkExpansions(query.projection)
    return query
  }

  private parse(relativeUri: string, filterShape?: string): RequestPlan<Route> {
    const { segments, query } = splitRelativeUri(relativeUri)
    const { pathSegments } = this.settings.limits
    if (segments.length > pathSegments) {
      throw new ODataError('LimitExceeded', {
        message: `A resource path can have at most ${pathSegments} segments on this service.`,
        details: { limit: 'pathSegments' },
      })
    }
    const options = parseQueryOptions(query)
    const target = bindResourcePath(segments, this.model, options)
    this.settings.analytics?.checkPath(target)
    debug('%s is %s', relativeUri, target.kind)
    return {
      target,
      options,
      prepared: { route: this.routeOf(target), isCall: isFunctionCall(target), filterShape },
    }
  }
}

/** Returns the plan of a URI whose values differ from those of another one. */
function similarPlan<Route>(
  { options, prepared: similar, target }: RequestPlan<Route>,
  { filter, values }: UriShape,
): RequestPlan<Route> {
  const system = new Map(options.system)
  for (const [name, value] of values) system.set(name, value)
  const { entitySets, isCacheable, isCall, namedSets, route } = similar
  return {
    target,
    options: { system, custom: options.custom },
    prepared: { route, isCall, entitySets, isCacheable, namedSets, filterShape: filter, similar },
  }
}

/** The path of an entity by its key in the usual form, which a regular expression splits without the parser. */
interface KeyedPath {
  /** The path and query without the value of the key. Paths with the same pattern differ only in that value. */
  readonly pattern: string
  readonly literal: LiteralSyntax
}

/** Matches a name of ASCII letters, and one value: a number, or a string without special characters. */
const keyed = /^\/([A-Za-z_]\w*)\((?:(\d{1,15})|'([^'%/?]*)')\)(\?.*)?$/s

/**
 * Splits a relative URI such as `/Products(7)?$format=json`.
 *
 * @param relativeUri path and query below the service root
 * @returns undefined for other paths, including equivalent ones in another form
 */
export function keyedPath(relativeUri: string): KeyedPath | undefined {
  const match = keyed.exec(relativeUri)
  if (match === null) return undefined
  const [, name = '', digits, string = '', query = ''] = match
  const position = name.length + 1
  const literal: LiteralSyntax =
    digits === undefined
      ? { kind: 'Literal', form: 'String', text: string, position }
      : { kind: 'Literal', form: 'Integer', text: digits, position }
  return { pattern: query === '' ? name : name + query, literal }
}

/** The target that paths such as `Products(1)` and `Products(2)` share: entities with a key of one property. */
export class KeyPathPattern {
  private constructor(
    private readonly set: EntitySet,
    private readonly collection: CollectionSource,
    private readonly property: Property,
  ) {}

  /**
   * @param target target of one path of the pattern
   * @returns undefined if that is not an entity of an entity set
   */
  static of(target: RequestTarget): KeyPathPattern | undefined {
    if (target.kind !== 'Entity' || target.entity.kind !== 'KeyedEntity') return undefined
    const { collection, set } = target.entity
    const [property, ...others] = set.entityType.key
    if (collection.kind !== 'EntitySet' || property === undefined || others.length > 0) return undefined
    return new KeyPathPattern(set, collection, property)
  }

  /** @throws ODataError as when the whole path is read: for a literal that is not a valid key */
  with(literal: LiteralSyntax): RequestTarget {
    const { collection, property, set } = this
    const key = { [property.name]: keyValue(literal, property) }
    return { kind: 'Entity', entity: { kind: 'KeyedEntity', collection, key, set } }
  }
}
