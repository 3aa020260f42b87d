import type { DatabaseError } from '../../database-error.js'

const kinds: Readonly<Record<string, DatabaseError['kind']>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreignKey',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_TRIGGER: 'check',
  SQLITE_CONSTRAINT_DATATYPE: 'value',
  SQLITE_MISMATCH: 'value',
  SQLITE_AUTH: 'privilege',
  SQLITE_READONLY: 'readOnly',
  SQLITE_TOOBIG: 'value',
}

/** Classifies an error of SQLite. */
export function classifySqliteError(error: unknown): DatabaseError | undefined {
  const { code } = error as { readonly code?: unknown }
  const message = messageOf(error)
  return typeof code === 'string' && message !== undefined ? constraintError(code, message) : undefined
}

/** Returns the message of an error, which may be of another realm's class Error. */
export function messageOf(error: unknown): string | undefined {
  const { message } = error as { readonly message?: unknown }
  return typeof message === 'string' ? message : undefined
}

/** Classifies an error by its code. Its message ends with the columns, `T.a, T.b`, or with the name of a check. */
function constraintError(code: string, message: string): DatabaseError | undefined {
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return { kind: 'again', columns: [] }
  if (message === 'malformed JSON') return { kind: 'check', columns: [] }
  if (message === 'integer overflow') return { kind: 'value', columns: [], isOutOfRange: true }
  // The view has no trigger for the statement, or not for its columns.
  const kind = /^cannot modify .* because it is a view$/s.test(message) ? 'privilege' : kinds[code]
  if (kind === undefined) return undefined
  const [, about = ''] = /constraint failed: (.*)$/s.exec(message) ?? []
  const columns = kind === 'check' ? [about] : about.split(', ').map((one) => one.replace(/^.*\./, ''))
  return { kind, columns: columns.filter((one) => one !== '') }
}
