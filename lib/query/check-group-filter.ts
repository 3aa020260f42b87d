import type { AnalyticalSet } from '../edm/analytical-set.js'
import { ODataError } from '../errors/odata-error.js'
import type { Expression } from './expression.js'
import { forEachPath } from './expression.js'

/**
 * Checks that a filter can be evaluated before rows are grouped.
 *
 * @throws ODataError QueryOptionNotAllowed
 */
export function checkGroupFilter(
  filter: Expression | undefined,
  { id, measures, set, totaled }: AnalyticalSet,
): void {
  if (filter === undefined) return
  forEachPath(filter, (path) => {
    if (path.kind !== 'PropertyPath' || path.steps.length > 0) return
    const { property } = path
    if (property !== id && property !== totaled && !measures.has(property.name)) return
    throw new ODataError('QueryOptionNotAllowed', {
      message: `$filter cannot use '${property.name}': '${set.path}' is filtered before its rows are grouped.`,
    })
  })
}
