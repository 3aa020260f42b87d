import { withoutNavigation } from '../../../evaluation/evaluation-context.js'
import { RowOrder } from '../../../evaluation/order.js'
import type { Row } from '../../../evaluation/row.js'
import { ODataError } from '../../../errors/odata-error.js'
import type { EntryTemplate } from '../../../provider/entry-template.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { ReadQuery } from '../../../provider/provider.js'
import type { RenderedBatches, RenderedExpansion, Rendering } from '../../../provider/rendering.js'
import { keyOrder } from '../../../query/entity-query.js'
import type { OrderByTerm } from '../../../query/expression.js'
import type { EntityReader } from '../entity-reader.js'
import type { EntityTable } from '../entity-table.js'
import type { DriverRow } from '../row-reader.js'
import { root } from '../select-statements.js'
import type { SqlDatabase } from '../sql-database.js'
import type { TableCatalog } from '../table-catalog.js'
import type { EntityExpression } from './entity-expression.js'
import { entityExpression, writtenRows } from './entity-expression.js'
import { rootMarker, updatedMarker } from './entry-expression.js'
import type { Field, RenderDialect } from './render-dialect.js'
import { renderDialects } from './render-dialects.js'
import { RenderingHistory } from './rendering-history.js'
import { timeMark, withTime } from './time-marks.js'
import { withMarkers } from './with-markers.js'
import { WrittenPages } from './written-pages.js'
import type { WrittenRows } from './written-rows.js'

/** Bytes from which on entities come one by one where that is better. */
const longEntity = 8_000

/** Has the entities of a table written by the database. */
export class PageRenderer {
  private readonly dialect: RenderDialect | undefined
  private readonly expressions = new WeakMap<EntryTemplate, Map<string, EntityExpression | null>>()
  private readonly histories = new WeakMap<EntryTemplate, RenderingHistory>()

  constructor(
    private readonly table: EntityTable,
    private readonly catalog: TableCatalog,
    private readonly database: SqlDatabase,
    private readonly reader: EntityReader,
  ) {
    this.dialect = renderDialects[database.dialect.name]
  }

  /** @returns undefined when the database does not write such entities, or not in this order */
  async render(
    query: ReadQuery,
    rendering: Rendering,
    call: ProviderCall,
  ): Promise<RenderedBatches | undefined> {
    const { dialect } = this
    if (dialect === undefined || call.changeSet !== undefined) return undefined
    const entity = this.entityOf(rendering, dialect)
    if (entity === undefined) return undefined
    const history = this.historyOf(rendering.template)
    if (!history.isGood() || !(await this.database.isTrue(dialect.probe))) return undefined
    const hasPositions = this.hasPositions(query, dialect)
    const pages = new WrittenPages(
      query,
      rendering,
      this.table.columns.length,
      // Rather a long text than none, where one statement must write all, and than many statements that look for others.
      {
        length: history.lengthOfEach,
        piece: hasPositions && rendering.expansions.length === 0 ? dialect.piece : undefined,
      },
    )
    if (pages.needsPositions && !hasPositions) return undefined
    const terms = query.orderBy ?? keyOrder(this.table.set.entityType)
    const order = pages.needsPositions
      ? new RowOrder(terms, this.table.set.entityType, withoutNavigation)
      : undefined
    return pages.batches({
      write: (part, needsLast) => this.write(entity, part, needsLast, rendering, call),
      read: (part) => this.reader.batch(part, call),
      isBehind: (position) => this.isBehind({ ...query, orderBy: terms, seek: position }, call),
      positionOf: (row) => order?.positionOf(row) ?? [],
      terms,
      history,
      call,
    })
  }

  private entityOf(
    { template, expansions, context }: Rendering,
    dialect: RenderDialect,
  ): EntityExpression | undefined {
    const { doubleAsNumber } = context
    const { catalog, database } = this
    const make = (): EntityExpression | undefined =>
      entityExpression(template, expansions, this.table, root, {
        catalog,
        dialect: database.dialect,
        rendering: dialect,
        doubleAsNumber,
      })
    const name = nameOf(expansions)
    if (name === undefined) return make()
    let known = this.expressions.get(template)
    if (known === undefined)
      this.expressions.set(template, (known = new Map<string, EntityExpression | null>()))
    const key = `${String(doubleAsNumber)} ${name}`
    let entity = known.get(key)
    if (entity === undefined) known.set(key, (entity = make() ?? null))
    return entity ?? undefined
  }

  private historyOf(template: EntryTemplate): RenderingHistory {
    let history = this.histories.get(template)
    if (history === undefined) this.histories.set(template, (history = new RenderingHistory()))
    return history
  }

  /** Pages can start behind the last entity of another one in the order of the key, which an index has. */
  private hasPositions({ orderBy }: ReadQuery, dialect: RenderDialect): boolean {
    const isByKey = orderBy === undefined || this.isKeyOrder(orderBy)
    // Where all is read through a cursor, no order costs more than another one.
    if (this.database.hasCursors || this.table.isView) return false
    return isByKey && dialect.lastKey(this.keyFields()) !== undefined
  }

  private isKeyOrder(orderBy: readonly OrderByTerm[]): boolean {
    return (
      orderBy.length === this.table.keyColumns.length &&
      orderBy.every(({ expression, descending }, index) => {
        const isKey = expression.kind === 'PropertyPath' && expression.steps.length === 0
        return isKey && !descending && expression.property.name === this.table.keyColumns[index]?.path[0]
      })
    )
  }

  private keyFields(): readonly Field[] {
    const { keyColumns, isView } = this.table
    return keyColumns.map((column) => ({ column, reference: `${root}.${column.quoted}`, isOfView: isView }))
  }

  private async write(
    entity: EntityExpression,
    query: ReadQuery,
    needsLast: boolean,
    { separator, context, template }: Rendering,
    call: ProviderCall,
  ): Promise<WrittenRows | undefined> {
    const { dialect } = this
    if (dialect === undefined) return undefined
    const key = needsLast ? dialect.lastKey(this.keyFields()) : undefined
    const isSorted = query.orderBy !== undefined && !(this.isKeyOrder(query.orderBy) && !this.table.isView)
    const isInParts = query.seek !== undefined && query.seek.length > 1
    const rows = writtenRows(
      entity,
      (selection) => this.reader.statements.read(query, selection),
      dialect,
      isSorted || isInParts,
      key?.ofRow,
    )
    if (rows === undefined) return undefined
    // What is kept is for any time.
    const time = entity.notation === 'xml' && this.database.keepsResults ? context.updated : undefined
    const hasInline = entity.inline.length > 0
    const { lengthOfEach = 0 } = this.historyOf(template)
    // There are no marks of times in these: nothing is kept where entities can come one by one.
    const each = lengthOfEach >= longEntity ? dialect.each?.(rows, hasInline, key !== undefined) : undefined
    const page = each ?? dialect.page(rows, separator, hasInline, key?.ofAll)
    const statement = withMarkers(
      page,
      new Map([
        [rootMarker, context.root],
        [updatedMarker, time === undefined ? context.updated : timeMark(time)],
      ]),
    )
    try {
      const found = await this.database.readRepeated(statement, call, true)
      if (each !== undefined) return this.writtenOfEach(found, entity, dialect, separator)
      const [row] = found
      return row === undefined ? undefined : this.writtenOf(row, entity, dialect, time)
    } catch (error) {
      // A value that the database cannot write: read, it may be one that the service can, or is told what is wrong.
      if (error instanceof ODataError || call.signal.aborted) throw error
      return undefined
    }
  }

  /** @param time what is written where marks are; undefined where there are none */
  private writtenOf(
    row: DriverRow,
    { notation }: EntityExpression,
    dialect: RenderDialect,
    time: string | undefined,
  ): WrittenRows | undefined {
    const count = Number(row.rows)
    const inlineCount = Number(row.inlined)
    const { text } = row
    // Drivers keep rows for a while in what they have done with, until all of the heap is looked through.
    row.text = undefined
    if (count === 0) return { pieces: [], length: 0, count, inlineCount, last: undefined }
    const bytes = Number(row.written) === count ? dialect.bytes(text, notation) : undefined
    if (bytes === undefined) return undefined
    const piece = time === undefined ? bytes : withTime(bytes, time)
    return { pieces: [piece], length: piece.length, count, inlineCount, last: this.lastOf(row.last) }
  }

  /** Of rows that have come one by one. */
  private writtenOfEach(
    rows: readonly DriverRow[],
    { notation }: EntityExpression,
    dialect: RenderDialect,
    separator: string,
  ): WrittenRows | undefined {
    const pieces: Uint8Array[] = []
    let length = 0
    let inlineCount = 0
    for (const row of rows) {
      const { text } = row
      row.text = undefined
      const isLast = pieces.length === rows.length - 1
      const bytes =
        typeof text === 'string' ? dialect.bytes(isLast ? text : text + separator, notation) : undefined
      if (bytes === undefined) return undefined
      pieces.push(bytes)
      length += bytes.length
      inlineCount += Number(row.inlined)
    }
    return { pieces, length, count: rows.length, inlineCount, last: this.lastOf(rows.at(-1)?.last) }
  }

  /** The last line is an array with the key. */
  private lastOf(lines: unknown): Row | undefined {
    if (typeof lines !== 'string') return undefined
    const values = JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as readonly unknown[]
    const { dialect } = this.database
    const entries = this.table.keyColumns.map((column, index) => {
      const read = dialect.reader(column)
      return [column.path[0] ?? '', read === undefined ? values[index] : read(values[index])] as const
    })
    return Object.fromEntries(entries)
  }

  private async isBehind(query: ReadQuery, call: ProviderCall): Promise<boolean> {
    const rows = await this.reader.batch({ ...query, skip: undefined, top: 1, properties: new Set() }, call)
    return rows.length > 0
  }
}

/** What expressions depend on beside the template; undefined where a filter may be another one each time. */
function nameOf(expansions: readonly RenderedExpansion[]): string | undefined {
  const names: string[] = []
  for (const { filter, limit, source, expansions: inner } of expansions) {
    const name = nameOf(inner)
    if (filter !== undefined || name === undefined) return undefined
    names.push(`${source} ${String(limit)}(${name})`)
  }
  return names.join(',')
}
