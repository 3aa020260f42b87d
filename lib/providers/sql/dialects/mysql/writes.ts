import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../../column.js'
import type { WriteDialect } from '../../write-dialect.js'
import { sql } from '../../sql-text.js'

/**
 * Rows that a change depends on are locked until its end. Each statement sees all changes that were committed before
 * it.
 */
export const mysqlWrites: WriteDialect = {
  begin: () =>
    // The default isolation level would return the state at the first read.
    Promise.resolve([sql`set transaction isolation level read committed`, sql`start transaction`]),
  failureEndsTransaction: false,
  returnsBeforeTriggers: false,
  generatesValidValues,
  lockToChange: ' for update',
  lockToRemove: ' for update',
  lockToKeep: ' lock in share mode',
  needsLockInSubquery: true,
  derivesOwnTable: true,
  insertUnlessTaken: ['insert ignore into', ''],
  ignoresErrors: true,
  requestTable: [
    'create table if not exists odata_requests (id char(43) character set ascii collate ascii_bin primary key, expires bigint not null, response mediumtext character set utf8mb4 not null, index odata_requests_expires (expires)) engine = InnoDB',
  ],
  defaultRow: ' () values ()',
  implicitCommit:
    /^(?:alter|analyze|cache|change|check|create(?!\s+(?:or\s+replace\s+)?temporary)|drop(?!\s+temporary)|flush|grant|install|lock|optimize|rename|repair|reset|revoke|start|stop|truncate|uninstall|unlock)\b/i,
  transactionCheck: {
    // Needs no privileges, which reading the state would do on MySQL.
    statement: sql`set transaction isolation level read committed`,
    isOpen: (error) => (error as { readonly errno?: unknown } | undefined)?.errno === TRANSACTION_IN_PROGRESS,
  },
}

/** Error number of settings for the next transaction that are not allowed within one. */
const TRANSACTION_IN_PROGRESS = 1568

/** Returns true if generated values are valid. Times can be zero, except the current time. */
function generatesValidValues({ type, facts }: Column): boolean {
  const { dataType, isGenerated, isIdentity, isUnsigned = false, defaultText = '' } = facts
  if (isGenerated || (isUnsigned && dataType === 'bigint')) return false
  if (isIdentity) return true
  switch (type) {
    case 'Edm.String':
      return dataType !== 'enum'
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return /^(?:current_timestamp|now)(?:\(\d?\))?$/i.test(defaultText)
    default:
      return /^'?\d{1,9}(?:\.\d{1,4})?'?$/.test(defaultText) && (isInteger(type) || type === 'Edm.Decimal')
  }
}
