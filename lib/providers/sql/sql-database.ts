import createDebug from 'debug'
import type { Kysely } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { SqlDialect } from './dialect.js'
import type { DriverRow } from './row-reader.js'
import { SqlChangeSet } from './sql-change-set.js'
import type { Sql } from './sql-text.js'
import { statementOf } from './sql-text.js'

const debug = createDebug('odata-v2:sql')

/** What runs statements: a database or a transaction of it. Which tables it has is nobody's business here. */
export type Connection = Kysely<unknown>

/** Runs the statements of a provider where they belong. */
export class SqlDatabase {
  /**
   * @param replica where is read what does not belong to a change set
   */
  constructor(
    readonly dialect: SqlDialect,
    private readonly primary: Connection,
    private readonly replica: Connection = primary,
  ) {}

  /** Reads rows. Within a change set that is done in its transaction, which knows what has been changed. */
  read(statement: Sql, call: ProviderCall): Promise<readonly DriverRow[]> {
    return this.run(statement, this.connectionOf(call) ?? this.replica)
  }

  /** Changes rows, and returns what the statement returns. */
  async write(statement: Sql, call: ProviderCall): Promise<readonly DriverRow[]> {
    return this.run(statement, this.connectionOf(call) ?? this.primary)
  }

  /** Reads what belongs to no call, such as the schema. */
  readOnce(statement: Sql): Promise<readonly DriverRow[]> {
    return this.run(statement, this.primary)
  }

  async beginChangeSet(): Promise<SqlChangeSet> {
    return new SqlChangeSet(await this.primary.startTransaction().execute())
  }

  private connectionOf({ changeSet }: ProviderCall): Connection | undefined {
    return changeSet instanceof SqlChangeSet ? changeSet.transaction : undefined
  }

  private async run(piece: Sql, connection: Connection): Promise<readonly DriverRow[]> {
    const { text, parameters } = statementOf(piece, (index) => this.dialect.placeholder(index))
    if (debug.enabled) debug('%s', text)
    const { rows } = await connection.executeQuery<DriverRow>(CompiledQuery.raw(text, [...parameters]))
    return rows
  }
}
