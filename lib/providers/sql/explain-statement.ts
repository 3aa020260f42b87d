import type { ExplainedStatement } from '../../provider/explanation.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import type { CountQuery, ReadQuery } from '../../provider/provider.js'
import type { Column } from './column.js'
import type { MappedTable } from './mapped-table.js'

/** How a kind of database explains statements. */
export interface StatementPlans {
  /** The start of a statement that returns the plan of the statement after it. */
  readonly prefix: string
  /** Reads the rows of such a statement. */
  readonly read: (rows: readonly Readonly<Record<string, unknown>>[]) => StatementPlan
}

/** The plan of a statement. */
export interface StatementPlan {
  /** One step per line. */
  readonly lines: readonly string[]
  /** True if a table is read without an index, or rows are sorted without one. */
  readonly needsIndex: boolean
}

/** The index that would serve a query. */
export interface IndexAdvice {
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[]
}

/** Returns the plan as the explanation of a request shows it. */
export function explainedPlan(
  { lines, needsIndex }: StatementPlan,
  index: IndexAdvice | undefined,
  quote: (name: string) => string,
): Pick<ExplainedStatement, 'plan' | 'advice'> {
  if (!needsIndex || index === undefined) return { plan: lines, advice: [] }
  const columns = index.columns.map(({ name, descending }) => quote(name) + (descending ? ' desc' : ''))
  return { plan: lines, advice: [`create index … on ${index.table} (${columns.join(', ')})`] }
}

/**
 * Returns the index that would serve a query: first the columns that are compared by `eq`, then those of the order, or one
 * that is compared by its range.
 */
export function indexFor(
  table: MappedTable,
  { filter, orderBy = [] }: Pick<CountQuery, 'filter'> & Pick<ReadQuery, 'orderBy'>,
): IndexAdvice | undefined {
  const conditions = filter === undefined ? [] : conjunctsOf(filter)
  const columnOf = (one: Expression | undefined): Column | undefined => one && ownColumn(table, one)
  const compared = (operators: readonly string[]): Column[] =>
    conditions.flatMap((one) => {
      if (one.kind === 'Call')
        return one.name === 'startswith' && operators.includes('gt') ? (columnOf(one.arguments[0]) ?? []) : []
      if (one.kind !== 'Binary' || !operators.includes(one.operator)) return []
      return columnOf(one.left) ?? columnOf(one.right) ?? []
    })
  const equal = compared(['eq']).map((column) => ({ column, descending: false }))
  const order = sortedColumns(orderBy, columnOf)
  const ranges = compared(['gt', 'ge', 'lt', 'le'])
    .slice(0, 1)
    .map((column) => ({ column, descending: false }))
  const rest = order.length > 0 ? order : ranges
  const all = [...equal, ...rest]
  const columns = all
    .filter(({ column }, place) => all.findIndex((one) => one.column === column) === place)
    .map(({ column: { name }, descending }) => ({ name, descending }))
  return columns.length === 0 ? undefined : { table: table.quoted, columns }
}

/** Returns the columns of an order up to the first term that is not one. */
function sortedColumns(
  orderBy: readonly OrderByTerm[],
  columnOf: (one: Expression) => Column | undefined,
): { readonly column: Column; readonly descending: boolean }[] {
  const columns = orderBy.map(({ expression, descending }) => ({ column: columnOf(expression), descending }))
  const end = columns.findIndex(({ column }) => column === undefined)
  return columns
    .slice(0, end < 0 ? undefined : end)
    .flatMap(({ column, descending }) => (column === undefined ? [] : [{ column, descending }]))
}

function ownColumn(table: MappedTable, one: Expression): Column | undefined {
  if (one.kind !== 'PropertyPath') return undefined
  const names: string[] = []
  for (const step of one.steps) {
    if (step.kind !== 'Complex') return undefined
    names.push(step.property.name)
  }
  return table.column([...names, one.property.name].join('/'))
}
