import type { RowBatch } from '../../data/row-batch.js'
import type { RowLayout, ValueRow } from '../../evaluation/value-row.js'
import { layoutOf } from '../../evaluation/value-row.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { ExportColumn } from './export-columns.js'

/** Types whose plain text is the same in all formats, whatever the facets of the property. */
const trustedTypes: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])

/** Serializes one field. @param format of values that are not null @param formatText of plain text */
export interface FieldFormat {
  readonly format: (value: unknown) => string
  readonly formatText: (text: string) => string
}

type ReadField = (cells: readonly unknown[], batch: RowBatch, index: number) => string | undefined

/**
 * Reads the fields of rows. Cells of rows with a layout are read once, and by index; their plain text is used where the
 * type of the column guarantees it.
 */
export class FieldReader {
  private layout: RowLayout | undefined
  /** The readers of the fields of a row, whose cells {@link cellsOf} returns; undefined is null. */
  readers: readonly ReadField[]

  constructor(
    private readonly columns: readonly ExportColumn[],
    private readonly formats: readonly FieldFormat[],
  ) {
    this.readers = this.compile(undefined)
  }

  /** Returns the cells of a row, and sets {@link readers} to those of its layout. */
  cellsOf(batch: RowBatch, index: number): readonly unknown[] {
    const row = batch.rows[index]
    const layout = layoutOf(row)
    if (layout !== this.layout) {
      this.readers = this.compile(layout)
      this.layout = layout
    }
    return layout === undefined ? noCells : layout.cells(row as unknown as ValueRow)
  }

  private compile(layout: RowLayout | undefined): readonly ReadField[] {
    return this.columns.map((column, index) => readerOf(column, this.formats[index] as FieldFormat, layout))
  }
}

const noCells: readonly unknown[] = []

function readerOf(
  { path, property, valueOf }: ExportColumn,
  { format, formatText }: FieldFormat,
  layout: RowLayout | undefined,
): ReadField {
  const cellIndex = path && layout?.indexOf(path)
  if (layout === undefined || cellIndex === undefined) {
    return (_cells, batch, index) => {
      const value = valueOf(batch, index)
      return value === null || value === undefined ? undefined : format(value)
    }
  }
  const { decode, plainText } = layout.columns[cellIndex] ?? {}
  const trusted = trustedTypes.has(property.type) ? plainText : undefined
  return (cells) => {
    const cell = cells[cellIndex]
    if (cell === null || cell === undefined) return undefined
    const text = trusted?.(cell)
    return text === undefined ? format(decode === undefined ? cell : decode(cell)) : formatText(text)
  }
}
