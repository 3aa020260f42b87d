import type { EdmModel } from '../../../edm/edm-model.js'
import { didYouMean } from '../../../errors/suggestions.js'
import { databases } from '../dialects/databases.js'
import { mappingOf } from '../introspection/introspected-mapping.js'
import type { SqlMapping } from '../sql-mapping.js'
import { mergeMappings } from '../sql-mapping.js'
import type { TableDatabase } from './table-dialect.js'
import type { NamingOptions } from './table-plan.js'
import { planTables } from './table-plan.js'
import { checkTableNames, TableStatements } from './table-statements.js'

/**
 * Options of {@link createTables} and {@link alterTables}.
 *
 * @example
 * const options: TableOptions = { names: 'snake_case', onNotice: (notice) => console.warn(notice) }
 * const statements = createTables(model, 'postgres', options)
 */
export interface TableOptions extends NamingOptions {
  /** Names of tables and columns, like the option of `sqlProvider`. Default: those of `introspect`, else none */
  readonly mapping?: SqlMapping | undefined
  /**
   * Called with a sentence for each part of the model that the statements leave to you, for example a value that the
   * database must compute. Default: not called
   */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/**
 * Returns the statements that create the tables of a model, from which {@link sqlProvider} serves it. They are not
 * executed. There is a table for each entity set and for each association set without foreign key, with keys, foreign
 * keys, indexes for navigation, defaults and comments.
 *
 * @param model the model of the service
 * @param database `sqlite`, `postgres`, `mysql` or `mariadb`
 * @param options names of tables and columns; see {@link TableOptions}
 * @returns statements without semicolon, in the order in which they are executed
 * @throws TypeError for unknown databases and options, and for names that the database would treat as equal or shorten
 * @example
 * for (const statement of createTables(model, 'sqlite')) database.exec(statement)
 * app.use('/shop', odataV2(model, sqlProvider(model, db)))
 * @spec MC-CSDL 2.1 (entity types, association sets)
 */
export function createTables(
  model: EdmModel,
  database: TableDatabase,
  options: TableOptions = {},
): readonly string[] {
  checkTableOptions('createTables', options)
  const known = Object.values(databases)
  const found = known.find(({ tables }) => Object.hasOwn(tables, database))
  const tables = found?.tables[database]
  if (found === undefined || tables === undefined) {
    const names = known.flatMap((one) => Object.keys(one.tables))
    const hint = didYouMean(String(database), names)
    throw new TypeError(`createTables: the database must be one of ${names.join(', ')}.${hint}`)
  }
  const { mapping, onNotice = () => undefined } = options
  const plans = planTables(model, mergeMappings(mappingOf(model), mapping), options)
  checkTableNames(plans, tables)
  const statements = new TableStatements(tables, found.dialect, onNotice)
  statements.reserve(plans.map(({ name }) => name))
  return [
    ...plans.flatMap((plan) => statements.create(plan)),
    ...plans.flatMap((plan) => statements.indexes(plan)),
    ...plans.flatMap((plan) => statements.references(plan)),
  ]
}

const optionNames = ['names', 'mapping', 'onNotice']

/** @throws TypeError for misspelt options */
export function checkTableOptions(caller: string, { names, ...options }: TableOptions): void {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name))
      throw new TypeError(`${caller}: there is no option '${name}'.${didYouMean(name, optionNames)}`)
  }
  if (names !== undefined && names !== 'same' && names !== 'snake_case')
    throw new TypeError(`${caller}: names must be 'same' or 'snake_case'.`)
}
