import type { RunStatement } from '../../database-schema.js'
import { parameter, sql } from '../../sql-text.js'
import { classifyMysqlError } from './classify-error.js'

/** Privileges of the user of a connection on a table, in addition to those that the catalog lists for columns. */
export interface TableAccess {
  /** Why the table cannot be read. */
  readonly unreadable: string | undefined
  /** True if the table has columns that the user may not read. The catalog omits those without any privilege. */
  readonly hidesColumns: boolean
  readonly canDelete: boolean
}

/**
 * Prepares statements without executing them: the catalog lists neither privileges of roles on tables, nor columns for
 * which the user has no privilege.
 */
export async function readAccess(
  run: RunStatement,
  tables: readonly string[],
): Promise<ReadonlyMap<string, TableAccess>> {
  const access = new Map<string, TableAccess>()
  for (const name of tables) {
    const table = `\`${name.replaceAll('`', '``')}\``
    const refused = await refusalOf(run, `select * from ${table}`)
    const hidesColumns = deniedColumns.has(Number(refused?.errno))
    access.set(name, {
      unreadable: refused === undefined || hidesColumns ? undefined : String(refused.message),
      hidesColumns,
      canDelete: (await refusalOf(run, `delete from ${table}`)) === undefined,
    })
  }
  // A connection of the pool keeps the last statement otherwise.
  await run(sql`deallocate prepare odata_access`).catch(() => undefined)
  return access
}

/** Errors of tables and columns for which the user has no privilege. */
const deniedColumns: ReadonlySet<number> = new Set([1142, 1143])

interface Refusal {
  readonly errno?: unknown
  readonly message?: unknown
}

/** Returns the error of a statement that the database does not prepare. @throws errors of the connection */
async function refusalOf(run: RunStatement, statement: string): Promise<Refusal | undefined> {
  try {
    await run(sql`prepare odata_access from ${parameter(statement)}`)
    return undefined
  } catch (error) {
    const kind = classifyMysqlError(error)?.kind
    if (kind === 'away' || kind === 'again' || kind === 'slow') throw error
    return error as Refusal
  }
}
