import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * A repeatable request, whose response is stored.
 *
 * @example const isExpired = ({ expires }: RequestRecord) => expires.getTime() < Date.now()
 */
export interface RequestRecord {
  /** Identifies caller and request: 43 characters of base64url. */
  readonly id: string
  /** When the client has sent the request first, according to its clock. */
  readonly firstSent: Date
  /** The time from which the record can be removed. */
  readonly expires: Date
}

/**
 * Stores the responses of repeatable requests, in the transactions of their changes.
 *
 * @example
 * // Records of a table with a unique id. `clientOf` returns the connection of the change set.
 * declare const pool: pg.Pool
 * declare const clientOf: (call: ProviderCall) => pg.PoolClient
 * const records: RequestRecords = {
 *   async add({ id, expires }, call) {
 *     const insert = `insert into requests values ($1, $2, '') on conflict do nothing`
 *     const { rowCount } = await clientOf(call).query(insert, [id, expires])
 *     return rowCount === 1
 *   },
 *   async complete(id, response, call) {
 *     await clientOf(call).query('update requests set response = $2 where id = $1', [id, response])
 *   },
 *   async find(id) {
 *     const { rows } = await pool.query('select response from requests where id = $1', [id])
 *     return rows[0]?.response as string | undefined
 *   },
 * }
 */
export interface RequestRecords<Context = unknown> {
  /**
   * Adds a record to the change set of the call, before its changes. Waits for other change sets that have added one with
   * the same id.
   *
   * @returns false if a record with the id exists, also one of the same change set
   * @throws ODataError PreconditionFailed if records with this or a later `firstSent` were removed before they expired
   */
  add(record: RequestRecord, call: ProviderCall<Context>): PromiseOrValue<boolean>
  /** Stores the response of a record that the change set of the call has added. It is committed with the changes. */
  complete(id: string, response: string, call: ProviderCall<Context>): PromiseOrValue<void>
  /** Returns the committed response of a record; undefined without one. Called outside of change sets. */
  find(id: string, call: ProviderCall<Context>): PromiseOrValue<string | undefined>
  /** Removes expired records. Called after one in a hundred repeatable requests. */
  prune?(now: Date, call: ProviderCall<Context>): PromiseOrValue<void>
}
