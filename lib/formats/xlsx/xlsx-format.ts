import type { RowBatch } from '../../data/row-batch.js'
import type { ExportColumn } from '../export/export-columns.js'
import { FieldReader } from '../export/field-reader.js'
import type { ExportFormat, TableInfo, TableWriter } from '../export/table-writer.js'
import { cellColumn, textCell } from './cells.js'
import {
  contentTypesPart,
  HEADER_STYLE,
  packageRelationships,
  sheetEnd,
  sheetFile,
  sheetStart,
  Styles,
  workbook,
  workbookRelationships,
} from './workbook.js'
import { ZipWriter } from './zip-writer.js'

const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Workbooks of Excel. @spec ECMA-376 */
export const xlsxFormat: ExportFormat = {
  mediaType: MEDIA_TYPE,
  contentType: MEDIA_TYPE,
  createWriter: (info) => new XlsxWriter(info),
}

/** Larger chunks compress better, smaller ones block the event loop for a shorter time. */
const CHUNK_LENGTH = 120_000

/** The maximum number of rows of a sheet, with its header. */
const MAX_ROWS = 1_048_576

/** Characters of a sheet, whose UTF-8 must not exceed the 4 GiB of a file in an archive. */
const MAX_SHEET_LENGTH = 1_300_000_000

const MAX_COLUMN_WIDTH = 60

class XlsxWriter implements TableWriter {
  private readonly zip = new ZipWriter()
  private readonly styles = new Styles()
  private readonly title: string
  private readonly fields: FieldReader
  /** The start of the cells of each column. */
  private readonly starts: readonly string[]
  private readonly widths: readonly number[]
  private readonly headerRow: string
  private sheetCount = 0
  private isSheetOpen = false
  private isSheetBegun = false
  /** Rows of the sheet, with its header. */
  private rows = 0
  /** Characters of the sheet that are in the archive. */
  private sheetLength = 0
  /** The part of the sheet that is not in the archive yet. */
  private text = ''

  constructor({ title, columns }: TableInfo) {
    this.title = title
    const cellColumns = columns.map(({ property }) => cellColumn(property, this.styles))
    this.starts = columns.map((_, index) => `<c r="${columnName(index)}`)
    this.fields = new FieldReader(
      columns,
      cellColumns.map(({ write, writeText = write }) => ({ format: write, formatText: writeText })),
    )
    this.widths = cellColumns.map(({ width }, index) => columnWidth(columns[index]?.heading ?? '', width))
    this.headerRow = headerRow(columns)
    this.openSheet()
  }

  get isFull(): boolean {
    return this.text.length >= CHUNK_LENGTH || (this.isSheetOpen && this.rows === MAX_ROWS)
  }

  add(batch: RowBatch, index: number): void {
    if (!this.isSheetOpen) this.openSheet()
    const number = ++this.rows
    let row = `<row r="${number}">`
    const cells = this.fields.cellsOf(batch, index)
    const { readers } = this.fields
    for (let column = 0; column < readers.length; column++) {
      const field = readers[column]?.(cells, batch, index)
      if (field !== undefined) row += `${this.starts[column] ?? ''}${number}${field}`
    }
    this.text += `${row}</row>`
  }

  async flush(): Promise<Buffer> {
    const isLast = this.rows === MAX_ROWS || this.sheetLength > MAX_SHEET_LENGTH
    return Buffer.concat(await this.writeSheet(isLast))
  }

  async finish(): Promise<Buffer> {
    const rest = this.isSheetOpen ? await this.writeSheet(true) : []
    const { sheetCount, title } = this
    return Buffer.concat([
      ...rest,
      ...(await this.file('xl/workbook.xml', workbook(title, sheetCount))),
      ...(await this.file('xl/_rels/workbook.xml.rels', workbookRelationships(sheetCount))),
      ...(await this.file('[Content_Types].xml', contentTypesPart(sheetCount))),
      this.zip.finish(),
    ])
  }

  private openSheet(): void {
    this.sheetCount++
    this.isSheetOpen = true
    this.isSheetBegun = false
    this.rows = 1
    this.sheetLength = 0
    this.text = sheetStart(this.widths, this.sheetCount === 1) + this.headerRow
  }

  /** Moves the text of the sheet to the archive. @param isLast whether the sheet ends with it */
  private async writeSheet(isLast: boolean): Promise<Buffer[]> {
    const parts = this.isSheetBegun ? [] : await this.beginSheet()
    const text = isLast ? this.text + sheetEnd : this.text
    this.text = ''
    this.sheetLength += text.length
    parts.push(await this.zip.write(text))
    if (isLast) {
      this.isSheetOpen = false
      parts.push(this.zip.end())
    }
    return parts
  }

  private async beginSheet(): Promise<Buffer[]> {
    this.isSheetBegun = true
    const parts: Buffer[] = []
    if (this.sheetCount === 1) {
      parts.push(...(await this.file('_rels/.rels', packageRelationships())))
      parts.push(...(await this.file('xl/styles.xml', this.styles.toXml())))
    }
    return [...parts, this.zip.begin(`xl/${sheetFile(this.sheetCount)}`)]
  }

  private async file(name: string, text: string): Promise<Buffer[]> {
    return [this.zip.begin(name), await this.zip.write(text), this.zip.end()]
  }
}

function headerRow(columns: readonly ExportColumn[]): string {
  const cells = columns.map(
    ({ heading }, index) => `<c r="${columnName(index)}1${textCell(heading, HEADER_STYLE)}`,
  )
  return `<row r="1">${cells.join('')}</row>`
}

function columnWidth(heading: string, width: number): number {
  return Math.min(Math.max(heading.length + 2, width), MAX_COLUMN_WIDTH)
}

const LETTERS = 26

/** Returns the letters of a column: `A` for 0, `AA` for 26. */
function columnName(index: number): string {
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % LETTERS))
  return index < LETTERS ? letter : columnName(Math.floor(index / LETTERS) - 1) + letter
}
