import type { ProviderCall } from '../../provider/provider-call.js'
import { atEndOfTurn } from '../../util/end-of-turn.js'
import { required } from '../../util/required.js'
import { wireRows } from './row-reader.js'
import type { Statement } from './sql-text.js'
import type { ResultFormats, PipelineResult, WireRead } from './wire/wire-format.js'
import type { WireRows } from './wire/wire-rows.js'

/** Runs the statements of a {@link ReadJoiner}. */
interface JoinedStatements {
  alone(read: WireRead, call: ProviderCall): Promise<{ readonly rows: unknown }>
  /** @throws if one of them fails */
  together(reads: readonly WireRead[], call: ProviderCall): Promise<PipelineResult['statements']>
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
 * The duration of statements does not matter: on a busy host, short statements take long too, and separating them would
 * make it busier.
 */
export class ReadJoiner {
  private pending: PendingRead[] = []

  constructor(private readonly statements: JoinedStatements) {}

  /** @param call of a read that starts together with others */
  read(statement: Statement, formats: ResultFormats, call: ProviderCall): Promise<WireRows> {
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

  private readAlone(read: PendingRead): void {
    read.resolve(this.alone(read, read.call))
  }

  private async readTogether(reads: readonly PendingRead[]): Promise<void> {
    const [{ call }] = reads as readonly [PendingRead]
    try {
      const statements = await this.statements.together(reads, call)
      reads.forEach(({ resolve }, index) => resolve(required(statements[index]).rows))
    } catch (error) {
      for (const read of reads)
        if (call.signal.aborted) read.reject(error)
        else this.readAlone(read)
    }
  }
}
