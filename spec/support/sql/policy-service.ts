import express from 'express'
import type { PostgresPool } from 'kysely'
import { sql } from 'kysely'
import type pg from 'pg'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import type { ODataV2Options, ProviderCall } from '../../../lib/index.js'
import type { SqlProvider, SqlProviderOptions } from '../../../lib/sql.js'
import { sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../http-exchange.js'
import type { AnyDatabase } from './model-tables.js'
import type { PostgresServer } from './postgres-server.js'

const id = edm.Int32({ nullable: false })

/** Notes of tenants, with lines and a picture. */
export const policyModel = defineModel({
  namespace: 'P',
  entityTypes: {
    Note: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: id, Tenant: edm.String(), Text: edm.String() },
      navigationProperties: { Lines: { relationship: 'NoteLines', fromRole: 'Note', toRole: 'Line' } },
    },
    Line: {
      key: ['ID'],
      properties: { ID: id, NoteID: edm.Int32(), Tenant: edm.String() },
      navigationProperties: { Note: { relationship: 'NoteLines', fromRole: 'Line', toRole: 'Note' } },
    },
    Slow: { key: ['ID'], properties: { ID: id, Tenant: edm.String(), Pause: edm.String() } },
  },
  associations: {
    NoteLines: {
      ends: {
        Note: { type: 'Note', multiplicity: '0..1' },
        Line: { type: 'Line', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Note', properties: ['ID'] },
        dependent: { role: 'Line', properties: ['NoteID'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Notes: { entityType: 'Note' },
      Lines: { entityType: 'Line' },
      Slow: { entityType: 'Slow' },
    },
    associationSets: {
      NoteLinesSet: { association: 'NoteLines', ends: { Note: 'Notes', Line: 'Lines' } },
    },
    functionImports: {
      Seen: { returnType: 'Edm.String', httpMethod: 'GET' },
      Marked: { returnType: 'Edm.String', httpMethod: 'POST' },
      Begun: { returnType: 'Edm.String', httpMethod: 'GET' },
    },
  },
})

export const TENANTS = ['a', 'b', 'c']
/** The number of notes of each tenant. */
export const NOTES = 1500

const statements = [
  `do $$ begin create role policy_user; exception when duplicate_object or unique_violation then null; end $$`,
  `do $$ begin create role policy_reader; exception when duplicate_object or unique_violation then null; end $$`,
  `create table "Notes" ("ID" int primary key, "Tenant" text not null default current_setting('app.tenant', true),
    "Text" text, "MediaContent" bytea, "MediaContentType" text)`,
  `create table "Lines" ("ID" int primary key, "NoteID" int references "Notes" ("ID"), "Tenant" text)`,
  `insert into "Notes" select g, chr(97 + g % 3), 'note ' || g, convert_to(chr(97 + g % 3), 'UTF8'), 'text/plain'
    from generate_series(0, ${String(3 * NOTES - 1)}) as g`,
  `insert into "Lines" select "ID", "ID", "Tenant" from "Notes" where "ID" < 300`,
  // The view runs with the rights of its user, and every row takes a while.
  `create view "Slow" with (security_invoker = true) as select "ID", "Tenant", pg_sleep(0.02)::text as "Pause" from "Notes"
    where "ID" < 150`,
  ...['Notes', 'Lines'].flatMap((table) => [
    `alter table "${table}" enable row level security`,
    `create policy seen on "${table}" for select using ("Tenant" = current_setting('app.tenant', true))`,
    `create policy added on "${table}" for insert with check ("Tenant" = current_setting('app.tenant', true))`,
    `create policy changed on "${table}" for update using ("Tenant" = current_setting('app.tenant', true) and "ID" <> 6)`,
    `create policy removed on "${table}" for delete using ("Tenant" = current_setting('app.tenant', true))`,
    `grant select on "${table}" to policy_reader`,
    `grant select, insert, update, delete on "${table}" to policy_user`,
  ]),
  `analyze`,
  `grant select on "Slow" to policy_user, policy_reader`,
]

/** The caller, as the headers of a request name it. */
export interface Caller {
  readonly tenant: string
  readonly role: string
}

export const sessionOfCaller: NonNullable<SqlProviderOptions<Caller>['session']> = ({ tenant, role }) => ({
  role,
  settings: { 'app.tenant': tenant },
})

/** Creates the tables and their policies. */
export async function createPolicyTables(db: AnyDatabase): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

type Definition = NonNullable<(typeof policyModel)['definition']>
type Provided = SqlProvider<typeof policyModel, Caller>

/** A service whose callers see the rows of their tenant. */
export class PolicyService {
  private constructor(
    readonly server: TestServer,
    readonly provider: Provided,
    /** The failures that the service has reported. */
    readonly errors: readonly unknown[],
  ) {}

  static async start(
    db: AnyDatabase,
    options: Partial<SqlProviderOptions<Caller, typeof policyModel>> = {},
    serviceOptions: Partial<ODataV2Options<Caller>> = {},
  ): Promise<PolicyService> {
    const seen = async (call: Pick<ProviderCall, 'changeSet'>): Promise<string> => {
      const { rows } = await sql<{
        seen: string
      }>`select string_agg(distinct "Tenant", ',') || ' ' || current_user as seen from "Notes"`.execute(
        provider.connectionOf(call),
      )
      return String(rows[0]?.seen)
    }
    const provider: Provided = sqlProvider<Definition, Caller>(policyModel, db, {
      session: sessionOfCaller,
      functions: {
        Seen: (_parameters, _caller, call) => seen(call),
        Marked: async (_parameters, _caller, call) => {
          await sql`update "Notes" set "Text" = 'marked' where "ID" < 3`.execute(provider.connectionOf(call))
          return seen(call)
        },
        Begun: async (_parameters, _caller, call) => {
          await provider
            .connectionOf(call)
            .transaction()
            .execute(() => Promise.resolve())
          return 'begun'
        },
      },
      ...options,
    })
    await provider.ready()
    const app = express()
    const errors: unknown[] = []
    const service = odataV2(policyModel, provider, {
      context: ({ headers }): Caller => ({
        tenant: String(headers['x-tenant']),
        role: String(headers['x-role']),
      }),
      onError: (error) => void errors.push(error),
      ...serviceOptions,
    })
    app.use('/s', service)
    return new PolicyService(await TestServer.start(app), provider, errors)
  }

  /** Sends a request of a caller, with JSON. */
  async send(
    method: string,
    path: string,
    tenant: string,
    body?: object,
    role = 'policy_user',
  ): Promise<{ readonly status: number; readonly text: string }> {
    return this.server.send(`/s/${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Tenant': tenant,
        'X-Role': role,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}

/** Returns the user and the setting that every connection of a pool has, as a set. */
export async function leftovers(db: AnyDatabase, connections: number): Promise<ReadonlySet<string>> {
  const found = Array.from({ length: connections }, () =>
    db.connection().execute(async (connection) => {
      const { rows } = await sql<{
        left: string
      }>`select current_user || ':' || coalesce(current_setting('app.tenant', true), '') || ':' ||
        current_setting('transaction_read_only') as left, pg_sleep(0.05)`.execute(connection)
      return String(rows[0]?.left)
    }),
  )
  return new Set(await Promise.all(found))
}

/** Opens a database with the tables. */
export async function openPolicyDatabase(
  server: PostgresServer,
  max = 10,
  use?: (pool: pg.Pool) => PostgresPool,
): Promise<AnyDatabase> {
  const db = server.connect(await server.newDatabase(), { max }, use)
  await createPolicyTables(db)
  return db
}
