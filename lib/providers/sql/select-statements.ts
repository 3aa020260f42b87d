import { canFail } from '../../query/can-fail.js'
import { keyOrder } from '../../query/entity-query.js'
import type { Expression, OrderByTerm, SearchQuery } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import type { CountQuery, ReadQuery, RelatedQuery, RelatedTo } from '../../provider/provider.js'
import type { GroupPage } from '../../provider/pushdown.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { AggregateStatement } from './aggregate-statement.js'
import { SqlExpressionCompiler } from './compile-expression.js'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import type { MappedTable, MappedRelation } from './mapped-table.js'
import { valuesOf } from './table-rows.js'
import { StatementTemplates } from './statement-templates.js'
import { narrowedCondition, canFailOnHidden, guarded, isFallible, where } from './where-clause.js'
import type { Relations, ScopeCompiler } from './query-scope.js'
import { linkJoin, QueryScope, refersTo } from './query-scope.js'
import type { RelatedSource } from './related-groups.js'
import type { RowReader, Selection } from './row-reader.js'
import { sourceAlias } from './row-reader.js'
import type { SqlSearch } from './search-keys.js'
import { searchKeys } from './search-keys.js'
import type { SeekTerm } from './seek-condition.js'
import { keysOfValue, seekCondition, seekParts, seekTerm } from './seek-condition.js'
import type { Sql, Statement } from './sql-text.js'
import { joined, raw, sql, statementOf } from './sql-text.js'
import { required } from '../../util/required.js'

/** The maximum number of cells of a page that SQLite sorts together with its rows. */
const MAX_SORTED_CELLS = 200

/** The alias of the table of an entity set. */
export const root = 't0'
const linkAlias = 'l'

/** A condition on columns of the table. */
interface CompiledCondition {
  readonly sql: Sql
  /** False if it is also true for rows that the service excludes. */
  readonly isExact: boolean
  readonly isFallible: boolean
}

/** The statement for groups. */
interface Groups {
  readonly statement: AggregateStatement
  readonly text: () => Sql
}

/** Builds the `select` statements of an entity set. */
export class SelectStatements {
  /** Statements for a key. */
  private readonly byKey = new WeakMap<RowReader, StatementTemplates>()
  /** Conditions are compiled once, and not for each of the count, the page, and the division of the query. */
  private readonly compiled = new WeakMap<Expression, CompiledCondition>()
  /** Orders are compiled once for all filters and pages. */
  private readonly orders = new WeakMap<readonly OrderByTerm[], readonly Sql[]>()
  private readonly scopeCompiler: ScopeCompiler = {
    restriction: (condition, scope) => this.compiler(scope).isTrue(condition),
    firstByKey: ({ set }, scope) => {
      const terms = keyOrder(set.entityType)
      if (!this.canSortIn(terms, scope)) return undefined
      return sql`${this.order(terms, scope)}${this.dialect.page(1, undefined)}`
    },
  }

  constructor(
    private readonly table: MappedTable,
    private readonly relations: Relations,
    private readonly dialect: SqlDialect,
    private readonly search?: SqlSearch,
  ) {}

  /** Returns true if the database evaluates a condition exactly as the service does, `narrow` if nearly so. */
  canFilter(condition: Expression): boolean | 'narrow' {
    const cached = this.compiled.get(condition)
    if (cached === undefined && canFailOnHidden(condition)) return false
    const compiled = cached ?? this.condition(condition, this.scope())
    return compiled === undefined ? false : compiled.isExact || 'narrow'
  }

  /** Returns true if a full-text index of the database evaluates a search. */
  canSearch(query: SearchQuery): boolean {
    return this.search !== undefined && searchKeys(this.search, query) !== undefined
  }

  /** Returns true if the database sorts exactly as the service does. */
  canSort(terms: readonly OrderByTerm[]): boolean {
    if (this.orders.has(terms)) return true
    if (terms.some(({ expression }) => canFailOnHidden(expression))) return false
    return this.canSortIn(terms, this.scope())
  }

  /**
   * Returns the statement for a query.
   *
   * @param lock the locking clause
   * @param within an additional condition, before all others
   * @param isWire true if rows are returned as the database sends them
   */
  read(query: ReadQuery, reader: Selection, lock = '', within?: Sql, isWire = false): Sql {
    const inParts = lock === '' && within === undefined ? this.readInParts(query, reader, isWire) : undefined
    if (inParts !== undefined) return inParts
    const scope = this.scope(root, lock !== '')
    const restriction = query.source === undefined ? undefined : this.startingFrom(query.source)
    const own = within === undefined ? [] : [within]
    const conditions = [...own, ...(restriction?.conditions ?? []), ...this.conditions(query, scope)]
    const order = this.order(query.orderBy ?? [], scope)
    const page = this.dialect.page(query.top, query.skip)
    const selected = (selection: Sql): Sql =>
      sql`select ${selection} from ${scope.from(restriction?.joins)}${where(conditions)}${order}${page}${raw(lock)}`
    const rowId = this.rowIdToSort(query, reader)
    return rowId === undefined
      ? selected(reader.selection(root, isWire))
      : this.withRowId(rowId, selected(raw(`${root}.${rowId} as n`)), reader)
  }

  /**
   * Returns the row id of SQLite for pages that may have to be sorted: SQLite would sort the selected columns of all rows,
   * and takes a quarter less time if it sorts row ids first. For a few cells, finding the rows again takes longer.
   */
  private rowIdToSort(
    { orderBy: [first] = [], skip = 0, top }: ReadQuery,
    { columns = [] }: Selection,
  ): string | undefined {
    const [key] = this.table.keyColumns
    if (top === undefined || first === undefined || key?.facts.isRowId !== true) return undefined
    if (columns.length > 0 && (skip + top) * columns.length <= MAX_SORTED_CELLS) return undefined
    const { expression } = first
    const isKey = expression.kind === 'PropertyPath' && expression.steps.length === 0
    return isKey && expression.property.name === key.path[0] ? undefined : key.quoted
  }

  /** Reads the rows of sorted row ids, `n` in their statement: a cross join has the order of its left side. */
  private withRowId(rowId: string, rowIds: Sql, reader: Selection): Sql {
    const table = this.scope().from()
    return sql`select ${reader.selection(root)} from (${rowIds}) as sorted cross join ${table} on ${raw(`${root}.${rowId} = sorted.n`)}`
  }

  /**
   * Returns the statement for a page that continues after a row, as a union of parts: an index can find each of them.
   * Without an index each part costs a scan.
   */
  private readInParts(query: ReadQuery, reader: Selection, isWire: boolean): Sql | undefined {
    const { top, skip, orderBy = [], seek } = query
    if (top === undefined || seek === undefined || orderBy.some(isFallible)) return undefined
    const { dialect } = this
    const scope = this.scope()
    const restriction = query.source === undefined ? undefined : this.startingFrom(query.source)
    const conditions = [...(restriction?.conditions ?? []), ...this.filters(query, scope)]
    const terms = this.seekTerms(query, scope)
    const parts = seekParts(terms)
    if (parts.length < 2 || !this.isOrdinal(orderBy, scope) || isLong(conditions)) return undefined
    const name = (text: string): Sql => raw(dialect.quote(text))
    const keys = terms.map(({ sql: key }, index) => sql`${key} as ${name(`$key${index}`)}`)
    const from = scope.from(restriction?.joins)
    const order = this.order(orderBy, scope)
    const end = sql`${order}${dialect.page(top + (skip ?? 0), undefined)}`
    const selects = parts.map((part, index) => {
      const selection = joined(
        [reader.selection(root, isWire), sql`${raw(String(index))} as ${name('$part')}`, ...keys],
        ', ',
      )
      return sql`select * from (select ${selection} from ${from}${where([...conditions, part])}${end}) as ${raw(`p${index}`)}`
    })
    const inOrder = terms.map(({ nullable, descending }, index) =>
      dialect.orderTerm(name(`$key${index}`), nullable, descending),
    )
    return sql`select ${reader.names} from (${joined(selects, ' union all ')}) as parts order by ${joined([name('$part'), ...inOrder], ', ')}${dialect.page(top, skip)}`
  }

  readByKey(key: readonly unknown[], reader: RowReader, lock: string, isWire: boolean): Statement {
    const templates = getOrCreate(this.byKey, reader, () => new StatementTemplates(this.dialect))
    const stored = this.storedKey(key)
    return templates.statement(isWire ? `wire${lock}` : lock, stored, () =>
      this.whereKey(reader, lock, isWire, (prefix) => this.hasKey(stored, prefix)),
    )
  }

  /**
   * Returns the statement for the rows with one of several keys of a single column.
   *
   * @param values by their canonical string
   */
  readByKeys(values: ReadonlyMap<string, unknown>, reader: RowReader, isWire: boolean): Sql {
    const column = required(this.table.keyColumns[0])
    return this.whereKey(reader, '', isWire, (prefix) =>
      this.isAmong(column, raw(prefix + column.quoted), values),
    )
  }

  private whereKey(
    reader: RowReader,
    lock: string,
    isWire: boolean,
    condition: (prefix: string) => Sql,
  ): Sql {
    const { table } = this
    // Parsing aliases takes a tenth of the time of the database. Locks and subqueries need one.
    const source = lock === '' ? table.source : table.lockedSource
    const alias = isWire && lock === '' && source === table.quoted ? undefined : root
    const from = alias === undefined ? source : `${source} as ${alias}`
    const isFound = condition(alias === undefined ? '' : `${alias}.`)
    return sql`select ${reader.selection(alias, isWire)} from ${raw(from)}${where([isFound])}${raw(lock)}`
  }

  /** @param values by their canonical string */
  private isAmong(own: Column, reference: Sql, values: ReadonlyMap<string, unknown>): Sql {
    const { dialect } = this
    const among = dialect.among?.(own, reference, [...values.keys()])
    if (among !== undefined) return among
    const stored = [...values.values()].map((value) => dialect.stored(own, value))
    const forms =
      dialect.hasSeveralForms?.(own) === true
        ? stored.flatMap((guid) => [sql`lower(${guid})`, sql`upper(${guid})`])
        : stored
    return sql`${reference} in (${joined(forms, ', ')})`
  }

  /**
   * Returns the statement for groups.
   *
   * @param query without `entitySet`: only whether there is a statement matters
   * @returns undefined if the database would have other results than the service
   */
  groups(query: GroupPage & Partial<CountQuery>): Groups | undefined {
    if (this.table.invalidValues !== undefined) return undefined
    const scope = this.scope()
    const compiler = this.compiler(scope)
    const statement = AggregateStatement.of(query, this.dialect, (path) => {
      const value = scope.property(path)
      if (value?.column === undefined) return undefined
      const comparable = compiler.orderValue({ expression: path, descending: false })?.sql
      return { column: value.column, reference: value.sql, comparable }
    })
    return statement && { statement, text: () => statement.text(this.rows(query, scope)) }
  }

  count(query: CountQuery): Sql {
    return sql`select count(*) as ${raw(this.dialect.quote('n'))} ${this.rows(query, this.scope())}`
  }

  /** Returns the clauses `from` and `where`. */
  private rows(query: Partial<CountQuery>, scope: QueryScope): Sql {
    const restriction = query.source === undefined ? undefined : this.startingFrom(query.source)
    const conditions = [...(restriction?.conditions ?? []), ...this.filters(query, scope)]
    return sql`from ${scope.from(restriction?.joins)}${where(conditions)}`
  }

  /**
   * Returns the statement for the related rows of several sources. The number of its source follows the columns of a row.
   *
   * @param sources values of the columns by which the relation is followed
   */
  related(
    query: RelatedQuery,
    relation: MappedRelation,
    sources: readonly (readonly Sql[])[],
    reader: RowReader,
    isWire: boolean,
  ): Sql {
    const { dialect } = this
    const scope = this.scope()
    const names = relation.own.map((_, index) => `k${index}`)
    const side = relation.link === undefined ? root : linkAlias
    const on = refersTo(relation, side, dialect, (_, index) => raw(`source.k${index}`))
    const joins = [
      ...this.linkJoin(relation),
      sql`inner join ${dialect.sourceRows(sources, names)} on ${joined(on, ' and ')}`,
    ]
    const conditions = this.conditions(query, scope)
    const terms = query.orderBy ?? []
    const number = raw(dialect.quote(sourceAlias))
    const selection = sql`${reader.selection(root, isWire)}, source.n as ${number}`
    if (query.top === undefined && query.skip === undefined) {
      const order = this.orderTerms(terms, scope)
      return sql`select ${selection} from ${scope.from(joins)}${where(conditions)} order by ${joined([raw('source.n'), ...order], ', ')}`
    }
    const order = this.relatedOrder(query, scope)
    const by = order.length > 0 ? sql` order by ${joined(order, ', ')}` : sql``
    const skip = query.skip ?? 0
    const rank = raw(dialect.quote('$rank'))
    const to = query.top === undefined ? sql`` : sql` and ${rank} <= ${raw(String(skip + query.top))}`
    const inner = sql`select ${selection}, row_number() over (partition by source.n${by}) as ${rank} from ${scope.from(joins)}${where(conditions)}`
    return sql`select ${reader.names}, ${number} from (${inner}) as ranked where ${rank} > ${raw(String(skip))}${to} order by ${joined([number, rank], ', ')}`
  }

  /**
   * Returns the statement for the related rows of several sources over a single column, sorted by it and then by the query.
   *
   * @param own the equal column of the sources
   * @param sources by the canonical string of their value
   * @param limit of all rows together: `top` of the query is not applied
   */
  relatedGroups(
    query: RelatedQuery,
    column: Column,
    own: Column,
    sources: ReadonlyMap<string, readonly Pick<RelatedSource, 'values'>[]>,
    reader: RowReader,
    isWire: boolean,
    limit: number,
  ): Sql {
    const scope = this.scope()
    const reference = raw(`${root}.${column.quoted}`)
    const values = new Map([...sources].map(([key, [first]]) => [key, first?.values[0]]))
    const conditions = [this.isAmong(own, reference, values), ...this.conditions(query, scope)]
    const order = [reference, ...this.relatedOrder(query, scope)]
    return sql`select ${reader.selection(root, isWire)} from ${scope.from()}${where(conditions)} order by ${joined(order, ', ')}${this.dialect.page(limit, undefined)}`
  }

  private storedKey(key: readonly unknown[]): readonly Sql[] {
    const { dialect } = this
    return this.table.keyColumns.map((column, index) =>
      dialect.stored(column, dialect.truncates?.(column, key[index]) === true ? null : key[index]),
    )
  }

  private hasKey(stored: readonly Sql[], prefix: string): Sql {
    const equal = this.table.keyColumns.map((column, index) =>
      this.dialect.equal(column, raw(prefix + column.quoted), stored[index] ?? raw('null')),
    )
    return joined(equal, ' and ')
  }

  private scope(alias = root, isLocked = false): QueryScope {
    const { lockedSource, source } = this.table
    const table = isLocked && lockedSource !== source ? { ...this.table, source: lockedSource } : this.table
    return new QueryScope(this.relations, table, alias, this.dialect, this.scopeCompiler)
  }

  private canSortIn(terms: readonly OrderByTerm[], scope: QueryScope): boolean {
    const compiler = this.compiler(scope)
    return terms.every((term) => compiler.orderValue(term) !== undefined)
  }

  private compiler(scope: QueryScope): SqlExpressionCompiler {
    return new SqlExpressionCompiler(scope, this.dialect)
  }

  private conditions(query: Omit<ReadQuery, 'source'>, scope: QueryScope): Sql[] {
    const filters = this.filters(query, scope)
    if (query.seek === undefined) return filters
    const seek = seekCondition(this.seekTerms(query, scope))
    return [...filters, query.orderBy?.some(isFallible) === true ? guarded(filters, seek) : seek]
  }

  /** Returns the conditions of a filter. Conditions that can fail are evaluated last, in their order. */
  private filters({ filter, search }: Pick<ReadQuery, 'filter' | 'search'>, scope: QueryScope): Sql[] {
    const safe: Sql[] = search === undefined ? [] : [this.found(search, scope)]
    const fallible: Sql[] = []
    for (const conjunct of filter === undefined ? [] : conjunctsOf(filter)) {
      const condition = known(this.condition(conjunct, scope))
      if (condition.isFallible) fallible.push(condition.sql)
      else safe.push(condition.sql)
    }
    const inOrder = fallible.reduceRight<Sql | undefined>(
      (rest, condition) => (rest === undefined ? condition : guarded([condition], rest)),
      undefined,
    )
    return inOrder === undefined ? safe : [...safe, guarded(safe, inOrder)]
  }

  private condition(expression: Expression, scope: QueryScope): CompiledCondition | undefined {
    const cached = this.compiled.get(expression)
    if (cached !== undefined) return cached
    const exact = this.compiler(scope).isTrue(expression)
    const condition = exact ?? narrowedCondition(expression, scope, this.dialect)
    if (condition === undefined) return undefined
    const compiled = { sql: condition, isExact: exact !== undefined, isFallible: canFail(expression) }
    // Joins belong to one statement.
    if (!scope.hasJoins) this.compiled.set(expression, compiled)
    return compiled
  }

  private found(query: SearchQuery, { alias }: QueryScope): Sql {
    const [key] = this.table.keyColumns
    const keys = known(this.search && searchKeys(this.search, query))
    return sql`${raw(`${alias}.${required(key).quoted}`)} in (${keys})`
  }

  private seekTerms({ seek = [], orderBy = [] }: Omit<ReadQuery, 'source'>, scope: QueryScope): SeekTerm[] {
    const compiler = this.compiler(scope)
    return orderBy.flatMap((term, index) =>
      keysOfValue(this.dialect, known(compiler.orderValue(term))).map((key) =>
        seekTerm(key, term.descending, seek[index]),
      ),
    )
  }

  /** Returns true if the indexes of columns have the sort order of the service. */
  private isOrdinal(terms: readonly OrderByTerm[], scope: QueryScope): boolean {
    const compiler = this.compiler(scope)
    return terms.every((term) => compiler.orderValue(term)?.column?.facts.ordinal !== false)
  }

  private order(terms: readonly OrderByTerm[], scope: QueryScope): Sql {
    const order = this.orderTerms(terms, scope)
    return order.length === 0 ? sql`` : sql` order by ${joined(order, ', ')}`
  }

  /** Returns the given order, or that of the key, unless the database compares keys differently than OData. */
  private relatedOrder({ orderBy = [] }: RelatedQuery, scope: QueryScope): readonly Sql[] {
    const terms = orderBy.length > 0 ? orderBy : keyOrder(this.table.set.entityType)
    return orderBy.length > 0 || this.canSortIn(terms, scope) ? this.orderTerms(terms, scope) : []
  }

  private orderTerms(terms: readonly OrderByTerm[], scope: QueryScope): readonly Sql[] {
    const cached = scope.alias === root ? this.orders.get(terms) : undefined
    if (cached !== undefined) return cached
    const compiler = this.compiler(scope)
    // MySQL takes a number for the position of a column: its driver inserts the values of parameters.
    const sorting = terms.filter(({ expression }) => expression.kind !== 'Literal')
    const order = sorting.flatMap((term) =>
      keysOfValue(this.dialect, known(compiler.orderValue(term))).map(({ sql: key, nullable }) =>
        this.dialect.orderTerm(key, nullable, term.descending),
      ),
    )
    // Joins belong to one statement.
    if (scope.alias === root && !scope.hasJoins) this.orders.set(terms, order)
    return order
  }

  /** Returns the joins and conditions for the rows that are related to a row of another table. */
  private startingFrom({ entitySet, navigation, row }: RelatedTo): {
    readonly joins: readonly Sql[]
    readonly conditions: readonly Sql[]
  } {
    const relation = this.relations.relation(entitySet, navigation)
    // Without an association set there are no links.
    if (relation === undefined) return { joins: [], conditions: [sql`1 = 0`] }
    const side = relation.link === undefined ? root : linkAlias
    const values = valuesOf(row, relation.own)
    const equal = refersTo(relation, side, this.dialect, (column, index) =>
      this.dialect.stored(column, values[index]),
    )
    return { joins: this.linkJoin(relation), conditions: equal }
  }

  private linkJoin({ link }: MappedRelation): Sql[] {
    return link === undefined ? [] : [linkJoin(link, linkAlias, root, this.dialect)]
  }
}

/** Returns the compiled part of a query, which `canFilter` or `canSort` have accepted. */
function known<T>(compiled: T | undefined): T {
  if (compiled === undefined) throw new TypeError('The database cannot evaluate this query.')
  return compiled
}

/** The maximum number of parameters in conditions that a statement repeats. */
const MAX_REPEATED_PARAMETERS = 2000

function isLong(conditions: readonly Sql[]): boolean {
  return statementOf(joined(conditions, ' '), () => '').parameters.length > MAX_REPEATED_PARAMETERS
}
