import { entityName } from '../../edm/relations.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { LinkChange } from '../../provider/provider.js'
import type { MappedTable, MappedRelation } from './mapped-table.js'
import { valuesOf, columnsRefer, hasValues, lockRows, writeRows } from './table-rows.js'
import type { MandatoryLinks } from './mandatory-links.js'
import { RowReader } from './row-reader.js'
import type { Changed } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { ChangeCall } from './change-call.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'
import type { TableCatalog } from './table-catalog.js'
import { required } from '../../util/required.js'

/** One side of a link: an entity and the columns of the link table that hold its key. */
interface Side {
  readonly table: MappedTable
  readonly key: Row
  readonly values: readonly unknown[]
  /** Quoted. */
  readonly columns: readonly string[]
  /** True if an entity can have several links. */
  readonly isMany: boolean
}

interface Link {
  /** The quoted name of the link table. */
  readonly quoted: string
  readonly failsWhenTaken: boolean
  readonly source: Side
  readonly target: Side
}

/** Links and unlinks entities by link tables. */
export class LinkWriter {
  constructor(
    private readonly table: MappedTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    private readonly mandatory: MandatoryLinks,
  ) {}

  async link(change: LinkChange, call: ChangeCall): Promise<void> {
    const link = this.linkOf(change)
    const { source, target, quoted } = link
    // For an entity with one link at most, the new link replaces the old one.
    if (!source.isMany || !target.isMany) {
      for (const side of [source, target]) await this.lock(side, call)
      if (!source.isMany) await this.unlinkOthers(link, source, target, call)
      if (!target.isMany) await this.unlinkOthers(link, target, source, call)
    }
    const { dialect, writes } = this.database
    const [begin, end] = link.failsWhenTaken ? (['insert into', ''] as const) : writes.insertUnlessTaken
    const columns = [...source.columns, ...target.columns].join(', ')
    const values = [source, target].flatMap((side) =>
      side.table.keyColumns.map((column, index) => dialect.stored(column, side.values[index])),
    )
    const conditions = [
      this.exists(source),
      this.exists(target),
      sql`not exists (select 1 from ${raw(quoted)} as l where ${this.isLink(link, 'l.')})`,
    ]
    const { count } = await this.write(
      sql`${raw(`${begin} ${quoted} (${columns})`)} select ${joined(values, ', ')} where ${joined(conditions, ' and ')}${raw(end)}`,
      call,
    )
    if (count > 0 || (await this.isLinked(link, call))) return
    throw new ODataError('Conflict', {
      message: `${entityName(source.table.set, source.key)} and ${entityName(target.table.set, target.key)} cannot be linked: one of them does not exist.`,
    })
  }

  /** @returns false when they were not linked */
  async unlink(change: LinkChange, call: ChangeCall): Promise<boolean> {
    const link = this.linkOf(change)
    const { source, target, quoted } = link
    if (!source.isMany || !target.isMany) await this.lock(source, call)
    const { count } = await this.write(sql`delete from ${raw(quoted)} where ${this.isLink(link)}`, call)
    if (count === 0) return false
    for (const { table, key } of [source, target]) this.mandatory.requireLinks(table, key, call)
    return true
  }

  private linkOf({ entitySet, navigation, key, targetKey }: LinkChange): Link {
    const relation: MappedRelation | undefined = this.catalog.relation(entitySet, navigation)
    if (relation?.link === undefined) {
      throw new ODataError('NotImplemented', {
        message: `The links of '${navigation.name}' cannot be changed.`,
        cause: new TypeError(`'${navigation.name}' of '${entitySet}' has no link table.`),
      })
    }
    const side = (table: MappedTable, one: Row, columns: readonly string[], isMany: boolean): Side => ({
      table,
      key: one,
      values: valuesOf(one, table.keyColumns),
      columns,
      isMany,
    })
    const { target, other, link } = relation
    return {
      quoted: link.table,
      failsWhenTaken: link.failsWhenTaken,
      source: side(this.table, key, other, navigation.toEnd.multiplicity === '*'),
      target: side(target, targetKey, link.columns, navigation.fromEnd.multiplicity === '*'),
    }
  }

  private async unlinkOthers({ quoted }: Link, side: Side, partner: Side, call: ChangeCall): Promise<void> {
    const { dialect } = this.database
    const is = ({ table, columns, values }: Side, prefix: string): Sql =>
      columnsRefer(
        dialect,
        table.keyColumns,
        columns.map((column) => prefix + column),
        values,
      )
    const isOther = (prefix: string): Sql => sql`${is(side, prefix)} and not (${is(partner, prefix)})`
    const reader = new RowReader(partner.table, dialect, new Set())
    const on = partner.table.keyColumns.map((column, index) =>
      dialect.refers(column, raw(`t0.${column.quoted}`), raw(`l.${required(partner.columns[index])}`)),
    )
    const others = await this.database.read(
      sql`select ${reader.selection('t0')} from ${raw(partner.table.source)} as t0 inner join ${raw(quoted)} as l on ${joined(on, ' and ')} where ${isOther('l.')}`,
      call,
    )
    await this.write(sql`delete from ${raw(quoted)} where ${isOther('')}`, call)
    for (const other of reader.rows(others)) {
      this.mandatory.requireLinks(partner.table, other, call)
      this.mandatory.requireLinks(side.table, side.key, call)
    }
  }

  private async isLinked(link: Link, call: ChangeCall): Promise<boolean> {
    const rows = await this.database.read(
      sql`select 1 as n from ${raw(link.quoted)} where ${this.isLink(link)}`,
      call,
    )
    return rows.length > 0
  }

  private isLink({ source, target }: Link, prefix = ''): Sql {
    const both = [source, target].map(({ table, columns, values }) =>
      columnsRefer(
        this.database.dialect,
        table.keyColumns,
        columns.map((column) => prefix + column),
        values,
      ),
    )
    return joined(both, ' and ')
  }

  private exists({ table, values }: Side): Sql {
    const { dialect, writes } = this.database
    const lock = table.isView ? '' : writes.lockToKeep
    return sql`exists (select 1 from ${raw(table.quoted)} as p where ${hasValues(dialect, table.keyColumns, values, 'p.')}${raw(lock)})`
  }

  private lock({ table, values }: Side, call: ChangeCall): Promise<void> {
    const isEntity = hasValues(this.database.dialect, table.keyColumns, values, 't0.')
    return lockRows(this.database, table, isEntity, call)
  }

  private write(statement: Sql, call: ChangeCall): Promise<Changed> {
    return writeRows(this.database, this.table, statement, call)
  }
}
