import type { Kysely } from 'kysely'
import { didYouMean } from '../../../errors/suggestions.js'
import { defineModel } from '../../../edm/define-model.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { ChangeKind, DatabaseSchema, DatabaseTable, RunStatement } from '../database-schema.js'
import { columnFacts, keyColumnsOf } from '../database-schema.js'
import type { AnyKysely } from '../dialect-of.js'
import type { KnownDialect } from '../dialects/known-dialect.js'
import { dialectOf } from '../dialect-of.js'
import { SqlDatabase } from '../sql-database.js'
import { definitionOfTables } from './definition-of-tables.js'
import type { IntrospectedModel } from './introspected-mapping.js'
import { mappingWhereNeeded } from './introspected-mapping.js'
import { findSharedKey } from '../shared-keys.js'
import type { SqlDialect } from '../dialect.js'
import { ModelError } from '../../../edm/build/model-error.js'
import { reasonOf } from '../../../util/thrown-error.js'
import { raw } from '../sql-text.js'

/**
 * Options of {@link introspect}.
 *
 * @example
 * const options: IntrospectOptions = { namespace: 'Shop', tables: (table) => !table.startsWith('tmp_') }
 * const model = await introspect(db, options)
 */
export interface IntrospectOptions {
  /** The namespace of the model. Default: `Database`. */
  readonly namespace?: string | undefined
  /** The schemas to read, for PostgreSQL. Default: those of the search path. */
  readonly schemas?: readonly string[] | undefined
  /** Selects tables and views. Default: all except those of migration tools. Partitions of selected tables are omitted. */
  readonly tables?: ((table: string, schema: string | undefined) => boolean) | undefined
  /**
   * The key columns of views, and of tables without a primary key, by the name of the table. Default: `rowid` for tables
   * of SQLite, else none.
   */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
  /** Called with a sentence for each table and foreign key that the model does not contain. Default: not called. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

export const introspectOptionNames = ['namespace', 'schemas', 'tables', 'keys', 'onNotice']

const allChanges: readonly ChangeKind[] = ['insert', 'update', 'delete']

/** The tables of migration tools, and of `trackChanges`. */
const migrationTables =
  /^(?:odata_change(?:s|_log)$|kysely_migration|knex_migrations|_prisma_migrations|schema_migrations|__EFMigrationsHistory|flyway_schema_history|migrations$|SequelizeMeta$)/

/**
 * Creates a model of the tables and views of a database: entity sets with their keys, types and facets, and navigation
 * properties for foreign keys and link tables in both directions. {@link sqlProvider} maps the model to the same tables,
 * even after it was printed and read.
 *
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB
 * @param options which tables to read, and their keys
 * @returns a model like that of `defineModel`, for example for `printModel` and `writeEdmx`
 * @throws TypeError for unknown options, unknown columns in keys, and a database without tables
 * @example
 * const db = new Kysely({ dialect: new SqliteDialect({ database: new Database('shop.sqlite') }) })
 * const model = await introspect(db)
 * app.use('/shop', odataV2(model, sqlProvider(model, db)))
 * @spec MC-CSDL 2.1
 */
export async function introspect(db: AnyKysely, options: IntrospectOptions = {}): Promise<EdmModel> {
  for (const name of Object.keys(options)) {
    if (introspectOptionNames.includes(name)) continue
    throw new TypeError(`introspect: there is no option '${name}'.${didYouMean(name, introspectOptionNames)}`)
  }
  checkNamespace(options.namespace)
  return introspectTables(db, dialectOf(db), options)
}

/** @throws TypeError for a namespace that is not valid in metadata documents @spec MC-CSDL 2.1.1 */
function checkNamespace(namespace: string | undefined): void {
  if (namespace === undefined) return
  const isValid = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}_][\p{L}\p{Nd}_]*)*$/u.test(namespace)
  if (isValid && !['Edm', 'System', 'Transient'].includes(namespace)) return
  throw new TypeError(
    `introspect: '${namespace}' is not a valid namespace: write names of letters, digits and underscores, separated by dots.`,
  )
}

/** Creates a model of a database of a known dialect. Entity sets refuse all changes if the dialect has no `writes`. */
export async function introspectTables(
  db: AnyKysely,
  { dialect, readSchema }: KnownDialect,
  options: IntrospectOptions = {},
): Promise<EdmModel> {
  const database = new SqlDatabase(dialect, db as Kysely<unknown>)
  const run: RunStatement = (statement) => database.readOnce(statement)
  const schema = await readSchema(run)
  const { keys = {}, onNotice } = options
  checkKeys(keys, schema)
  for (const [name, reason] of schema.unreadable ?? []) onNotice?.(unreadable(name, reason))
  for (const notice of schema.notices ?? []) onNotice?.(notice)
  const readable: DatabaseTable[] = []
  for (const table of schema.tables.filter((one) => isWanted(one, schema.tables, options))) {
    const { name } = table
    try {
      if (table.canShareKeys === true && !Object.hasOwn(keys, name) && (await sharesKeys(table, database))) {
        onNotice?.(
          `Skipped table '${name}': rows of it, or of tables that inherit from it, have the same keys.`,
        )
      } else readable.push((await dialect.sampleTypes?.(table, run)) ?? table)
    } catch (error) {
      if (dialect.sampleTypes === undefined || !(error instanceof Error)) throw error
      onNotice?.(unreadable(name, error.message))
    }
  }
  const served =
    dialect.writes === undefined ? readable.map((table) => ({ ...table, refuses: allChanges })) : readable
  const tables = modelledTables(served, dialect, options)
  const { definition, places } = definitionOfTables(tables, dialect, options)
  if (places.entitySets.size === 0)
    throw new TypeError(`introspect: ${whyNothing(tables, schema.tables, options)}`)
  const model: EdmModel = defineModel(definition)
  const introspected: IntrospectedModel = { ...model, sqlMapping: mappingWhereNeeded(model, schema, places) }
  return Object.freeze(introspected)
}

function unreadable(name: string, reason: string): string {
  return `Skipped '${name}': it cannot be read (${reason}).`
}

async function sharesKeys(table: DatabaseTable, database: SqlDatabase): Promise<boolean> {
  const quote = (name: string): string => database.dialect.quote(name)
  const quoted = `${table.schema === undefined ? '' : `${quote(table.schema)}.`}${quote(table.name)}`
  const key = (keyColumnsOf(table) ?? []).map((name) => raw(quote(name)))
  return key.length > 0 && (await findSharedKey(quoted, key, database)).shared !== undefined
}

function isWanted(table: DatabaseTable, all: readonly DatabaseTable[], options: IntrospectOptions): boolean {
  const { name, schema, isDefaultSchema, partitionOf } = table
  const { schemas, tables } = options
  if (schemas === undefined ? !isDefaultSchema : !schemas.includes(schema ?? '')) return false
  if (tables === undefined ? migrationTables.test(name) : !tables(name, schema)) return false
  const whole = all.find((one) => one.name === partitionOf?.table && one.schema === partitionOf.schema)
  return whole === undefined || !isWanted(whole, all, options)
}

function checkKeys(
  keys: Readonly<Record<string, readonly string[]>>,
  { tables, unreadable: reasons }: DatabaseSchema,
): void {
  for (const [name, columns] of Object.entries(keys)) {
    const table = tables.find((one) => one.name === name)
    if (table === undefined) {
      const reason = reasons?.get(name)
      if (reason !== undefined) throw new TypeError(`introspect: '${name}' cannot be read (${reason}).`)
      const hint = didYouMean(
        name,
        tables.map((one) => one.name),
      )
      throw new TypeError(`introspect: 'keys' names a table '${name}' that does not exist.${hint}`)
    }
    for (const column of columns) {
      if (columnFacts(table, column) !== undefined) continue
      const hint = didYouMean(column, table.columns.keys())
      const what = table.isView ? 'view' : 'table'
      const columnsOfIt = `Its columns: ${[...table.columns.keys()].join(', ')}.`
      throw new TypeError(
        `introspect: the ${what} '${name}' has no column '${column}' for its key.${hint} ${columnsOfIt}`,
      )
    }
  }
}

function whyNothing(
  tables: readonly DatabaseTable[],
  all: readonly DatabaseTable[],
  { schemas, tables: isChosen }: IntrospectOptions,
): string {
  if (tables.length > 0) {
    return `none of the tables has a primary key: ${tables.map(({ name }) => `'${name}'`).join(', ')}. Name keys in 'keys'.`
  }
  const others = [
    ...new Set(all.flatMap(({ schema, isDefaultSchema }) => (isDefaultSchema ? [] : (schema ?? [])))),
  ]
  if (schemas !== undefined) {
    const hint = schemas.map((name) => didYouMean(name, others)).find((one) => one !== '') ?? ''
    return `the database has no tables in ${schemas.map((name) => `'${name}'`).join(', ')}.${hint}`
  }
  if (isChosen !== undefined && all.length > 0) return "'tables' excludes all tables of the database."
  if (others.length === 0) return 'the database has no tables. Is it the right database?'
  return `all tables are in other schemas: ${others.join(', ')}. Name them in 'schemas'.`
}

/** Returns the tables for which the model can have an entity set. */
function modelledTables(
  tables: readonly DatabaseTable[],
  dialect: SqlDialect,
  options: IntrospectOptions,
): readonly DatabaseTable[] {
  const whyInvalid = (some: readonly DatabaseTable[]): string | undefined => {
    try {
      defineModel(definitionOfTables(some, dialect, { ...options, onNotice: undefined }).definition)
      return undefined
    } catch (error) {
      return error instanceof ModelError ? error.errors[0] : reasonOf(error)
    }
  }
  if (whyInvalid(tables) === undefined) return tables
  return tables.filter((table) => {
    const why = whyInvalid([table])
    if (why !== undefined) options.onNotice?.(`Skipped table '${table.name}': ${why}`)
    return why === undefined
  })
}
