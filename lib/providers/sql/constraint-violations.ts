import { ODataError } from '../../errors/odata-error.js'
import type { Column } from './column.js'
import type { EntityTable } from './entity-table.js'
import type { DatabaseError } from './dialect.js'

/**
 * Returns the error for the client when the database refuses a change. It names properties; the error of the database is
 * its cause, for the application.
 *
 * @param table undefined if it is not known, as for deferred constraints at the end of a change set
 */
export function violation(
  reported: DatabaseError,
  table: EntityTable | undefined,
  cause: unknown,
): ODataError {
  const names = table === undefined ? [] : propertiesOf(reported, table)
  const about = names.length === 0 ? '' : `Property '${names.join(', ')}': `
  switch (reported.kind) {
    case 'unique':
      return conflict(about, `another entity${ofSet(table)} has the same value.`, cause)
    case 'exclusion':
      return conflict(about, `the value overlaps, or excludes, that of another entity${ofSet(table)}.`, cause)
    case 'privilege':
      return new ODataError('Forbidden', { message: 'The database does not allow this change.', cause })
    case 'readOnly':
      return readOnlyDatabase(cause)
    case 'foreignKey':
      return conflict(about, 'a related entity does not exist, or other entities refer to this one.', cause)
    case 'notNull':
      return invalid(about === '' ? unmapped(reported, table) : about, 'a value is required.', cause)
    case 'check':
      return invalid(about, 'the database does not allow this value.', cause)
    default:
      return invalid(about, 'a value is too long, or out of range, for the database.', cause)
  }
}

export function readOnlyDatabase(cause: unknown): ODataError {
  return new ODataError('Forbidden', { message: 'The database is read-only.', cause })
}

function ofSet(table: EntityTable | undefined): string {
  return table === undefined ? '' : ` of '${table.set.path}'`
}

/** Names columns that have no property. */
function unmapped({ columns }: DatabaseError, table: EntityTable | undefined): string {
  return columns.length === 0
    ? ''
    : `Column '${columns.join(', ')}'${ofSet(table)}, which is not a property: `
}

/** Finds columns by name, or those whose names are words in the message of the database. */
function propertiesOf({ kind, columns: named }: DatabaseError, { columns }: EntityTable): readonly string[] {
  const exact = named.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const found = exact.length === named.length ? exact : kind === 'check' ? mentioned(named, columns) : exact
  return [...new Set(found.map(({ path }) => path.join('/')))]
}

/** Finds the columns that strings contain. Longer names first: `price_net` does not contain `price`. */
function mentioned(messages: readonly string[], columns: readonly Column[]): readonly Column[] {
  let text = messages.join(' ')
  return [...columns]
    .sort((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      const rest = text.split(name)
      text = rest.join(' ')
      return rest.length > 1
    })
}

function conflict(about: string, message: string, cause: unknown): ODataError {
  return new ODataError('Conflict', { message: sentence(about, message), cause })
}

function invalid(about: string, message: string, cause: unknown): ODataError {
  return new ODataError('BadRequest', { message: sentence(about, message), cause })
}

function sentence(about: string, message: string): string {
  return about === '' ? message.charAt(0).toUpperCase() + message.slice(1) : about + message
}
