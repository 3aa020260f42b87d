import { entityName } from '../../edm/relations.js'
import type { Row } from '../../evaluation/row.js'
import type { ValueColumn } from '../../evaluation/value-row.js'
import { RowLayout } from '../../evaluation/value-row.js'
import type { ByteSource } from '../../util/byte-source.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { DriverRow, RowArrays } from './driver-rows.js'
import type { Column } from './column.js'
import type { ResultFormats, WireFormat } from './wire/wire-format.js'
import type { SqlDialect } from './dialect.js'
import type { MappedTable } from './mapped-table.js'
import { invalidAlias } from './invalid-values.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql, statementOf } from './sql-text.js'
import { decodeUtf8 } from './wire/text-cells.js'
import { WireRows } from './wire/wire-rows.js'

/** Rows as a driver returned them. */
export type DriverRows = readonly DriverRow[] | RowArrays | WireRows

/** Names of further selected expressions, which no property can have. */
const typeAlias = '$type'
export const sourceAlias = '$source'
export const mediaTypeAlias = '$mediaType'

/** The select list of a statement. */
export interface Selection {
  /** The selected columns; absent for other expressions. */
  readonly columns?: readonly Column[]
  /** Returns the select list. @param isWire true if rows are returned as the database sends them */
  selection(alias: string, isWire?: boolean): Sql
  /** The names that {@link selection} gives. */
  readonly names: Sql
}

/** Selects the columns of a projection, and converts the rows of the driver to entities. */
export class RowReader implements Selection {
  readonly columns: readonly Column[]
  /** Further expressions that are selected after the columns, by their alias. */
  private readonly extras: readonly { readonly alias: string; readonly quoted: string }[]
  private readonly aliases: readonly string[]
  private readonly selections = new Map<string, Sql>()
  private wireFormats: ResultFormats | undefined
  private readonly layouts: { ofValues?: RowLayout; ofStrings?: RowLayout } = {}

  /** @param properties those of the projection; undefined for all */
  constructor(
    private readonly table: MappedTable,
    private readonly dialect: SqlDialect,
    properties: ReadonlySet<string> | undefined,
  ) {
    this.columns =
      properties === undefined
        ? table.columns
        : table.columns.filter(
            (column) =>
              properties.has(column.path[0] ?? '') ||
              table.keyColumns.includes(column) ||
              table.joinColumns.has(column),
          )
    const { typeColumn, invalidValues, media } = table
    this.extras = [
      ...(typeColumn === undefined ? [] : [{ alias: typeAlias, quoted: typeColumn.quoted }]),
      ...(invalidValues === undefined ? [] : [{ alias: invalidAlias, quoted: dialect.quote(invalidAlias) }]),
      ...(media === undefined ? [] : [{ alias: mediaTypeAlias, quoted: media.contentType }]),
    ]
    this.aliases = [...this.columns.map(aliasOf), ...this.extras.map(({ alias }) => alias)]
  }

  /**
   * Returns the select list. Without an alias, it is that of a `returning` clause, or of a statement with a single table;
   * columns on the wire have no names then, which take the database as long to parse as those of the table.
   */
  selection(alias?: string, isWire = false): Sql {
    return getOrCreate(this.selections, `${alias ?? ''} ${String(isWire)}`, () => {
      const { dialect } = this
      const prefix = alias === undefined ? '' : `${alias}.`
      const named = (reference: Sql, name: string): Sql =>
        alias === undefined && isWire ? reference : sql`${reference} as ${raw(dialect.quote(name))}`
      const columns = this.columns.map((column) => {
        const reference = dialect.selected(column, raw(prefix + column.quoted), isWire)
        return named(reference, aliasOf(column))
      })
      // A returning clause has the table itself, and not the subquery that names invalid values.
      const extras = this.extras.filter((extra) => alias !== undefined || extra.alias !== invalidAlias)
      const list = joined(
        [...columns, ...extras.map((extra) => named(raw(prefix + extra.quoted), extra.alias))],
        ', ',
      )
      // One string: the list has no parameters.
      return raw(statementOf(list, (index) => dialect.placeholder(index)).text)
    })
  }

  /** The formats of the selected columns in rows as the database sends them. */
  get formats(): ResultFormats {
    this.wireFormats ??= [
      ...this.columns.map((column) => this.dialect.wire?.column(column).isBinary === true),
      ...this.extras.map(() => false),
    ]
    return this.wireFormats
  }

  get names(): Sql {
    return raw(this.aliases.map((alias) => this.dialect.quote(alias)).join(', '))
  }

  /**
   * Converts rows of the driver to entities.
   *
   * @param isPage whether the entities are only serialized, so that they may be `ValueRow`s
   */
  rows(found: DriverRows, isPage = false): readonly Row[] {
    const { typeColumn, invalidValues } = this.table
    const layout = this.layout(found instanceof WireRows)
    const isPlain = isPage && typeColumn === undefined && invalidValues === undefined && layout.hasValueRows
    if (found instanceof WireRows) {
      const { sources, positions } = found
      return sources.map((source, index) => {
        const position = positions[index] ?? 0
        return isPlain ? layout.row(source, position) : this.entity(layout, layout.cellsAt(source, position))
      })
    }
    const arrays = 'names' in found ? found.values : found.map((row) => this.cellsIn(row))
    return arrays.map((cells) => (isPlain ? layout.row(cells, 0) : this.entity(layout, cells)))
  }

  row(found: DriverRow): Row {
    return this.entity(this.layout(false), this.cellsIn(found))
  }

  /** Returns for each row of `SelectStatements.related` the number of its source, which follows the columns. */
  sourceNumbers(found: DriverRows): readonly unknown[] {
    return cellsAt(found, this.aliases.length, sourceAlias)
  }

  /** Returns the cell of a column for each row, as the driver returns it or decoded from the bytes of the database. */
  cellsOf(found: DriverRows, column: Column): readonly unknown[] {
    const index = this.columns.indexOf(column)
    return found instanceof WireRows
      ? this.decodedCells(found, index)
      : cellsAt(found, index, aliasOf(column))
  }

  /** Decodes the cells of a column, once where consecutive rows have the same bytes, as rows of one source have. */
  private decodedCells({ sources, positions, reader }: WireRows, index: number): readonly unknown[] {
    const layout = this.layout(true)
    const bounds = new Int32Array(2 * index + 2)
    let last: ByteSource | undefined
    let lastFrom = 0
    let lastTo = 0
    let value: unknown
    return sources.map((source, row) => {
      reader.locate?.(source, positions[row] ?? 0, bounds)
      const from = bounds[2 * index] ?? -1
      const to = bounds[2 * index + 1] ?? -1
      if (from < 0) return null
      if (last === undefined || !hasSameBytes(last.view, lastFrom, lastTo, source.view, from, to)) {
        value = layout.valueOf(source.bytes.toString('latin1', from, to), index)
        last = source
        lastFrom = from
        lastTo = to
      }
      return value
    })
  }

  private cellsIn(row: DriverRow): readonly unknown[] {
    const cells: unknown[] = []
    for (const alias of this.aliases) cells.push(row[alias])
    return cells
  }

  /** Returns an entity with its type. Reports its invalid values. */
  private entity(layout: RowLayout, cells: readonly unknown[]): Row {
    const { set, invalidValues, typeColumn } = this.table
    const entity = layout.object(cells) as DriverRow
    const invalid = entity[invalidAlias]
    if (typeof invalid === 'string') {
      if (invalid !== '') invalidValues?.report(entityName(set, entity), invalid)
      entity[invalidAlias] = undefined
    }
    if (typeColumn !== undefined) {
      const name = entity[typeAlias]
      entity[typeAlias] = typeof name === 'string' ? (typeColumn.typeNames.get(name) ?? name) : undefined
    }
    return entity
  }

  private layout(isWire: boolean): RowLayout {
    const { layouts, dialect } = this
    return isWire
      ? (layouts.ofStrings ??= this.createLayout((column) => dialect.wire?.column(column), dialect.wire))
      : (layouts.ofValues ??= this.createLayout((column) => ({
          decode: dialect.reader(column),
          plainText: dialect.plainText?.(column),
        })))
  }

  private createLayout(
    describe: (column: Column) => Partial<ValueColumn> | undefined,
    wire?: WireFormat,
  ): RowLayout {
    const columns = this.columns.map((column) => valueColumn(column.path, describe(column)))
    const extras = this.extras.map(({ alias }) => valueColumn([alias], { decode: wire && decodeUtf8 }))
    return new RowLayout([...columns, ...extras], wire?.reader)
  }
}

function valueColumn(
  path: readonly string[],
  { decode, plainText, bytes }: Partial<ValueColumn> = {},
): ValueColumn {
  return { path, decode, plainText, bytes }
}

function hasSameBytes(
  one: DataView,
  from: number,
  to: number,
  other: DataView,
  otherFrom: number,
  otherTo: number,
): boolean {
  if (otherTo - otherFrom !== to - from) return false
  for (let at = from; at < to; at++) {
    if (one.getUint8(at) !== other.getUint8(otherFrom + at - from)) return false
  }
  return true
}

/** Returns the cell of a selected expression for each row. @param index and alias of the expression */
export function cellsAt(found: DriverRows, index: number, alias: string): readonly unknown[] {
  if (found instanceof WireRows) {
    const { sources, positions, reader } = found
    return sources.map((source, row) => reader.cell(source, positions[row] ?? 0, index))
  }
  return 'names' in found ? found.values.map((cells) => cells[index]) : found.map((row) => row[alias])
}

/** Returns the number of rows. */
export function rowCount(found: DriverRows): number {
  return 'names' in found ? found.values.length : found.length
}

/** Returns the rows of a statement that the driver took instead of a string. */
export function wireRows(rows: unknown): WireRows {
  if (rows instanceof WireRows) return rows
  throw new TypeError('The driver has not returned rows as the database sends them.')
}

function aliasOf({ path }: Column): string {
  return path.length === 1 ? (path[0] ?? '') : path.join('/')
}
