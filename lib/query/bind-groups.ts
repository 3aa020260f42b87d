import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EdmModel } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { QueryOptions, SystemQueryOption } from '../uri/parse-query-options.js'
import type { Analytics } from './analytics.js'
import type { QueryLimits } from './bind-query-options.js'
import { bindQueryOptions, bindSeekPosition } from './bind-query-options.js'
import type { EntityQuery } from './entity-query.js'
import { checkGroupFilter, pathDigest } from './group-id.js'
import { groupingOf, selectGroups } from './grouping.js'
import type { CollectionSource, EntitySource, RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'

/** The model of a request and settings of its service. */
interface GroupBinding {
  readonly limits: QueryLimits
  readonly model: EdmModel
  /** True if the service evaluates `search` on the set. */
  readonly canSearch: boolean
}

/**
 * Binds the options of a request on groups.
 *
 * @throws ODataError InvalidSystemQueryOption, QueryOptionNotAllowed or LimitExceeded; ResourceNotFound for an id that
 * does not identify a group
 */
export function bindGroupOptions(
  options: QueryOptions,
  target: RequestTarget,
  source: CollectionSource | EntitySource,
  analytical: AnalyticalSet,
  analytics: Analytics,
  { canSearch, limits, model }: GroupBinding,
): EntityQuery {
  refuse('$expand', options, 'Groups have no navigation properties.')
  const rest = { ...options, system: new Map([...options.system].filter(([name]) => name !== '$skiptoken')) }
  const query = { ...bindQueryOptions(rest, target, source.set, model, limits), received: options }
  checkGroupFilter(query.filter, analytical)
  if (!isCollection(source)) return groupQuery(query, source, analytical, analytics)
  const selection = selectGroups(analytical, query.projection)
  const rows = analytics.sourceOf(analytical)
  const request = { options, canSearch, path: pathDigest(source) }
  const grouping = groupingOf(analytical, selection, query.orderBy, rows, request)
  const token = options.system.get('$skiptoken')
  return {
    ...query,
    projection: selection.projection,
    grouping,
    seek: token === undefined ? undefined : bindSeekPosition(token, grouping.orderBy),
  }
}

/** Returns the query of one group, whose id contains the conditions. */
function groupQuery(
  query: EntityQuery,
  source: EntitySource,
  analytical: AnalyticalSet,
  analytics: Analytics,
): EntityQuery {
  refuse('$filter', query.received, 'The conditions of a group are part of its id.')
  const group = analytics.groupOf(source, analytical)
  if (group === undefined)
    throw new ODataError('ResourceNotFound', { message: 'There is no group with this id.' })
  const selection = selectGroups(analytical, query.projection, group.groupBy)
  const rows = analytics.sourceOf(analytical)
  // The id is that of the address.
  const request = { options: query.received, canSearch: false, path: '' }
  const grouping = groupingOf(analytical, selection, [], rows, request)
  return { ...query, projection: selection.projection, filter: group.filter, grouping }
}

function refuse(name: SystemQueryOption, { system }: QueryOptions, reason: string): void {
  if (!system.has(name)) return
  throw new ODataError('InvalidSystemQueryOption', {
    message: `${name} cannot be used on this resource. ${reason}`,
  })
}
