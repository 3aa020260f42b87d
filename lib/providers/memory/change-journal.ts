import { randomBytes, randomUUID } from 'node:crypto'
import type { EntitySet } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { SealedLog } from '../../provider/change-position.js'
import { openedPosition, sealedPosition } from '../../provider/change-position.js'
import type { ChangedRow, ChangesQuery, ChangeSource } from '../../provider/change-source.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { UndoLog } from './undo-log.js'

/** A change of a row. */
interface LoggedChange {
  readonly key: string
  /** A state of the row, for the values of its key. */
  readonly row: Row
  /** The state before the change. */
  readonly before: Row | undefined
  /** The number of the commit, and its time. */
  number: number
  at: Date
}

/** The rows of an entity set. */
interface TrackedTable {
  readonly set: EntitySet
  compare(a: Row, b: Row): number
  find(key: string): Row | undefined
}

/** The number of changes that are known of an entity set. */
export const DEFAULT_KEPT_CHANGES = 100_000

const uncommitted = { number: 0, at: new Date(0) }

/** The changes of the tracked entity sets of a memory provider. Each commit has a number. */
export class ChangeJournal {
  /** Differs between processes: a restarted one does not know earlier changes. */
  readonly epoch = randomUUID().slice(0, 8)
  /** Authenticates positions. */
  readonly secret = randomBytes(32).toString('base64url')
  /** The number of the last commit. */
  number = 0
  private readonly pending: (() => void)[] = []

  constructor(
    private readonly undoLog: UndoLog,
    readonly keep: number,
  ) {}

  /** Adds a change when it is committed. */
  record(change: () => void): void {
    if (!this.undoLog.isRecording) return
    this.pending.push(change)
    this.undoLog.record(() => this.pending.pop())
  }

  commit(): void {
    if (this.pending.length === 0) return
    this.number++
    for (const change of this.pending.splice(0)) change()
  }
}

/** The changes of one entity set. */
export class MemoryChanges implements ChangeSource {
  readonly hasEarlier = true
  /** In the order of their commits. */
  private readonly changes: LoggedChange[] = []
  /** The number of the last commit whose changes are not known any more. */
  private floor = 0

  constructor(
    private readonly table: TrackedTable,
    private readonly journal: ChangeJournal,
    readonly validity: number | undefined,
  ) {}

  /** Records that a row is about to be added, replaced or removed. */
  record(key: string, row: Row, before: Row | undefined): void {
    const change: LoggedChange = { ...uncommitted, key, row, before }
    this.journal.record(() =>
      this.add(Object.assign(change, { number: this.journal.number, at: new Date() })),
    )
  }

  private add(change: LoggedChange): void {
    const { changes, journal } = this
    changes.push(change)
    // Removing many changes together costs less than one with each.
    if (changes.length < 2 * journal.keep) return
    this.floor = changes.splice(0, changes.length - journal.keep).at(-1)?.number ?? this.floor
  }

  position(): string {
    return sealedPosition(this.log, String(this.journal.number))
  }

  since({ position, after, top }: ChangesQuery): ReturnType<ChangeSource['since']> {
    const { table } = this
    const start = Number(openedPosition(this.log, position))
    if (start < this.floor) throw new ODataError('Gone')
    const byKey = new Map<string, LoggedChange[]>()
    for (let index = this.firstAfter(start); index < this.changes.length; index++) {
      const change = this.changes[index]
      if (change !== undefined) getOrCreate(byKey, change.key, () => []).push(change)
    }
    const rows = [...byKey].flatMap(([key, changes]) => this.changedRow(key, changes))
    const behind = after === undefined ? rows : rows.filter((one) => table.compare(one.key, after) > 0)
    behind.sort((a, b) => table.compare(a.key, b.key))
    return { position: this.position(), rows: behind.slice(0, top), more: behind.length > top }
  }

  private get log(): SealedLog {
    const { epoch, secret } = this.journal
    return { epoch, secret, set: this.table.set.path }
  }

  private changedRow(key: string, changes: readonly LoggedChange[]): readonly ChangedRow[] {
    const last = changes.at(-1)
    if (last === undefined) return []
    const names = this.table.set.entityType.key.map(({ name }) => name)
    return [
      {
        key: Object.fromEntries(names.map((name) => [name, last.row[name]])),
        row: this.table.find(key),
        earlier: changes.map(({ before }) => before),
        at: last.at,
      },
    ]
  }

  /** Returns the index of the first change after a commit. */
  private firstAfter(number: number): number {
    let low = 0
    let high = this.changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.changes[middle]?.number ?? 0) > number) high = middle
      else low = middle + 1
    }
    return low
  }
}
