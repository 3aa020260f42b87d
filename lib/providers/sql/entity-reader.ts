import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { CountQuery, KeyQuery, ReadQuery, RelatedQuery, Rows } from '../../provider/provider.js'
import { keyOrder } from '../../query/entity-query.js'
import type { OrderByTerm } from '../../query/expression.js'
import type { EntityTable, Relation } from './entity-table.js'
import { valuesOf } from './entity-table.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../../util/promise-or-value.js'
import { canBeKey } from './row-conditions.js'
import type { RelatedSource } from './related-groups.js'
import {
  groupColumnOf,
  groupsOf,
  groupSources,
  UngroupedRelations,
  MAX_GROUPED_ROWS,
} from './related-groups.js'
import type { DriverRow } from './row-reader.js'
import { lengthOf, RowReader } from './row-reader.js'
import type { Sql } from './sql-text.js'
import { SelectStatements } from './select-statements.js'
import { SqlChangeSet } from './sql-change-set.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableCatalog } from './table-catalog.js'

/** How many rows are read at once where all are wanted: more would only wait in memory. */
const batchSize = 1000
/** Batches grow up to this: where no index has the order, each costs as much as the whole table. */
const largestBatch = 8000
/** How many projections are kept with what reads their rows. */
const mostReaders = 200

/** Answers queries from a table. */
export class EntityReader {
  readonly statements: SelectStatements
  /** Clients choose what they want to see: what is kept must have an end. */
  private readonly readers = new BoundedCache<string, RowReader>(mostReaders)
  private readonly ungrouped = new UngroupedRelations()

  constructor(
    private readonly table: EntityTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
  ) {
    this.statements = new SelectStatements(table, catalog, database.dialect)
  }

  /** @param isPage whether the rows are only serialized, so that they may be `ValueRow`s */
  read(query: ReadQuery, call: ProviderCall, isPage = false): PromiseOrValue<Rows> {
    const { top } = query
    if (top !== undefined && top <= 2 * batchSize) return this.batch(query, call, undefined, isPage)
    return this.all(query, call, isPage)
  }

  readByKey(key: Row, query: KeyQuery, call: ProviderCall): PromiseOrValue<Row | undefined> {
    const { keyColumns } = this.table
    const values = valuesOf(key, keyColumns)
    // What no row can have is in none; the database would call it a fault.
    const possible = canBeKey(this.database, keyColumns, values, call)
    if (possible === true) return this.rowOfKey(values, query, call)
    return mapValue(possible, (isPossible) => (isPossible ? this.rowOfKey(values, query, call) : undefined))
  }

  count(query: CountQuery, call: ProviderCall): PromiseOrValue<number> {
    return mapValue(this.database.read(this.statements.count(query), call), ([row]) => Number(row?.n))
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
    // A source without the value that leads on leads nowhere.
    const sources = rows
      .map((row, index) => ({ list: lists[index] ?? [], values: valuesOf(row, relation.own) }))
      .filter(({ values }) => values.every((value) => value !== null && value !== undefined))
    const atOnce = Math.max(1, Math.floor((dialect.maximumParameters - 1000) / relation.own.length))
    for (let from = 0; from < sources.length; from += atOnce) {
      const part = sources.slice(from, from + atOnce)
      const isGrouped = await this.readGroups(query, relation, part, call, isPage)
      if (isGrouped) continue
      const parameters = part.map(({ values }) =>
        relation.own.map((column, index) => dialect.stored(column, values[index])),
      )
      const isText = this.database.hasTextCells
      const statement = this.statements.related(query, relation, parameters, reader, isText)
      const found = await this.database.readPage(statement, call, isText)
      // Rows that are objects become entities, without their number.
      const numbers = reader.sourceNumbers(found)
      for (const [index, row] of reader.found(found, isPage).entries()) {
        part[Number(numbers[index])]?.list.push(row)
      }
    }
    return lists
  }

  /**
   * Reads related rows without rank and number of their source, and groups them by their foreign key.
   *
   * @returns false, with all lists empty, where that is not possible or would read many rows in vain
   */
  private async readGroups(
    query: RelatedQuery,
    relation: Relation,
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
    // Callers may change rows unless they are only serialized: then no two lists may share one.
    const isDistinct = isPage || groups?.size === sources.length
    if (own === undefined || column === undefined || groups === undefined || !isDistinct || skip > 0)
      return false
    const reader = this.reader(query.properties)
    if (!reader.columns.includes(column)) return false
    if (this.ungrouped.has(path)) return false
    const limit = Math.min(groups.size * top, MAX_GROUPED_ROWS)
    const isText = this.database.hasTextCells
    const statement = this.statements.relatedGroups(query, column, own, groups, reader, isText, limit + 1)
    const found = await this.database.readPage(statement, call, isText)
    if (lengthOf(found) > limit) {
      this.ungrouped.add(path)
      return false
    }
    // Before the rows are converted, which changes those that are objects.
    const groupsOfRows = groupsOf(reader.cellsOf(found, column), groups)
    if (groupsOfRows === undefined) {
      this.ungrouped.add(path)
      return false
    }
    for (const [index, row] of reader.found(found, isPage).entries()) {
      for (const { list } of groupsOfRows[index] ?? []) if (list.length < top) list.push(row)
    }
    return true
  }

  /** The way rows are read when only some properties are wanted; kept, as there are few such sets. */
  reader(properties: ReadonlySet<string> | undefined): RowReader {
    // No property has this name: all of them are another thing than none.
    const name = properties === undefined ? '*' : [...properties].sort().join('\n')
    let reader = this.readers.get(name)
    if (reader === undefined) {
      reader = new RowReader(this.table, this.database.dialect, properties)
      this.readers.set(name, reader)
    }
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
    const isText = this.database.hasTextCells
    const statement = this.statements.read(query, reader, this.lockFor(call), within, isText)
    return mapValue(this.database.readPage(statement, call, isText), (found) => reader.found(found, isPage))
  }

  private rowOfKey(
    values: readonly unknown[],
    { properties }: KeyQuery,
    call: ProviderCall,
  ): PromiseOrValue<Row | undefined> {
    const reader = this.reader(properties)
    const isText = this.database.hasTextCells
    const statement = this.statements.readByKey(values, reader, this.lockFor(call), isText)
    if (isText) {
      const page = this.database.readPage(statement, call, isText)
      return mapValue(page, (found) => reader.found(found, false)[0])
    }
    const found = this.database.readOne(statement, call)
    return isPromiseLike(found) ? found.then((rows) => firstRow(reader, rows)) : firstRow(reader, found)
  }

  /** What a change set looks at, its changes depend on: it stays as it is until they have been made. */
  private lockFor({ changeSet }: ProviderCall): string {
    if (!(changeSet instanceof SqlChangeSet) || this.table.isView) return ''
    return this.database.writes.lockToChange
  }

  /** More rows than should be in memory at once. */
  private async *all(query: ReadQuery, call: ProviderCall, isPage: boolean): AsyncGenerator<readonly Row[]> {
    const reader = this.reader(query.properties)
    const cursor = this.database.stream(this.statements.read(query, reader), batchSize, call)
    if (cursor !== undefined) {
      for await (const rows of cursor) yield reader.rows(rows)
      return
    }
    const terms = query.orderBy ?? keyOrder(this.table.set.entityType)
    if (terms.every(isOwnProperty) && this.statements.canSort(terms))
      yield* this.batches(query, terms, call, isPage)
    else yield await this.batch(query, call, undefined, isPage)
  }

  /**
   * All rows, batch by batch, each starting behind the last row of the one before. No statement and no connection
   * waits for a slow client, and a batch deep in the table costs no more than the first.
   */
  private async *batches(
    query: ReadQuery,
    orderBy: readonly OrderByTerm[],
    call: ProviderCall,
    isPage: boolean,
  ): AsyncGenerator<readonly Row[]> {
    const order = new RowOrder(orderBy, this.table.set.entityType, withoutNavigation)
    const properties = query.properties && new Set([...query.properties, ...orderBy.flatMap(namesOf)])
    let left = query.top ?? Number.POSITIVE_INFINITY
    let { seek, skip } = query
    for (let size = batchSize; left > 0; size = Math.min(2 * size, largestBatch)) {
      const top = Math.min(left, size)
      const rows = await this.batch(
        { ...query, properties, orderBy, seek, skip, top },
        call,
        undefined,
        isPage,
      )
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (rows.length < top || last === undefined) return
      left -= rows.length
      seek = order.positionOf(last)
      skip = undefined
      call.signal.throwIfAborted()
    }
  }
}

function firstRow(reader: RowReader, [found]: readonly DriverRow[]): Row | undefined {
  return found === undefined ? undefined : reader.row(found)
}

/** Whether a row shows by itself where it stands in the order. */
function isOwnProperty({ expression }: OrderByTerm): boolean {
  return expression.kind === 'PropertyPath' && expression.steps.every(({ kind }) => kind === 'Complex')
}

function namesOf({ expression }: OrderByTerm): string[] {
  if (expression.kind !== 'PropertyPath') return []
  const [first] = expression.steps
  return [first?.kind === 'Complex' ? first.property.name : expression.property.name]
}
