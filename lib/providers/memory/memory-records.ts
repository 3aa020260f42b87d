import { ODataError } from '../../errors/odata-error.js'
import type { RequestRecord, RequestRecords } from '../../provider/request-records.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { UndoLog } from './undo-log.js'

type Call = Parameters<RequestRecords['add']>[1]

const MAX_RECORDS = 100_000
/** Characters of all responses. */
const MAX_LENGTH = 67_108_864
/** The difference of clocks that records may be removed with. */
const MAX_AHEAD_MS = 300_000

interface StoredRecord extends Pick<RequestRecord, 'firstSent' | 'expires'> {
  response: string
}

/** The records of a memory provider. Their number and size are limited: then the oldest are removed. */
export class MemoryRecords implements RequestRecords {
  /** In the order in which they were added. */
  private readonly records = new Map<string, StoredRecord>()
  private length = 0
  /** Records of requests that were sent first up to this time may have been removed. */
  private floor = -Infinity

  constructor(
    private readonly undoLog: UndoLog,
    private readonly maxRecords = MAX_RECORDS,
    private readonly maxLength = MAX_LENGTH,
  ) {}

  add({ id, firstSent, expires }: RequestRecord, call: Call): PromiseOrValue<boolean> {
    const { records, undoLog } = this
    return undoLog.change(call, () => {
      if (records.has(id)) return false
      if (firstSent.getTime() <= this.floor) throw new ODataError('PreconditionFailed')
      this.evict()
      if (this.isFull && isAhead(firstSent)) throw new ODataError('PreconditionFailed')
      records.set(id, { firstSent, expires, response: '' })
      undoLog.record(() => this.remove(id))
      return true
    })
  }

  complete(id: string, response: string, call: Call): PromiseOrValue<void> {
    return this.undoLog.change(call, () => {
      const record = this.records.get(id)
      if (record === undefined) return
      record.response = response
      this.length += response.length
    })
  }

  find(id: string, call: Call): PromiseOrValue<string | undefined> {
    return this.undoLog.read(call, () => this.records.get(id)?.response)
  }

  private get isFull(): boolean {
    return this.records.size >= this.maxRecords || this.length > this.maxLength
  }

  private evict(): void {
    const now = Date.now()
    for (const [id, { expires, firstSent }] of this.records) {
      const isExpired = expires.getTime() < now
      if (!isExpired && !this.isFull) return
      // Without these, the requests of all clients with correct clocks would be refused.
      if (isAhead(firstSent)) continue
      if (!isExpired) this.floor = Math.max(this.floor, firstSent.getTime())
      this.remove(id)
    }
  }

  private remove(id: string): void {
    this.length -= this.records.get(id)?.response.length ?? 0
    this.records.delete(id)
  }
}

function isAhead(firstSent: Date): boolean {
  return firstSent.getTime() > Date.now() + MAX_AHEAD_MS
}
