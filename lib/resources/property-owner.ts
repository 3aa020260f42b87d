import type { EntitySet, Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { Projection } from '../query/projection.js'
import type { PropertyChain, ValueOwner } from '../query/request-target.js'
import { entityTagOf } from './version-rules.js'
import type { RequestSession } from './request-session.js'

/** A value that was found in what a request addresses, and the version of its entity. */
export interface OwnedValue {
  /** Null and undefined both mean null. */
  readonly value: unknown
  readonly etag: string | undefined
}

/**
 * Reads the value at the end of a chain of properties.
 *
 * @throws ODataError ResourceNotFound when there is no such entity
 * @spec MS-ODATA 2.2.6.5.5, 2.2.6.5.6
 */
export async function readValue(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): Promise<OwnedValue> {
  const data = await session.reader()
  if (owner.kind === 'ReturnedValue') {
    return { value: valueAt(await data.callFunction(owner.call), path), etag: undefined }
  }
  const row = await data.entity(owner, undefined, projectionOf(owner.set, path[0]))
  return { value: valueAt(row, path), etag: entityTagOf(row, owner.set) }
}

function projectionOf(set: EntitySet, property: Property | undefined): Projection {
  const selected = property === undefined ? undefined : new Set([property.name])
  return { set, entityType: set.entityType, selected, expansions: [] }
}

/** A complex value is never null, but its members are when it is missing. */
function valueAt(start: unknown, path: PropertyChain): unknown {
  let value = start
  for (const { name } of path)
    value = value === null || value === undefined ? value : memberOf(value as Row, name)
  return value
}
