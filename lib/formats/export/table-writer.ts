import type { RowBatch } from '../../data/row-batch.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { ExportColumn, SimpleProperty } from './export-columns.js'
import type { ExportSettings } from './export-options.js'
import { sapAnnotation } from '../../edm/annotations.js'
import { toOperand, formatText } from '../plain-text.js'
import { formatClock } from '../../edm/primitive-types/time.js'

/** Serializes the rows of one export, after a header row. */
export interface TableWriter {
  /** True if the rows since the last chunk fill a chunk. */
  readonly isFull: boolean
  add(batch: RowBatch, index: number): void
  /** Returns the document since the last chunk. */
  flush(): PromiseOrValue<string | Uint8Array>
  /** Returns the rest of the document. */
  finish(): PromiseOrValue<string | Uint8Array>
}

/** Title and columns of a document. */
export interface TableInfo {
  /** Name of the entity set or function. */
  readonly title: string
  readonly columns: readonly ExportColumn[]
}

/** A format of exports. */
export interface ExportFormat {
  /** `text/csv` */
  readonly mediaType: string
  readonly contentType: string
  createWriter(info: TableInfo, settings: ExportSettings): TableWriter
}

/** The minimum number of characters of a chunk, which ends with a row. */
export const CHUNK_LENGTH = 60_000

/** Formats a value that is not null as spreadsheets and people read it. @throws TypeError for an invalid value */
export type FormatValue = (value: unknown) => string

/**
 * Returns the function that formats values of a property: times without the separators of XML, and decimals with all
 * digits of their scale, which databases omit.
 */
export function valueFormatter(property: SimpleProperty): FormatValue {
  const { type, scale = 0 } = property
  const format = formatText[type]
  switch (type) {
    case 'Edm.Decimal':
      return scale === 0 ? (value) => format(value) : (value) => padFraction(format(value), scale)
    case 'Edm.DateTime':
      return hasDateOnly(property)
        ? (value) => format(value).slice(0, DATE_LENGTH)
        : (value) => withSpace(format(value))
    case 'Edm.Time':
      return (value) => formatClock(toOperand(value, type) as number)
    default:
      return (value) => format(value)
  }
}

/** Separates date and time of `2024-02-29T12:00:00` by a space. */
function withSpace(text: string): string {
  return `${text.slice(0, DATE_LENGTH)} ${text.slice(DATE_LENGTH + 1)}`
}

const DATE_LENGTH = '2024-02-29'.length

/** Returns true if a DateTime property has dates without a time of day. */
export function hasDateOnly(property: SimpleProperty): boolean {
  return sapAnnotation(property, 'display-format') === 'Date'
}

/** Appends zeros until a number has `scale` digits after the decimal point. */
function padFraction(digits: string, scale: number): string {
  const point = digits.indexOf('.')
  if (point < 0) return `${digits}.${'0'.repeat(scale)}`
  return digits.padEnd(point + 1 + scale, '0')
}
