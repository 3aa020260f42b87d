import type { ControlledTransaction } from 'kysely'
import type { ChangeSet } from '../../provider/change-set.js'

/** A change set as a transaction of the database. */
export class SqlChangeSet implements ChangeSet {
  constructor(readonly transaction: ControlledTransaction<unknown>) {}

  async commit(): Promise<void> {
    await this.transaction.commit().execute()
  }

  async rollBack(): Promise<void> {
    // After a commit that failed there is nothing left to take back.
    if (!this.transaction.isCommitted && !this.transaction.isRolledBack) {
      await this.transaction.rollback().execute()
    }
  }
}
