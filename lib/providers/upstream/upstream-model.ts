import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { RelatedTo } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import type { QueueModel } from './queued-entities.js'

/** The model of an upstream service, and the addresses of its entities. Sets are identified by their path in the V2 model. */
export interface UpstreamModel extends QueueModel {
  /** Returns the path of an entity set, percent-encoded. @throws ODataError for a set that has no URL of its own */
  setPath(set: string): string
  /**
   * Returns the path of an entity, percent-encoded: `Books(7)`, `Lines(Order=1,No=2)`.
   *
   * @param row has at least the key
   * @returns undefined for a key that no entity of the service can have
   */
  entityPath(set: string, row: Row): string | undefined
  keyCondition(set: string, row: Row): string | undefined
  /** Returns true if changes need the ETag of the entity. */
  hasEtag(set: string): boolean
  /** Returns the function that converts entities of responses in place. */
  converterOf(set: string): (entity: unknown) => Row
}

/** Returns the path of an entity. @throws ODataError NotImplemented for a contained entity whose parent is unknown */
export function requiredPath(model: UpstreamModel, set: string, row: Row): string {
  const path = model.entityPath(set, row)
  if (path === undefined) throw notAddressable(set)
  return path
}

/** Creates the error for entities that have no URL without that of their parent. */
export function notAddressable(set: string): ODataError {
  return new ODataError('NotImplemented', {
    message: `Entities of '${set}' can only be addressed through the entities that contain them.`,
  })
}

/** Returns the path of an entity set, or of the related entities of an entity. */
export function collectionPath(model: UpstreamModel, set: string, source: RelatedTo | undefined): string {
  if (source === undefined) return model.setPath(set)
  const { entitySet, navigation, row } = source
  return `${requiredPath(model, entitySet, row)}/${encodeURIComponent(required(model.navigationName(navigation)))}`
}
