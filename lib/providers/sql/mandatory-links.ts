import type { Association, AssociationEnd } from '../../edm/edm-model.js'
import { entityName, missingLink } from '../../edm/relations.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { MappedTable } from './mapped-table.js'
import { valuesOf, columnsRefer, hasValues, readKeys } from './table-rows.js'
import type { LinkedEnd, LinkedTables } from './table-catalog.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import { raw, sql } from './sql-text.js'

/** A link that the entities of a table must have. */
interface MandatoryLink {
  readonly association: Association
  readonly own: LinkedEnd
  readonly other: LinkedEnd
}

/**
 * Ensures at the end of a change set that entities have the links that the model requires. Checks links without foreign
 * key, of entities that are new or have lost a link.
 *
 * @spec MC-CSDL 2.1.9 (multiplicity)
 */
export class MandatoryLinks {
  constructor(
    private readonly linked: readonly LinkedTables[],
    private readonly database: SqlDatabase,
  ) {}

  /** Schedules the check of a new entity, or of one that has lost a link, for the end of the change set. */
  requireLinks(table: MappedTable, row: Row, call: ChangeCall): void {
    for (const { association, own, other } of this.mandatoryFor(table)) {
      const name = `${association.qualifiedName}/${own.end.role}/${entityName(table.set, row)}`
      call.changeSet.require(name, () => this.check(own, other.end, row, call))
    }
  }

  /** Returns true if entities of a table have mandatory links. */
  appliesTo(table: MappedTable): boolean {
    return this.mandatoryFor(table).length > 0
  }

  private mandatoryFor(table: MappedTable): readonly MandatoryLink[] {
    return this.linked.flatMap(({ association, ends }) =>
      bothDirections(ends)
        .filter(([own, other]) => own.table === table && other.end.multiplicity === '1')
        .map(([own, other]) => ({ association, own, other })),
    )
  }

  private async check(
    { end, table }: LinkedEnd,
    other: AssociationEnd,
    key: Row,
    call: ChangeCall,
  ): Promise<void> {
    const values = valuesOf(key, table.keyColumns)
    const isEntity = hasValues(this.database.dialect, table.keyColumns, values, 't0.')
    const [row] = await readKeys(this.database, table, isEntity, call)
    if (row === undefined || (await this.isLinked(end, table, values, call))) return
    const error = missingLink(table.set, typeOfRow(row, table.set.entityType), end, other)
    if (error !== undefined) throw error
  }

  /** Returns true if a link exists in any set of the association. */
  private async isLinked(
    end: AssociationEnd,
    table: MappedTable,
    values: readonly unknown[],
    call: ChangeCall,
  ): Promise<boolean> {
    for (const { quoted, ends } of this.linked) {
      const own = ends.find((one) => one.end === end && one.table === table)
      if (own === undefined) continue
      const condition = columnsRefer(this.database.dialect, table.keyColumns, own.columns, values)
      const rows = await this.database.read(
        sql`select 1 as n from ${raw(quoted)} where ${condition} limit 1`,
        call,
      )
      if (rows.length > 0) return true
    }
    return false
  }
}

/** Returns both directions of an association. */
export function bothDirections([first, second]: LinkedTables['ends']): readonly (readonly [
  own: LinkedEnd,
  other: LinkedEnd,
])[] {
  return [
    [first, second],
    [second, first],
  ]
}
