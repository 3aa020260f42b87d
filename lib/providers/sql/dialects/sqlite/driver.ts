import { existsSync } from 'node:fs'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { cacheStatements } from './cache-statements.js'
import { sqliteSource } from './source.js'
import type { Driver } from '../../open-database/driver.js'
import {
  missingPackage,
  MissingPackageError,
  optionalPackage,
  purposeOf,
} from '../../open-database/driver.js'
import { codeOf, reasonOf } from '../../../../util/thrown-error.js'

/**
 * The drivers of SQLite that {@link sqliteDriver} knows.
 *
 * @example
 * const driver: SqliteDriverName = 'node:sqlite'
 * const database = await openDatabase('shop.sqlite', { driver })
 */
export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite'

const { packages } = sqliteSource
const purpose = purposeOf(sqliteSource)

/** @param name default: `better-sqlite3` where it is installed, else `node:sqlite` */
export function sqliteDriver(file: string, readOnly: boolean, name: string | undefined): Driver {
  return {
    async connect() {
      const { Kysely, SqliteDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
      const sqlite = cacheStatements(await open(file, readOnly, name))
      return { db: new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), sqlite }
    },
    describeError: (error) => reasonFor(file, error),
  }
}

async function open(file: string, readOnly: boolean, name: string | undefined): Promise<SqliteDatabase> {
  if (!existsSync(file)) throw new Error('there is no such file')
  if (name === 'node:sqlite') {
    const database = openNodeSqlite(file, readOnly)
    if (database === undefined)
      throw new MissingPackageError(`node:sqlite requires Node 22.16 or later; this is ${process.version}.`)
    return database
  }
  try {
    const { default: Database } = await import('better-sqlite3')
    return new Database(file, { fileMustExist: true, readonly: readOnly })
  } catch (error) {
    if (missingPackage(error, packages) === undefined) throw error
    const database = name === undefined ? openNodeSqlite(file, readOnly) : undefined
    return database ?? optionalPackage(() => Promise.reject(error as Error), packages, purpose)
  }
}

function reasonFor(file: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'SQLITE_NOTADB':
      return `'${file}' is not an SQLite database, or it is encrypted.`
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return `'${file}' is locked by another program.`
    case 'SQLITE_CORRUPT':
      return `'${file}' is damaged: ${reasonOf(error)}.`
    default:
      return `'${file}' cannot be opened: ${reasonOf(error)}.`
  }
}

/** The part of `node:sqlite` that is used here. The type definitions of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => NodeDatabase
}

interface NodeDatabase {
  /** Since Node 22.16. */
  readonly isTransaction?: boolean
  readonly isOpen: boolean
  prepare(text: string): NodeStatement
  function(name: string, options: { readonly deterministic: true }, convert: SqlFunction): void
  close(): void
}

type SqlFunction = (value: unknown) => unknown

type NodeRow = Record<string, unknown>

interface NodeStatement {
  all(...parameters: readonly unknown[]): (NodeRow | unknown[])[]
  run(...parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...parameters: readonly unknown[]): IterableIterator<NodeRow | unknown[]>
  columns(): readonly { readonly name: string }[]
  setReadBigInts(isEnabled: boolean): void
  setReturnArrays(isEnabled: boolean): void
}

/** The default of `better-sqlite3`; that of `node:sqlite` is 0. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Opens a database with `node:sqlite`, with the interface of `better-sqlite3`: values, error codes and time-outs are
 * the same.
 *
 * @returns undefined on versions of Node that have no `node:sqlite`, or one without `isTransaction`
 */
function openNodeSqlite(file: string, readOnly: boolean): SqliteDatabase | undefined {
  const { getBuiltinModule } = process as Partial<typeof process>
  const module = getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined
  if (module === undefined) return undefined
  const database = named(() => new module.DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS }))
  if (typeof database.isTransaction === 'boolean') return new NodeSqliteDatabase(database)
  database.close()
  return undefined
}

class NodeSqliteDatabase implements SqliteDatabase {
  constructor(private readonly database: NodeDatabase) {}

  get inTransaction(): boolean | undefined {
    return this.database.isTransaction
  }

  prepare(text: string): SqliteStatement {
    return new NodeSqliteStatement(named(() => this.database.prepare(text)))
  }

  function(name: string, options: { readonly deterministic: true }, convert: SqlFunction): void {
    this.database.function(name, options, convert)
  }

  close(): void {
    if (this.database.isOpen) this.database.close()
  }
}

class NodeSqliteStatement implements SqliteStatement {
  readonly reader: boolean

  constructor(private readonly statement: NodeStatement) {
    // Otherwise reading an integer of more than 53 bits throws.
    statement.setReadBigInts(true)
    this.reader = statement.columns().length > 0
  }

  raw(): this {
    this.statement.setReturnArrays(true)
    return this
  }

  columns(): readonly { readonly name: string }[] {
    return this.statement.columns()
  }

  all(parameters: readonly unknown[]): unknown[] {
    return named(() => this.statement.all(...parameters)).map(convertRow)
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return named(() => this.statement.run(...parameters))
  }

  *iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    const rows = named(() => this.statement.iterate(...parameters))
    try {
      for (let next = named(() => rows.next()); next.done !== true; next = named(() => rows.next())) {
        yield convertRow(next.value)
      }
    } finally {
      rows.return?.()
    }
  }
}

/** Converts a row to an ordinary object or array: `node:sqlite` returns objects without prototype. */
function convertRow(row: NodeRow | unknown[]): unknown {
  if (Array.isArray(row)) return row.map(convertValue)
  const converted = { ...row }
  for (const name in converted) converted[name] = convertValue(converted[name])
  return converted
}

function convertValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

/** Result codes of SQLite by their number. */
const resultCodes =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

/** Extended result codes of CONSTRAINT; the first is 1. */
const constraintCodes =
  'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE'.split(
    ' ',
  )

/** Gives errors of SQLite the codes that they have in `better-sqlite3`: `SQLITE_CONSTRAINT_UNIQUE`. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown }
    if (typeof errcode === 'number') Object.assign(error as object, { code: `SQLITE_${codeName(errcode)}` })
    throw error
  }
}

function codeName(errcode: number): string {
  const name = resultCodes[errcode & 0xff] ?? 'ERROR'
  const constraint = name === 'CONSTRAINT' ? constraintCodes[(errcode >> 8) - 1] : undefined
  return constraint === undefined ? name : `${name}_${constraint}`
}
