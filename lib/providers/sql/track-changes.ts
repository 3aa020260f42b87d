import type { Kysely } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { EdmModel } from '../../edm/edm-model.js'
import type { EntitySetName } from '../../edm/infer.js'
import { didYouMean } from '../../errors/suggestions.js'
import { checkedTracking } from '../../provider/change-tracking.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { required } from '../../util/required.js'
import type { ChangeLog, LoggedTable, UniqueColumn } from './change-log.js'
import { checkActions, factsOf, unquotedName } from './change-log.js'
import type { AnyKysely } from './dialect-of.js'
import { dialectOf } from './dialect-of.js'
import { mappingOf } from './introspection/introspected-mapping.js'
import type { MappedTable } from './mapped-table.js'
import { SqlDatabase } from './sql-database.js'
import type { SqlMapping } from './sql-mapping.js'
import { mergeMappings } from './sql-mapping.js'
import { SqlService } from './sql-service.js'
import type { Sql } from './sql-text.js'
import { statementOf } from './sql-text.js'

/**
 * Options of {@link trackChanges}.
 *
 * @example const options: TrackChangesOptions<typeof model> = { sets: ['Products'], print: true }
 */
export interface TrackChangesOptions<Model = EdmModel> {
  /** The entity sets whose changes are logged. Default: all. */
  readonly sets?: readonly EntitySetName<Model>[] | undefined
  /** Names of tables and columns, like the option of `sqlProvider`. Default: those of `introspect`, else none */
  readonly mapping?: SqlMapping | undefined
  /** If true, the statements are returned, for a migration tool, and not executed. Default: false */
  readonly print?: boolean | undefined
  /** If true, all delta links get 410. Required after the database was restored from a backup. Default: false */
  readonly renew?: boolean | undefined
}

const optionNames = ['sets', 'mapping', 'print', 'renew']

/**
 * Creates the log of changes, and the triggers that write it, for delta links of {@link sqlProvider} with
 * `changeTracking`. Call it as a migration, and again after tables, keys or columns have changed: what exists is replaced,
 * in one transaction.
 *
 * @param model the model of the service
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB, with the rights of a migration
 * @param options entity sets, mapping, and whether the statements are only returned
 * @returns the statements
 * @throws TypeError for other databases, views, unknown options, tables that do not fit the model, and foreign keys of
 * MySQL and MariaDB whose actions run no triggers
 * @example
 * await trackChanges(model, db, { sets: ['Products'] })
 * const provider = sqlProvider(model, db, { changeTracking: { sets: ['Products'] } })
 * @spec RFC 6721 (tombstones)
 */
export async function trackChanges<Definition>(
  model: EdmModel<Definition>,
  db: AnyKysely,
  options: TrackChangesOptions<EdmModel<NoInfer<Definition>>> = {},
): Promise<readonly string[]> {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name))
      throw new TypeError(`trackChanges: there is no option '${name}'.${didYouMean(name, optionNames)}`)
  }
  const { mapping, print = false, renew = false, sets } = options
  const { database, log, readSchema } = openLog('trackChanges', db)
  const service = new SqlService(model, database, mergeMappings(mappingOf(model), mapping), readSchema)
  const { tables } = await service.whenReady()
  const tracked = checkedTracking('trackChanges', { ...(sets && { sets }) }, [...tables.keys()])
  const [schema] = await database.readOnce(log.schema)
  const place = String(schema?.name)
  const [lacksSecret] = await database.readOnce(log.lacksSecret)
  const mapped = (tracked?.sets ?? []).map((path) => required(tables.get(path)))
  await checkActions(log, mapped, (statement) => database.readOnce(statement))
  const uniqueKeys = await uniqueKeysOf(database, log)
  const logged = mapped.map((table) =>
    loggedTable(table, uniqueKeys.get(unquotedName(table.quoted).toLowerCase())),
  )
  const statements = [
    ...log.create(place, lacksSecret !== undefined),
    ...logged.flatMap((table) => log.track(table, place)),
    ...(renew || log.isRenewedByTracking === true ? [textOf(log.renew)] : []),
  ]
  if (!print) await execute(db, statements)
  return statements
}

/**
 * Removes changes from the log of {@link trackChanges}. Delta links to earlier positions get 410.
 *
 * @param model the model of the service
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB
 * @param options `before`: the time before which changes are removed
 * @returns the number of removed changes
 * @throws TypeError for other databases, and for an invalid time
 * @example
 * const removed = await pruneChanges(model, db, { before: new Date(Date.now() - 30 * 86_400_000) })
 * @spec RFC 6721 (tombstones)
 */
export async function pruneChanges(
  model: EdmModel,
  db: AnyKysely,
  { before }: { readonly before: Date },
): Promise<number> {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel')
    throw new TypeError(
      'pruneChanges(model, db): the model must be the result of defineModel, readEdmx or introspect.',
    )
  if (!(before instanceof Date) || Number.isNaN(before.getTime()))
    throw new TypeError('pruneChanges: before must be a valid Date.')
  const { database, log } = openLog('pruneChanges', db)
  return (db as Kysely<unknown>).transaction().execute(async (transaction) => {
    let removed = 0
    for (const statement of log.prune(before)) {
      const { text, parameters } = database.statementOf(statement)
      const { rows } = await transaction.executeQuery<{ n?: unknown }>(
        CompiledQuery.raw(text, [...parameters]),
      )
      removed = Number(rows[0]?.n ?? 0)
    }
    return removed
  })
}

interface OpenedLog {
  readonly database: SqlDatabase
  readonly log: ChangeLog
  readonly readSchema: ConstructorParameters<typeof SqlService>[3]
}

/** @throws TypeError for a database without a log of changes */
function openLog(caller: string, db: AnyKysely): OpenedLog {
  const { dialect, readSchema, title } = dialectOf(db)
  if (dialect.changeLog === undefined)
    throw new TypeError(`${caller}: the changes of ${title} cannot be tracked.`)
  const database = new SqlDatabase(dialect, (db as Kysely<unknown>).withoutPlugins())
  return {
    database,
    log: dialect.changeLog,
    readSchema: () => readSchema((statement) => database.readOnce(statement)),
  }
}

/** @throws TypeError for views, and for names that the log cannot store */
function loggedTable(
  { columns, isView, keyColumns, media, quoted, set, typeColumn }: MappedTable,
  uniqueKeys: ReadonlyMap<string, readonly UniqueColumn[]> = new Map(),
): LoggedTable {
  if (isView) throw new TypeError(`trackChanges: '${set.path}' is a view, whose changes cannot be tracked.`)
  const binary = columns.filter(({ type }) => type === 'Edm.Binary').map(({ name }) => name)
  const content = media === undefined ? [] : [unquotedName(media.content)]
  const isLogged = (name: string): boolean => !binary.includes(name) && !content.includes(name)
  const names = [...keyColumns, ...columns].map(({ name }) => name)
  const ofType = typeColumn === undefined ? [] : [unquotedName(typeColumn.quoted)]
  return {
    set: set.path,
    quoted,
    key: keyColumns.map(({ name }) => name),
    columns: [...new Set([...names, ...ofType])].filter(isLogged),
    binary: [...new Set([...binary, ...content])],
    facts: factsOf([...keyColumns, ...columns]),
    uniqueKeys: [...uniqueKeys.values()],
  }
}

/** Returns the unique keys of tables, by table in lowercase and name. */
async function uniqueKeysOf(
  database: SqlDatabase,
  { uniqueKeys }: ChangeLog,
): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly UniqueColumn[]>>> {
  const tables = new Map<string, Map<string, UniqueColumn[]>>()
  for (const row of uniqueKeys === undefined ? [] : await database.readOnce(uniqueKeys)) {
    const ofTable = getOrCreate(
      tables,
      String(row.table).toLowerCase(),
      () => new Map<string, UniqueColumn[]>(),
    )
    const columns = getOrCreate(ofTable, String(row.index), () => [])
    const collation = typeof row.collation === 'string' ? row.collation : undefined
    columns.push({ name: String(row.name), collation })
  }
  return tables
}

/** Executes statements in one transaction, so that no change is missed between two triggers. */
async function execute(db: AnyKysely, statements: readonly string[]): Promise<void> {
  await (db as Kysely<unknown>).transaction().execute(async (transaction) => {
    for (const text of statements) await transaction.executeQuery(CompiledQuery.raw(text, []))
  })
}

function textOf(statement: Sql): string {
  return statementOf(statement, (index) => `$${String(index)}`).text
}
