import type { RowBatch } from '../../data/row-batch.js'
import type { ExportColumn, SimpleProperty } from '../export/export-columns.js'
import type { ExportSettings } from '../export/export-options.js'
import type { ExportFormat, TableWriter, FormatValue } from '../export/table-writer.js'
import { CHUNK_LENGTH, valueFormatter } from '../export/table-writer.js'

/** Excel reads files without byte order mark in the encoding of the system. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'

/** Comma-separated values in UTF-8. @spec RFC 4180 */
export const csvFormat: ExportFormat = {
  mediaType: 'text/csv',
  contentType: 'text/csv;charset=utf-8;header=present',
  createWriter: ({ columns }, settings) => new CsvWriter(columns, settings),
}

class CsvWriter implements TableWriter {
  private readonly fields: readonly WriteField[]
  private text: string

  constructor(columns: readonly ExportColumn[], settings: ExportSettings) {
    const { separator, byteOrderMark } = settings
    const isOnly = columns.length === 1
    const writeText = textWriter(settings, false)
    const writeQuoted = textWriter(settings, true)
    // Quotes show DuckDB, which examines the first 20,480 lines, how later lines are quoted. It fails to read a quoted
    // heading after a byte order mark, so that a file of one column has quoted values instead.
    const header = columns.map(({ heading }, index) => (index === 0 ? writeText : writeQuoted)(heading))
    this.text = (byteOrderMark ? BYTE_ORDER_MARK : '') + header.join(separator) + LINE_END
    this.fields = isOnly
      ? columns.map((column) => fieldWriter(column, writeQuoted, '', EMPTY))
      : columns.map((column, index) => fieldWriter(column, writeText, index === 0 ? '' : separator, ''))
  }

  get isFull(): boolean {
    return this.text.length >= CHUNK_LENGTH
  }

  add(batch: RowBatch, index: number): void {
    let line = ''
    for (const write of this.fields) line += write(batch, index)
    this.text += line + LINE_END
  }

  flush(): string {
    const { text } = this
    this.text = ''
    return text
  }

  finish(): string {
    return this.flush()
  }
}

/** Serializes one value of a row, with the separator before it. */
type WriteField = (batch: RowBatch, index: number) => string

/** @param ifNull the field of null */
function fieldWriter(
  { property, valueOf }: ExportColumn,
  writeText: FormatText,
  before: string,
  ifNull: string,
): WriteField {
  const format: FormatValue = valueFormatter(property)
  const write = isText(property) ? (value: unknown): string => writeText(format(value)) : format
  const nullField = before + ifNull
  return (batch, index) => {
    const value = valueOf(batch, index)
    return value === null || value === undefined ? nullField : before + write(value)
  }
}

/**
 * Returns true for types whose values may need quotes. Values of other types cannot contain separators, and a minus
 * sign does not make a formula of them.
 */
function isText({ type }: SimpleProperty): boolean {
  return type === 'Edm.String' || type === 'Edm.Guid' || type === 'Edm.Binary'
}

type FormatText = (text: string) => string

/** The first characters of formulas, full-width forms included. @spec CWE-1236 */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * Distinguishes an empty string from null, except in a file of one column: many readers ignore empty lines, so that null
 * would be no row.
 */
const EMPTY = '""'

function textWriter({ formulas, separator }: ExportSettings, isQuoted: boolean): FormatText {
  // A line `\.` ends the input of psql.
  const needsQuotes = isQuoted ? /^/ : new RegExp(`[${separator}"\\r\\n]|^[ \\t]|[ \\t]$|^\\\\\\.$`)
  const isEscaped = formulas === 'escape'
  return (text) => {
    if (text === '') return EMPTY
    const safe = isEscaped && formulaStart.test(text) ? `'${text}` : text
    return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
}
