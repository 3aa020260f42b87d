import type { EdmModel } from '../../edm/edm-model.js'
import type { DatabaseSchema } from './database-schema.js'
import type { SqlDatabase } from './sql-database.js'
import type { SqlMapping } from './sql-mapping.js'
import type { TableCatalog } from './table-catalog.js'
import { buildCatalog } from './build-catalog.js'
import { learnForms } from './sampled-forms.js'

/** A database and a model, brought together once when the provider is made. */
export class SqlService {
  private catalog: Promise<TableCatalog> | undefined
  /** The tables, when they have been found. */
  known: TableCatalog | undefined

  constructor(
    readonly model: EdmModel,
    readonly database: SqlDatabase,
    private readonly mapping: SqlMapping,
    private readonly readSchema: () => Promise<DatabaseSchema>,
    /** Whether the database is to write entities itself; undefined when it is as usual for such a database. */
    readonly rendering: boolean | undefined,
  ) {}

  /** The tables of the model. A database that could not be reached is asked again the next time. */
  whenReady(): Promise<TableCatalog> {
    this.catalog ??= this.load()
    return this.catalog
  }

  private async load(): Promise<TableCatalog> {
    try {
      const schema = await this.readSchema()
      await this.database.check()
      const { dialect } = this.database
      const catalog = buildCatalog(this.model, this.mapping, schema, dialect)
      if (dialect.hasSeveralForms !== undefined) {
        for (const table of catalog.tables.values()) {
          await learnForms(table, (statement) => this.database.readOnce(statement))
        }
      }
      this.known = catalog
      return catalog
    } catch (error) {
      this.catalog = undefined
      throw error
    }
  }
}
