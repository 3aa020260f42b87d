import { keyOrder } from '../../query/entity-query.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import type { CountQuery, ReadQuery, RelatedQuery, RelatedTo } from '../../provider/provider.js'
import { SqlExpressionCompiler } from './compile-expression.js'
import type { SqlDialect } from './dialect.js'
import type { EntityTable, Relation } from './entity-table.js'
import { valuesOf } from './entity-table.js'
import type { Relations } from './query-scope.js'
import { QueryScope } from './query-scope.js'
import type { RowReader } from './row-reader.js'
import { sourceAlias } from './row-reader.js'
import { seekCondition } from './seek-condition.js'
import type { Sql } from './sql-text.js'
import { allOf, joined, raw, sql } from './sql-text.js'

const root = 't0'
const linkAlias = 'l'

/** What can be asked of a table, in SQL. */
export class SelectStatements {
  constructor(
    private readonly table: EntityTable,
    private readonly relations: Relations,
    private readonly dialect: SqlDialect,
  ) {}

  /** Whether the database can tell exactly for which rows a condition is true. */
  canFilter(condition: Expression): boolean {
    return this.compiler(this.scope()).isTrue(condition) !== undefined
  }

  /** Whether the database sorts as the library does. */
  canSort(terms: readonly OrderByTerm[]): boolean {
    const compiler = this.compiler(this.scope())
    return terms.every((term) => compiler.orderValue(term) !== undefined)
  }

  read(query: ReadQuery, reader: RowReader): Sql {
    const scope = this.scope()
    const restriction = query.source === undefined ? undefined : this.startingFrom(query.source)
    const conditions = [...(restriction?.conditions ?? []), ...this.conditions(query, scope)]
    const order = this.order(query.orderBy ?? [], scope)
    return sql`select ${reader.selection(root)} from ${scope.from(restriction?.joins)}${where(conditions)}${order}${this.dialect.page(query.top, query.skip)}`
  }

  readByKey(key: readonly unknown[], reader: RowReader): Sql {
    const scope = this.scope()
    return sql`select ${reader.selection(root)} from ${scope.from()}${where([this.keyCondition(key, `${root}.`)])}`
  }

  count(query: CountQuery): Sql {
    const scope = this.scope()
    const restriction = query.source === undefined ? undefined : this.startingFrom(query.source)
    const conditions = [...(restriction?.conditions ?? []), ...this.conditions(query, scope)]
    return sql`select count(*) as ${raw(this.dialect.quote('n'))} from ${scope.from(restriction?.joins)}${where(conditions)}`
  }

  /**
   * Related rows of several sources at once, each with the number of its source.
   *
   * @param sources values of the columns by which the relation is followed
   */
  related(
    query: RelatedQuery,
    relation: Relation,
    sources: readonly (readonly Sql[])[],
    reader: RowReader,
  ): Sql {
    const { dialect } = this
    const scope = this.scope()
    const names = relation.own.map((_, index) => `k${index}`)
    const side = relation.link === undefined ? root : linkAlias
    const on = names.map((name, index) => raw(`source.${name} = ${side}.${relation.other[index] ?? ''}`))
    const joins = [
      ...this.linkJoin(relation),
      sql`inner join ${dialect.sourceRows(sources, names)} on ${joined(on, ' and ')}`,
    ]
    const conditions = this.conditions(query, scope)
    const terms = query.orderBy ?? []
    const number = raw(dialect.quote(sourceAlias))
    const selection = sql`source.n as ${number}, ${reader.selection(root)}`
    if (query.top === undefined && query.skip === undefined) {
      const order = this.orderTerms(terms, scope)
      return sql`select ${selection} from ${scope.from(joins)}${where(conditions)} order by ${joined([raw('source.n'), ...order], ', ')}`
    }
    const order = this.orderTerms(terms.length > 0 ? terms : keyOrder(this.table.set.entityType), scope)
    const skip = query.skip ?? 0
    const rank = raw(dialect.quote('$rank'))
    const to = query.top === undefined ? sql`` : sql` and ${rank} <= ${raw(String(skip + query.top))}`
    const inner = sql`select ${selection}, row_number() over (partition by source.n order by ${joined(order, ', ')}) as ${rank} from ${scope.from(joins)}${where(conditions)}`
    return sql`select * from (${inner}) as ranked where ${rank} > ${raw(String(skip))}${to} order by ${joined([number, rank], ', ')}`
  }

  keyCondition(key: readonly unknown[], prefix = ''): Sql {
    return equalColumns(
      this.table.keyColumns.map((column, index) => ({
        column: raw(prefix + column.quoted),
        value: this.dialect.stored(column, key[index]),
      })),
    )
  }

  private scope(): QueryScope {
    return new QueryScope(this.relations, this.table, root, (condition, scope) =>
      this.compiler(scope).isTrue(condition),
    )
  }

  private compiler(scope: QueryScope): SqlExpressionCompiler {
    return new SqlExpressionCompiler(scope, this.dialect)
  }

  private conditions({ filter, seek, orderBy = [] }: Omit<ReadQuery, 'source'>, scope: QueryScope): Sql[] {
    const compiler = this.compiler(scope)
    const conditions =
      filter === undefined ? [] : conjunctsOf(filter).map((one) => known(compiler.isTrue(one)))
    if (seek === undefined) return conditions
    const terms = orderBy.map((term, index) => {
      const value = known(compiler.orderValue(term))
      const at = seek[index]
      const literal = at === null || at === undefined ? undefined : this.literal(at, value.type)
      return { sql: value.sql, nullable: value.nullable, descending: term.descending, value: literal }
    })
    return [...conditions, seekCondition(terms)]
  }

  private literal(value: unknown, type: OrderByTerm['expression']['type']): Sql {
    if (typeof type !== 'string') throw new TypeError('Only values can be sorted by.')
    return known(this.dialect.literal(value, type)).sql
  }

  private order(terms: readonly OrderByTerm[], scope: QueryScope): Sql {
    const order = this.orderTerms(terms, scope)
    return order.length === 0 ? sql`` : sql` order by ${joined(order, ', ')}`
  }

  private orderTerms(terms: readonly OrderByTerm[], scope: QueryScope): Sql[] {
    const compiler = this.compiler(scope)
    return terms.map((term) => {
      const value = known(compiler.orderValue(term))
      return this.dialect.orderTerm(value.sql, value.nullable, term.descending)
    })
  }

  /** The rows that one row of another table is related to. */
  private startingFrom({ entitySet, navigation, row }: RelatedTo): {
    readonly joins: readonly Sql[]
    readonly conditions: readonly Sql[]
  } {
    const relation = known(this.relations.relation(entitySet, navigation))
    const side = relation.link === undefined ? root : linkAlias
    const values = valuesOf(row, relation.own)
    const equal = relation.own.map((column, index) => ({
      column: raw(`${side}.${relation.other[index] ?? ''}`),
      value: this.dialect.stored(column, values[index]),
    }))
    return { joins: this.linkJoin(relation), conditions: [equalColumns(equal)] }
  }

  private linkJoin({ link }: Relation): Sql[] {
    if (link === undefined) return []
    const on = link.targetColumns.map(({ quoted }, index) =>
      raw(`${linkAlias}.${link.columns[index] ?? ''} = ${root}.${quoted}`),
    )
    return [sql`inner join ${raw(link.table)} as ${raw(linkAlias)} on ${joined(on, ' and ')}`]
  }
}

function equalColumns(pairs: readonly { readonly column: Sql; readonly value: Sql }[]): Sql {
  return joined(
    pairs.map(({ column, value }) => sql`${column} = ${value}`),
    ' and ',
  )
}

function where(conditions: readonly Sql[]): Sql {
  const all = allOf(conditions)
  return all === undefined ? sql`` : sql` where ${all}`
}

/** What was accepted before can be said now. */
function known<T>(piece: T | undefined): T {
  if (piece === undefined) throw new TypeError('A query asks for what the database does not do.')
  return piece
}
