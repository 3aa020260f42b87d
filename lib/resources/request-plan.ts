import createDebug from 'debug'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { OfferedKind } from '../formats/negotiate.js'
import type { Settings } from '../options.js'
import { bindQueryOptions, checkQueryOptions, checkWriteOptions } from '../query/bind-query-options.js'
import { bindResourcePath } from '../query/bind-resource-path.js'
import type { EntityQuery } from '../query/entity-query.js'
import { keyedPath, KeyedShape } from '../query/keyed-path.js'
import type { CollectionSource, EntitySource, RequestTarget } from '../query/request-target.js'
import { isFunctionCall } from '../query/request-target.js'
import { checkSapQuery, checkSearch } from '../query/sap-query-restrictions.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitTarget } from '../uri/split-resource-path.js'
import { BoundedCache } from '../util/bounded-cache.js'

const debug = createDebug('odata-v2:query')

/** What the text of a request says. */
export interface RequestPlan {
  readonly target: RequestTarget
  readonly options: QueryOptions
  readonly meaning: QueryMeaning
}

/** What the steps before the handler of a read need to know. */
export interface ResourceRead {
  /** The kind of document that the handler responds with; absent when there is no format to choose. */
  readonly offers?: OfferedKind | undefined
  /** The entities to authorize with the query options; absent when the handler authorizes what it reads. */
  readonly source?: CollectionSource | EntitySource | undefined
  /** True when only the number of the entities is read. Default: false */
  readonly isCount?: boolean
}

/** What query options mean on a resource, whatever the key of that is. */
interface QueryMeaning {
  /** Bound when it is first needed: only then is it known that the method is allowed. */
  query?: EntityQuery | undefined
  checked?: boolean
}

/** What is known of targets that differ in the value of a key alone. */
interface KnownShape extends Omit<RequestPlan, 'target'> {
  readonly keyed: KeyedShape
}

const keptPlans = 500
/** Longer texts are rarely the same twice. */
const longestKeptTarget = 1000

/** Finds out what requests ask for, and keeps it for when the same text comes again, or one with another key. */
export class RequestPlans {
  private readonly plans = new BoundedCache<string, RequestPlan>(keptPlans)
  private readonly shapes = new BoundedCache<string, KnownShape>(keptPlans)

  constructor(
    private readonly model: EdmModel,
    private readonly settings: Settings,
    private readonly sapRestrictions: SapRestrictions | undefined,
    private readonly canSearch: (set: EntitySet) => boolean,
  ) {}

  /**
   * @param text path and query below the service root
   * @throws ODataError for what is no path of the service, and for options that are none
   */
  of(text: string): RequestPlan {
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
  check({ target, options, meaning }: RequestPlan, method: string): void {
    if (method !== 'GET' && method !== 'HEAD' && !isFunctionCall(target)) {
      checkWriteOptions(options)
      return
    }
    if (meaning.checked === true) return
    const { model, sapRestrictions } = this
    const { limits, disabledQueryOptions } = this.settings
    checkQueryOptions(options, target, disabledQueryOptions)
    checkSearch(options, target, this.canSearch)
    const set = entitySetOf(target)
    if (set !== undefined) {
      const query = bindQueryOptions(options, target, set, model, limits)
      if (sapRestrictions !== undefined) checkSapQuery(options, query, target, sapRestrictions)
      meaning.query = query
    }
    meaning.checked = true
  }

  private kept(text: string): RequestPlan {
    let plan = this.plans.get(text)
    if (plan === undefined) {
      plan = this.read(text)
      this.plans.set(text, plan)
    }
    return plan
  }

  private read(text: string): RequestPlan {
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
    return { target, options, meaning: {} }
  }
}

/** The set whose entities the query options of a request speak of. */
function entitySetOf(target: RequestTarget): EntitySet | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection.set
    case 'Entity':
      return target.entity.set
    case 'EntityCount':
      return target.of.set
    case 'Links':
      return target.linked.set
    default:
      return undefined
  }
}
