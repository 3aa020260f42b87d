import type { Condition } from '../../evaluation/compile-expression.js'
import { isPromiseLike } from '../../util/promise-or-value.js'
import type { TimeSlice } from '../../util/time-slice.js'
import { DirectoryChain } from './directory-chain.js'
import type { FileRow } from './file-row.js'
import { informationOf, newRow, setInformation } from './file-row.js'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import type { Run, TreeWalk } from './tree-walk.js'

/** What is wanted of the files that a walk passes. */
export interface ReadPlan {
  readonly descending: boolean
  /** What files must meet. It looks at nothing but path, name and kind. */
  readonly condition: Condition | undefined
  /** Whether sizes and times are wanted. */
  readonly information: boolean
  /** Whether the times of directories are wanted too. */
  readonly directoryTimes: boolean
  readonly skip: number
  /** Infinite when there is no limit. */
  readonly top: number
}

/** What every read needs. */
export interface ReadContext {
  readonly opener: DirectoryOpener
  readonly slice: TimeSlice
  readonly signal: AbortSignal
}

/** Without a limit the first rows are wanted soon, since they may be enough; later ones in larger batches. */
const firstBatch = 64
const largestBatch = 1_024

/** So many files are asked for, or only looked at by name, between two looks at the clock. */
const askedAtOnce = 16
const namesAtOnce = 256

/**
 * Makes rows of what a walk passes. The file system is asked about a file only when it belongs to the page, in short
 * pieces of synchronous work: asking asynchronously costs several times as much.
 */
export class FileReader {
  private run: Run | undefined
  /** How many names of the run are done. */
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
    this.batch = Number.isFinite(plan.top) ? largestBatch : firstBatch
  }

  /** True when all rows have been given. */
  get isFinished(): boolean {
    return this.finished
  }

  /** The next rows; undefined at the end. */
  async next(): Promise<readonly FileRow[] | undefined> {
    const rows: FileRow[] = []
    const isFull = (): boolean => rows.length >= this.batch
    while (!this.finished && !isFull()) {
      await this.goOn(isFull, (run, chain) => this.take(run, rows, chain))
      if (rows.length > 0 && this.context.slice.shouldYield()) break
    }
    this.batch = Math.min(2 * this.batch, largestBatch)
    return rows.length > 0 ? rows : undefined
  }

  /** How many rows there would be. The file system is asked for nothing but directories. */
  async count(): Promise<number> {
    let total = 0
    const never = (): boolean => false
    const count = (run: Run): void => {
      total += this.countNames(run)
    }
    while (!this.finished) await this.goOn(never, count)
    return total
  }

  /** Works for the length of a slice, or until a listing must be waited for. */
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
    const names = Math.min(pending, information ? askedAtOnce : namesAtOnce)
    const found = this.rowsOf(run, names, this.left, chain)
    for (const row of found) rows.push(row)
    this.left -= found.length
    if (this.left === 0) this.finished = true
    this.advance(run, names)
  }

  /** The rows of the next names of a run. */
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

  private rowAt({ prefix, listing, start, end }: Run, index: number): FileRow {
    const place = this.plan.descending ? end - 1 - this.done - index : start + this.done + index
    const name = listing.names[place] ?? ''
    return newRow(prefix + name, name, listing.directories[place] === 1)
  }

  /** @returns false when the file is gone, or has become what is not wanted */
  private complete(row: FileRow, directory: OpenDirectory): boolean {
    const stats = row.path === '/' ? directory.information() : informationOf(directory, row.name)
    if (stats === undefined) return false
    // The file system does not tell: the file is there, with nothing known of it.
    if (stats === null) return true
    const wasDirectory = row.isDirectory
    if (!setInformation(row, stats, this.plan.directoryTimes)) return false
    return row.isDirectory === wasDirectory || this.plan.condition?.isTrue(row) !== false
  }

  private countNames(run: Run): number {
    const { condition } = this.plan
    const pending = run.end - run.start - this.done
    const names = condition === undefined ? pending : Math.min(pending, namesAtOnce)
    let count = 0
    if (condition === undefined) count = names
    else for (let index = 0; index < names; index++) if (condition.isTrue(this.rowAt(run, index))) count++
    this.advance(run, names)
    return count
  }
}
