import type { EntityType, Property } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import { isInteger } from '../../edm/primitive-types/primitive-type-name.js'
import { entityName } from '../../edm/relations.js'
import { ODataError, retryableError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { startVersion } from '../../evaluation/next-version.js'
import type { Column } from './column.js'
import { canFill, valuesOfInsert } from './column-values.js'
import { violation } from './constraint-violations.js'
import type { EntityReader } from './entity-reader.js'
import type { MappedTable } from './mapped-table.js'
import { hasReturning, hasValues, supportsReturning, valuesOf, violationOf } from './table-rows.js'
import type { MandatoryLinks } from './mandatory-links.js'
import type { Principals } from './principals.js'
import { inSavepoint } from './in-savepoint.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql, Statement } from './sql-text.js'
import { raw, sql, joined, parameter } from './sql-text.js'
import type { StatementTemplates } from './statement-templates.js'
import { tokensOf } from './version-statements.js'
import { randomUUID } from 'node:crypto'
import type { MappedForeignKey } from './table-catalog.js'
import type { ColumnValues } from './column-values.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { RowArrays } from './driver-rows.js'
import type { RowReader } from './row-reader.js'

/** The number of generated keys that are tried when they are taken, for example by concurrent inserts. */
const MAX_ATTEMPTS = 100

/** Inserts entities into a table. */
export class EntityInserter {
  /** True if an insert is a single statement. */
  private readonly isOneStatement: boolean
  /** True if an insert can return generated keys. */
  private readonly canReturn: boolean
  /** True if an insert returns the row as it is stored. */
  private readonly isFinal: boolean

  /** @param templates those of the table */
  constructor(
    private readonly table: MappedTable,
    private readonly database: SqlDatabase,
    private readonly reader: EntityReader,
    private readonly principals: Principals,
    private readonly mandatory: MandatoryLinks,
    private readonly templates: StatementTemplates,
  ) {
    this.canReturn = hasReturning('insert', table, database)
    this.isFinal = supportsReturning('insert', table, database)
    this.isOneStatement =
      this.isFinal && !table.isView && !principals.needsSingleCheck && !mandatory.appliesTo(table)
  }

  async insert(given: Row, call: ChangeCall): Promise<Row> {
    const type = typeOfRow(given, this.table.set.entityType)
    const makers = this.keyMakers(given)
    const entity = this.withVersion(given, type)
    await this.principals.checkSingle(entity, call)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const complete = { ...entity, ...(await this.madeKey(makers, call)) }
      const row = await this.tryInsert(complete, type, makers.size > 0, call)
      if (row === undefined) continue
      this.checkKey(row, makers)
      this.mandatory.requireLinks(this.table, row, call)
      return row
    }
    // A trigger can replace each key by the same one.
    throw new ODataError('Conflict', {
      message: `${String(MAX_ATTEMPTS)} keys that were generated for '${this.table.set.path}' are taken.`,
    })
  }

  /**
   * Inserts an entity by one statement, which commits by itself or in a transaction that ends before this returns.
   *
   * @param respond receives the entity as it is stored
   * @returns false when nothing was inserted: {@link insert} finds out why, or succeeds
   */
  autocommitInsert(given: Row, respond: (row: Row) => void, call: ProviderCall): PromiseOrValue<boolean> {
    const { table, database } = this
    if (!this.isOneStatement || (table.dropsChanges && call.changeSet === undefined)) return false
    const type = typeOfRow(given, table.set.entityType)
    const makers = this.keyMakers(given)
    const entity: Record<string, unknown> = this.withVersion(given, type)
    for (const [{ property }, maker] of makers) {
      if (maker === 'next number') return false
      if (maker === 'new guid') entity[property.name] = randomUUID()
    }
    if (database.canChangeSync) return this.insertSync(entity, type, makers, respond)
    const { generatesValidValues } = database.writes
    if (generatesValidValues === undefined) return false
    const row = this.rowOf(entity, type, true)
    if (!generatedColumns(table, row.values).every(generatesValidValues)) return false
    return this.insertAlone(row, respond, call)
  }

  private insertSync(
    entity: Row,
    type: EntityType,
    makers: ReadonlyMap<Column, KeyMaker>,
    respond: (row: Row) => void,
  ): boolean {
    const { table, database } = this
    const rows = this.reader.reader(undefined)
    const row = this.rowOf(entity, type, true)
    const statement = this.statement(row, rows)
    const use = (found: RowArrays): boolean => {
      const [added] = rows.rows(found, true)
      if (added === undefined) return false
      this.checkKey(added, makers)
      respond(added)
      return true
    }
    // Values of the client are valid: the response cannot fail, so nothing has to be rolled back.
    return database.changeSync(statement, use, generatedColumns(table, row.values).length === 0)
  }

  private async insertAlone(
    row: NewTableRow,
    respond: (row: Row) => void,
    call: ProviderCall,
  ): Promise<boolean> {
    const { database } = this
    const rows = this.reader.reader(undefined)
    const formats = database.formatsOf(rows)
    const statement = this.statement(row, rows, { isWire: formats !== undefined })
    const found = await database.autocommit(statement, call, formats)
    const [added] = found === undefined ? [] : rows.rows(found, true)
    if (added === undefined) return false
    respond(added)
    return true
  }

  /** @param skipEnforced omits the conditions that the database itself enforces */
  private rowOf(entity: Row, type: EntityType, skipEnforced = false): NewTableRow {
    const values = valuesOfInsert(this.table, type, entity, this.database.dialect)
    const conditions = this.principals.conditions(entity, skipEnforced)
    return { type, values, conditions: [...conditions, ...this.keyIsFree(entity)] }
  }

  /**
   * Returns the condition that no entity has the key. A unique index does not detect an equal key in another format.
   */
  private keyIsFree(entity: Row): readonly Sql[] {
    const { table, database } = this
    const { keyColumns, quoted } = table
    const values = valuesOf(entity, keyColumns)
    const isGiven = values.every((value) => value !== null && value !== undefined)
    if (!isGiven || !keyColumns.some((column) => database.dialect.hasSeveralForms?.(column))) return []
    const isTaken = hasValues(database.dialect, keyColumns, values, 'e.')
    return [sql`not exists (select 1 from ${raw(quoted)} as e where ${isTaken})`]
  }

  /** @throws ODataError Conflict if an entity has the same key in another format */
  private async checkKeyIsFree(entity: Row, call: ChangeCall): Promise<void> {
    const [isFree] = this.keyIsFree(entity)
    if (isFree === undefined) return
    const [free] = await this.database.read(sql`select 1 as n where ${isFree}`, call)
    if (free === undefined) throw this.taken(entity)
  }

  private taken(entity: Row, cause?: unknown): ODataError {
    return new ODataError('Conflict', {
      message: `${entityName(this.table.set, entity)} already exists.`,
      cause,
    })
  }

  /** @returns undefined when the generated key is taken */
  private async tryInsert(
    entity: Row,
    type: EntityType,
    isKeyMade: boolean,
    call: ChangeCall,
  ): Promise<Row | undefined> {
    const { table, database, principals } = this
    const row = this.rowOf(entity, type)
    if (!database.writes.ignoresErrors && !table.failsWhenTaken) {
      const added = await this.run(row, entity, true, call)
      if (added !== undefined) return added
    }
    await principals.checkAll(entity, call)
    await this.checkKeyIsFree(entity, call)
    try {
      // Nothing was inserted. Repeats the insert so that it fails with the reason.
      const insert = (): Promise<Row | undefined> => this.run(row, entity, false, call)
      // MySQL undoes a failed statement, and continues the transaction.
      const late = await (database.writes.ignoresErrors ? insert() : inSavepoint(database, call, insert))
      if (late !== undefined) return late
    } catch (error) {
      const conflict = database.dialect.classifyError(error)
      if (conflict?.kind !== 'unique') throw violationOf(database, table, error, row.values)
      const key = table.keyColumns.map(({ name }) => name)
      const isKey =
        conflict.isPrimaryKey === true ||
        (key.length === conflict.columns.length && conflict.columns.every((name) => key.includes(name)))
      if (isKey && isKeyMade) return undefined
      if (!isKey) throw violation(conflict, table, error)
      throw this.taken(entity, error)
    }
    const cause = new Error(
      'An entity that this one refers to was deleted and inserted again, or a trigger dropped the insert.',
    )
    // Without references only a trigger, or a rule, can have prevented the insert.
    throw table.dropsChanges || principals.conditions(entity).length === 0
      ? violation({ kind: 'check', columns: [] }, table, cause)
      : retryableError(cause)
  }

  private async run(
    row: NewTableRow,
    entity: Row,
    isMild: boolean,
    call: ChangeCall,
  ): Promise<Row | undefined> {
    const { table, database, reader, isFinal } = this
    const rows = reader.reader(isFinal ? undefined : new Set())
    let added: Row
    try {
      const statement = this.statement(row, this.canReturn ? rows : undefined, { isMild })
      const { rows: found, count, insertId } = await database.write(statement, call)
      if (count === 0) return undefined
      const [first] = found
      added = first === undefined ? this.withKey(entity, insertId) : rows.row(first)
    } catch (error) {
      throw isMild ? violationOf(database, table, error, row.values) : error
    }
    if (isFinal) return added
    const stored = await reader.readByKey(added, {}, call)
    if (stored !== undefined) return stored
    const cause = new Error(
      'A trigger has deleted the inserted row or changed its key, or a view excludes it.',
    )
    throw violation({ kind: 'check', columns: [] }, table, cause)
  }

  /**
   * Returns the statement that inserts a row, and returns the columns that a reader reads.
   *
   * @param reader undefined if the database cannot return them
   * @param isMild inserts nothing, instead of failing, where a unique key is taken
   * @param isWire true if rows are returned as the database sends them
   */
  private statement(
    { type, values, conditions }: NewTableRow,
    reader: RowReader | undefined,
    { isMild = false, isWire = false } = {},
  ): Statement {
    const { table, templates } = this
    const { writes } = this.database
    const [begin, end] = isMild ? writes.insertUnlessTaken : (['insert into', ''] as const)
    const columns = [...values.keys()].map(({ quoted }) => quoted)
    const fragments = [...values.values()]
    if (table.typeColumn !== undefined) {
      columns.push(table.typeColumn.quoted)
      fragments.push(parameter(type.name))
    }
    for (const [column, value] of table.media?.required ?? []) {
      if (columns.includes(column)) continue
      columns.push(column)
      fragments.push(value)
    }
    const into = `${begin} ${table.quoted} (${columns.join(', ')}) `
    const kind = `${isWire ? 'wire ' : ''}${into}${end}`
    return templates.statement(kind, [...fragments, ...conditions], () => {
      const returning =
        reader === undefined ? raw('') : sql` returning ${reader.selection(undefined, isWire)}`
      if (columns.length === 0)
        return sql`${raw(`${begin} ${table.quoted}${writes.defaultRow}${end}`)}${returning}`
      const list = joined(fragments, ', ')
      const rows =
        conditions.length === 0
          ? sql`values (${list})`
          : sql`select ${list} where ${joined(conditions, ' and ')}`
      return sql`${raw(into)}${rows}${raw(end)}${returning}`
    })
  }

  /** @param insertId the number that the database has generated */
  private withKey(entity: Row, insertId: bigint | undefined): Row {
    const made = this.table.keyColumns.find(({ property }) => (entity[property.name] ?? null) === null)
    if (made === undefined) return entity
    return { ...entity, [made.property.name]: made.type === 'Edm.Int64' ? insertId : Number(insertId) }
  }

  /** Returns how the missing parts of the key are generated. */
  private keyMakers(entity: Row): ReadonlyMap<Column, KeyMaker> {
    const makers = new Map<Column, KeyMaker>()
    for (const column of this.table.keyColumns) {
      const value = entity[column.property.name]
      if (value !== null && value !== undefined) continue
      makers.set(column, keyMaker(column, this.principals.foreignKeys, this.canReturn))
    }
    return makers
  }

  private async madeKey(makers: ReadonlyMap<Column, KeyMaker>, call: ChangeCall): Promise<Row> {
    const made: Record<string, unknown> = {}
    for (const [column, maker] of makers) {
      const { name } = column.property
      if (maker === 'new guid') made[name] = randomUUID()
      else if (maker === 'next number') made[name] = nextNumber(column, await this.largest(column, call))
      else made[name] = undefined
    }
    return made
  }

  private async largest(column: Column, call: ChangeCall): Promise<unknown> {
    const value = this.database.dialect.selected(
      { ...column, type: 'Edm.Int64' },
      raw(`max(${column.quoted})`),
    )
    const [row] = await this.database.read(sql`select ${value} as n from ${raw(this.table.quoted)}`, call)
    return row?.n
  }

  /** @throws ODataError Conflict when the database has generated a number beyond the range of the property */
  private checkKey(row: Row, makers: ReadonlyMap<Column, KeyMaker>): void {
    for (const [column, maker] of makers) {
      if (maker === 'database' && typeof row[column.property.name] === 'number') {
        nextNumber(column, Number(row[column.property.name]) - 1)
      }
    }
  }

  /** Adds the first version, unless the database generates it. */
  private withVersion(entity: Row, type: EntityType): Row {
    const started: Record<string, unknown> = { ...entity }
    for (const token of tokensOf(this.table, type)) {
      const facts = this.table.column(token.name)?.facts
      if (facts === undefined || facts.isGenerated || facts.hasDefault) continue
      if (started[token.name] === null || started[token.name] === undefined) {
        started[token.name] = startVersion(token)
      }
    }
    return started
  }
}

/** How a missing part of a key is generated. */
type KeyMaker = 'database' | 'next number' | 'new guid'

/**
 * Returns how a missing part of a key is generated.
 *
 * @param foreignKeys those of the table, whose values cannot be generated
 * @param canReturn true if the database returns the keys that it generates; otherwise only the numbers of sequences
 * @throws ODataError BadRequest when only the client can know the value
 */
function keyMaker(
  { property, type, facts }: Column,
  foreignKeys: readonly MappedForeignKey[],
  canReturn: boolean,
): KeyMaker {
  const { name } = property
  if (foreignKeys.some(({ columns }) => columns.some((one) => one.property.name === name))) {
    throw needed(property, 'because it is part of the key and refers to another entity')
  }
  if (facts.isIdentity || (canReturn && (facts.hasDefault || facts.isGenerated))) return 'database'
  if (type === 'Edm.Guid') return 'new guid'
  if (isInteger(type)) return 'next number'
  throw needed(property, 'because it is part of the key and cannot be generated')
}

/**
 * @param largest the largest existing key
 * @throws ODataError Conflict when no number is left
 */
function nextNumber({ type, property }: Column, largest: unknown): bigint {
  const found = BigInt((largest as bigint | number | string | null) ?? 0)
  const last = found < 0n ? 0n : found
  if (last < (integerMaxima.get(type) ?? 0n)) return last + 1n
  throw new ODataError('Conflict', {
    message: `Property '${property.name}': all numbers for generated keys are taken. Send a key that does not exist.`,
  })
}

function needed({ name }: Property, why: string): ODataError {
  return new ODataError('BadRequest', { message: `Property '${name}': a value is required, ${why}.` })
}

/** Returns the columns whose values the database generates. */
function generatedColumns(table: MappedTable, values: ColumnValues): readonly Column[] {
  return table.columns.filter((column) => !values.has(column) && canFill(column, table))
}

/** A new row. */
interface NewTableRow {
  readonly type: EntityType
  readonly values: ColumnValues
  /** The conditions under which it is inserted. */
  readonly conditions: readonly Sql[]
}
