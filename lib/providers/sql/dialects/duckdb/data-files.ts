import { statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { ODataError } from '../../../../errors/odata-error.js'
import { codeOf } from '../../../../util/thrown-error.js'
import { doubleQuoted } from '../shared/shared-sql.js'
import { dataFileSource } from './sources.js'
import { quotedText } from '../shared/table-types.js'

/** The column with the number of a row in its file, from 0. Tables of DuckDB have it too. */
export const ROW_NUMBER = 'rowid'
/** The column with the name of the file of a row, relative to its directory. */
export const FILE_NAME = 'rowfile'

type RunText = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

interface FileColumn {
  readonly name: string
  readonly type: string
}

/** A file, or a directory of Parquet files, as a table. */
export interface DataFile {
  /** The file, or the files of the directory as a pattern. */
  readonly allowed: { readonly setting: 'allowed_paths' | 'allowed_directories'; readonly path: string }
  /** Creates the table. @throws ODataError ServiceUnavailable if the file cannot be read */
  open(run: RunText): Promise<void>
  /** Reads the file again if it has changed. Undefined if it has not. @throws ODataError ServiceUnavailable */
  refresh(run: RunText): Promise<void> | undefined
  /** Describes an error of a statement; undefined for errors that are not about the file. */
  errorOf(error: unknown): ODataError | undefined
}

/** @param isDirectory true for a directory of Parquet files */
export function dataFile(location: string, isDirectory: boolean): DataFile {
  const path = resolve(location)
  return isDirectory || isParquet(path) ? new ParquetView(path, isDirectory) : new LoadedFile(path)
}

function isParquet(path: string): boolean {
  return !/\.(?:csv|tsv|json|ndjson|jsonl)(?:\.gz)?$/i.test(path)
}

/** Parquet files, which each statement reads in place. */
class ParquetView implements DataFile {
  readonly allowed: DataFile['allowed']

  constructor(
    private readonly path: string,
    private readonly isDirectory: boolean,
  ) {
    this.allowed = { setting: isDirectory ? 'allowed_directories' : 'allowed_paths', path }
  }

  async open(run: RunText): Promise<void> {
    const { path, isDirectory } = this
    try {
      const files = isDirectory ? `${pattern(path)}${sep}**${sep}*.parquet` : pattern(path)
      const options = isDirectory ? ', hive_partitioning = true, union_by_name = true' : ''
      const source = `read_parquet(${quotedText(files)}${options})`
      const columns = await columnsOf(run, source)
      const start = String(path.length + sep.length + 1)
      // The types are those of now, even if other files follow.
      const selected = columns.map(
        ({ name, type }) => `${doubleQuoted(name)}::${type} as ${doubleQuoted(name)}`,
      )
      const own = isDirectory ? [`substr(filename, ${start}) as ${FILE_NAME}`] : []
      const all = [...own, `file_row_number as ${rowNumberOf(columns)}`, ...selected].join(', ')
      await run(`create view ${doubleQuoted(dataFileSource.tableOf(path))} as select ${all} from ${source}`)
    } catch (error) {
      throw unreadable(path, error)
    }
  }

  refresh(): undefined {
    return undefined
  }

  errorOf(error: unknown): ODataError | undefined {
    return isAboutFile(error) ? unreadable(this.path, error) : undefined
  }
}

/** A CSV or JSON file, which is copied into a table: such files have no index, and lines of any length. */
class LoadedFile implements DataFile {
  readonly allowed: DataFile['allowed']
  private columns: readonly FileColumn[] | undefined
  private version = ''
  private loading: Promise<void> | undefined
  private failure: Error | undefined

  constructor(private readonly path: string) {
    this.allowed = { setting: 'allowed_paths', path }
  }

  async open(run: RunText): Promise<void> {
    this.version = this.currentVersion()
    await this.load(run)
  }

  refresh(run: RunText): Promise<void> | undefined {
    const version = this.currentVersion()
    if (version !== this.version) {
      this.version = version
      this.failure = undefined
      this.loading = (this.loading ?? Promise.resolve()).then(() => this.reload(run))
    }
    if (this.loading !== undefined) return this.loading.then(() => this.throwFailure())
    this.throwFailure()
    return undefined
  }

  errorOf(): undefined {
    return undefined
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private async reload(run: RunText): Promise<void> {
    try {
      await this.load(run)
    } catch (error) {
      this.failure = unreadable(this.path, error)
    } finally {
      this.loading = undefined
    }
  }

  private async load(run: RunText): Promise<void> {
    const { path } = this
    try {
      this.columns ??= await this.detectColumns(run)
      // DuckDB finds the rows of a page faster by a column than by its own row id.
      const number = `row_number() over () - 1 as ${rowNumberOf(this.columns)}`
      const names = [number, ...this.columns.map(({ name }) => doubleQuoted(name))].join(', ')
      await run(
        `create or replace table ${doubleQuoted(dataFileSource.tableOf(path))} as select ${names} from ${this.source(this.columns)}`,
      )
    } catch (error) {
      throw unreadable(path, error)
    }
  }

  /** Detects the types. Integers with more than 64 bits would be floating-point numbers, which lose digits. */
  private async detectColumns(run: RunText): Promise<readonly FileColumn[]> {
    const columns = await columnsOf(run, this.source())
    const doubles = columns.filter(({ type }) => type === 'DOUBLE')
    if (doubles.length === 0) return columns
    const tests = doubles.map(
      ({ name }, index) =>
        `bool_and(regexp_full_match(${doubleQuoted(name)}, '\\s*[-+]?\\d{1,38}\\s*')) as c${index}`,
    )
    const texts = doubles.map(({ name }) => ({ name, type: 'VARCHAR' }))
    const [found = {}] = await run(`select ${tests.join(', ')} from ${this.source(texts)}`)
    const integers = new Set(doubles.filter((_, index) => found[`c${index}`] === true))
    return columns.map((column) => (integers.has(column) ? { ...column, type: 'HUGEINT' } : column))
  }

  private get isJson(): boolean {
    return /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i.test(this.path)
  }

  private source(columns?: readonly FileColumn[]): string {
    const { isJson, path } = this
    const types = columns?.map(({ name, type }) => `${quotedText(name)}: ${quotedText(type)}`).join(', ')
    const options = [
      ...(types === undefined ? [] : [`${isJson ? 'columns' : 'types'} = {${types}}`]),
      ...(/\.tsv(?:\.gz)?$/i.test(path) ? ["delim = '\t'"] : []),
      // DuckDB would take quotes as text if the first rows have none.
      ...(isJson ? [] : [`quote = '"', escape = '"'`]),
    ]
    return `${isJson ? 'read_json' : 'read_csv'}(${[quotedText(pattern(path)), ...options].join(', ')})`
  }

  private currentVersion(): string {
    try {
      const { mtimeNs, ctimeNs, size, ino } = statSync(this.path, { bigint: true })
      return [mtimeNs, ctimeNs, size, ino].join()
    } catch (error) {
      throw unreadable(this.path, error)
    }
  }
}

/** Returns the name of the first column, which has the number of the row, and which no column of the file has. */
function rowNumberOf(columns: readonly FileColumn[]): string {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return taken.has(ROW_NUMBER) ? `${ROW_NUMBER}_of_file` : ROW_NUMBER
}

async function columnsOf(run: RunText, source: string): Promise<readonly FileColumn[]> {
  const rows = await run(`describe select * from ${source}`)
  return rows.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }))
}

/** Returns a pattern that only matches one path. */
function pattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]')
}

function isAboutFile(error: unknown): boolean {
  return /^(?:IO|Invalid Input|Binder|Conversion|Not implemented|TransactionContext) Error/i.test(
    messageOf(error),
  )
}

function messageOf(error: unknown): string {
  return String((error as { readonly message?: string } | undefined)?.message)
}

/** Returns the error of a file that cannot be read. Its message has the line, but neither its content nor the path. */
function unreadable(path: string, cause: unknown): ODataError {
  if (cause instanceof ODataError) return cause
  const message = `'${basename(path)}' ${reasonIn(cause)}`
  return new ODataError('ServiceUnavailable', { message, cause })
}

function reasonIn(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return 'does not exist.'
  const message = messageOf(error)
  const [, line] = /CSV Error on Line: (\d+)/.exec(message) ?? / in line (\d+)/.exec(message) ?? []
  if (line === undefined) {
    if (/^Out of Memory/i.test(message)) return "needs more memory than 'memoryLimit' allows."
    return /^Binder Error/.test(message) ? 'no longer has the columns of the service.' : 'cannot be read.'
  }
  const [, column, type] = /converting column "(.*)"\..* to '(\w+)'/.exec(message) ?? []
  if (column !== undefined)
    return `is invalid in line ${line}: the value of '${column}' is not a valid ${type ?? ''}.`
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? []
  if (expected !== undefined)
    return `is invalid in line ${line}: it has ${found ?? ''} columns instead of ${expected}.`
  return `is invalid in line ${line}.`
}

/** Returns the settings with which DuckDB opens no other files. */
export function confine({ allowed: { setting, path } }: DataFile): readonly string[] {
  const allowed = setting === 'allowed_directories' ? join(path, sep) : path
  return [`set ${setting} = [${quotedText(allowed)}]`, 'set enable_external_access = false']
}
