import type { ProviderCall } from '../../provider/provider-call.js'
import type { DriverRow } from './driver-rows.js'
import type { SqlChangeSet } from './sql-change-set.js'

/** A call within a transaction. */
export type ChangeCall = ProviderCall & { readonly changeSet: SqlChangeSet }

/** The result of a statement that changes rows. */
export interface Changed {
  /** The rows that it returned. */
  readonly rows: readonly DriverRow[]
  /** The number of rows that it changed. */
  readonly count: number
  /** The generated key of a new row, if the database reports it without `returning`. */
  readonly insertId: bigint | undefined
}
