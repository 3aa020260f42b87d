import { notOneOf } from './dialects/shared/allowed-strings.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Column } from './column.js'
import type { MappedTable } from './mapped-table.js'
import type { DatabaseError } from './database-error.js'

/**
 * Returns the error for the client when the database refuses a change. It names properties; the error of the database is
 * its cause, for the application.
 *
 * @param table undefined if it is not known, as for deferred constraints at the end of a change set
 * @param written the strings that were stored, by column, where the database restricts them
 */
export function violation(
  reported: DatabaseError,
  table: MappedTable | undefined,
  cause: unknown,
  written: ReadonlyMap<Column, string> = new Map(),
): ODataError {
  const columns = table === undefined ? [] : columnsOf(reported, table, cause, written)
  const names = [...new Set(columns.map(({ path }) => path.join('/')))]
  const [{ facts } = {}] = columns
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
    case 'check': {
      const isListed = columns.length === 1 && facts?.members !== undefined
      return invalid(
        about,
        `${isListed ? notOneOf(facts.members) : 'the database does not allow this value'}.`,
        cause,
      )
    }
    default:
      return columns.some((column) => written.has(column)) && facts !== undefined
        ? invalid(about, `the database does not accept the value as '${facts.dataType}'.`, cause)
        : invalid(about, 'a value is too long, or out of range, for the database.', cause)
  }
}

export function readOnlyDatabase(cause: unknown): ODataError {
  return new ODataError('Forbidden', { message: 'The database is read-only.', cause })
}

function ofSet(table: MappedTable | undefined): string {
  return table === undefined ? '' : ` of '${table.set.path}'`
}

/** Names columns that have no property. */
function unmapped({ columns }: DatabaseError, table: MappedTable | undefined): string {
  return columns.length === 0
    ? ''
    : `Column '${columns.join(', ')}'${ofSet(table)}, which is not a property: `
}

/**
 * Finds columns by name, or those whose names are words in the message of the database, or those with a restricted
 * string that the message contains.
 */
function columnsOf(
  { kind, columns: named, isOutOfRange = false }: DatabaseError,
  { columns }: MappedTable,
  cause: unknown,
  written: ReadonlyMap<Column, string>,
): readonly Column[] {
  if (kind === 'value' && named.length === 0) {
    const quoted = [...written].filter(([, text]) => String((cause as Error).message).includes(text))
    // A number is not quoted in the message, and its column is not named.
    return [...(quoted.length === 0 && !isOutOfRange ? written : quoted)].map(([column]) => column)
  }
  const exact = named.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  return exact.length === named.length || kind !== 'check' ? exact : mentioned(named, columns)
}

/** Finds the columns whose names are words of strings. Longer names first: `price_net` does not contain `price`. */
function mentioned(messages: readonly string[], columns: readonly Column[]): readonly Column[] {
  let text = messages.join(' ')
  return [...columns]
    .sort((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      const rest = splitAtWord(text, name)
      text = rest.join(' ')
      return rest.length > 1
    })
}

const wordCharacter = /[\p{L}\p{N}]/u

/** Splits a text where a word stands alone, or between underscores, which join the words in names of constraints. */
function splitAtWord(text: string, word: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length
    if (wordCharacter.test(text.slice(Math.max(0, at - 1), at)) || wordCharacter.test(text.charAt(end)))
      continue
    parts.push(text.slice(start, at))
    start = end
  }
  return [...parts, text.slice(start)]
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
