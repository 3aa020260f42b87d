import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntityReader } from './entity-reader.js'
import type { MappedTable } from './mapped-table.js'
import type { DriverRows } from './row-reader.js'
import type { SqlDatabase } from './sql-database.js'
import { valuesOf } from './table-rows.js'

/** The rows that a change has returned. */
interface ChangedEntity {
  readonly key: readonly unknown[]
  readonly rows: DriverRows
}

/** The entities that changes have returned as they are stored, for the reads that follow them in a batch. */
export class ReadBacks {
  /** By the `readBack` of calls. */
  private readonly changed = new WeakMap<object, ChangedEntity>()

  constructor(
    private readonly table: MappedTable,
    private readonly database: Pick<SqlDatabase, 'hasSessions'>,
    private readonly reader: EntityReader,
  ) {}

  /**
   * @param key the values of the key
   * @param rows with all columns
   */
  add(key: readonly unknown[], rows: DriverRows, { readBack, changeSet }: ProviderCall): void {
    // Other rows, or none, may be visible to the read of a caller.
    const isVisible = changeSet === undefined && !this.database.hasSessions
    if (readBack !== undefined && isVisible) this.changed.set(readBack, { key, rows })
  }

  /**
   * Returns the entity that the change before a read has returned, once.
   *
   * @param isShown whether the row is only serialized, so that it may be a `ValueRow`
   * @returns undefined if the entity has to be read
   */
  take(key: Row, { explanation, readBack }: ProviderCall, isShown: boolean): Row | undefined {
    const changed = readBack && this.changed.get(readBack)
    if (readBack === undefined || changed === undefined || explanation !== undefined) return undefined
    this.changed.delete(readBack)
    const values = valuesOf(key, this.table.keyColumns)
    if (!changed.key.every((value, index) => value === values[index])) return undefined
    return this.reader.reader(undefined).rows(changed.rows, isShown)[0]
  }
}
