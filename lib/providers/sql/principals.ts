import { entityName, missingPrincipal, takenPrincipal } from '../../edm/relations.js'
import type { Row } from '../../evaluation/row.js'
import type { ColumnValues } from './column-values.js'
import type { MappedTable } from './mapped-table.js'
import { valuesOf, lockRows, readKeys, canHold, referTo } from './table-rows.js'
import type { MappedForeignKey } from './table-catalog.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/**
 * Ensures that foreign keys refer to existing entities, whether the database enforces that or not, except for deferred
 * constraints: the statement that sets them has the condition, and the entities are locked until the end of the change.
 */
export class Principals {
  private readonly own: readonly MappedForeignKey[]
  private readonly groups: readonly ForeignKeyGroup[]

  constructor(
    private readonly table: MappedTable,
    foreignKeys: readonly MappedForeignKey[],
    private readonly database: SqlDatabase,
  ) {
    this.own = foreignKeys.filter(({ dependent }) => dependent === table)
    // The database checks them when the transaction ends: a later change of the change set can add the entity.
    this.groups = grouped(this.own).filter(([first, ...others]) => others.length > 0 || !first.isDeferred)
  }

  get foreignKeys(): readonly MappedForeignKey[] {
    return this.own
  }

  /** True if a principal can have only one dependent, so that {@link checkSingle} must check new entities. */
  get needsSingleCheck(): boolean {
    return this.own.some(({ isSingle }) => isSingle)
  }

  /**
   * Returns the conditions under which a new entity may be added.
   *
   * @param skipEnforced omits conditions that the database itself enforces
   */
  conditions(entity: Row, skipEnforced = false): readonly Sql[] {
    const { dialect } = this.database
    const referring = this.referring(entity).filter(
      (group) => !skipEnforced || group.length > 1 || !group[0].isEnforced,
    )
    return referring.map((group) =>
      anyOf(
        group.map((foreignKey) =>
          this.exists(
            foreignKey,
            foreignKey.columns.map((column, index) =>
              dialect.stored(foreignKey.principalColumns[index] ?? column, valuesOf(entity, [column])[0]),
            ),
          ),
        ),
      ),
    )
  }

  /** Returns the conditions under which foreign keys may be changed. Unchanged ones need none. */
  conditionsOfChange(changes: Row, values: ColumnValues): readonly Sql[] {
    const { dialect } = this.database
    return this.changed(changes).map((group) => {
      const [foreignKey] = group
      const fragments = foreignKey.columns.map((column) => values.get(column) ?? raw(`t0.${column.quoted}`))
      const same = foreignKey.columns.map(({ quoted }, index) =>
        dialect.isSame(raw(`t0.${quoted}`), fragments[index] ?? raw('null')),
      )
      const empty = foreignKey.columns
        .filter((column) => !values.has(column))
        .map(({ quoted }) => sql` or ${raw(`t0.${quoted}`)} is null`)
      const exist = anyOf(group.map((one) => this.exists(one, fragments, true)))
      return sql`((${joined(same, ' and ')})${joined(empty, '')} or ${exist})`
    })
  }

  /**
   * Locks principals that can have only one dependent, and checks that they do not have another one.
   *
   * @param update the changes of an existing entity; undefined for a new one
   * @throws ODataError Conflict
   */
  async checkSingle(
    entity: Row,
    call: ChangeCall,
    update?: { readonly key: Row; readonly changes: Row },
  ): Promise<void> {
    const { dialect } = this.database
    const changed = update === undefined ? this.own : this.changed(update.changes).flat()
    for (const foreignKey of changed) {
      if (!foreignKey.isSingle || !this.refers(foreignKey, entity)) continue
      const values = valuesOf(entity, foreignKey.columns)
      const { principal, principalColumns, columns } = foreignKey
      await lockRows(this.database, principal, referTo(dialect, principalColumns, values, 't0.'), call)
      const condition = referTo(dialect, columns, values, 't0.', principalColumns)
      for (const row of await readKeys(this.database, this.table, condition, call)) {
        const name = entityName(this.table.set, row)
        if (update !== undefined && name === entityName(this.table.set, update.key)) continue
        throw takenPrincipal(foreignKey.names, this.table.set)
      }
    }
  }

  /** Checks that all principals exist. @throws ODataError Conflict naming a foreign key of a missing entity */
  async checkAll(entity: Row, call: ChangeCall): Promise<void> {
    const { dialect } = this.database
    for (const group of this.referring(entity)) {
      let isFound = false
      for (const { columns, principal, principalColumns } of group) {
        const values = valuesOf(entity, columns)
        if (isFound || !canHold(dialect, principalColumns, values)) continue
        const condition = referTo(dialect, principalColumns, values)
        const found = await this.database.read(
          sql`select 1 as n from ${raw(principal.quoted)} where ${condition}`,
          call,
        )
        isFound = found.length > 0
      }
      if (!isFound) throw missingPrincipal(group[0].names, group[0].principal.set)
    }
  }

  private referring(entity: Row): readonly ForeignKeyGroup[] {
    return this.groups.filter((group) => group.every((one) => this.refers(one, entity)))
  }

  /** Returns true if a foreign key refers to another entity than its own. @throws ODataError Conflict */
  private refers(foreignKey: MappedForeignKey, entity: Row): boolean {
    const values = valuesOf(entity, foreignKey.columns)
    if (values.some((value) => value === null || value === undefined)) return false
    if (!canHold(this.database.dialect, foreignKey.principalColumns, values)) {
      throw missingPrincipal(foreignKey.names, foreignKey.principal.set)
    }
    const own = valuesOf(entity, foreignKey.principalColumns)
    return foreignKey.principal !== this.table || !own.every((value, index) => value === values[index])
  }

  private changed(changes: Row): readonly ForeignKeyGroup[] {
    return this.groups.filter(([{ columns }]) => {
      const named = columns.filter(({ property }) => Object.hasOwn(changes, property.name))
      const values = valuesOf(changes, named)
      return named.length > 0 && values.every((value) => value !== null && value !== undefined)
    })
  }

  private exists(
    { principal, principalColumns }: MappedForeignKey,
    values: readonly Sql[],
    isUpdate = false,
  ): Sql {
    const { dialect, writes } = this.database
    const equal = principalColumns.map((column, index) =>
      dialect.refers(column, raw(`p.${column.quoted}`), values[index] ?? raw('null')),
    )
    const lock = principal.isView ? '' : writes.lockToKeep
    const from = sql`from ${raw(principal.quoted)} as p where ${joined(equal, ' and ')}`
    return isUpdate && writes.derivesOwnTable && principal.quoted === this.table.quoted
      ? // The limit prevents that the derived table is merged into the statement.
        sql`exists (select 1 from (select 1 ${from} limit 1${raw(lock)}) as own)`
      : sql`exists (select 1 ${from}${raw(lock)})`
  }
}

/**
 * The foreign keys of one association, which may have several sets. A dependent that they share has its principal in one
 * of them.
 */
type ForeignKeyGroup = readonly [MappedForeignKey, ...MappedForeignKey[]]

function grouped(foreignKeys: readonly MappedForeignKey[]): readonly ForeignKeyGroup[] {
  const groups = new Map<MappedForeignKey['constraint'], [MappedForeignKey, ...MappedForeignKey[]]>()
  for (const foreignKey of foreignKeys) {
    const group = groups.get(foreignKey.constraint)
    if (group === undefined) groups.set(foreignKey.constraint, [foreignKey])
    else group.push(foreignKey)
  }
  return [...groups.values()]
}

function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 1 ? joined(conditions, '') : sql`(${joined(conditions, ' or ')})`
}
