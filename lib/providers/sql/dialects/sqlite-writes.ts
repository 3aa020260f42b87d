import { raw, sql } from '../sql-text.js'
import type { DatabaseFault, WriteDialect } from '../write-dialect.js'

/** There is one writer at a time: nothing needs to be locked but the database, from the start of a change set. */
export const sqliteWrites: WriteDialect = {
  begin: () => Promise.resolve([sql`begin immediate`]),
  failureEndsTransaction: false,
  returnsBeforeTriggers: true,
  lockToChange: '',
  lockToRemove: '',
  lockToKeep: '',
  insertUnlessTaken: ['insert or ignore into', ''],
  ignoresFaults: false,
  defaultRow: ' default values',
  media: {
    // For every part the database itself reads all bytes: there should be few parts.
    chunkSize: 4 * 1024 * 1024,
    size: (content) => sql`length(${content})`,
    part: (content, from, count) => sql`substr(${content}, ${raw(String(from + 1))}, ${raw(String(count))})`,
    digest: undefined,
    rowVersion: undefined,
  },
  // A disk that is full, or that fails, ends a transaction.
  isTakenBack: (error) => messageOf(error)?.includes('no transaction is active') ?? false,
  fault(error) {
    const { code } = error as { readonly code?: unknown }
    const message = messageOf(error)
    return typeof code === 'string' && message !== undefined ? faultOf(code, message) : undefined
  },
}

/** A driver may have been loaded with another class Error than ours. */
function messageOf(error: unknown): string | undefined {
  const { message } = error as { readonly message?: unknown }
  return typeof message === 'string' ? message : undefined
}

const kinds: Readonly<Record<string, DatabaseFault['kind']>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreignKey',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_TRIGGER: 'check',
  SQLITE_CONSTRAINT_DATATYPE: 'value',
  SQLITE_MISMATCH: 'value',
  SQLITE_TOOBIG: 'value',
}

/** Messages end in the columns, `T.a, T.b`, or in what a check says. */
function faultOf(code: string, message: string): DatabaseFault | undefined {
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return { kind: 'again', columns: [] }
  const kind = kinds[code]
  if (kind === undefined) return undefined
  const [, about = ''] = /constraint failed: (.*)$/s.exec(message) ?? []
  const columns = kind === 'check' ? [about] : about.split(', ').map((one) => one.replace(/^.*\./, ''))
  return { kind, columns: columns.filter((one) => one !== '') }
}
