import type { NavigationProperty } from '../../edm/edm-model.js'
import type { EntityPath, Expression, PathStep, PropertyPath } from '../../query/expression.js'
import type { EntityTable, Relation } from './entity-table.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'
import type { SqlValue } from './sql-value.js'

/** Finds how tables belong together. */
export interface Relations {
  relation(entitySet: string, navigation: NavigationProperty): Relation | undefined
}

interface JoinedTable {
  readonly alias: string
  readonly table: EntityTable
  readonly nullable: boolean
  readonly join: Sql
}

/** Says in SQL what a condition says of the rows of an alias; undefined when that is not possible. */
export type CompileRestriction = (condition: Expression, scope: QueryScope) => Sql | undefined

/**
 * The tables that a statement reads: the one it is about, and those that expressions reach over single-valued
 * navigation properties. Each is joined once, however often it is named.
 */
export class QueryScope {
  private readonly joins = new Map<string, JoinedTable>()

  constructor(
    private readonly relations: Relations,
    private readonly root: EntityTable,
    readonly alias: string,
    private readonly compileRestriction: CompileRestriction,
  ) {}

  /**
   * The tables of the `from` clause.
   *
   * @param restrictions joins that say which rows of the table itself are meant
   */
  from(restrictions: readonly Sql[] = []): Sql {
    const { root, alias } = this
    const joins = [...this.joins.values()].map(({ join }) => join)
    return joined([raw(`${root.quoted} as ${alias}`), ...restrictions, ...joins], ' ')
  }

  get hasJoins(): boolean {
    return this.joins.size > 0
  }

  /** A column of the table itself or of one that is joined. */
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

  /** Something that is null exactly when there is no such entity. */
  entity({ steps }: EntityPath): Sql | undefined {
    const place = this.place(steps)
    const [key] = place?.table.keyColumns ?? []
    return place === undefined || key === undefined ? undefined : raw(`${place.alias}.${key.quoted}`)
  }

  private place(
    steps: readonly PathStep[],
  ): { alias: string; table: EntityTable; nullable: boolean; members: string[] } | undefined {
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
      path += `/${step.navigation.name}`
      const next = this.joins.get(path) ?? this.join(path, alias, table, step)
      if (next === undefined) return undefined
      ;({ alias, table } = next)
      nullable = true
    }
    return { alias, table, nullable, members }
  }

  private join(
    path: string,
    from: string,
    source: EntityTable,
    step: Extract<PathStep, { kind: 'Navigation' }>,
  ): JoinedTable | undefined {
    const relation = this.relations.relation(source.set.path, step.navigation)
    if (relation === undefined || relation.isCollection || relation.link !== undefined) return undefined
    // Only a key finds one row at most; over a foreign key of the other side there might be several.
    const keys = relation.target.keyColumns
    const isKey =
      keys.length === relation.other.length && keys.every(({ quoted }) => relation.other.includes(quoted))
    if (!isKey) return undefined
    const alias = `${this.alias}_${this.joins.size + 1}`
    const on = relation.own.map(({ quoted }, index) =>
      raw(`${alias}.${relation.other[index] ?? ''} = ${from}.${quoted}`),
    )
    if (step.restriction !== undefined) {
      const scope = new QueryScope(this.relations, relation.target, alias, this.compileRestriction)
      const restriction = this.compileRestriction(step.restriction, scope)
      if (restriction === undefined || scope.hasJoins) return undefined
      on.push(restriction)
    }
    const join = sql`left join ${raw(relation.target.quoted)} as ${raw(alias)} on ${joined(on, ' and ')}`
    const table = { alias, table: relation.target, nullable: true, join }
    this.joins.set(path, table)
    return table
  }
}

const bits: Readonly<Record<string, number>> = {
  'Edm.Byte': 8,
  'Edm.SByte': 7,
  'Edm.Int16': 15,
  'Edm.Int32': 31,
  'Edm.Int64': 63,
}

/** How long the whole numbers of a type can get. */
export function bitsOf(type: string): { readonly bits?: number } {
  const known = bits[type]
  return known === undefined ? {} : { bits: known }
}
