import { ODataError } from '../../../errors/odata-error.js'
import type { ChangeQueue, ChangeSet } from '../../../provider/change-set.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { V4Service } from '../v4-service.js'
import type { V4BatchItem } from './v4-batch.js'
import { sendBatch } from './v4-batch.js'
import type { V4Change, V4ChangeResult } from './v4-change.js'

/** A change that waits for the batch, and the promise of its result. */
interface QueuedChange extends V4BatchItem {
  readonly resolve: (result: V4ChangeResult) => void
}

/** A change set of a batch, which becomes one atomicity group of one batch request. */
export class V4ChangeSet implements ChangeSet {
  readonly queue: ChangeQueue
  private readonly changes: QueuedChange[] = []
  private isSent = false

  constructor(
    private readonly service: V4Service,
    private readonly call: ProviderCall,
  ) {
    const { changes } = this
    this.queue = {
      isFinal: true,
      get length() {
        return changes.length
      },
      send: () => this.send(),
    }
  }

  /** @throws ODataError NotImplemented for a change that follows the response to another one */
  add(change: V4Change, call: ProviderCall): Promise<V4ChangeResult> {
    if (this.isSent) {
      throw new ODataError('NotImplemented', {
        message:
          'The upstream service cannot make this change together with others. Send it in a request of its own.',
      })
    }
    return new Promise((resolve) => {
      this.changes.push({ change, call, resolve })
    })
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
    const results = await sendBatch(this.service, changes, this.call)
    changes.forEach(({ resolve }, index) => {
      resolve(results[index] as V4ChangeResult)
    })
  }
}
