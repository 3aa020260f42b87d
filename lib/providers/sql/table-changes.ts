import { ODataError } from '../../errors/odata-error.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import { plainRow } from '../../evaluation/value-row.js'
import type { SealedLog } from '../../provider/change-position.js'
import { openedPosition, sealedPosition } from '../../provider/change-position.js'
import type { Changes, ChangesQuery } from '../../provider/change-source.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { keyOrder } from '../../query/entity-query.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { ChangeLog, LoggedRows } from './change-log.js'
import { factsOf, NO_SECRET, unquotedName } from './change-log.js'
import { EntityReader } from './entity-reader.js'
import type { MappedTable } from './mapped-table.js'
import { root } from './select-statements.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, sql } from './sql-text.js'
import type { TableCatalog } from './table-catalog.js'
import { hasValues, valuesOf } from './table-rows.js'

/** The number of keys in a condition. */
const MAX_KEYS = 200

/** The present state of the log. */
interface LogState extends SealedLog {
  readonly floor: string
  readonly position: string
}

/**
 * Reads the changes of one table from the log.
 *
 * No transaction is needed: the new position is read first, so that the next delta has every change that a later statement
 * sees. Whether changes were removed from the log is checked last.
 */
export class TableChanges {
  private readonly rows: LoggedRows

  constructor(
    private readonly table: MappedTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    private readonly log: ChangeLog,
    private readonly reader: EntityReader,
  ) {
    this.rows = rowsOf(table)
  }

  async position(call: ProviderCall): Promise<string> {
    await this.number(call)
    return this.positionOf(await this.state(call))
  }

  /** @throws ODataError Gone if the changes are not known */
  async since({ position, after, top, needed }: ChangesQuery, call: ProviderCall): Promise<Changes> {
    await this.number(call)
    const start = await this.state(call)
    const condition = this.conditionOf(position, start)
    const found = await this.changedKeys(condition, after, top, call)
    const keys = found.slice(0, top)
    const names = new Set(needed.map(({ name }) => name))
    const present = await this.rowsByKey(this.reader, keys, undefined, call)
    const states = await this.rowsByKey(this.stateReader(condition, names), keys, names, call)
    // Changes may have been removed while they were read.
    this.conditionOf(position, await this.state(call))
    const rows = keys.map((key) => {
      const text = this.textOf(key)
      return { key, row: present.get(text)?.[0], earlier: states.get(text) ?? [] }
    })
    return { position: this.positionOf(start), rows, more: found.length > top }
  }

  /** Gives positions to all changes that have been committed. */
  private async number(call: ProviderCall): Promise<void> {
    const { database } = this
    const { numbering } = this.log
    if (numbering === undefined) return
    while ((await database.read(numbering.pending, call)).length > 0)
      await database.change(call, async (within) => {
        await database.write(numbering.raise, within)
        const rows = await database.read(numbering.pending, within)
        if (rows.length > 0)
          await database.write(numbering.assign(rows.map(({ seq }) => String(seq))), within)
      })
  }

  private async state(call: ProviderCall): Promise<LogState> {
    const [row] = await this.database.read(this.log.current, call)
    if (row === undefined) throw new TypeError('The log of changes is empty: call trackChanges(model, db).')
    const { epoch, floor, position, secret } = row
    if (typeof secret !== 'string' || secret === '') throw new TypeError(NO_SECRET)
    return {
      epoch: String(epoch),
      floor: String(floor),
      position: String(position),
      secret,
      set: this.table.set.path,
    }
  }

  private positionOf(state: LogState): string {
    return sealedPosition(state, this.log.format(state.position))
  }

  private conditionOf(position: string, state: LogState): string {
    const condition = this.log.after(openedPosition(state, position), state.floor, state.position)
    if (condition === undefined) throw new ODataError('Gone')
    return condition
  }

  /** Returns the first keys in order, one more than `top` if there are further ones. */
  private async changedKeys(
    condition: string,
    after: Row | undefined,
    top: number,
    call: ProviderCall,
  ): Promise<readonly Row[]> {
    const { set } = this.table
    const { entityType, path } = set
    const orderBy = keyOrder(entityType)
    const seek = after && entityType.key.map(({ name }) => after[name])
    const reader = this.readerOf(this.log.keys(this.rows, condition))
    const query = { entitySet: path, properties: new Set(entityType.key.map(({ name }) => name)) }
    if (reader.statements.canSort(orderBy)) {
      const rows = await reader.batch({ ...query, orderBy, seek, top: top + 1 }, call)
      return rows.map((row) => this.keyOf(row))
    }
    const order = new RowOrder(orderBy, entityType, withoutNavigation)
    const start = seek && order.keyAt(seek, orderBy)
    return (await reader.batch(query, call))
      .map((row) => ({ row, key: order.keyOf(row) }))
      .filter(({ key }) => start === undefined || order.compareKeys(key, start) > 0)
      .sort((a, b) => order.compareKeys(a.key, b.key))
      .slice(0, top + 1)
      .map(({ row }) => this.keyOf(row))
  }

  private keyOf(row: Row): Row {
    return Object.fromEntries(this.table.set.entityType.key.map(({ name }) => [name, row[name]]))
  }

  private stateReader(condition: string, needed: ReadonlySet<string>): EntityReader {
    const { columns, typeColumn } = this.table
    const names = columns.filter(({ path: [name = ''] }) => needed.has(name)).map(({ name }) => name)
    const ofType = typeColumn === undefined ? [] : [unquotedName(typeColumn.quoted)]
    return this.readerOf(this.log.states(this.rows, condition, [...names, ...ofType]))
  }

  private readerOf(source: string): EntityReader {
    const table = { ...this.table, source, lockedSource: source, isView: true, invalidValues: undefined }
    return new EntityReader(table, this.catalog, this.database)
  }

  /** Reads rows by their keys. @param properties undefined for all */
  private async rowsByKey(
    reader: EntityReader,
    keys: readonly Row[],
    properties: ReadonlySet<string> | undefined,
    call: ProviderCall,
  ): Promise<ReadonlyMap<string, Row[]>> {
    const rows = new Map<string, Row[]>()
    const query = { entitySet: this.table.set.path, properties }
    for (let from = 0; from < keys.length; from += MAX_KEYS) {
      const within = this.hasKeys(keys.slice(from, from + MAX_KEYS))
      for (const row of await reader.batch(query, call, within)) {
        const plain = plainRow(row)
        getOrCreate(rows, this.textOf(plain), () => []).push(plain)
      }
    }
    return rows
  }

  private textOf(row: Row): string {
    const { names, types } = keyShape(this.table.set.entityType.key)
    return keyText(row, names, types) ?? ''
  }

  private hasKeys(keys: readonly Row[]): Sql {
    const { keyColumns } = this.table
    const { dialect } = this.database
    const conditions = keys.map((key) => {
      const equal = hasValues(dialect, keyColumns, valuesOf(key, keyColumns), `${root}.`)
      return sql`(${equal})`
    })
    return sql`(${joined(conditions, ' or ')})`
  }
}

/** Returns the rows of a table with the columns that they are read from: those of properties, of the type and of media. */
function rowsOf({ columns, keyColumns, media, quoted, set, typeColumn }: MappedTable): LoggedRows {
  const others = [typeColumn?.quoted, media?.contentType].filter((one) => one !== undefined)
  const names = [...keyColumns, ...columns].map(({ name }) => name)
  return {
    set: set.path,
    quoted,
    key: keyColumns.map(({ name }) => name),
    columns: [...new Set([...names, ...others.map(unquotedName)])],
    facts: factsOf([...keyColumns, ...columns]),
  }
}
