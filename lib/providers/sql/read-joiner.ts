import type { ProviderCall } from '../../provider/provider-call.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import { atEndOfTurn } from '../../util/end-of-turn.js'
import { required } from '../../util/required.js'
import { wireRows } from './row-reader.js'
import type { Statement } from './sql-text.js'
import type { ResultFormats, PipelineResult, WireRead } from './wire/wire-format.js'
import type { WireRows } from './wire/wire-rows.js'

/** Milliseconds after which statements are slow: running them at the same time then saves more than it costs. */
const SLOW_MS = 100
/** A single slow run may be that of a busy host, of a lock, or the first one on a connection. */
const SLOW_RUNS = 3
/**
 * Slow runs after which a statement is joined again once: the duration of those on connections of their own includes the
 * wait for a connection, which they cause themselves on a busy host.
 */
const MAX_SLOW_RUNS = 10
const MAX_SLOW_STATEMENTS = 1000

/** Runs the statements of a {@link ReadJoiner}. */
interface JoinedStatements {
  alone(read: WireRead, call: ProviderCall): Promise<{ readonly rows: unknown }>
  /** @throws if one of them fails */
  together(reads: readonly WireRead[], call: ProviderCall): Promise<PipelineResult>
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
 *
 * Statements that were slow together several times in a row run at the same time, on connections of their own, until they
 * are quick once.
 */
export class ReadJoiner {
  private pending: PendingRead[] = []
  /** The number of consecutive slow runs by the text of the statement. */
  private readonly slowRuns = new BoundedCache<string, number>(MAX_SLOW_STATEMENTS)

  constructor(private readonly statements: JoinedStatements) {}

  /** @param call of a read that starts together with others */
  read(statement: Statement, formats: ResultFormats, call: ProviderCall): Promise<WireRows> {
    if (this.isSlow(statement)) return this.measuredAlone({ statement, formats }, call)
    return new Promise((resolve, reject) => {
      if (this.pending[0]?.call.readGroup !== call.readGroup) this.pending = this.begin()
      this.pending.push({ statement, formats, call, resolve, reject })
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

  private async measuredAlone(read: WireRead, call: ProviderCall): Promise<WireRows> {
    const start = performance.now()
    const rows = await this.alone(read, call)
    this.measured([read], performance.now() - start)
    return rows
  }

  private readAlone(read: PendingRead): void {
    read.resolve(this.alone(read, read.call))
  }

  private async readTogether(reads: readonly PendingRead[]): Promise<void> {
    const [{ call }] = reads as readonly [PendingRead]
    try {
      const { statements, duration } = await this.statements.together(reads, call)
      this.measured(reads, duration)
      reads.forEach(({ resolve }, index) => resolve(required(statements[index]).rows))
    } catch (error) {
      for (const read of reads)
        if (call.signal.aborted) read.reject(error)
        else this.readAlone(read)
    }
  }

  private isSlow({ text }: Statement): boolean {
    return this.slowRuns.size > 0 && (this.slowRuns.get(text) ?? 0) >= SLOW_RUNS
  }

  private measured(reads: readonly WireRead[], duration: number): void {
    const isSlow = duration > SLOW_MS
    if (!isSlow && this.slowRuns.size === 0) return
    for (const { statement } of reads) {
      const { text } = statement
      const runs = this.slowRuns.get(text) ?? 0
      if (isSlow) this.slowRuns.set(text, runs < MAX_SLOW_RUNS ? runs + 1 : SLOW_RUNS - 1)
      else if (runs > 0) this.slowRuns.set(text, 0)
    }
  }
}
