import { ODataError } from '../errors/odata-error.js'
import type { ChangeSet } from '../provider/change-set.js'

const ended = new WeakSet<ChangeSet>()

/** Marks a change set as ended: work that still runs in it must not change data outside of the transaction. */
export function endChangeSet(changeSet: ChangeSet): void {
  ended.add(changeSet)
}

/** @throws ODataError when the change set has been taken back meanwhile */
export function checkOpen(changeSet: ChangeSet | undefined): void {
  if (changeSet === undefined || !ended.has(changeSet)) return
  throw new ODataError('ServiceUnavailable', { message: 'The changes have been taken back meanwhile.' })
}
