import { raw, sql } from '../sql-text.js'
import type { DatabaseFault, WriteDialect } from '../write-dialect.js'

/** Rows that a change depends on are locked until its end; every statement sees what has been committed before it. */
export const postgresWrites: WriteDialect = {
  async begin(run) {
    const [row] = await run(sql`select current_setting('default_transaction_isolation') as "level"`)
    // In between, statements would look at the past, and changes would miss what others have just committed.
    return [row?.level === 'serializable' ? sql`begin` : sql`begin isolation level read committed`]
  },
  failureEndsTransaction: true,
  returnsBeforeTriggers: true,
  lockToChange: ' for no key update of t0',
  lockToRemove: ' for update of t0',
  lockToKeep: ' for key share',
  insertUnlessTaken: ['insert into', ' on conflict do nothing'],
  ignoresFaults: false,
  defaultRow: ' default values',
  media: {
    chunkSize: 256 * 1024,
    size: (content) => sql`octet_length(${content})`,
    part: (content, from, count) =>
      sql`substring(${content} from ${raw(String(from + 1))} for ${raw(String(count))})`,
    digest: (content) => sql`encode(sha256(${content}), 'hex')`,
    rowVersion: 'xmin::text',
  },
  fault(error) {
    const { code } = error as PostgresError
    if (typeof code !== 'string') return undefined
    const kind = kinds[code] ?? (code.startsWith('22') ? 'value' : undefined)
    return kind && { kind, columns: columnsOf(error as PostgresError) }
  },
}

interface PostgresError {
  readonly code?: unknown
  readonly column?: unknown
  readonly constraint?: unknown
  readonly detail?: unknown
}

const kinds: Readonly<Record<string, DatabaseFault['kind']>> = {
  '23505': 'unique',
  '23P01': 'unique',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23502': 'notNull',
  '23514': 'check',
  '40001': 'again',
  '40P01': 'again',
  '55P03': 'again',
}

/** Named by the error, or in its detail, `Key (a, "B")=(1, 2) already exists`, or in the name of the constraint. */
function columnsOf({ column, constraint, detail }: PostgresError): readonly string[] {
  if (typeof column === 'string') return [column]
  const key = typeof detail === 'string' ? /^Key \((.*?)\)=\(/s.exec(detail)?.[1] : undefined
  if (key !== undefined) return key.split(', ').map((one) => one.replace(/^"(.*)"$/s, '$1'))
  return typeof constraint === 'string' ? [constraint] : []
}
