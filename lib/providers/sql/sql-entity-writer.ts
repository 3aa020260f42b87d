import { isDeepStrictEqual } from 'node:util'
import { ODataError, retryableError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { LinkChange, WriteCondition } from '../../provider/provider.js'
import { EntityInserter } from './entity-inserter.js'
import { violation } from './constraint-violations.js'
import type { EntityReader } from './entity-reader.js'
import { EntityRemoval } from './entity-removal.js'
import type { MappedTable } from './mapped-table.js'
import { updatesCascade } from './mapped-table.js'
import {
  autocommit,
  valuesOf,
  canBeKey,
  hasReturning,
  hasValues,
  readKeys,
  readStoredRow,
  writeRows,
  supportsReturning,
} from './table-rows.js'
import { LinkWriter } from './link-writer.js'
import { MandatoryLinks } from './mandatory-links.js'
import { Principals } from './principals.js'
import type { ReadBacks } from './read-backs.js'
import type { SqlDatabase } from './sql-database.js'
import type { ChangeCall } from './change-call.js'
import { joined, raw, sql } from './sql-text.js'
import type { TableCatalog } from './table-catalog.js'
import { rowCount } from './row-reader.js'
import type { RaisedVersion } from './version-statements.js'
import {
  hasVersion,
  raisedVersions,
  raiseInStatement,
  raisesInStatement,
  tokensOf,
} from './version-statements.js'
import { entityName } from '../../edm/relations.js'
import { typeOfRow } from '../../evaluation/row.js'
import { raiseVersion } from '../../evaluation/next-version.js'
import { isSameValue, isUnchangedBy } from '../../evaluation/write-values.js'
import type { Column } from './column.js'
import type { ColumnValues } from './column-values.js'
import { assignments, checkFixedColumns, valuesOfUpdate } from './column-values.js'
import { StatementTemplates } from './statement-templates.js'
import type { Sql, Statement } from './sql-text.js'

/** Changes the entities of one table, each change wholly or not at all. */
export class SqlEntityWriter {
  private readonly inserter: EntityInserter
  private readonly updater: EntityUpdater
  private readonly links: LinkWriter
  private readonly templates: StatementTemplates
  /** True if entities can be deleted without reading them, because no table refers to them. */
  private readonly isRemovedAlone: boolean

  constructor(
    private readonly table: MappedTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    reader: EntityReader,
    readBacks: ReadBacks,
  ) {
    const principals = new Principals(table, catalog.foreignKeys, database)
    const mandatory = new MandatoryLinks(catalog.linkedTables, database)
    this.templates = new StatementTemplates(database.dialect)
    this.inserter = new EntityInserter(table, database, reader, principals, mandatory, this.templates)
    this.updater = new EntityUpdater(table, database, reader, principals, readBacks, this.templates)
    this.links = new LinkWriter(table, catalog, database, mandatory)
    this.isRemovedAlone = !table.isView && table.invalidValues === undefined && !catalog.isReferenced(table)
  }

  autocommitInsert(entity: Row, respond: (row: Row) => void, call: ProviderCall): PromiseOrValue<boolean> {
    return this.inserter.autocommitInsert(entity, respond, call)
  }

  insert(entity: Row, call: ProviderCall): Promise<Row> {
    return this.database.change(call, (within) => this.inserter.insert(entity, within))
  }

  /** @returns undefined when nothing was updated: {@link update} finds out why, or succeeds */
  autocommitUpdate(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): PromiseOrValue<Row | undefined> {
    return this.updater.autocommit(key, values, condition, call)
  }

  update(key: Row, values: Row, condition: WriteCondition, call: ProviderCall): Promise<Row | undefined> {
    return this.database.change(call, (within) => this.updater.update(key, values, condition, within))
  }

  /** @returns false when nothing was deleted: {@link delete} finds out why, or succeeds */
  autocommitDelete(key: Row, { version }: WriteCondition, call: ProviderCall): PromiseOrValue<boolean> {
    const { table, database } = this
    const values = valuesOf(key, table.keyColumns)
    if (!this.isRemovedAlone || !database.dialect.returning.includes('delete')) return false
    if (table.dropsChanges && call.changeSet === undefined) return false
    if (canBeKey(database, table.keyColumns, values, call) !== true) return false
    const conditions = this.keyAndVersion(values, version)
    const statement = this.templates.statement(
      'delete',
      conditions,
      () => sql`delete from ${raw(table.quoted)} where ${joined(conditions, ' and ')} returning 1 as n`,
    )
    const formats = database.formatsOf({ formats: [false] })
    const isAlone = !table.hasTriggers && table.referencedColumns.length === 0
    const deleted = autocommit(database, statement, call, formats, isAlone)
    return mapValue(deleted, (found) => found !== undefined && rowCount(found) > 0)
  }

  async delete(key: Row, { version }: WriteCondition, call: ProviderCall): Promise<boolean> {
    const { table, database } = this
    const values = valuesOf(key, table.keyColumns)
    if (!(await canBeKey(database, table.keyColumns, values, call))) return false
    return database.change(call, (within) => this.deleteWithin(values, version, within))
  }

  private async deleteWithin(
    key: readonly unknown[],
    version: Row | undefined,
    call: ChangeCall,
  ): Promise<boolean> {
    const { table, catalog, database } = this
    const { dialect, writes } = database
    const removal = new EntityRemoval(catalog, database, call)
    if (
      this.isRemovedAlone &&
      !table.dropsChanges &&
      (await removal.removeWhere(table, this.keyAndVersion(key, version)))
    )
      return true
    const inVersion = version === undefined ? [] : hasVersion(table, version, dialect)
    const isEntity = hasValues(dialect, table.keyColumns, key, 't0.')
    const lock = table.isView ? '' : writes.lockToRemove
    const rows = await readKeys(database, table, joined([isEntity, ...inVersion], ' and '), call, lock)
    if (rows.length === 0) {
      if (version !== undefined && (await readKeys(database, table, isEntity, call)).length > 0)
        throw new ODataError('PreconditionFailed')
      return false
    }
    const before = table.dropsChanges ? await readStoredRow(database, table, isEntity, call) : undefined
    const count = await removal.remove(table, rows)
    if (table.dropsChanges || count === 0) await this.checkDeleted(isEntity, before, call)
    return true
  }

  /**
   * @param before the row, if it may still exist after the delete: a trigger can mark it as deleted instead
   * @throws ODataError Forbidden if a trigger has dropped the delete
   */
  private async checkDeleted(isEntity: Sql, before: unknown, call: ChangeCall): Promise<void> {
    const after = await readStoredRow(this.database, this.table, isEntity, call)
    if (after === undefined || (before !== undefined && !isDeepStrictEqual(after, before))) return
    throw violation(
      { kind: 'privilege', columns: [] },
      this.table,
      new Error('A trigger dropped the delete.'),
    )
  }

  private keyAndVersion(key: readonly unknown[], version: Row | undefined): readonly Sql[] {
    const { table, database } = this
    const { dialect } = database
    const inVersion = version === undefined ? [] : hasVersion(table, version, dialect)
    return [hasValues(dialect, table.keyColumns, key), ...inVersion]
  }

  link(change: LinkChange, call: ProviderCall): Promise<void> {
    return this.database.change(call, (within) => this.links.link(change, within))
  }

  unlink(change: LinkChange, call: ProviderCall): Promise<boolean> {
    return this.database.change(call, (within) => this.links.unlink(change, within))
  }
}

/** Updates entities of a table. */
class EntityUpdater {
  private readonly raisesInStatement: boolean
  private readonly versions: readonly RaisedVersion[]
  /** Columns that the database does not let the user of the connection, or the triggers of a view, change. */
  private readonly fixedColumns: readonly Column[]
  /** True if an update returns a row. */
  private readonly isReturned: boolean
  /** True if an update returns the row as it is stored. */
  private readonly canReturn: boolean
  /** True if an update is a single statement. */
  private readonly isOneStatement: boolean

  constructor(
    private readonly table: MappedTable,
    private readonly database: SqlDatabase,
    private readonly reader: EntityReader,
    private readonly principals: Principals,
    private readonly readBacks: ReadBacks,
    private readonly templates: StatementTemplates,
  ) {
    this.raisesInStatement = raisesInStatement(table)
    this.versions = this.raisesInStatement ? raisedVersions(table) : []
    this.fixedColumns = table.columns.filter(({ facts }) => facts.refuses?.includes('update') === true)
    this.isReturned = table.invalidValues === undefined && hasReturning('update', table, database)
    this.canReturn = supportsReturning('update', table, database)
    this.isOneStatement =
      this.canReturn && this.fixedColumns.length === 0 && !table.isView && !principals.needsSingleCheck
  }

  /**
   * Updates an entity by one statement that commits by itself.
   *
   * @returns undefined when nothing was updated: {@link update} finds out why, or succeeds
   */
  autocommit(
    key: Row,
    given: Row,
    { version }: WriteCondition,
    call: ProviderCall,
  ): PromiseOrValue<Row | undefined> {
    const { table, database, principals } = this
    const keyValues = valuesOf(key, table.keyColumns)
    if (!this.isOneStatement || canBeKey(database, table.keyColumns, keyValues, call) !== true)
      return undefined
    if (table.dropsChanges && call.changeSet === undefined) return undefined
    if (!this.raisesInStatement && version === undefined) return undefined
    const changes = this.withNextVersion(this.withoutKey(key, given), version)
    const values = this.valuesOf(changes)
    if (values.size === 0) return undefined
    const conditions = [
      ...this.keyAndVersion(keyValues, version),
      ...principals.conditionsOfChange(changes, values),
    ]
    const rows = this.reader.reader(undefined)
    const formats = database.formatsOf(rows)
    const statement = this.statement(values, conditions, formats !== undefined)
    const updated = autocommit(database, statement, call, formats, !updatesCascade(table))
    return mapValue(updated, (found) => {
      if (found === undefined || rowCount(found) === 0) return undefined
      this.readBacks.add(found, call)
      return rows.rows(found, true)[0]
    })
  }

  /** @returns undefined when there is no such entity */
  async update(
    key: Row,
    given: Row,
    { version }: WriteCondition,
    call: ChangeCall,
  ): Promise<Row | undefined> {
    const { table, database, principals } = this
    const keyValues = valuesOf(key, table.keyColumns)
    if (!(await canBeKey(database, table.keyColumns, keyValues, call))) return undefined
    const withoutKey = this.withoutKey(key, given)
    const current = this.raisesInStatement ? key : (version ?? (await this.reader.readByKey(key, {}, call)))
    if (current === undefined) return undefined
    const changes = this.withNextVersion(withoutKey, current)
    if (this.fixedColumns.length > 0) await this.checkFixed(key, changes, call)
    const values = this.valuesOf(changes)
    await principals.checkSingle({ ...key, ...changes }, call, { key, changes })
    const condition = this.keyAndVersion(keyValues, version)
    const conditions = [...condition, ...principals.conditionsOfChange(changes, values)]
    const row = await this.run({ key, changes, values, conditions }, call)
    if (row !== undefined) return row
    return this.explain(key, changes, condition, call)
  }

  /** @throws ODataError Forbidden when a column would change that must keep its value */
  private async checkFixed(key: Row, changes: Row, call: ChangeCall): Promise<void> {
    const fixed = this.fixedColumns.filter(({ path }) => Object.hasOwn(changes, path[0] ?? ''))
    const current = fixed.length === 0 ? undefined : await this.reader.readByKey(key, {}, call)
    if (current !== undefined) checkFixedColumns(fixed, changes, current)
  }

  private valuesOf(changes: Row): ColumnValues {
    const values = valuesOfUpdate(this.table, changes, this.database.dialect)
    raiseInStatement(this.versions, values)
    return values
  }

  private keyAndVersion(key: readonly unknown[], version: Row | undefined): readonly Sql[] {
    const { table, database } = this
    const { dialect } = database
    const inVersion = version === undefined ? [] : hasVersion(table, version, dialect)
    return [hasValues(dialect, table.keyColumns, key, 't0.'), ...inVersion]
  }

  /** @param isWire true if rows are returned as the database sends them */
  private statement(values: ColumnValues, conditions: readonly Sql[], isWire = false): Statement {
    const { table, reader, isReturned } = this
    let kind = isWire ? 'wire update' : 'update'
    for (const { quoted } of values.keys()) kind += quoted
    return this.templates.statement(kind, [...values.values(), ...conditions], () => {
      const returned = isReturned ? reader.reader(undefined).selection(undefined, isWire) : undefined
      return updateStatement(table, values, conditions, returned)
    })
  }

  private async run(
    { key, changes, values, conditions }: Update,
    call: ChangeCall,
  ): Promise<Row | undefined> {
    const { table, database, reader } = this
    const rows = reader.reader(undefined)
    if (values.size === 0) {
      const [found] = await database.read(
        sql`select ${rows.selection('t0')} from ${raw(table.source)} as t0 where ${joined(conditions, ' and ')}`,
        call,
      )
      return found && rows.row(found)
    }
    const before = table.isView && !this.canReturn ? await reader.readByKey(key, {}, call) : undefined
    const statement = this.statement(values, conditions)
    const { rows: found, count } = await writeRows(database, table, statement, call, values)
    if (count === 0) return undefined
    const [first] = found
    const row = this.isReturned && first !== undefined ? rows.row(first) : before && { ...before, ...changes }
    if (this.canReturn && row !== undefined) return row
    const stored = await reader.readByKey(key, {}, call)
    const isUnchanged = stored !== undefined && isDeepStrictEqual(stored, before)
    if (isUnchanged && !isUnchangedBy(typeOfRow(stored, table.set.entityType), stored, changes))
      throw this.dropped()
    // A view can exclude the changed row, and a trigger can move it to another table.
    return stored ?? row
  }

  /**
   * Finds out why no row was changed.
   *
   * @returns undefined if the row does not exist, or the row if it has the values already
   * @throws ODataError PreconditionFailed, Conflict, BadRequest
   */
  private async explain(
    key: Row,
    changes: Row,
    condition: readonly Sql[],
    call: ChangeCall,
  ): Promise<Row | undefined> {
    const current = await this.reader.readByKey(key, {}, call)
    if (current === undefined) return undefined
    const [same] = await this.database.read(
      sql`select 1 as n from ${raw(this.table.source)} as t0 where ${joined(condition, ' and ')}`,
      call,
    )
    if (same === undefined) throw new ODataError('PreconditionFailed')
    await this.principals.checkAll({ ...current, ...changes }, call)
    if (!this.table.dropsChanges)
      throw retryableError(new Error('A related entity was deleted and inserted again at the same time.'))
    // Triggers can drop updates that change nothing.
    if (isUnchangedBy(typeOfRow(current, this.table.set.entityType), current, changes)) return current
    throw this.dropped()
  }

  private dropped(): ODataError {
    return violation({ kind: 'check', columns: [] }, this.table, new Error('A trigger dropped the update.'))
  }

  /** @throws ODataError Conflict when the key would change */
  private withoutKey(key: Row, given: Row): Row {
    const changes: Record<string, unknown> = { ...given }
    for (const property of this.table.set.entityType.key) {
      const { name } = property
      if (!Object.hasOwn(changes, name)) continue
      if (!isSameValue(property, changes[name], key[name])) {
        throw new ODataError('Conflict', {
          message: `The key of ${entityName(this.table.set, key)} cannot change.`,
        })
      }
      Reflect.deleteProperty(changes, name)
    }
    return changes
  }

  /** Adds the raised version where the statement cannot compute it. @param current the entity, or only its version */
  private withNextVersion(changes: Row, current: Row = {}): Row {
    if (this.raisesInStatement) return changes
    const type = typeOfRow(current, this.table.set.entityType)
    const changed: Record<string, unknown> = { ...current, ...changes }
    raiseVersion(changed, current, { concurrencyTokens: tokensOf(this.table, type) })
    const raised = tokensOf(this.table, type).map(({ name }) => [name, changed[name]] as const)
    return { ...changes, ...Object.fromEntries(raised) }
  }
}

/** An update of one row. */
interface Update {
  readonly key: Row
  readonly changes: Row
  readonly values: ColumnValues
  readonly conditions: readonly Sql[]
}

/** @param returned the columns that it returns, if the database can return them */
function updateStatement(
  { quoted, keyColumns, changesByTriggers }: MappedTable,
  values: ColumnValues,
  conditions: readonly Sql[],
  returned: Sql | undefined,
): Sql {
  if (changesByTriggers) {
    const keyOf = (prefix: string): Sql =>
      joined(
        keyColumns.map((column) => raw(prefix + column.quoted)),
        ', ',
      )
    const rows = sql`select ${keyOf('t0.')} from ${raw(quoted)} as t0 where ${joined(conditions, ' and ')}`
    return sql`update ${raw(quoted)} set ${assignments(values)} where (${keyOf('')}) in (${rows}) returning ${returned ?? sql`1 as n`}`
  }
  const returning = returned === undefined ? sql`` : sql` returning ${returned}`
  return sql`update ${raw(quoted)} as t0 set ${assignments(values)} where ${joined(conditions, ' and ')}${returning}`
}
