import { randomUUID } from 'node:crypto'
import type { KeptDatabase } from './keep-statements.js'
import type { DriverRow } from './row-reader.js'
import type { Statement } from './sql-text.js'

/**
 * Reads from the database of SQLite that Kysely has, past its queue: for what takes a few microseconds, promises and
 * turns in a queue would take several times as long. Nothing runs on the connection meanwhile, as nothing else runs in
 * the process.
 */
export class DirectReads {
  private isSame = false

  /** @throws TypeError when it is nothing that can be read from in this way */
  constructor(private readonly database: KeptDatabase) {
    if (typeof (database as Partial<KeptDatabase> | undefined)?.keeps !== 'function') {
      throw new TypeError('sqlProvider: sqlite must be what keepStatements(database) returned.')
    }
    if (typeof database.inTransaction !== 'boolean') {
      throw new TypeError(
        'sqlProvider: the database of sqlite must tell whether it is inTransaction, as that of better-sqlite3 does.',
      )
    }
  }

  /**
   * Whether what is read is what everybody may see. Whoever reads while a transaction of this connection is open, reads
   * what may never be committed: then the queue is the place, where the transaction comes first.
   */
  get arePossible(): boolean {
    return this.isSame && this.database.inTransaction === false
  }

  /** @throws what the driver throws */
  rows({ text, parameters }: Statement): readonly DriverRow[] {
    return this.database.prepare(text).all(parameters) as readonly DriverRow[]
  }

  /**
   * Looks where a statement arrives that Kysely runs.
   *
   * @throws TypeError when Kysely has another database
   */
  async check(run: (text: string) => Promise<unknown>): Promise<void> {
    const text = `select '${randomUUID()}'`
    await run(text)
    if (!this.database.keeps(text)) {
      throw new TypeError(
        'sqlProvider: sqlite is another database than that of db. Write: new SqliteDialect({ database: sqlite }).',
      )
    }
    this.isSame = true
  }
}
