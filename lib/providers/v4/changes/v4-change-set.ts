import type { Row } from '../../../evaluation/row.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { ChangeResult, UpstreamChange } from '../../upstream/upstream-change.js'
import { UpstreamChangeSet } from '../../upstream/upstream-change-set.js'
import type { V4Service } from '../v4-service.js'
import { QueuedEntities } from './queued-entities.js'
import { idOf, sendBatch } from './v4-batch.js'

/** A change set of a batch, which becomes one atomicity group of one batch request. */
export class V4ChangeSet extends UpstreamChangeSet {
  /** The entities that its changes insert. */
  readonly entities: QueuedEntities

  constructor(service: V4Service, call: ProviderCall) {
    super((items, batchCall) => sendBatch(service, items, batchCall), call)
    this.entities = new QueuedEntities(service.model)
  }

  /** Adds the insertion of an entity, to which later changes can refer. */
  addInsert(set: string, entity: Row, change: UpstreamChange, call: ProviderCall): Promise<ChangeResult> {
    const id = idOf(this.queue.length)
    const added = this.add(change, call)
    this.insertedKey = this.entities.add(set, entity, id)
    return added
  }
}

/** Returns the entities that earlier changes of the change set of a call insert. */
export function queuedEntities({ changeSet }: ProviderCall): QueuedEntities | undefined {
  return changeSet instanceof V4ChangeSet ? changeSet.entities : undefined
}
