import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import { isSameValue } from '../../evaluation/write-values.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntityReader } from './entity-reader.js'
import type { MappedTable } from './mapped-table.js'
import { updatesCascade } from './mapped-table.js'
import type { DriverRows } from './row-reader.js'
import type { SqlDatabase } from './sql-database.js'

/** The entities that changes have returned as they are stored, for the reads that follow them in a batch. */
export class ReadBacks {
  /** By the `readBack` of calls. */
  private readonly changed = new WeakMap<object, DriverRows>()
  /** False if a change of a row may cascade to the row itself, which happens after the statement has returned it. */
  private readonly areStored: boolean

  constructor(
    private readonly table: MappedTable,
    private readonly database: Pick<SqlDatabase, 'hasSessions'>,
    private readonly reader: EntityReader,
  ) {
    this.areStored = !updatesCascade(table)
  }

  /** @param rows with all columns */
  add(rows: DriverRows, { readBack, changeSet }: ProviderCall): void {
    // Other rows, or none, may be visible to the read of a caller.
    const isVisible = changeSet === undefined && !this.database.hasSessions
    if (readBack !== undefined && isVisible && this.areStored) this.changed.set(readBack, rows)
  }

  /**
   * Returns the entity that the change before a read has returned, once.
   *
   * @param isShown whether the row is only serialized, so that it may be a `ValueRow`
   * @returns undefined if the entity has to be read
   */
  take(key: Row, { explanation, readBack }: ProviderCall, isShown: boolean): Row | undefined {
    const rows = readBack && this.changed.get(readBack)
    if (readBack === undefined || rows === undefined || explanation !== undefined) return undefined
    this.changed.delete(readBack)
    const [row] = this.reader.reader(undefined).rows(rows, isShown)
    const { key: properties } = this.table.set.entityType
    const isRequested = properties.every(
      (one) => row !== undefined && isSameValue(one, memberOf(row, one.name), key[one.name]),
    )
    return isRequested ? row : undefined
  }
}
