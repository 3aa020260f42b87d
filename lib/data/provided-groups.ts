import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { AggregateQuery } from '../provider/provider.js'
import { isRecord } from '../util/is-record.js'
import { checkRows, checkedCount } from './provider-calls.js'

/** Groups of a provider, and the number of all groups; undefined if the provider has not counted them. */
export interface ProvidedGroups {
  readonly rows: readonly Row[]
  readonly total: number | undefined
}

/** Returns the groups that a provider has read, or their number with `countOnly`. @throws TypeError for other results */
export function groupsOf(set: EntitySet, query: AggregateQuery, groups: unknown): ProvidedGroups {
  if (query.countOnly === true) return { rows: [], total: checkedCount(set, groups) }
  const { rows, count } = query.count === true && isRecord(groups) ? groups : { rows: groups }
  checkRows(set, rows)
  return { rows, total: count === undefined ? undefined : checkedCount(set, count) }
}
