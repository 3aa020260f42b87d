import type { ChangeQueue } from '../../provider/change-set.js'
import type { ResultFormats } from './wire/wire-format.js'
import type { Sql, Statement } from './sql-text.js'
import type { WireRows } from './wire/wire-rows.js'

/** A statement whose rows are returned as the database sends them. */
export interface WireSql {
  readonly sql: Sql | Statement
  readonly formats: ResultFormats
}

/** A statement that waits to be sent with others. */
interface QueuedStatement extends WireSql {
  /** @param rows undefined when the statement has not succeeded */
  readonly settle: (rows: WireRows | undefined) => void
}

/** Statements of a change set that are sent together. */
export class StatementQueue implements ChangeQueue {
  private queued: QueuedStatement[] = []

  /** @param run runs statements in their order, up to the first that fails, and returns the rows of each */
  constructor(private readonly run: (statements: readonly WireSql[]) => Promise<readonly WireRows[]>) {}

  get length(): number {
    return this.queued.length
  }

  /** Adds a statement. @returns its rows; undefined when it, or another one that was sent with it, has failed */
  add(sql: Statement, formats: ResultFormats): Promise<WireRows | undefined> {
    return new Promise((settle) => {
      this.queued.push({ sql, formats, settle })
    })
  }

  async send(): Promise<void> {
    const { queued } = this
    this.queued = []
    let rows: readonly WireRows[] = []
    try {
      rows = await this.run(queued)
    } finally {
      queued.forEach(({ settle }, index) => settle(rows[index]))
    }
  }
}
