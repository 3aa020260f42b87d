import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { LinkChange, WriteCondition } from '../../provider/provider.js'
import { EntityInserter } from './entity-inserter.js'
import type { EntityReader } from './entity-reader.js'
import { EntityRemoval } from './entity-removal.js'
import type { EntityTable } from './entity-table.js'
import { valuesOf } from './entity-table.js'
import { EntityUpdater } from './entity-updater.js'
import { LinkWriter } from './link-writer.js'
import { MandatoryLinks } from './mandatory-links.js'
import { Principals } from './principals.js'
import { canBeKey } from './possible-keys.js'
import { hasValues } from './row-conditions.js'
import { RowReader } from './row-reader.js'
import type { SqlDatabase } from './sql-database.js'
import { joined, raw, sql } from './sql-text.js'
import type { TableCatalog } from './table-catalog.js'
import { hasVersion } from './version-statements.js'

/** Changes the entities of one table, each change wholly or not at all. */
export class EntityWriter {
  private readonly inserter: EntityInserter
  private readonly updater: EntityUpdater
  private readonly links: LinkWriter

  constructor(
    private readonly table: EntityTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    reader: EntityReader,
  ) {
    const principals = new Principals(table, catalog.foreignKeys, database)
    const mandatory = new MandatoryLinks(catalog.linkedTables, database)
    this.inserter = new EntityInserter(table, database, reader, principals, mandatory)
    this.updater = new EntityUpdater(table, database, reader, principals)
    this.links = new LinkWriter(table, catalog, database, mandatory)
  }

  insertSync(entity: Row, respond: (row: Row) => void): boolean {
    return this.inserter.insertSync(entity, respond)
  }

  insert(entity: Row, call: ProviderCall): Promise<Row> {
    return this.database.change(call, (within) => this.inserter.insert(entity, within))
  }

  update(key: Row, values: Row, condition: WriteCondition, call: ProviderCall): Promise<Row | undefined> {
    return this.database.change(call, (within) => this.updater.update(key, values, condition, within))
  }

  async delete(key: Row, { version }: WriteCondition, call: ProviderCall): Promise<boolean> {
    const { table, catalog, database } = this
    const { dialect, writes } = database
    const values = valuesOf(key, table.keyColumns)
    if (!(await canBeKey(database, table.keyColumns, values, call))) return false
    return database.change(call, async (within) => {
      const reader = new RowReader(table, dialect, new Set())
      const found = async (conditions: readonly ReturnType<typeof raw>[], lock: string) => {
        const [row] = await database.read(
          sql`select ${reader.selection('t0')} from ${raw(table.source)} as t0 where ${joined(conditions, ' and ')}${raw(lock)}`,
          within,
        )
        return row === undefined ? undefined : reader.row(row)
      }
      const isIt = hasValues(dialect, table.keyColumns, values, 't0.')
      const inVersion = version === undefined ? [] : hasVersion(table, version, dialect)
      const row = await found([isIt, ...inVersion], table.isView ? '' : writes.lockToRemove)
      if (row === undefined) {
        if (version !== undefined && (await found([isIt], '')) !== undefined)
          throw new ODataError('PreconditionFailed')
        return false
      }
      await new EntityRemoval(catalog, database, within).remove(table, [row])
      return true
    })
  }

  link(change: LinkChange, call: ProviderCall): Promise<void> {
    return this.database.change(call, (within) => this.links.link(change, within))
  }

  unlink(change: LinkChange, call: ProviderCall): Promise<boolean> {
    return this.database.change(call, (within) => this.links.unlink(change, within))
  }
}
