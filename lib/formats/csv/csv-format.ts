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
    const { separator } = settings
    const writeText = textWriter(settings)
    const header = columns.map(({ heading }) => writeText(heading)).join(separator)
    this.text = BYTE_ORDER_MARK + header + LINE_END
    this.fields = columns.map((column, index) => fieldWriter(column, writeText, index === 0 ? '' : separator))
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

function fieldWriter({ property, valueOf }: ExportColumn, writeText: FormatText, before: string): WriteField {
  const format: FormatValue = valueFormatter(property)
  const write = isText(property) ? (value: unknown): string => writeText(format(value)) : format
  return (batch, index) => {
    const value = valueOf(batch, index)
    return value === null || value === undefined ? before : before + write(value)
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

function textWriter({ formulas, separator }: ExportSettings): FormatText {
  const needsQuotes = new RegExp(`[${separator}"\\r\\n]|^[ \\t]|[ \\t]$`)
  const isEscaped = formulas === 'escape'
  return (text) => {
    // Distinguishes an empty string from null.
    if (text === '') return '""'
    const safe = isEscaped && formulaStart.test(text) ? `'${text}` : text
    return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
}
