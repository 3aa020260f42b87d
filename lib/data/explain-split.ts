import type { EntitySet } from '../edm/edm-model.js'
import type { Explanation } from '../provider/explanation.js'
import { describeExpression, describeOrder } from '../query/describe-expression.js'
import type { Expression } from '../query/expression.js'
import { conjunctsOf } from '../query/expression.js'
import type { CollectionQuery, SplitQuery } from './pushdown.js'

/** Records how a query is divided between the provider and the service. */
export function explainSplit(
  explanation: Explanation,
  set: EntitySet,
  { pushed, refused, isOrdered, isPaged }: SplitQuery,
  query: CollectionQuery,
): void {
  const { filter, search, orderBy, seek, skip, top } = pushed
  const accepted = filter === undefined ? [] : conjunctsOf(filter)
  const refusedConditions = [...refused.restrictions, ...refused.filters].flatMap(conjunctsOf)
  const isRanged = query.skip > 0 || Number.isFinite(query.limit)
  explanation.reads.push({
    entitySet: set.path,
    provider: [
      ...(filter === undefined ? [] : [`$filter=${describeExpression(filter)}`]),
      ...(search === undefined ? [] : [`search=${search.terms.join(' ')}`]),
      ...(orderBy === undefined ? [] : [`$orderby=${describeOrder(orderBy)}`]),
      ...(seek === undefined ? [] : ['$skiptoken']),
      ...(skip === undefined ? [] : [`$skip=${String(skip)}`]),
      ...(top === undefined ? [] : [`$top=${String(top)}`]),
    ],
    service: [
      ...refusedConditions.map((one) => `$filter=${describeExpression(one)}: ${whyRefused(one, accepted)}`),
      ...(isOrdered
        ? []
        : [`$orderby=${describeOrder(query.orderBy)}: ${whyUnordered(query, refusedConditions)}`]),
      ...(isPaged || !isRanged ? [] : [`$skip and $top: ${whyUnpaged(isOrdered, refusedConditions)}`]),
    ],
  })
}

function whyRefused(condition: Expression, accepted: readonly Expression[]): string {
  return accepted.includes(condition)
    ? 'the provider narrows the rows, and may return too many.'
    : 'the provider does not evaluate it exactly as OData does, or not at all.'
}

function whyUnordered({ restrictions }: CollectionQuery, refused: readonly Expression[]): string {
  return restrictions.some((one) => refused.includes(one))
    ? 'the provider must not evaluate expressions on rows that the caller may not see.'
    : 'the provider does not sort in the order of OData.'
}

function whyUnpaged(isOrdered: boolean, refused: readonly Expression[]): string {
  if (refused.length > 0) return 'the service evaluates conditions before it.'
  return isOrdered ? 'the provider does not support it.' : 'the service sorts before it.'
}
