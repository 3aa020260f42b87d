import type { ByteSource } from '../util/byte-source.js'
import type { ByteWriter } from '../util/byte-writer.js'
import type { Row } from './row.js'

/** One column of rows that are stored as cells, as a driver returns them. */
export interface ValueColumn {
  /** Names of the complex properties around a simple property, and its own. */
  readonly path: readonly string[]
  /** Returns the value of a cell that is not null. Absent: the cell is the value. */
  readonly decode: ((cell: unknown) => unknown) | undefined
  /**
   * Returns the plain text of a cell that is not null where the type of the column guarantees that it is valid;
   * undefined for cells that have to be decoded and checked. Absent: all cells have to be. Strings that it returns
   * need no escapes in any format.
   */
  readonly plainText: ((cell: unknown) => string | undefined) | undefined
  /** How bytes of cells become bytes of documents. Absent: all cells have to be decoded. */
  readonly bytes?: ByteColumn | undefined
}

/**
 * Adds the cell between two positions of its source to a document.
 *
 * @returns false for a cell that has to be decoded and checked; the bytes after the length of `out` are undefined then
 */
export type WriteCell = (
  out: ByteWriter,
  source: ByteSource,
  from: number,
  to: number,
  precision?: number,
) => boolean

/** How the bytes of a column become bytes of documents, without a value for each cell. */
export interface ByteColumn {
  /** Adds plain text, which needs no escapes in any format. Absent: cells have to be decoded. */
  readonly writeText?: WriteCell | undefined
  /** Adds the milliseconds since 1970 of a DateTime. */
  readonly writeMilliseconds?: WriteCell | undefined
  /** True if cells are strings in UTF-8, which formats have to escape. Default: false */
  readonly isString?: boolean | undefined
}

/**
 * Copies the bytes of a cell: the {@link ByteColumn.writeText} of columns whose cells are always their plain text.
 */
export const copyCell: WriteCell = (out, { view }, from, to) => {
  out.copy(view, from, to)
  return true
}

/** Reads the cells of a row from the object in which a driver left them. */
export interface CellReader {
  /**
   * @param position of the row within its source
   * @param count number of cells that are read, or are there if the reader knows
   */
  cells(source: unknown, position: number, count: number): readonly unknown[]
  cell(source: unknown, position: number, index: number): unknown
  /**
   * Finds the bytes of cells. Absent: cells are not bytes.
   *
   * @param bounds receives start and end of each cell for which it has room; a start of -1 for null
   */
  readonly locate?: ((source: ByteSource, position: number, bounds: Int32Array) => void) | undefined
}

/** The source of each row is an array of its cells. */
const arrayCells: CellReader = {
  cells: (source) => source as readonly unknown[],
  cell: (source, _position, index) => (source as readonly unknown[])[index],
}

/** The keys of a {@link ValueRow} are symbols: a property may have any name. */
const sourceKey = Symbol('source')
const positionKey = Symbol('position')
const layoutKey = Symbol('layout')

/**
 * A row whose cells are where the driver left them. Serializers read the cells of a row once, and then by index; for all
 * other code the class of a layout has a getter for each property. Rows that leave the service are converted to plain
 * objects by {@link plainRow}.
 */
export abstract class ValueRow {
  declare readonly [layoutKey]: RowLayout
  readonly [sourceKey]: unknown
  readonly [positionKey]: number

  constructor(source: unknown, position: number) {
    this[sourceKey] = source
    this[positionKey] = position
  }
}

type ValueRowClass = new (source: unknown, position: number) => ValueRow

/** Which cell of a row holds which property. */
export class RowLayout {
  /** True if cells are bytes, see {@link locate}. */
  readonly hasBytes: boolean
  /** False when a property is named like a member that every object has, such as `constructor`. */
  readonly hasValueRows: boolean
  private readonly rowClass: ValueRowClass
  private readonly indexes: ReadonlyMap<string, number>

  constructor(
    readonly columns: readonly ValueColumn[],
    readonly reader: CellReader = arrayCells,
  ) {
    this.indexes = new Map(columns.map(({ path }, index) => [path.join('/'), index]))
    this.hasBytes = reader.locate !== undefined
    this.hasValueRows = columns.every(({ path: [first = ''] }) => !(first in Object.prototype))
    this.rowClass = classOf(this)
  }

  /** Returns the index of the cell of a simple property; undefined when the rows do not have it. */
  indexOf(path: readonly string[]): number | undefined {
    return this.indexes.get(path.join('/'))
  }

  row(source: unknown, position: number): Row {
    return new this.rowClass(source, position) as unknown as Row
  }

  /** Returns the cells of a row of this layout, in the order of its columns. */
  cells(row: ValueRow): readonly unknown[] {
    return this.cellsAt(row[sourceKey], row[positionKey])
  }

  /**
   * Finds the bytes of the cells of a row. Only for readers of bytes.
   *
   * @returns their source
   */
  locate(row: ValueRow, bounds: Int32Array): ByteSource {
    const source = row[sourceKey] as ByteSource
    this.reader.locate?.(source, row[positionKey], bounds)
    return source
  }

  /** Returns the cells at a position of a source. */
  cellsAt(source: unknown, position: number): readonly unknown[] {
    return this.reader.cells(source, position, this.columns.length)
  }

  /** Returns the value of a cell. */
  valueOf(cell: unknown, index: number): unknown {
    const decode = this.columns[index]?.decode
    return cell === null || cell === undefined || decode === undefined ? cell : decode(cell)
  }

  /** Returns the value of one cell of a row of this layout. */
  valueAt(row: ValueRow, index: number): unknown {
    return this.valueOf(this.reader.cell(row[sourceKey], row[positionKey], index), index)
  }

  /** Returns a plain object with the values of a row. */
  object(cells: readonly unknown[]): Row {
    const row: Record<string, unknown> = {}
    for (const [index, { path }] of this.columns.entries()) {
      const value = this.valueOf(cells[index], index)
      if (path.length === 1) row[path[0] ?? ''] = value
      else place(row, path, value)
    }
    return row
  }
}

/** Returns the layout of a row; undefined for plain objects. */
export function layoutOf(row: object | undefined): RowLayout | undefined {
  return (row as Partial<ValueRow> | undefined)?.[layoutKey]
}

/** Returns a row as a plain object, which applications can copy and change. */
export function plainRow(row: Row): Row {
  const layout = layoutOf(row)
  return layout === undefined ? row : layout.object(layout.cells(row as unknown as ValueRow))
}

function classOf(layout: RowLayout): ValueRowClass {
  class LayoutRow extends ValueRow {}
  // A constant of the class, which V8 reads without a call.
  Object.defineProperty(LayoutRow.prototype, layoutKey, { value: layout })
  const members = new Map<string, number[]>()
  for (const [index, { path }] of layout.columns.entries()) {
    const [name = ''] = path
    members.set(name, [...(members.get(name) ?? []), index])
  }
  for (const [name, indexes] of members) {
    const [index = 0] = indexes
    const isSimple = layout.columns[index]?.path.length === 1
    const get = isSimple
      ? function (this: ValueRow): unknown {
          return layout.valueAt(this, index)
        }
      : function (this: ValueRow): unknown {
          const owner: Record<string, unknown> = {}
          for (const one of indexes) place(owner, layout.columns[one]?.path ?? [], layout.valueAt(this, one))
          return owner[name]
        }
    Object.defineProperty(LayoutRow.prototype, name, { get, enumerable: true })
  }
  return LayoutRow
}

/** Sets a value within the objects of its complex properties. */
function place(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let owner = row
  for (const name of path.slice(0, -1)) {
    const inner = owner[name]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    owner[name] = next
    owner = next
  }
  owner[path.at(-1) ?? ''] = value
}
