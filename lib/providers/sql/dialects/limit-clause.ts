import type { Sql } from '../sql-text.js'
import { raw, sql } from '../sql-text.js'

/**
 * The page of a statement, in databases that know no offset without a limit.
 *
 * @param all the limit that is none
 */
export function limitClause(limit: number | undefined, offset: number | undefined, all: string): Sql {
  if (limit === undefined && offset === undefined) return sql``
  const count = limit === undefined ? all : String(limit)
  return raw(offset === undefined ? ` limit ${count}` : ` limit ${count} offset ${String(offset)}`)
}
