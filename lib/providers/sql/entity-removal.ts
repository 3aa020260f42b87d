import { entityName, neededBy } from '../../edm/relations.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { raiseVersion } from '../../evaluation/next-version.js'
import type { Column } from './column.js'
import type { ColumnValues } from './column-values.js'
import { assignments, valuesOfUpdate } from './column-values.js'
import type { MappedTable } from './mapped-table.js'
import { valuesOf, writeRows, amongRows, hasValues } from './table-rows.js'
import type { MappedForeignKey, TableCatalog, LinkedEnd, LinkedTables } from './table-catalog.js'
import { bothDirections } from './mandatory-links.js'
import { RowReader } from './row-reader.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'
import { raisedVersions, raiseInStatement, raisesInStatement, tokensOf } from './version-statements.js'
import { required } from '../../util/required.js'

/** Rows that refer to some that are removed. */
interface Dependents {
  readonly foreignKey: MappedForeignKey
  readonly principals: readonly Row[]
}

/** Links of some rows that are removed. */
interface Links {
  readonly linked: LinkedTables
  readonly own: LinkedEnd
  readonly other: LinkedEnd
  readonly rows: readonly Row[]
}

/**
 * Deletes entities with their links and cascading dependents. First collects all rows, table by table, and then deletes
 * them, dependents first.
 */
export class EntityRemoval {
  /** The rows to delete, by table in the order of discovery, and by key: a row can be reached on several paths. */
  private readonly removed = new Map<MappedTable, Map<string, Row>>()
  /** Dependents without dependents of their own: deleted by condition, without reading them. */
  private readonly leaves: Dependents[] = []
  private readonly cleared: Dependents[] = []
  private readonly needed: Dependents[] = []
  private readonly links: Links[] = []

  constructor(
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    private readonly call: ChangeCall,
  ) {}

  /**
   * @param rows locked rows, with their keys and the columns that foreign keys refer to
   * @returns the number of deleted rows of the table
   */
  async remove(table: MappedTable, rows: readonly Row[]): Promise<number> {
    await this.collect(table, rows)
    for (const one of this.needed) await this.checkNeeded(one)
    for (const { linked, own, rows: linkedRows } of this.links) {
      await this.run(linked.quoted, own.table, own.table.keyColumns, own.columns, linkedRows)
    }
    for (const { foreignKey, principals } of this.leaves) {
      const { dependent, columns, principalColumns } = foreignKey
      await this.run(dependent.quoted, dependent, columns, quotedOf(columns), principals, principalColumns)
    }
    for (const one of this.cleared) await this.clear(one)
    let count = 0
    // The table itself comes last.
    for (const [one, found] of [...this.removed].reverse()) {
      const { keyColumns } = one
      count = await this.run(
        one.quoted,
        one,
        keyColumns,
        quotedOf(keyColumns),
        [...found.values()],
        keyColumns,
        'equal',
      )
    }
    return count
  }

  /** Deletes rows of a table to which nothing refers. @returns true if there were any */
  async removeWhere(table: MappedTable, conditions: readonly Sql[]): Promise<boolean> {
    const statement = sql`delete from ${raw(table.quoted)} where ${joined(conditions, ' and ')}`
    return (await this.write(statement, table)) > 0
  }

  private async collect(table: MappedTable, rows: readonly Row[]): Promise<void> {
    const known = this.removed.get(table) ?? new Map<string, Row>()
    // Principals are deleted after their dependents: they come first here.
    if (!this.removed.has(table)) this.removed.set(table, known)
    const found = rows.filter((row) => !known.has(entityName(table.set, row)))
    if (found.length === 0) return
    for (const row of found) known.set(entityName(table.set, row), row)
    for (const foreignKey of this.catalog.foreignKeys) {
      if (foreignKey.principal !== table) continue
      const dependents = { foreignKey, principals: found }
      if (!foreignKey.cascades) (foreignKey.isOptional ? this.cleared : this.needed).push(dependents)
      else if (this.isLeaf(foreignKey.dependent)) this.leaves.push(dependents)
      else await this.collect(foreignKey.dependent, await this.dependents(dependents))
    }
    for (const linked of this.catalog.linkedTables) {
      for (const [own, other] of bothDirections(linked.ends)) {
        if (own.table === table) await this.collectLinked({ linked, own, other, rows: found })
      }
    }
  }

  private async collectLinked(links: Links): Promise<void> {
    const { own, other } = links
    this.links.push(links)
    if (own.end.onDelete === 'Cascade') await this.collect(other.table, await this.partners(links))
    else if (own.end.multiplicity === '1') {
      const partners = await this.partners(links)
      if (partners.some((row) => !this.isRemoved(other.table, row)))
        throw neededBy(own.table.set, other.table.set)
    }
  }

  /**
   * Returns true if rows can be deleted without reading them: no table refers to them, and their references cascade.
   */
  private isLeaf(table: MappedTable): boolean {
    const { catalog } = this
    return (
      !catalog.isReferenced(table) &&
      !catalog.foreignKeys.some(({ dependent, cascades }) => dependent === table && !cascades)
    )
  }

  private isRemoved(table: MappedTable, row: Row): boolean {
    return this.removed.get(table)?.has(entityName(table.set, row)) ?? false
  }

  /** @param limit maximum number of rows */
  private dependents({ foreignKey, principals }: Dependents, limit?: number): Promise<readonly Row[]> {
    const { dependent, columns, principalColumns } = foreignKey
    const quoted = columns.map((column) => `t0.${column.quoted}`)
    const conditions = amongRows(this.database.dialect, columns, quoted, principals, principalColumns)
    return this.select(dependent, sql``, conditions, limit)
  }

  private partners({ linked, own, other, rows }: Links): Promise<readonly Row[]> {
    const { dialect } = this.database
    const on = other.table.keyColumns.map((column, index) =>
      dialect.refers(column, raw(`t0.${column.quoted}`), raw(`l.${required(other.columns[index])}`)),
    )
    const join = sql` inner join ${raw(linked.quoted)} as l on ${joined(on, ' and ')}`
    const quoted = own.columns.map((column) => `l.${column}`)
    return this.select(other.table, join, amongRows(dialect, own.table.keyColumns, quoted, rows))
  }

  private async select(
    table: MappedTable,
    join: Sql,
    conditions: readonly Sql[],
    limit?: number,
  ): Promise<readonly Row[]> {
    const { database, call } = this
    const reader = new RowReader(table, database.dialect, tokenNames(table))
    const page = limit === undefined ? sql`` : database.dialect.page(limit, undefined)
    const lock = table.isView ? '' : database.writes.lockToRemove
    const all: Row[] = []
    for (const condition of conditions) {
      const statement = sql`select ${reader.selection('t0')} from ${raw(lock === '' ? table.source : table.lockedSource)} as t0${join} where ${condition}${page}${raw(lock)}`
      all.push(...reader.rows(await database.read(statement, call)))
    }
    return all
  }

  private async checkNeeded(needed: Dependents): Promise<void> {
    const { principal, dependent } = needed.foreignKey
    // One more than those that go too is enough to find one that does not.
    const others = await this.dependents(needed, (this.removed.get(dependent)?.size ?? 0) + 1)
    if (others.some((row) => !this.isRemoved(dependent, row))) throw neededBy(principal.set, dependent.set)
  }

  private async clear(dependents: Dependents): Promise<void> {
    const { dependent, columns, principalColumns } = dependents.foreignKey
    const { dialect } = this.database
    if (!raisesInStatement(dependent)) {
      await this.clearOneByOne(dependents)
      return
    }
    const values: ColumnValues = new Map(columns.map((column) => [column, dialect.stored(column, null)]))
    raiseInStatement(raisedVersions(dependent), values)
    const quoted = quotedOf(columns)
    for (const condition of amongRows(dialect, columns, quoted, dependents.principals, principalColumns)) {
      await this.write(
        sql`update ${raw(dependent.quoted)} set ${assignments(values)} where ${condition}`,
        dependent,
      )
    }
  }

  /**
   * Sets the foreign keys of dependents to null, row by row: versions that only the library can raise differ for each
   * row.
   */
  private async clearOneByOne(dependents: Dependents): Promise<void> {
    const { dependent, columns } = dependents.foreignKey
    const { dialect } = this.database
    const changes = Object.fromEntries(columns.map(({ property }) => [property.name, null]))
    for (const row of await this.dependents(dependents)) {
      const type = typeOfRow(row, dependent.set.entityType)
      const changed: Record<string, unknown> = { ...row, ...changes }
      raiseVersion(changed, row, { concurrencyTokens: tokensOf(dependent, type) })
      const raised = Object.fromEntries(tokensOf(dependent, type).map(({ name }) => [name, changed[name]]))
      const values = valuesOfUpdate(dependent, { ...changes, ...raised }, dialect)
      const isIt = hasValues(dialect, dependent.keyColumns, valuesOf(row, dependent.keyColumns))
      await this.write(
        sql`update ${raw(dependent.quoted)} set ${assignments(values)} where ${isIt}`,
        dependent,
      )
    }
  }

  /** Deletes rows of a table by columns that have values of some rows. @returns the number of deleted rows */
  private async run(
    from: string,
    table: MappedTable,
    columns: readonly Column[],
    quoted: readonly string[],
    rows: readonly Row[],
    values: readonly Column[] = columns,
    comparison?: 'equal' | 'refers',
  ): Promise<number> {
    const { dialect } = this.database
    let count = 0
    for (const condition of amongRows(dialect, columns, quoted, rows, values, comparison)) {
      count += await this.write(sql`delete from ${raw(from)} where ${condition}`, table)
    }
    return count
  }

  /** @returns the number of rows that have changed */
  private async write(statement: Sql, table: MappedTable): Promise<number> {
    const { count } = await writeRows(this.database, table, statement, this.call)
    return count
  }
}

function tokenNames(table: MappedTable): ReadonlySet<string> {
  const { set } = table
  const types = [set.entityType, ...set.entityType.derivedTypes]
  return new Set(types.flatMap((type) => tokensOf(table, type).map(({ name }) => name)))
}

function quotedOf(columns: readonly Column[]): readonly string[] {
  return columns.map(({ quoted }) => quoted)
}
