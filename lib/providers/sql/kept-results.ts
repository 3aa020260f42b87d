import { BoundedCache } from '../../util/bounded-cache.js'
import { MAX_CACHED_STATEMENT_LENGTH } from './cached-statements.js'
import { sqlite } from './dialects/sqlite.js'
import type { FoundRows, KeptDatabase } from './keep-statements.js'
import type { Statement } from './sql-text.js'

/** How many bytes results may take, if not told. */
export const usualKeptBytes = 33_554_432

/** No result takes more than this part of the room. */
const largestPart = 4

/** Of so many statements is known whether their results may be kept; those of longer ones are not. */
const mostStatements = 200

/** Bytes that a result, a row, a value and bytes take beside what is in them. */
const bytesOfResult = 250
const bytesOfRow = 24
const bytesOfValue = 24
const bytesOfBytes = 300

/**
 * What changes whenever something in the database may have changed: with each row that this connection has changed,
 * with each commit of another one, and with each change of tables; and how many tables and files there are whose changes
 * are not seen by that.
 */
const version = `select total_changes(), d.data_version, s.schema_version,
    (select count(*) from sqlite_temp_master where type in ('table', 'view')) +
      (select count(*) from pragma_database_list where name not in ('main', 'temp'))
  from pragma_data_version as d, pragma_schema_version as s`

/** Views and virtual tables, which have no pages of their own: they may have other rows though nothing has changed. */
const computedTables = `select name from sqlite_master where type in ('table', 'view') and coalesce(rootpage, 0) = 0`

/** A statement whose results are told from those of others by its number. */
interface KnownStatement {
  readonly number: number
  readonly mayBeKept: boolean
}

/** What a statement returned; only that it was asked for, as long as that has happened once. */
interface KeptResult {
  readonly found: FoundRows | undefined
  readonly bytes: number
}

/**
 * What statements returned, given again as long as nothing in the database has changed. What is asked for once is not
 * kept: it may never be asked for again.
 */
export class KeptResults {
  private readonly statements = new BoundedCache<string, KnownStatement>(mostStatements)
  /** By statement and parameters, what was not used for longest first. */
  private readonly results = new Map<string, KeptResult>()
  private computed: readonly string[] = []
  private numbers = 0
  private taken = 0
  private changes: unknown
  private commits: unknown
  private tables: unknown

  /**
   * @param limit in bytes
   * @param isCommitted whether all that is found at the moment is there for good
   */
  constructor(
    private readonly database: KeptDatabase,
    private readonly limit: number,
    private readonly isCommitted: () => boolean,
  ) {}

  /** Bytes that are in use, about. */
  get used(): number {
    return this.taken
  }

  /**
   * Looks whether something has changed; then nothing that was kept before is given any more.
   *
   * @returns false when that cannot be told: then nothing is to be asked for here
   * @throws what the driver throws when the database cannot be read
   */
  look(): boolean {
    const [changes, commits, tables, unseen] = this.readVersion()
    if (changes !== this.changes || commits !== this.commits || tables !== this.tables) {
      this.results.clear()
      this.taken = 0
      if (tables !== this.tables) this.readTables(tables)
      this.changes = changes
      this.commits = commits
    }
    return changes !== undefined && Number(unseen) === 0
  }

  private readVersion(): readonly unknown[] {
    try {
      return this.database.found(version, []).values[0] ?? []
    } catch (error) {
      // One that does not know what is asked for; whoever reads after that learns of all else.
      const { code = 'SQLITE_ERROR' } = error as { readonly code?: unknown }
      if (code === 'SQLITE_ERROR') return []
      throw error
    }
  }

  private readTables(tables: unknown): void {
    this.statements.clear()
    const found = tables === undefined ? [] : this.database.found(computedTables, []).values
    this.computed = found.map(([name]) => sqlite.quote(String(name)).toLowerCase())
    // Last: where they could not be read, they are read again.
    this.tables = tables
  }

  /** What a statement returns, if nothing has changed since {@link look}. Results with bytes in them are not kept. */
  found({ text, parameters }: Statement): FoundRows {
    const name = this.nameOf(text, parameters)
    if (name === undefined) return this.database.found(text, parameters)
    const known = this.results.get(name)
    if (known?.found !== undefined) {
      this.results.delete(name)
      this.results.set(name, known)
      return known.found
    }
    const found = this.database.found(text, parameters)
    if (known === undefined) this.add(name, undefined)
    else if (!found.values.some(hasBytes)) this.keep(name, found)
    return found
  }

  private keep(name: string, found: FoundRows): void {
    if (bytesOf(found) * largestPart > this.limit || !this.isCommitted()) return
    this.remove(name)
    this.add(name, found)
  }

  private add(name: string, found: FoundRows | undefined): void {
    const bytes = bytesOfResult + 2 * name.length + (found === undefined ? 0 : bytesOf(found))
    this.results.set(name, { found, bytes })
    this.taken += bytes
    for (const [oldest] of this.results) {
      if (this.taken <= this.limit) return
      this.remove(oldest)
    }
  }

  private remove(name: string): void {
    this.taken -= this.results.get(name)?.bytes ?? 0
    this.results.delete(name)
  }

  /** Undefined where the result is not to be kept. */
  private nameOf(text: string, parameters: readonly unknown[]): string | undefined {
    if (text.length > MAX_CACHED_STATEMENT_LENGTH) return undefined
    const { number, mayBeKept } = this.statement(text)
    if (!mayBeKept) return undefined
    let name = String(number)
    for (const value of parameters) {
      switch (typeof value) {
        case 'string':
          name += ` ${String(value.length)}:${value}`
          break
        case 'number':
        case 'bigint':
          name += ` ${typeof value} ${String(value)}`
          break
        default:
          if (value !== null) return undefined
          name += ' null'
      }
    }
    return name
  }

  private statement(text: string): KnownStatement {
    let statement = this.statements.get(text)
    if (statement === undefined) {
      const lowerCase = text.toLowerCase()
      const mayBeKept = !this.computed.some((name) => lowerCase.includes(name))
      statement = { number: ++this.numbers, mayBeKept }
      this.statements.set(text, statement)
    }
    return statement
  }
}

function bytesOf({ values }: FoundRows): number {
  let bytes = 0
  for (const row of values) {
    bytes += bytesOfRow
    for (const value of row) bytes += bytesOfValue + lengthOf(value)
  }
  return bytes
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length
  return value instanceof Uint8Array ? bytesOfBytes + value.byteLength : 0
}

function hasBytes(row: readonly unknown[]): boolean {
  return row.some((value) => value instanceof Uint8Array)
}
