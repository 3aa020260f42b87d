import type { WriteDialect } from '../../write-dialect.js'
import { sql } from '../../sql-text.js'
import { messageOf } from './classify-error.js'

/** A change set locks the database from its start, so that rows need no locks. */
export const sqliteWrites: WriteDialect = {
  begin: () => Promise.resolve([sql`begin immediate`]),
  failureEndsTransaction: false,
  returnsBeforeTriggers: true,
  lockToChange: '',
  lockToRemove: '',
  lockToKeep: '',
  derivesOwnTable: false,
  insertUnlessTaken: ['insert or ignore into', ''],
  ignoresErrors: false,
  requestTable: [
    'create table if not exists odata_requests (id text primary key, expires integer not null, response text not null) without rowid',
    'create index if not exists odata_requests_expires on odata_requests (expires)',
  ],
  defaultRow: ' default values',
  transactionCheck: {
    // Fails within a transaction. Otherwise, the transaction that it begins is rolled back with the change set.
    statement: sql`begin`,
    isOpen: (error) => error !== undefined && messageOf(error)?.includes('within a transaction') === true,
  },
  // A full disk or an I/O error ends a transaction.
  isRolledBack: (error) => messageOf(error)?.includes('no transaction is active') ?? false,
}
