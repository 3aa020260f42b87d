import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import express from 'express'
import type { Question } from '../http-exchange.js'
import { TestServer } from '../http-exchange.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { PostgresServer } from './postgres-server.js'

/** Opens databases of one kind while a spec runs. */
interface Databases {
  readonly kind: DatabaseKind
  /** A new, empty database with the tables of some statements. */
  readonly open: (statements: readonly string[]) => Promise<AnyDatabase>
  /** The server, where there is one. */
  readonly server: () => PostgresServer
}

/** Makes the same statements about every kind of database. */
export function describeDatabases(describeOne: (databases: Databases) => void): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    describe(kind, () => {
      let server: PostgresServer | undefined
      const opened: AnyDatabase[] = []

      beforeAll(async () => {
        if (kind === 'postgres') server = PostgresServer.shared()
      })

      afterAll(async () => {
        if (kind === 'sqlite') for (const db of opened) await db.destroy()
        await server?.stop()
      })

      describeOne({
        kind,
        server: () => {
          if (server === undefined) throw new Error('There is no server.')
          return server
        },
        async open(statements) {
          const db =
            (await server?.open()) ??
            new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
          opened.push(db)
          for (const statement of statements) await sql.raw(statement).execute(db)
          return db
        },
      })
    })
  }
}

/** A response of a service with its JSON parsed. */
export interface SqlResponse {
  readonly status: number
  readonly etag: string | undefined
  readonly text: string
  /** The value of `d`, or the error. */
  readonly json: Record<string, unknown>
}

/** A service on a database. */
export class SqlServer {
  private constructor(readonly server: TestServer) {}

  static async start(
    model: EdmModel,
    db: AnyDatabase,
    options: Partial<ODataV2Options> = {},
  ): Promise<SqlServer> {
    const provider = sqlProvider(model, db)
    await provider.ready()
    return SqlServer.startProvider(model, provider, options)
  }

  static async startProvider(
    model: EdmModel,
    provider: Provider,
    options: Partial<ODataV2Options> = {},
  ): Promise<SqlServer> {
    const service = odataV2(model, provider, { onError: () => undefined, ...options })
    return new SqlServer(await TestServer.start(express().use('/s', service)))
  }

  async send(
    method: string,
    path: string,
    json?: unknown,
    headers: Question['headers'] = {},
  ): Promise<SqlResponse> {
    const response = await this.server.send(`/s/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const body = response.text.startsWith('{') ? (JSON.parse(response.text) as Record<string, unknown>) : {}
    return {
      status: response.status,
      etag: response.headers.etag,
      text: response.text,
      json: (body.d ?? body.error ?? {}) as Record<string, unknown>,
    }
  }

  /** The status and the message of an error. */
  async refusal(method: string, path: string, json?: unknown): Promise<readonly [number, string]> {
    const { status, json: error } = await this.send(method, path, json)
    return [status, (error.message as { readonly value?: string } | undefined)?.value ?? '']
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}
