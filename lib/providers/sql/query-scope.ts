import { bitLength } from './dialects/shared/shared-sql.js'
import type { NavigationProperty } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import { isInteger, primitiveTypeNames } from '../../edm/primitive-types/primitive-type-name.js'
import type { NavigationStep } from '../../evaluation/evaluation-context.js'
import type { EntityPath, Expression, PathStep, PropertyPath } from '../../query/expression.js'
import type { Column } from './column.js'
import type { SqlDialect, SqlValue } from './dialect.js'
import type { MappedTable, LinkStep, MappedRelation } from './mapped-table.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'
import { required } from '../../util/required.js'

export interface Relations {
  relation(entitySet: string, navigation: NavigationProperty): MappedRelation | undefined
}

interface JoinedTable {
  readonly alias: string
  readonly table: MappedTable
  readonly join: Sql
}

/** Compiles conditions and orders for a scope; returns undefined for those that the database cannot evaluate. */
export interface ScopeCompiler {
  restriction(condition: Expression, scope: QueryScope): Sql | undefined
  /** Returns the clauses that select the first row in the order of the key. */
  firstByKey(table: MappedTable, scope: QueryScope): Sql | undefined
}

/**
 * The tables of a statement: the root, and those that expressions reach over single-valued navigation properties. Each path
 * is joined once for each restriction by `authorize`.
 */
export class QueryScope {
  /** Undefined without joins: most statements read one table. */
  private joins: Map<string, JoinedTable> | undefined
  private readonly restrictions: Expression[] = []

  constructor(
    private readonly relations: Relations,
    private readonly root: MappedTable,
    readonly alias: string,
    private readonly dialect: SqlDialect,
    private readonly compiler: ScopeCompiler,
  ) {}

  /** Returns the tables of the `from` clause. @param restrictions joins that restrict the rows of the root */
  from(restrictions: readonly Sql[] = []): Sql {
    const { root, alias } = this
    const table = raw(`${root.source} as ${alias}`)
    if (this.joins === undefined && restrictions.length === 0) return table
    const joins = [...(this.joins?.values() ?? [])].map(({ join }) => join)
    return joined([table, ...restrictions, ...joins], ' ')
  }

  get hasJoins(): boolean {
    return this.joins !== undefined
  }

  /** Returns a column of the root or of a joined table. */
  property({ steps, property }: PropertyPath): SqlValue | undefined {
    const place = this.place(steps)
    if (place === undefined) return undefined
    const column = place.table.column([...place.members, property.name].join('/'))
    if (column === undefined) return undefined
    return {
      sql: raw(`${place.alias}.${column.quoted}`),
      type: column.type,
      nullable: place.nullable || column.nullable,
      column,
      ...bitsOf(column.type),
    }
  }

  /** Returns an expression that is null exactly when the entity does not exist. */
  entity({ steps }: EntityPath): Sql | undefined {
    const place = this.place(steps)
    const [key] = place?.table.keyColumns ?? []
    return place === undefined || key === undefined ? undefined : raw(`${place.alias}.${key.quoted}`)
  }

  private place(
    steps: readonly PathStep[],
  ): { alias: string; table: MappedTable; nullable: boolean; members: string[] } | undefined {
    let alias = this.alias
    let table = this.root
    let nullable = false
    let path = ''
    const members: string[] = []
    for (const step of steps) {
      if (step.kind === 'TypeCast') return undefined
      if (step.kind === 'Complex') {
        members.push(step.property.name)
        continue
      }
      path += `/${step.navigation.name}${this.restrictionName(step)}`
      const next = this.joins?.get(path) ?? this.join(path, alias, table, step)
      if (next === undefined) return undefined
      ;({ alias, table } = next)
      nullable = true
    }
    return { alias, table, nullable, members }
  }

  /** Distinguishes joins by their restriction: conditions of the application are less restricted than those of clients. */
  private restrictionName({ restriction }: NavigationStep): string {
    if (restriction === undefined) return ''
    let index = this.restrictions.indexOf(restriction)
    if (index < 0) index = this.restrictions.push(restriction) - 1
    return `#${index}`
  }

  private join(
    path: string,
    from: string,
    source: MappedTable,
    step: NavigationStep,
  ): JoinedTable | undefined {
    const relation = this.relations.relation(source.set.path, step.navigation)
    if (relation === undefined || relation.isCollection) return undefined
    const alias = `${this.alias}_${(this.joins?.size ?? 0) + 1}`
    const on = this.keyJoin(relation, step, from, alias) ?? this.firstOfSeveral(relation, step, from, alias)
    if (on === undefined) return undefined
    const join = sql`left join ${raw(relation.target.source)} as ${raw(alias)} on ${on}`
    const table = { alias, table: relation.target, join }
    this.joins = (this.joins ?? new Map<string, JoinedTable>()).set(path, table)
    return table
  }

  /** Joins by a foreign key to the key of the target, which matches one row at most. */
  private keyJoin(
    relation: MappedRelation,
    { restriction }: NavigationStep,
    from: string,
    alias: string,
  ): Sql | undefined {
    const { target, other, link } = relation
    const isKey =
      link === undefined &&
      target.keyColumns.length === other.length &&
      target.keyColumns.every(({ quoted }) => other.includes(quoted))
    if (!isKey) return undefined
    const on = refersTo(relation, alias, this.dialect, ({ quoted }) => raw(`${from}.${quoted}`))
    if (restriction !== undefined) {
      const scope = new QueryScope(this.relations, target, alias, this.dialect, this.compiler)
      const condition = this.compiler.restriction(restriction, scope)
      if (condition === undefined || scope.hasJoins) return undefined
      on.push(condition)
    }
    return joined(on, ' and ')
  }

  /**
   * Joins the first row by a foreign key of the target, or by a link table, where the database may not enforce that there
   * is only one: no row of the source may be duplicated.
   */
  private firstOfSeveral(
    relation: MappedRelation,
    { restriction }: NavigationStep,
    from: string,
    alias: string,
  ): Sql | undefined {
    const { target, link } = relation
    const inner = `${alias}x`
    const scope = new QueryScope(this.relations, target, inner, this.dialect, this.compiler)
    const side = link === undefined ? inner : `${inner}l`
    const conditions = refersTo(relation, side, this.dialect, ({ quoted }) => raw(`${from}.${quoted}`))
    if (restriction !== undefined) {
      const condition = this.compiler.restriction(restriction, scope)
      if (condition === undefined) return undefined
      conditions.push(condition)
    }
    const first = this.compiler.firstByKey(target, scope)
    if (first === undefined) return undefined
    const links = link === undefined ? [] : [linkJoin(link, side, inner, this.dialect)]
    const keysOf = (name: string): Sql =>
      raw(target.keyColumns.map(({ quoted }) => `${name}.${quoted}`).join(', '))
    const selected =
      target.keyColumns.length > 1 && this.dialect.selectsRows === true
        ? sql`(${keysOf(inner)})`
        : keysOf(inner)
    return sql`(${keysOf(alias)}) = (select ${selected} from ${scope.from(links)} where ${joined(conditions, ' and ')}${first})`
  }
}

/**
 * Returns the conditions that rows of the other side of a relation refer to values of its own columns.
 *
 * @param side alias of the target or of the link table
 */
export function refersTo(
  { own, other, compared, keys }: MappedRelation,
  side: string,
  dialect: SqlDialect,
  value: (column: Column, index: number) => Sql,
): Sql[] {
  return own.map((column, index) =>
    dialect.refers(
      compared[index] ?? column,
      raw(`${side}.${required(other[index])}`),
      value(column, index),
      keys[index],
    ),
  )
}

/** Returns the join of a link table with its target. */
export function linkJoin(link: LinkStep, alias: string, target: string, dialect: SqlDialect): Sql {
  const on = link.targetColumns.map((column, index) =>
    dialect.refers(
      column,
      raw(`${target}.${column.quoted}`),
      raw(`${alias}.${required(link.columns[index])}`),
    ),
  )
  return sql`inner join ${raw(link.table)} as ${raw(alias)} on ${joined(on, ' and ')}`
}

const bits: ReadonlyMap<string, { readonly bits?: number }> = new Map(
  primitiveTypeNames
    .filter(isInteger)
    .map((type) => [type, { bits: bitLength(integerMaxima.get(type) ?? 0n) }]),
)

/** Returns the number of bits of an integer type. */
function bitsOf(type: string): { readonly bits?: number } {
  return bits.get(type) ?? {}
}
