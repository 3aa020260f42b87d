import type { Kysely } from 'kysely'
import type { EdmModel } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { FunctionHandler, Provider } from '../../provider/provider.js'
import type { AnyKysely } from './dialect-of.js'
import { dialectOf } from './dialect-of.js'
import { SqlDatabase } from './sql-database.js'
import { sqlEntitySet } from './sql-entity-set.js'
import type { SqlMapping } from './sql-mapping.js'
import { SqlService } from './sql-service.js'

/** What {@link sqlProvider} can be given beside the database. */
export interface SqlProviderOptions<Context = unknown> {
  /** How things are called in the database, where they are not called as in the model. */
  readonly mapping?: SqlMapping | undefined
  /** Handlers of function imports by their name. A call of a function without handler is answered with 501. */
  readonly functions?: Readonly<Record<string, FunctionHandler<Context>>> | undefined
  /**
   * A second database to read from, such as a hot standby. What is read within a change set is read where it has been
   * written.
   */
  readonly replica?: AnyKysely | undefined
}

/** A provider on a database. */
export interface SqlProvider<Model, Context> extends Provider<Model, Context> {
  /**
   * Resolved when the tables of the model have been found in the database. Requests wait for it by themselves; an
   * application that awaits it learns before it listens what does not fit.
   *
   * @throws TypeError listing what is missing in the database, and what to change
   */
  ready(): Promise<void>
}

const optionNames = ['mapping', 'functions', 'replica']

/**
 * A provider on an SQL database. Conditions, order, paging, counting and navigation are done by the database as far as
 * it gives exactly the same result; the library does the rest.
 *
 * @param model from `defineModel`, `readEdmx` or `introspect`
 * @param db a Kysely instance on SQLite or PostgreSQL
 * @throws TypeError for misspelt options
 * @example
 * const db = new Kysely({ dialect: new SqliteDialect({ database: new Database('shop.sqlite') }) })
 * const provider = sqlProvider(model, db, { mapping: { entitySets: { Products: { table: 'product' } } } })
 * await provider.ready()
 * app.use('/shop', odataV2(model, provider))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function sqlProvider<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  db: AnyKysely,
  options: SqlProviderOptions<Context> = {},
): SqlProvider<EdmModel<Definition>, Context> {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel') {
    throw new TypeError(
      'sqlProvider(model, db): the model must be what defineModel, readEdmx or introspect returned.',
    )
  }
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(`sqlProvider: there is no option '${name}'.${didYouMean(name, optionNames)}`)
  }
  const { dialect, readSchema } = dialectOf(db)
  const database = new SqlDatabase(
    dialect,
    db as Kysely<unknown>,
    options.replica as Kysely<unknown> | undefined,
  )
  const service = new SqlService(model, database, options.mapping ?? {}, () =>
    readSchema((statement) => database.readOnce(statement)),
  )
  // Started at once; whoever needs it is told what is wrong.
  service.whenReady().catch(() => undefined)
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const provider: SqlProvider<EdmModel, Context> = {
    entitySets: Object.fromEntries(sets.map((set) => [set.path, sqlEntitySet(service, set)])),
    functions: options.functions,
    beginChangeSet: () => database.beginChangeSet(),
    ready: async () => {
      await service.whenReady()
    },
  }
  // The rows are those of the model: the tables have been compared with it.
  return provider as unknown as SqlProvider<EdmModel<Definition>, Context>
}
