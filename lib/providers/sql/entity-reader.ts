import type { EntityType } from '../../edm/edm-model.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { ReadByKeys } from '../../provider/value-reads.js'
import type {
  AggregateQuery,
  CountQuery,
  GroupsPage,
  KeyQuery,
  ReadQuery,
  RelatedQuery,
  Rows,
} from '../../provider/provider.js'
import { keyOrder } from '../../query/entity-query.js'
import type { OrderByTerm } from '../../query/expression.js'
import type { Column } from './column.js'
import type { MappedTable, MappedRelation } from './mapped-table.js'
import { valuesOf, canBeKey, canHold } from './table-rows.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { catchValue, mapValue } from '../../util/promise-or-value.js'
import type { DriverRow } from './driver-rows.js'
import { indexFor } from './explain-statement.js'
import type { RelatedSource } from './related-groups.js'
import {
  groupColumnOf,
  groupKey,
  groupsOf,
  groupSources,
  isGroupKey,
  UngroupedRelations,
  MAX_GROUPED_ROWS,
} from './related-groups.js'
import { cellsAt, RowReader } from './row-reader.js'
import type { Sql } from './sql-text.js'
import type { SqlSearch } from './search-keys.js'
import { SelectStatements } from './select-statements.js'
import { SqlChangeSet } from './sql-change-set.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableCatalog } from './table-catalog.js'

/** Rows of the first batch of a feed. Larger ones would only wait in memory. */
const BATCH_SIZE = 1000
/** Batches grow to this size, since without an index on the order each of them scans the table. */
const MAX_BATCH_SIZE = 8000
/** Rows of a batch of SQLite in key order, since its driver blocks the event loop while it reads. */
const MAX_BLOCKING_ROWS = 250
/** The number of projections whose readers are cached. */
const MAX_READERS = 200

/** The count is text, as all numbers are that the statement does not select as columns of properties. */
const countReader = { formats: [false] }

/** A read by key that shares a statement. */
interface KeyRead {
  /** The index of the read. */
  readonly index: number
  /** The canonical string of {@link value}. */
  readonly text: string
  readonly value: unknown
}

/** Reads entities from a table. */
export class EntityReader {
  readonly statements: SelectStatements
  /** Bounded, since clients choose the projections. */
  private readonly readers = new BoundedCache<string, RowReader>(MAX_READERS)
  /** Readers by the properties of projections, which services cache. */
  private readonly known = new WeakMap<ReadonlySet<string>, RowReader>()
  private readonly ungrouped = new UngroupedRelations()

  constructor(
    private readonly table: MappedTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    search?: SqlSearch,
  ) {
    const { dialect } = database
    this.statements = new SelectStatements(table, catalog, dialect, search)
  }

  /** @param isPage whether the rows are only serialized, so that they may be `ValueRow`s */
  read(query: ReadQuery, call: ProviderCall, isPage = false): PromiseOrValue<Rows> {
    const { top } = query
    if (top !== undefined && top <= 2 * BATCH_SIZE) return this.batch(query, call, undefined, isPage)
    return this.all(query, call, isPage)
  }

  /** @param isShown whether the row is only serialized, so that it may be a `ValueRow` */
  readByKey(key: Row, query: KeyQuery, call: ProviderCall, isShown = false): PromiseOrValue<Row | undefined> {
    const { keyColumns } = this.table
    const values = valuesOf(key, keyColumns)
    const possible = canBeKey(this.database, keyColumns, values, call)
    const reader = this.reader(query.properties)
    return mapValue(possible, (isPossible) =>
      isPossible ? this.rowOfKey(values, reader, call, isShown) : undefined,
    )
  }

  /** Reads entities by one statement for each projection; see {@link ReadByKeys}. */
  async readByKeys(
    reads: Parameters<ReadByKeys>[0],
    call: ProviderCall,
    isShown: boolean,
  ): Promise<readonly (Row | null | undefined)[]> {
    const { dialect } = this.database
    const { keyColumns } = this.table
    const [column] = keyColumns
    if (column === undefined || keyColumns.length > 1 || dialect.hasRestrictedStrings?.(column) === true)
      return []
    const found: (Row | null | undefined)[] = reads.map(() => undefined)
    const keys = new Map<RowReader, KeyRead[]>()
    for (const [index, { key, query }] of reads.entries()) {
      const values = valuesOf(key, keyColumns)
      const text = this.keyText(values[0])
      if (!canHold(dialect, keyColumns, values)) found[index] = null
      else if (text !== undefined)
        getOrCreate(keys, this.reader(query.properties), () => []).push({ index, text, value: values[0] })
    }
    const joined = [...keys].filter(([, ofReader]) => ofReader.length > 1)
    await Promise.all(
      joined.map(async ([reader, ofReader]) => {
        const rowOf = await this.rowsOfKeys(column, ofReader, reader, call, isShown)
        for (const { index, text } of ofReader) found[index] = rowOf(text)
      }),
    )
    return found
  }

  count(query: CountQuery, call: ProviderCall): PromiseOrValue<number> {
    const index = call.explanation && indexFor(this.table, query)
    const formats = this.database.formatsOf(countReader)
    const found = this.database.readPage(this.statements.count(query), call, formats, index)
    return mapValue(found, (rows) => Number(cellsAt(rows, 0, 'n')[0]))
  }

  /** Returns undefined if the rows have values that the database cannot aggregate exactly, or only with more bits. */
  aggregate(
    query: AggregateQuery,
    call: ProviderCall,
  ): PromiseOrValue<readonly Row[] | GroupsPage | number | undefined> {
    const groups = this.statements.groups(query)
    if (groups === undefined) return undefined
    const { database } = this
    const read = catchValue<readonly DriverRow[] | undefined>(
      () => database.read(groups.text(), call),
      (error) => {
        if (database.dialect.classifyError(error)?.isOutOfRange !== true) throw error
        return undefined
      },
    )
    return mapValue(read, (found) => {
      if (found === undefined) return undefined
      if (query.countOnly === true) return Number(found[0]?.n)
      const rows = groups.statement.rows(found)
      const count = found[0]?.n
      return rows === undefined || count === undefined ? rows : { rows, count: Number(count) }
    })
  }

  /** @param isPage whether the rows are only serialized, so that they may be `ValueRow`s */
  async readRelated(
    query: RelatedQuery,
    call: ProviderCall,
    isPage = false,
  ): Promise<readonly (readonly Row[])[]> {
    const { entitySet, navigation, rows } = query.sources
    const relation = this.catalog.relation(entitySet, navigation)
    const lists: Row[][] = rows.map(() => [])
    if (relation === undefined) return lists
    const [row] = rows
    if (rows.length === 1 && row !== undefined && this.lockFor(call) !== '') {
      return [await this.batch({ ...query, source: { entitySet, navigation, row } }, call, undefined, isPage)]
    }
    const reader = this.reader(query.properties)
    const { dialect } = this.database
    // Nothing is related to a source whose foreign key is null.
    const sources = rows
      .map((row, index) => ({ list: lists[index] ?? [], values: valuesOf(row, relation.own) }))
      .filter(({ values }) => values.every((value) => value !== null && value !== undefined))
    const chunkSize = Math.max(1, Math.floor((dialect.maxParameters - 1000) / relation.own.length))
    for (let from = 0; from < sources.length; from += chunkSize) {
      const part = sources.slice(from, from + chunkSize)
      const isGrouped = await this.readGroups(query, relation, part, call, isPage)
      if (isGrouped) continue
      const parameters = part.map(({ values }) =>
        relation.own.map((column, index) => dialect.stored(column, values[index])),
      )
      const formats = this.database.formatsOf(reader)
      const isWire = formats !== undefined
      const statement = this.statements.related(query, relation, parameters, reader, isWire)
      // The number of the source follows the columns.
      const found = await this.database.readPage(statement, call, formats && [...formats, false])
      const numbers = reader.sourceNumbers(found)
      for (const [index, row] of reader.rows(found, isPage).entries()) {
        part[Number(numbers[index])]?.list.push(row)
      }
    }
    return lists
  }

  /**
   * Reads related rows without rank and number of their source, and groups them by their foreign key.
   *
   * @returns false, with all lists empty, if that is not possible or would read many superfluous rows
   */
  private async readGroups(
    query: RelatedQuery,
    relation: MappedRelation,
    sources: readonly RelatedSource[],
    call: ProviderCall,
    isPage: boolean,
  ): Promise<boolean> {
    const { top = Number.POSITIVE_INFINITY, skip = 0 } = query
    const { navigation, entitySet } = query.sources
    const path = `${entitySet}/${navigation.name}`
    const [own] = relation.own
    const column = groupColumnOf(relation)
    const groups = groupSources(sources)
    // Callers may change rows that are not only serialized, so that lists must not share them.
    const isDistinct = isPage || groups?.size === sources.length
    if (own === undefined || column === undefined || groups === undefined || !isDistinct || skip > 0)
      return false
    const reader = this.reader(query.properties)
    if (!reader.columns.includes(column)) return false
    if (this.ungrouped.has(path)) return false
    const limit = Math.min(groups.size * top, MAX_GROUPED_ROWS)
    const formats = this.database.formatsOf(reader)
    const isWire = formats !== undefined
    const statement = this.statements.relatedGroups(query, column, own, groups, reader, isWire, limit + 1)
    const found = await this.database.readPage(statement, call, formats)
    const cells = reader.cellsOf(found, column)
    const groupsOfRows = cells.length > limit ? undefined : groupsOf(cells, groups)
    if (groupsOfRows === undefined) {
      this.ungrouped.add(path)
      return false
    }
    for (const [index, row] of reader.rows(found, isPage).entries()) {
      for (const { list } of groupsOfRows[index] ?? []) if (list.length < top) list.push(row)
    }
    return true
  }

  /** Returns the cached reader of a projection. @param properties undefined for all */
  reader(properties: ReadonlySet<string> | undefined): RowReader {
    const known = properties && this.known.get(properties)
    if (known !== undefined) return known
    // No property has this name: all properties differ from none.
    const name = properties === undefined ? '*' : [...properties].sort().join('\n')
    let reader = this.readers.get(name)
    if (reader === undefined) {
      reader = new RowReader(this.table, this.database.dialect, properties)
      this.readers.set(name, reader)
    }
    if (properties !== undefined) this.known.set(properties, reader)
    return reader
  }

  /**
   * Reads rows into one array.
   *
   * @param within an additional condition
   * @param isPage whether the rows are only serialized, so that they may be `ValueRow`s
   */
  batch(query: ReadQuery, call: ProviderCall, within?: Sql, isPage = false): PromiseOrValue<readonly Row[]> {
    const reader = this.reader(query.properties)
    const formats = this.database.formatsOf(reader)
    const statement = this.statements.read(query, reader, this.lockFor(call), within, formats !== undefined)
    const index = call.explanation && indexFor(this.table, query)
    return mapValue(this.database.readPage(statement, call, formats, index), (found) =>
      reader.rows(found, isPage),
    )
  }

  private rowOfKey(
    values: readonly unknown[],
    reader: RowReader,
    call: ProviderCall,
    isShown: boolean,
  ): PromiseOrValue<Row | undefined> {
    const formats = this.database.formatsOf(reader)
    const statement = this.statements.readByKey(values, reader, this.lockFor(call), formats !== undefined)
    return mapValue(
      this.database.readPage(statement, call, formats),
      (found) => reader.rows(found, isShown)[0],
    )
  }

  /** @returns returns the row of a key, null if it does not exist, or undefined if the database may still find it */
  private async rowsOfKeys(
    column: Column,
    reads: readonly KeyRead[],
    reader: RowReader,
    call: ProviderCall,
    isShown: boolean,
  ): Promise<(key: string) => Row | null | undefined> {
    const formats = this.database.formatsOf(reader)
    const values = new Map(reads.map(({ text, value }) => [text, value]))
    const statement = this.statements.readByKeys(values, reader, formats !== undefined)
    const found = await this.database.readPage(statement, call, formats)
    const keys = reader.cellsOf(found, column).map((cell) => this.keyText(cell))
    // The database may treat other strings, or other forms of a number, as equal to a key.
    const isComplete = isGroupKey(column.type) && keys.every((key) => key !== undefined && values.has(key))
    const indexes = new Map(keys.map((key, index) => [key, index]))
    const rows = reader.rows(found, isShown)
    return (key) => {
      const index = indexes.get(key)
      if (index === undefined) return isComplete ? null : undefined
      // Callers may change rows that are not only serialized.
      return isShown ? rows[index] : reader.rows(found)[index]
    }
  }

  /** Returns the canonical string of a key; undefined for keys that may have several. */
  private keyText(value: unknown): string | undefined {
    const [column] = this.table.keyColumns
    if (column?.type === 'Edm.String') return typeof value === 'string' ? value : undefined
    return column !== undefined && isGroupKey(column.type) ? groupKey(value) : undefined
  }

  /** Returns the clause that locks the rows that a change set reads: its changes may depend on them. */
  private lockFor({ changeSet }: ProviderCall): string {
    if (!(changeSet instanceof SqlChangeSet) || this.table.isView) return ''
    return this.database.writes.lockToChange
  }

  /** Reads more rows than fit into one batch. */
  private async *all(query: ReadQuery, call: ProviderCall, isPage: boolean): AsyncGenerator<readonly Row[]> {
    const reader = this.reader(query.properties)
    const cursor = this.database.stream(this.statements.read(query, reader), BATCH_SIZE, call)
    if (cursor !== undefined) {
      for await (const rows of cursor) yield reader.rows(rows, isPage)
      return
    }
    const terms = query.orderBy ?? keyOrder(this.table.set.entityType)
    if (terms.every(isOwnProperty) && this.statements.canSort(terms))
      yield* this.batches(query, terms, call, isPage)
    else yield await this.batch(query, call, undefined, isPage)
  }

  /**
   * Reads rows in batches: each continues after the last row of the previous one. No statement and no connection
   * is held while a client reads slowly, and a batch deep in the table costs as much as the first.
   */
  private async *batches(
    query: ReadQuery,
    orderBy: readonly OrderByTerm[],
    call: ProviderCall,
    isPage: boolean,
  ): AsyncGenerator<readonly Row[]> {
    const order = new RowOrder(orderBy, this.table.set.entityType, withoutNavigation)
    const properties = query.properties && new Set([...query.properties, ...orderBy.flatMap(namesOf)])
    let remaining = query.top ?? Number.POSITIVE_INFINITY
    let { seek, skip } = query
    // SQLite blocks the event loop while it reads a batch.
    const isBlocking = this.database.dialect.hasOneConnection === true
    const isShort = isBlocking && isKeyOrder(orderBy, this.table.set.entityType)
    const [first, most] = isShort ? [MAX_BLOCKING_ROWS, MAX_BLOCKING_ROWS] : [BATCH_SIZE, MAX_BATCH_SIZE]
    for (let size = first; remaining > 0; size = Math.min(2 * size, most)) {
      const top = Math.min(remaining, size)
      const rows = await this.batch(
        { ...query, properties, orderBy, seek, skip, top },
        call,
        undefined,
        isPage,
      )
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (rows.length < top || last === undefined) return
      remaining -= rows.length
      seek = order.positionOf(last)
      skip = undefined
      call.signal.throwIfAborted()
    }
  }
}

/** Returns true if rows are ordered by the properties of their key, in the order of its index. */
function isKeyOrder(orderBy: readonly OrderByTerm[], { key }: EntityType): boolean {
  return orderBy.every((term, index) => isOwnProperty(term) && namesOf(term)[0] === key[index]?.name)
}

/** Returns true if a row itself has the value of an order term. */
function isOwnProperty({ expression }: OrderByTerm): boolean {
  return expression.kind === 'PropertyPath' && expression.steps.every(({ kind }) => kind === 'Complex')
}

function namesOf({ expression }: OrderByTerm): string[] {
  if (expression.kind !== 'PropertyPath') return []
  const [first] = expression.steps
  return [first?.kind === 'Complex' ? first.property.name : expression.property.name]
}
