import type { Property } from '../edm/edm-model.js'
import { memberReader } from '../evaluation/row.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout, ValueColumn, ValueRow, WriteCell } from '../evaluation/value-row.js'
import type { AddCell, FormatText } from './plain-text.js'

/** Reads the simple properties of rows as an array of cells, for serializers that find them by index. */
export interface EntryLayout {
  /** Returns the index of a simple property among the cells. @param path complex properties around it, and itself */
  indexOf(path: readonly Property[]): number
  /** Describes the cells of an index; undefined where the cells are values. */
  column(index: number): ValueColumn | undefined
  cells(row: Row): readonly unknown[]
}

/** The layout of rows that are objects: reads the properties that {@link indexOf} was called with. */
export class ObjectLayout implements EntryLayout {
  private readonly readers: ((row: Row) => unknown)[] = []
  private readonly indexes = new Map<string, number>()

  indexOf(path: readonly Property[]): number {
    const name = path.map((property) => property.name).join('/')
    const known = this.indexes.get(name)
    if (known !== undefined) return known
    const index = this.readers.push(pathReader(path)) - 1
    this.indexes.set(name, index)
    return index
  }

  column(): undefined {
    return undefined
  }

  cells(row: Row): readonly unknown[] {
    const cells: unknown[] = []
    for (const read of this.readers) cells.push(read(row))
    return cells
  }
}

/** Returns the layout for serializers of rows that have one. */
export function entryLayoutOf(layout: RowLayout): EntryLayout {
  const { columns } = layout
  return {
    // The index after the last cell is undefined, which means null, for rows without the property.
    indexOf: (path) => layout.indexOf(path.map(({ name }) => name)) ?? columns.length,
    column: (index) => columns[index],
    cells: (row) => layout.cells(row as unknown as ValueRow),
  }
}

/**
 * Reads a simple property of rows that are objects.
 *
 * @param path complex properties around it, and itself
 */
export function pathReader(path: readonly Property[]): (row: Row) => unknown {
  const [first, ...inner] = path.map(({ name }) => memberReader(name))
  if (first === undefined) throw new TypeError('A value needs a property.')
  if (inner.length === 0) return first
  return (row) => {
    let value = first(row)
    for (const read of inner) {
      // A complex value is never null: without one, all its members are.
      if (value === null || value === undefined) return undefined
      value = read(value as Row)
    }
    return value
  }
}

/** Formats the cells of a simple property that are not null. */
export interface CellFormatter {
  /** Returns the text of a cell; undefined for those that {@link formatOther} formats. */
  readonly format: (cell: unknown, precision?: number) => string | undefined
  /** The number of fraction digits of points in time. */
  readonly precision?: number | undefined
  /** Returns the text of another cell, together with the static text before it. Absent: never needed. */
  readonly formatOther?: ((before: string, cell: unknown) => string) | undefined
  /** Adds cells without a string for each. Absent: cells are formatted. */
  readonly add?: AddCell | undefined
  /** Copies the bytes of cells. Absent, or for cells for which it returns false: they are formatted. */
  readonly copy?: WriteCell | undefined
}

/**
 * Creates the formatter of cells: as plain text where that needs no check, else by their value.
 *
 * @param column describes the cells; undefined for values
 * @param plainText absent: all cells are formatted by their value
 * @param formatValue throws a TypeError for invalid values
 */
export function cellFormatter(
  column: ValueColumn | undefined,
  plainText: ValueColumn['plainText'],
  formatValue: FormatText,
  precision?: number,
): CellFormatter {
  const decode = column?.decode
  const format: FormatText =
    decode === undefined ? formatValue : (cell, digits) => formatValue(decode(cell), digits)
  if (plainText === undefined) return { format, precision }
  return { format: plainText, precision, formatOther: (before, cell) => before + format(cell, precision) }
}

/** Formats a single cell. */
export function formatCell({ format, precision, formatOther }: CellFormatter, cell: unknown): string {
  return format(cell, precision) ?? formatOther?.('', cell) ?? ''
}
