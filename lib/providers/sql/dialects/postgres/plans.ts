import type { StatementPlan, StatementPlans } from '../../statement-plans.js'

/** Tables that the database reads as a whole at lower costs need no index. */
const MIN_SCAN_COST = 100

/** A step of a plan, as `explain` returns it in JSON. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Total Cost'?: number
  readonly 'Plan Rows'?: number
  readonly Plans?: readonly PlanNode[]
}

/** @see https://www.postgresql.org/docs/current/sql-explain.html */
export const postgresPlans: StatementPlans = {
  prefix: 'explain (format json) ',
  read(rows) {
    const [first] = rows
    const value: unknown = first?.['QUERY PLAN']
    const [root] = (typeof value === 'string' ? JSON.parse(value) : value) as [{ readonly Plan: PlanNode }]
    return planOf(root.Plan, 0)
  },
}

function planOf(node: PlanNode, depth: number): StatementPlan {
  const { 'Total Cost': cost = 0, 'Plan Rows': rows = 0 } = node
  const object = [
    node['Relation Name'] && `on ${node['Relation Name']}`,
    node['Index Name'] && `using ${node['Index Name']}`,
  ]
  const title = [node['Node Type'], ...object].filter(Boolean).join(' ')
  const inner = (node.Plans ?? []).map((one) => planOf(one, depth + 1))
  const isSlow = /^(?:Parallel )?Seq Scan$|Sort$/.test(node['Node Type']) && cost >= MIN_SCAN_COST
  return {
    lines: [
      `${'  '.repeat(depth)}${title} (cost ${String(cost)}, rows ${String(rows)})`,
      ...inner.flatMap(({ lines }) => lines),
    ],
    needsIndex: isSlow || inner.some(({ needsIndex }) => needsIndex),
  }
}
