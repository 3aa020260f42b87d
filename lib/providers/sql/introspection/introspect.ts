import type { Kysely } from 'kysely'
import { didYouMean } from '../../../errors/suggestions.js'
import { defineModel } from '../../../edm/define-model.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { DatabaseSchema, DatabaseTable, RunStatement } from '../database-schema.js'
import type { AnyKysely } from '../dialect-of.js'
import { dialectOf } from '../dialect-of.js'
import { SqlDatabase } from '../sql-database.js'
import { definitionOfTables } from './definition-of-tables.js'
import type { IntrospectedModel } from './introspected-mapping.js'
import { mappingWhereNeeded } from './introspected-mapping.js'
import type { ColumnFacts } from '../column.js'
import type { SqlDialect } from '../dialect.js'
import { optionalText } from '../database-schema.js'
import { raw } from '../sql-text.js'
import { columnTypeOf } from './column-types.js'

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
  /** Selects tables and views. Default: all except those of migration tools. */
  readonly tables?: ((table: string, schema: string | undefined) => boolean) | undefined
  /** The key columns of views, and of tables without a primary key, by the name of the table. Default: none. */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
  /** Called with a sentence for each table and foreign key that the model does not contain. Default: not called. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

export const introspectOptionNames = ['namespace', 'schemas', 'tables', 'keys', 'onNotice']

/** The tables of migration tools. */
const migrationTables =
  /^(?:kysely_migration|knex_migrations|_prisma_migrations|schema_migrations|__EFMigrationsHistory|flyway_schema_history|migrations$|SequelizeMeta$)/

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
  const { dialect, readSchema } = dialectOf(db)
  const database = new SqlDatabase(dialect, db as Kysely<unknown>)
  const schema = await readSchema((statement) => database.readOnce(statement))
  checkKeys(options.keys ?? {}, schema)
  const tables: DatabaseTable[] = []
  for (const table of schema.tables.filter((one) => isWanted(one, options))) {
    tables.push(await withSampledTypes(table, dialect, (statement) => database.readOnce(statement)))
  }
  const { definition, places } = definitionOfTables(tables, dialect.name, options)
  if (places.entitySets.size === 0)
    throw new TypeError(`introspect: ${whyNothing(tables, schema.tables, options)}`)
  const model: EdmModel = defineModel(definition)
  const introspected: IntrospectedModel = { ...model, sqlMapping: mappingWhereNeeded(model, schema, places) }
  return Object.freeze(introspected)
}

function isWanted({ name, schema, isDefaultSchema }: DatabaseTable, options: IntrospectOptions): boolean {
  const { schemas, tables } = options
  if (schemas === undefined ? !isDefaultSchema : !schemas.includes(schema ?? '')) return false
  return tables === undefined ? !migrationTables.test(name) : tables(name, schema)
}

function checkKeys(keys: Readonly<Record<string, readonly string[]>>, { tables }: DatabaseSchema): void {
  for (const [name, columns] of Object.entries(keys)) {
    const table = tables.find((one) => one.name === name)
    if (table === undefined) {
      const hint = didYouMean(
        name,
        tables.map((one) => one.name),
      )
      throw new TypeError(`introspect: 'keys' names a table '${name}' that does not exist.${hint}`)
    }
    for (const column of columns) {
      if (table.columns.has(column)) continue
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

/** The number of rows that are read to find the types of columns. */
const SAMPLE_SIZE = 1000

/** Types whose values are strings. */
const stringTypes: ReadonlySet<string> = new Set([
  'Edm.String',
  'Edm.Guid',
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Time',
])

/**
 * Finds the types of columns by their values if the declared types are not sufficient. SQLite has no types for the
 * expressions of views, and stores numbers in columns that are declared as times.
 */
async function withSampledTypes(
  table: DatabaseTable,
  dialect: SqlDialect,
  run: RunStatement,
): Promise<DatabaseTable> {
  if (dialect.name !== 'sqlite') return table
  const unsure = [...table.columns].filter(([, facts]) => isUnsure(facts, dialect))
  if (unsure.length === 0) return table
  const classes = unsure.map(
    (_, index) => `group_concat(distinct typeof(c${String(index)})) as c${String(index)}`,
  )
  const columns = unsure.map(([name], index) => `${dialect.quote(name)} as c${String(index)}`)
  const source = `select ${columns.join(', ')} from ${dialect.quote(table.name)} limit ${String(SAMPLE_SIZE)}`
  const [row = {}] = await run(raw(`select ${classes.join(', ')} from (${source})`))
  const sampled = new Map(table.columns)
  unsure.forEach(([name, facts], index) => {
    const found = (optionalText(row[`c${String(index)}`]) ?? '')
      .split(',')
      .filter((one) => one !== 'null' && one !== '')
    const dataType = typeOfClasses(found, facts.dataType)
    sampled.set(name, { ...facts, dataType })
  })
  return { ...table, columns: sampled }
}

/** Returns true if a column has no type, or may have numbers instead of strings. */
function isUnsure(facts: ColumnFacts, { name }: SqlDialect): boolean {
  const { dataType } = facts
  if (dataType === '') return true
  return stringTypes.has(columnTypeOf(name, facts).type) && !/char|clob|text/.test(dataType)
}

function typeOfClasses(classes: readonly string[], declared: string): string {
  const isAll = (...known: readonly string[]): boolean =>
    classes.length > 0 && classes.every((one) => known.includes(one))
  if (isAll('integer')) return 'integer'
  if (isAll('integer', 'real')) return 'real'
  return declared === '' && isAll('blob') ? 'blob' : declared
}
