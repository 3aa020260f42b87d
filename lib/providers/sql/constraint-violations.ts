import { ODataError } from '../../errors/odata-error.js'
import type { Column } from './column.js'
import type { EntityTable } from './entity-table.js'
import type { DatabaseFault } from './write-dialect.js'

/**
 * What a client is told when the database refuses a change. It names properties; what the database said itself is only
 * for the application.
 *
 * @param table undefined where it is not known, as when a constraint is looked at only at the end of a change set
 */
export function violation(fault: DatabaseFault, table: EntityTable | undefined, cause: unknown): ODataError {
  const names = table === undefined ? [] : propertiesOf(fault, table)
  const about = names.length === 0 ? '' : `Property '${names.join(', ')}': `
  switch (fault.kind) {
    case 'unique':
      return conflict(about, `another entity${ofSet(table)} has the same value.`, cause)
    case 'foreignKey':
      return conflict(about, 'an entity that is needed does not exist, or is needed by others.', cause)
    case 'notNull':
      return invalid(about, 'a value is needed.', cause)
    case 'check':
      return invalid(about, 'the database does not allow this value.', cause)
    default:
      return invalid(about, 'a value is too long, or out of range, for the database.', cause)
  }
}

function ofSet(table: EntityTable | undefined): string {
  return table === undefined ? '' : ` of '${table.set.path}'`
}

/** Columns by their names, or those whose names stand as words in what the database says. */
function propertiesOf({ kind, columns: named }: DatabaseFault, { columns }: EntityTable): readonly string[] {
  const exact = named.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const found = exact.length === named.length ? exact : kind === 'check' ? mentioned(named, columns) : exact
  return [...new Set(found.map(({ path }) => path.join('/')))]
}

/** The longest names first: `price_net` is not `price`. */
function mentioned(texts: readonly string[], columns: readonly Column[]): readonly Column[] {
  let text = texts.join(' ')
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
