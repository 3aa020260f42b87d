import type { ProviderCall } from '../../provider/provider-call.js'
import type { CountQuery, ReadQuery, Rows } from '../../provider/provider.js'
import type { Expression } from '../../query/expression.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import { yieldToEventLoop } from '../../util/time-slice.js'
import type { Column } from './column.js'
import type { EntityReader } from './entity-reader.js'
import type { MappedTable } from './mapped-table.js'
import type { Selection } from './row-reader.js'
import { root } from './select-statements.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { allOf, parameter, raw, sql } from './sql-text.js'

/** The number of expression nodes, times rows, that one statement may evaluate: about 200 ms of CPU time. */
const MAX_EVALUATIONS = 5_000_000
/** The number of expression nodes, times rows, between two yields to the event loop. */
const SLICE_EVALUATIONS = 200_000
/** Rows per batch. */
const BATCH_SIZE = 1000
/** Milliseconds for which the row count is cached. */
const SIZE_TTL_MS = 60_000

/**
 * Reads from a database that runs within the process and cannot cancel statements. Evaluates long conditions in slices
 * of the table, and between slices yields to the event loop and checks the abort signal.
 */
export class SlicedReads {
  private size: { readonly rows: number; readonly expires: number } | undefined

  private constructor(
    private readonly table: MappedTable,
    private readonly database: SqlDatabase,
    private readonly reader: EntityReader,
    private readonly key: Column,
  ) {}

  /** @returns undefined if statements can be cancelled, and for tables without a row id as their key */
  static of(table: MappedTable, database: SqlDatabase, reader: EntityReader): SlicedReads | undefined {
    const [key] = table.keyColumns
    const isPossible = database.dialect.hasOneConnection === true && key?.facts.isRowId === true
    return isPossible && key !== undefined ? new SlicedReads(table, database, reader, key) : undefined
  }

  /** Returns true if one statement for the query would block the event loop for too long. */
  isLong({ filter }: CountQuery, call: ProviderCall): PromiseOrValue<boolean> {
    if (filter === undefined || call.changeSet !== undefined) return false
    return mapValue(this.rows(call), (rows) => rows * nodesOf(filter) > MAX_EVALUATIONS)
  }

  async count(query: CountQuery, call: ProviderCall): Promise<number> {
    return (await this.matches(query, Number.POSITIVE_INFINITY, call)).length
  }

  async read(query: ReadQuery, call: ProviderCall): Promise<Rows> {
    const { skip = 0, top = Number.POSITIVE_INFINITY } = query
    const rest = { ...query, filter: undefined, search: undefined, source: undefined, seek: undefined }
    if (!this.isKeyOrder(query)) {
      const keys = await this.matches(query, Number.POSITIVE_INFINITY, call)
      return this.reader.batch(rest, call, this.among(keys))
    }
    const keys = await this.matches(query, skip + top, call)
    return this.batches({ ...rest, skip: undefined, top: undefined }, keys.slice(skip), call)
  }

  private async *batches(query: ReadQuery, keys: readonly string[], call: ProviderCall) {
    for (let from = 0; from < keys.length; from += BATCH_SIZE) {
      yield await this.reader.batch(query, call, this.among(keys.slice(from, from + BATCH_SIZE)))
    }
  }

  /** Returns the keys of the entities that meet the conditions, in order. @param wanted the maximum number of keys */
  private async matches(query: ReadQuery, wanted: number, call: ProviderCall): Promise<readonly string[]> {
    const { filter } = query
    const size = Math.max(1, Math.floor(SLICE_EVALUATIONS / (filter === undefined ? 1 : nodesOf(filter))))
    const requested = { ...query, skip: undefined, top: undefined }
    const found: string[] = []
    let last: string | undefined
    for (;;) {
      const end = await this.endOfSlice(last, size, call)
      const within = allOf([...this.after(last), ...this.upTo(end)])
      const statement = this.reader.statements.read(requested, this.keySelection, '', within)
      const rows = await this.database.read(statement, call)
      const keys = rows.map(({ n }) => String(n))
      for (const key of query.orderBy === undefined || this.isKeyOrder(query) ? sorted(keys) : keys)
        found.push(key)
      if (end === undefined || found.length >= wanted) return found.slice(0, wanted)
      last = end
      await yieldToEventLoop()
      call.signal.throwIfAborted()
    }
  }

  private async endOfSlice(last: string | undefined, size: number, call: ProviderCall) {
    const { key, table } = this
    const after = allOf(this.after(last)) ?? raw('1 = 1')
    const page = this.database.dialect.page(1, size - 1)
    const [row] = await this.database.read(
      sql`select ${this.keyText} as n from ${raw(table.quoted)} as ${raw(root)} where ${after} order by ${raw(`${root}.${key.quoted}`)}${page}`,
      call,
    )
    return row === undefined ? undefined : String(row.n)
  }

  private get keyText(): Sql {
    return raw(`cast(${root}.${this.key.quoted} as text)`)
  }

  private get keySelection(): Selection {
    return { selection: () => sql`${this.keyText} as n`, names: raw('n') }
  }

  private after(key: string | undefined): Sql[] {
    return key === undefined ? [] : [sql`${raw(`${root}.${this.key.quoted}`)} > ${parameter(BigInt(key))}`]
  }

  private upTo(key: string | undefined): Sql[] {
    return key === undefined ? [] : [sql`${raw(`${root}.${this.key.quoted}`)} <= ${parameter(BigInt(key))}`]
  }

  private among(keys: readonly string[]): Sql {
    const list = parameter(`[${keys.join(',')}]`)
    return sql`${raw(`${root}.${this.key.quoted}`)} in (select value from json_each(${list}))`
  }

  private isKeyOrder({ orderBy }: ReadQuery): boolean {
    const [first] = orderBy ?? []
    if (first === undefined) return true
    const { expression, descending } = first
    const isKey = expression.kind === 'PropertyPath' && expression.steps.length === 0
    return isKey && !descending && expression.property.name === this.key.path[0]
  }

  /** Returns an upper bound of the row count. */
  private rows(call: ProviderCall): PromiseOrValue<number> {
    if (this.size !== undefined && this.size.expires >= performance.now()) return this.size.rows
    const table = raw(this.table.quoted)
    const key = raw(this.key.quoted)
    const greatest = sql`(select max(${key}) from ${table})`
    const least = sql`(select min(${key}) from ${table})`
    return mapValue(this.database.read(sql`select ${greatest} - ${least} + 1.0 as n`, call), ([row]) => {
      const rows = Number(row?.n ?? 0)
      this.size = { rows, expires: performance.now() + SIZE_TTL_MS }
      return rows
    })
  }
}

function sorted(keys: readonly string[]): readonly string[] {
  return [...keys].sort((a, b) => Number(BigInt(a) - BigInt(b)))
}

/** Counts the nodes of an expression. */
function nodesOf(expression: Expression): number {
  switch (expression.kind) {
    case 'Unary':
    case 'Cast':
    case 'IsOf':
      return 1 + nodesOf(expression.operand)
    case 'Binary':
      return 1 + nodesOf(expression.left) + nodesOf(expression.right)
    case 'Call':
      return expression.arguments.reduce((sum, one) => sum + nodesOf(one), 1)
    default:
      return 1
  }
}
