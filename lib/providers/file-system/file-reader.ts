import { isPromiseLike } from '../../util/promise-or-value.js'
import type { FileRow } from './file-row.js'
import { informationOf, newRow, setInformation } from './file-row.js'
import type { QueryPlan, ReadLimits, FileRowReader } from './file-source.js'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { DirectoryChain } from './open-directory.js'
import { isDirectoryName } from './read-listing.js'
import type { Run, TreeWalk } from './tree-walk.js'
import { required } from '../../util/required.js'

/** The rows to return from a walk. */
interface ReadPlan extends Omit<QueryPlan, 'interval'> {
  /** True if directories have times. */
  readonly directoryTimes: boolean
  readonly maxSize: number
}

/** The resources and limits of a read. */
interface ReadContext extends ReadLimits {
  readonly opener: DirectoryOpener
}

/** Without a limit, the first batch is small, since the page may need no more. */
const FIRST_BATCH_LENGTH = 64
const MAX_BATCH_LENGTH = 1_024

/** The number of files whose stats, or only names, are read between two checks of the time slice. */
const STATS_PER_STEP = 16
const NAMES_PER_STEP = 256

/**
 * Reads the rows of a walk. Stats are read only for files of the page, synchronously in short slices, since asynchronous
 * calls cost several times as much.
 */
export class FileReader implements FileRowReader {
  private run: Run | undefined
  /** The number of processed names of the run. */
  private done = 0
  private skip: number
  private left: number
  private batch: number
  private finished: boolean

  constructor(
    private readonly walk: TreeWalk,
    private readonly plan: ReadPlan,
    private readonly context: ReadContext,
  ) {
    this.skip = plan.skip
    this.left = plan.top
    this.finished = plan.top <= 0
    this.batch = Number.isFinite(plan.top) ? MAX_BATCH_LENGTH : FIRST_BATCH_LENGTH
  }

  get isFinished(): boolean {
    return this.finished
  }

  async next(): Promise<readonly FileRow[] | undefined> {
    const rows: FileRow[] = []
    const isFull = (): boolean => rows.length >= this.batch
    while (!this.finished && !isFull()) {
      await this.goOn(isFull, (run, chain) => this.take(run, rows, chain))
      if (rows.length > 0 && this.context.slice.shouldYield()) break
    }
    this.batch = Math.min(2 * this.batch, MAX_BATCH_LENGTH)
    return rows.length > 0 ? rows : undefined
  }

  /** Counts the rows without reading stats. */
  async count(): Promise<number> {
    let total = 0
    const never = (): boolean => false
    const count = (run: Run): void => {
      total += this.countNames(run)
    }
    while (!this.finished) await this.goOn(never, count)
    return total
  }

  /** Continues for a time slice, or until a listing has to be awaited. */
  private async goOn(isEnough: () => boolean, use: (run: Run, chain: DirectoryChain) => void): Promise<void> {
    const { slice, signal, opener } = this.context
    signal.throwIfAborted()
    if (slice.shouldYield()) await slice.yield()
    const chain = new DirectoryChain(opener)
    let coming: Promise<Run | undefined> | undefined
    try {
      while (coming === undefined && !this.finished && !isEnough() && !slice.shouldYield()) {
        if (this.run !== undefined) use(this.run, chain)
        else {
          const next = this.walk.next(chain)
          if (isPromiseLike(next)) coming = next
          else this.enter(next)
        }
      }
    } finally {
      chain.close()
    }
    if (coming === undefined) return
    this.enter(await coming)
    slice.restart()
  }

  private enter(run: Run | undefined): void {
    this.finished = run === undefined
    this.run = run !== undefined && run.end > run.start ? run : undefined
    this.done = 0
  }

  private advance(run: Run, names: number): void {
    this.done += names
    if (this.done >= run.end - run.start) this.run = undefined
  }

  private take(run: Run, rows: FileRow[], chain: DirectoryChain): void {
    const { condition, information } = this.plan
    const pending = run.end - run.start - this.done
    if (condition === undefined && this.skip > 0) {
      const skipped = Math.min(this.skip, pending)
      this.skip -= skipped
      return this.advance(run, skipped)
    }
    const names = Math.min(pending, information ? STATS_PER_STEP : NAMES_PER_STEP)
    const found = this.rowsOf(run, names, this.left, chain)
    for (const row of found) rows.push(row)
    this.left -= found.length
    if (this.left === 0) this.finished = true
    this.advance(run, names)
  }

  /** Reads the rows of the next names of a run. */
  private rowsOf(run: Run, names: number, limit: number, chain: DirectoryChain): readonly FileRow[] {
    const { condition, information, directoryTimes } = this.plan
    const rows: FileRow[] = []
    let directory: OpenDirectory | undefined
    for (let index = 0; index < names && rows.length < limit; index++) {
      const row = this.rowAt(run, index)
      if (condition?.isTrue(row) === false) continue
      if (this.skip > 0) {
        this.skip--
        continue
      }
      if (information && (directoryTimes || !row.isDirectory)) {
        directory ??= chain.open(run.prefix || '/')
        if (directory === undefined) return []
        if (!this.complete(row, directory)) continue
      }
      rows.push(row)
    }
    return directory?.isStillThere() === false ? [] : rows
  }

  private rowAt({ prefix, listing, start, end }: Run, offset: number): FileRow {
    const index = this.plan.descending ? end - 1 - this.done - offset : start + this.done + offset
    const name = required(listing.names[index])
    return newRow(prefix + name, name, isDirectoryName(listing, name))
  }

  /** @returns false if the file is gone, or no longer meets the condition */
  private complete(row: FileRow, directory: OpenDirectory): boolean {
    const stats = row.path === '/' ? directory.information() : informationOf(directory, row.name)
    if (stats === undefined) return false
    // The file exists, but its stats are not readable.
    if (stats === null) return true
    const wasDirectory = row.isDirectory
    if (!setInformation(row, stats, this.plan.directoryTimes, this.plan.maxSize)) return false
    return row.isDirectory === wasDirectory || this.plan.condition?.isTrue(row) !== false
  }

  private countNames(run: Run): number {
    const { condition } = this.plan
    const pending = run.end - run.start - this.done
    const names = condition === undefined ? pending : Math.min(pending, NAMES_PER_STEP)
    let count = 0
    if (condition === undefined) count = names
    else for (let index = 0; index < names; index++) if (condition.isTrue(this.rowAt(run, index))) count++
    this.advance(run, names)
    return count
  }
}
