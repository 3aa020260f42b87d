import type { ValueColumn, WriteCell } from '../evaluation/value-row.js'
import type { FormatText } from './plain-text.js'

/** Formats the cells of a simple property that are not null. */
export interface CellFormatter {
  /** Returns the text of a cell; undefined for those that {@link formatOther} formats. */
  readonly format: (cell: unknown, precision?: number) => string | undefined
  /** The number of fraction digits of points in time. */
  readonly precision?: number | undefined
  /** Returns the text of another cell, together with the static text before it. Absent: never needed. */
  readonly formatOther?: ((before: string, cell: unknown) => string) | undefined
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
