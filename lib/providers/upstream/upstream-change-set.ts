import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { ChangeQueue, ChangeSet } from '../../provider/change-set.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { QueueModel } from './queued-entities.js'
import { QueuedEntities } from './queued-entities.js'
import type { UpstreamBatches } from './upstream-batches.js'
import { idOf } from './upstream-batches.js'
import type { BatchItem, ChangeResult, UpstreamChange } from './upstream-change.js'

/** A change that waits for the batch, and the promise of its result. */
interface QueuedChange extends BatchItem {
  readonly resolve: (result: ChangeResult) => void
}

/** Returns the entities that earlier changes of the change set of a call insert. */
export function queuedEntities({ changeSet }: ProviderCall): QueuedEntities | undefined {
  return changeSet instanceof UpstreamChangeSet ? changeSet.entities : undefined
}

/** A change set of a batch, which becomes one change set of one batch request. */
export class UpstreamChangeSet implements ChangeSet {
  readonly queue: ChangeQueue
  /** The key of the entity that the change added last inserts, or a stand-in. */
  private insertedKey: Row | undefined
  /** The entities that its changes insert. */
  readonly entities: QueuedEntities
  private readonly changes: QueuedChange[] = []
  private isSent = false

  constructor(
    private readonly batches: UpstreamBatches,
    private readonly call: ProviderCall,
    model: QueueModel,
  ) {
    this.entities = new QueuedEntities(model)
    const { changes } = this
    const insertedKey = (): Row | undefined => this.insertedKey
    this.queue = {
      isFinal: true,
      get length() {
        return changes.length
      },
      get insertedKey() {
        return insertedKey()
      },
      send: () => this.send(),
    }
  }

  /** @throws ODataError NotImplemented for a change that follows the response to another one */
  add(change: UpstreamChange, call: ProviderCall): Promise<ChangeResult> {
    if (this.isSent) {
      throw new ODataError('NotImplemented', {
        message:
          'The upstream service cannot make this change together with others. Send it in a request of its own.',
      })
    }
    this.insertedKey = undefined
    return new Promise((resolve) => {
      this.changes.push({ change, call, resolve })
    })
  }

  /** Adds the insertion of an entity, to which later changes can refer. */
  addInsert(set: string, entity: Row, change: UpstreamChange, call: ProviderCall): Promise<ChangeResult> {
    const id = idOf(this.queue.length)
    const added = this.add(change, call)
    this.insertedKey = this.entities.add(set, entity, id)
    return added
  }

  commit(): void {
    // The changes are committed when they are sent.
  }

  rollBack(): void {
    this.isSent = true
  }

  private async send(): Promise<void> {
    this.isSent = true
    const changes = [...this.changes]
    if (changes.length === 0) return
    const results = await this.batches.sendChanges(changes, this.call)
    changes.forEach(({ resolve }, index) => {
      resolve(results[index] as ChangeResult)
    })
  }
}
