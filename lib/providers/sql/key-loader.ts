import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { atEndOfTurn } from '../../util/end-of-turn.js'
import type { RowReader } from './row-reader.js'

/** The maximum number of reads that share a statement. */
const MAX_READS = 100

/** A read by key that waits for its statement. */
export interface KeyRead {
  /** The canonical string of {@link value}. */
  readonly key: string
  readonly value: unknown
  readonly call: ProviderCall
  /** True if the row is only serialized. */
  readonly isShown: boolean
}

/** Runs the statements of a {@link KeyLoader}. */
interface KeyStatements {
  one(read: KeyRead, reader: RowReader): PromiseLike<Row | undefined> | Row | undefined
  /**
   * Reads the rows with one of the keys. A key that the result lacks is read alone, as the database may still find it.
   *
   * @returns creates the rows
   */
  many(reads: readonly KeyRead[], reader: RowReader): Promise<() => ReadonlyMap<string, Row | undefined>>
}

interface PendingRead extends KeyRead {
  readonly resolve: (row: ReturnType<KeyStatements['one']>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Joins the reads by key of a batch that start in one turn of the event loop into one statement. The result and the
 * error of each are those that it would have alone.
 */
export class KeyLoader {
  private readonly pending = new Map<RowReader, PendingRead[]>()

  constructor(private readonly statements: KeyStatements) {}

  load(read: KeyRead, reader: RowReader): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      let reads = this.pending.get(reader)
      if (reads === undefined || !canJoin(read, reads)) {
        reads = []
        this.pending.set(reader, reads)
        atEndOfTurn(this.flush, reader, reads)
      }
      reads.push({ ...read, resolve, reject })
    })
  }

  private readonly flush = (reader: RowReader, reads: readonly PendingRead[]): void => {
    if (this.pending.get(reader) === reads) this.pending.delete(reader)
    const [first] = reads
    if (first !== undefined && reads.length === 1) this.readAlone(first, reader)
    else void this.readTogether(reads, reader)
  }

  private readAlone(read: PendingRead, reader: RowReader): void {
    read.resolve(this.statements.one(read, reader))
  }

  private async readTogether(reads: readonly PendingRead[], reader: RowReader): Promise<void> {
    const [{ call, isShown }] = reads as [PendingRead]
    try {
      const createRows = await this.statements.many(reads, reader)
      let rows = createRows()
      // Callers may change rows that are not only serialized, so that they must not share them.
      const isShared = !isShown && new Set(reads.map(({ key }) => key)).size < reads.length
      for (const read of reads) {
        if (rows.has(read.key)) read.resolve(rows.get(read.key))
        else this.readAlone(read, reader)
        if (isShared) rows = createRows()
      }
    } catch (error) {
      const isCommon = error instanceof ODataError || call.signal.aborted
      for (const read of reads)
        if (isCommon) read.reject(error)
        else this.readAlone(read, reader)
    }
  }
}

/**
 * Returns true if a read may share a statement: the end of one batch must not abort the reads of another, and rows may
 * depend on the context of the call.
 */
function canJoin({ call, isShown }: KeyRead, reads: readonly KeyRead[]): boolean {
  const [first] = reads
  if (first === undefined || reads.length === MAX_READS) return false
  const isOfCaller = first.call.readGroup === call.readGroup && first.call.context === call.context
  return isOfCaller && first.isShown === isShown
}
