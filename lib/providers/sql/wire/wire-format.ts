import type { CellReader, ValueColumn } from '../../../evaluation/value-row.js'
import type { Column } from '../column.js'
import type { Statement } from '../sql-text.js'
import type { WireRows } from './wire-rows.js'

/** How rows are read as the database sends them, without a value of the driver for each cell. */
export interface WireFormat {
  /** Returns how the cells of a column become values and bytes of documents. */
  column(column: Column): WireColumn
  readonly reader: CellReader
  query(statement: Statement, formats: ResultFormats): WireStatement
  /** Returns statements that are sent together. Absent if each must wait for the result of the one before. */
  pipeline?(statements: readonly WireRead[]): PipelineResult & { toString(): string }
  /** The class of Kysely's connections that hand statements which are no strings to their driver. */
  readonly connectionClass: string
  /** A statement that shows at the start, by its rows, whether a driver and its settings support this. */
  readonly probe: {
    readonly text: string
    readonly formats: ResultFormats
    readonly rows: readonly (readonly (string | null)[])[]
  }
}

/** A statement whose rows are returned as the database sends them. */
export interface WireRead {
  readonly statement: Statement
  readonly formats: ResultFormats
}

/** Statements that a driver takes instead of a string. They run up to the first that fails. */
export interface PipelineResult {
  readonly statements: readonly { readonly rows: WireRows }[]
  /** Milliseconds from sending the statements to the end of the last one. */
  readonly duration: number
}

/** For each column of a result, true if its cells have the binary format of the database. */
export type ResultFormats = readonly boolean[]

/** A statement that a driver takes instead of a string. */
export interface WireStatement {
  /** The rows, after the statement has ended; none if the driver has returned them as values. */
  readonly rows: WireRows
  /** Returns the same statement if it has to run again, because {@link rows} are not those of its result. */
  again?(): WireStatement | undefined
  toString(): string
}

/** How the cells of a column, which are strings of bytes, become values, and how their bytes are copied. */
export interface WireColumn extends Partial<Pick<ValueColumn, 'decode' | 'bytes'>> {
  /** True if cells have the binary format of the database. Default: they are text */
  readonly isBinary?: boolean | undefined
}
