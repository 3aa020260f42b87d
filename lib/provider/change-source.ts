import type { Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * Reports the changes of an entity set, for delta links. The service decides which changes a caller sees, and serializes
 * them.
 *
 * @typeParam R type of a row
 * @typeParam Key type of a key
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * // A log in memory, without the states before the changes.
 * const log: { key: Row; row?: Row }[] = []
 * const changes: ChangeSource = {
 *   position: () => String(log.length),
 *   since: ({ position, after, top }) => {
 *     if (Number(position) > log.length) throw new ODataError('Gone')
 *     const latest = new Map(log.slice(Number(position)).map((one) => [Number(one.key.ID), one]))
 *     const behind = [...latest.keys()].sort((a, b) => a - b).filter((id) => !after || id > Number(after.ID))
 *     const rows = behind.slice(0, top).flatMap((id) => latest.get(id) ?? [])
 *     return { position: String(log.length), rows, more: behind.length > top }
 *   },
 * }
 */
export interface ChangeSource<R = Row, Key = Row, Context = unknown> {
  /**
   * Returns the present position in the log of changes: letters, digits and `_~.:-`. Every change that a later read shows,
   * and this position does not include, must be reported by `since`. Include an epoch that changes when the log is
   * replaced, and a message authentication code: clients can change positions, and would read the keys and, with filters,
   * values of entities from before their first load.
   */
  position(call: ProviderCall<Context>): PromiseOrValue<string>
  /**
   * Returns the entities that have changed after a position, each once, with their present values, in the order of their
   * keys. All values and the returned position must be from one snapshot.
   *
   * @throws ODataError Gone if the changes since the position are not known; BadRequest for a forged position
   */
  since(query: ChangesQuery<Key>, call: ProviderCall<Context>): PromiseOrValue<Changes<R, Key>>
  /**
   * True if `since` returns all earlier states of changed entities. Without them, only requests without filters of the
   * client and of `authorize` get delta links. Default: false.
   */
  readonly hasEarlier?: boolean | undefined
  /** Seconds for which a delta link can be followed, for `sap:delta-link-validity`. Default: not announced. */
  readonly validity?: number | undefined
}

/**
 * Selects the changes to read.
 *
 * @example const isFirstPage = ({ after }: ChangesQuery) => after === undefined
 */
export interface ChangesQuery<Key = Row> {
  /** A position that the source has returned, or a client has forged. */
  readonly position: string
  /** Selects only entities whose key follows this one. Absent: all. */
  readonly after?: Key | undefined
  /** Maximum number of entities. */
  readonly top: number
  /** The properties that earlier states must have; they can omit others. */
  readonly needed: readonly Property[]
}

/**
 * The changes after a position.
 *
 * @example const nothing: Changes = { position: '1', rows: [], more: false }
 */
export interface Changes<R = Row, Key = Row> {
  /** The position of the snapshot that the changes were read from. */
  readonly position: string
  /** The changed entities, in the order of their keys. */
  readonly rows: readonly ChangedRow<R, Key>[]
  /** True if further changes follow the last row. */
  readonly more: boolean
}

/**
 * An entity that has changed.
 *
 * @example const isDeleted = ({ row }: ChangedRow) => row === undefined
 */
export interface ChangedRow<R = Row, Key = Row> {
  /** The key properties with their values. */
  readonly key: Key
  /** The present entity. Absent if it does not exist. */
  readonly row?: R | undefined
  /**
   * The states before each change after the position, in any order; undefined where the entity did not exist. Required
   * with `hasEarlier`.
   */
  readonly earlier?: readonly (Row | undefined)[] | undefined
  /** The time of the last change. Default: the time of the response. */
  readonly at?: Date | undefined
}
