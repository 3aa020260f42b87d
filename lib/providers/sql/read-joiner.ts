import type { ProviderCall } from '../../provider/provider-call.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import { atEndOfTurn } from '../../util/end-of-turn.js'
import { required } from '../../util/required.js'
import { wireRows } from './row-reader.js'
import type { Statement } from './sql-text.js'
import type { ResultFormats, PipelineResult, WireRead } from './wire/wire-format.js'
import type { WireRows } from './wire/wire-rows.js'

/** Statements that take longer run on connections of their own: the database runs these at the same time. */
const MAX_JOINED_MS = 20
/**
 * Milliseconds after which a statement that took longer is joined again. Doubled each time that it takes longer again: a
 * single time may be that of a busy process, or of the first run on a connection.
 */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 60_000
const MAX_SLOW_STATEMENTS = 1000

/** Runs the statements of a {@link ReadJoiner}. */
interface JoinedStatements {
  alone(read: WireRead, call: ProviderCall): Promise<{ readonly rows: unknown }>
  /** @throws if one of them fails */
  together(reads: readonly WireRead[], call: ProviderCall): Promise<PipelineResult>
}

/** A statement that runs alone. */
interface SlowStatement {
  readonly pause: number
  /** The time until which it runs alone. */
  readonly end: number
}

interface PendingRead extends WireRead {
  readonly call: ProviderCall
  readonly resolve: (rows: PromiseLike<WireRows> | WireRows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends the statements of reads of a batch that start in one turn of the event loop together: the number of writes and
 * of connections decides how much CPU time short statements take. The result and the error of each are those that it
 * would have alone.
 */
export class ReadJoiner {
  private pending: PendingRead[] = []
  private readonly slow = new BoundedCache<string, SlowStatement>(MAX_SLOW_STATEMENTS)

  constructor(private readonly statements: JoinedStatements) {}

  /** @param call of a read that starts together with others */
  read(statement: Statement, formats: ResultFormats, call: ProviderCall): Promise<WireRows> {
    const read = { statement, formats }
    if (this.isSlow(statement)) return this.alone(read, call)
    return new Promise((resolve, reject) => {
      if (this.pending[0]?.call.readGroup !== call.readGroup) this.pending = this.begin()
      this.pending.push({ ...read, call, resolve, reject })
    })
  }

  private begin(): PendingRead[] {
    const reads: PendingRead[] = []
    atEndOfTurn(this.flush, reads)
    return reads
  }

  private readonly flush = (reads: readonly PendingRead[]): void => {
    if (this.pending === reads) this.pending = []
    const [first] = reads
    if (first !== undefined && reads.length === 1) this.readAlone(first)
    else void this.readTogether(reads)
  }

  private async alone(read: WireRead, call: ProviderCall): Promise<WireRows> {
    const { rows } = await this.statements.alone(read, call)
    return wireRows(rows)
  }

  private readAlone(read: PendingRead): void {
    read.resolve(this.alone(read, read.call))
  }

  private async readTogether(reads: readonly PendingRead[]): Promise<void> {
    const [{ call }] = reads as readonly [PendingRead]
    try {
      const { duration, statements } = await this.statements.together(reads, call)
      if (duration > MAX_JOINED_MS) this.separate(reads)
      else if (this.slow.size > 0) this.join(reads)
      reads.forEach(({ resolve }, index) => resolve(required(statements[index]).rows))
    } catch (error) {
      this.separate(reads)
      for (const read of reads)
        if (call.signal.aborted) read.reject(error)
        else this.readAlone(read)
    }
  }

  private isSlow({ text }: Statement): boolean {
    return this.slow.size > 0 && performance.now() < (this.slow.get(text)?.end ?? 0)
  }

  private separate(reads: readonly PendingRead[]): void {
    const now = performance.now()
    for (const { statement } of reads) {
      const before = this.slow.get(statement.text)?.pause ?? 0
      const pause = Math.min(Math.max(2 * before, MIN_PAUSE_MS), MAX_PAUSE_MS)
      this.slow.set(statement.text, { pause, end: now + pause })
    }
  }

  /** Forgets that statements took longer before. */
  private join(reads: readonly PendingRead[]): void {
    for (const { statement } of reads) {
      if (this.slow.get(statement.text) !== undefined) this.slow.set(statement.text, { pause: 0, end: 0 })
    }
  }
}
