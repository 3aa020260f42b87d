import type { ExplainableStatement } from '../../provider/explanation.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import type { CountQuery, ReadQuery } from '../../provider/provider.js'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import type { MappedTable } from './mapped-table.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { callWith } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { Sql, Statement } from './sql-text.js'

/** The index that would serve a query. */
export interface IndexAdvice {
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[]
}

/** A database that can explain statements. */
interface ExplainingDatabase {
  readonly dialect: Pick<SqlDialect, 'plans' | 'quote'>
  statementOf(fragment: Sql | Statement): Statement
  read(statement: Statement, call: ProviderCall): PromiseOrValue<readonly Readonly<Record<string, unknown>>[]>
}

/**
 * Runs a statement of a request that is explained, and records it with its plan.
 *
 * @param index the index that would serve it
 * @param read runs the statement for a call without explanation
 */
export function observed<T>(
  database: ExplainingDatabase,
  call: ProviderCall,
  fragment: Sql | Statement,
  index: IndexAdvice | undefined,
  read: (call: ProviderCall) => PromiseOrValue<T>,
): PromiseOrValue<T> {
  const { explanation } = call
  const plainCall = callWith(call, { explanation: undefined })
  if (explanation === undefined) return read(plainCall)
  const { dialect } = database
  const statement = database.statementOf(fragment)
  const { text } = statement
  const plan = async (): ReturnType<ExplainableStatement['plan']> => {
    if (dialect.plans === undefined) return { plan: [], advice: [] }
    const explaining = { ...statement, text: dialect.plans.prefix + text }
    const { lines, needsIndex } = dialect.plans.read(await database.read(explaining, plainCall))
    return { plan: lines, advice: needsIndex && index !== undefined ? [describeIndex(index, dialect)] : [] }
  }
  return explanation.observe({ text, plan }, () => read(plainCall))
}

function describeIndex({ table, columns }: IndexAdvice, dialect: Pick<SqlDialect, 'quote'>): string {
  const list = columns.map(({ name, descending }) => dialect.quote(name) + (descending ? ' desc' : ''))
  return `create index … on ${table} (${list.join(', ')})`
}

/**
 * Returns the index that would serve a query: first the columns that are compared by `eq`, then those of the order, or one
 * that is compared by its range. Returns undefined if that of the key serves it.
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
  return columns.length === 0 || hasKeyOrder(table, columns) ? undefined : { table: table.quoted, columns }
}

/** Returns true if the index of the key serves a query as well as an index of these columns. */
function hasKeyOrder({ isKeyUnique, keyColumns }: MappedTable, columns: IndexAdvice['columns']): boolean {
  const descending = columns[0]?.descending
  return (
    isKeyUnique &&
    columns
      .slice(0, keyColumns.length)
      .every((one, place) => one.name === keyColumns[place]?.name && one.descending === descending)
  )
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
