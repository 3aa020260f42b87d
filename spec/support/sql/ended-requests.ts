import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import express from 'express'
import type { ControlledTransaction } from 'kysely'
import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { ODataError } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { batchBody, written } from '../batch-exchange.js'
import { TestServer } from '../http-exchange.js'
import { until } from '../until.js'
import { quoted } from './column-types.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'

const id = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'Ended',
  entityTypes: {
    Doc: {
      key: ['ID'],
      properties: { ID: id, Value: edm.Int32({ nullable: false }) },
      navigationProperties: {
        Lines: { relationship: 'DocLines', fromRole: 'Doc', toRole: 'Line' },
        Tags: { relationship: 'DocTags', fromRole: 'Doc', toRole: 'Tag' },
      },
    },
    Line: { key: ['ID'], properties: { ID: id, DocID: edm.Int32() } },
    Tag: { key: ['ID'], properties: { ID: id } },
    File: { key: ['ID'], hasStream: true, properties: { ID: id, Name: edm.String() } },
  },
  associations: {
    DocLines: {
      ends: { Doc: { type: 'Doc', multiplicity: '0..1' }, Line: { type: 'Line', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Doc', properties: ['ID'] },
        dependent: { role: 'Line', properties: ['DocID'] },
      },
    },
    DocTags: { ends: { Doc: { type: 'Doc', multiplicity: '*' }, Tag: { type: 'Tag', multiplicity: '*' } } },
  },
  entityContainer: {
    entitySets: {
      Docs: { entityType: 'Doc' },
      Lines: { entityType: 'Line' },
      Tags: { entityType: 'Tag' },
      Files: { entityType: 'File' },
    },
    associationSets: {
      DocLines: { association: 'DocLines', ends: { Doc: 'Docs', Line: 'Lines' } },
      DocTags: { association: 'DocTags', ends: { Doc: 'Docs', Tag: 'Tags' } },
    },
    functionImports: { Raise: { httpMethod: 'POST' } },
  },
})

/** The tables of the model, with a row of each. */
export function endedTables(kind: DatabaseKind): readonly string[] {
  const binary = { sqlite: 'blob', postgres: 'bytea', mysql: 'longblob' }[kind]
  const tables = [
    'create table "Docs" ("ID" integer primary key, "Value" integer not null)',
    'create table "Lines" ("ID" integer primary key, "DocID" integer)',
    'create table "Tags" ("ID" integer primary key)',
    'create table "DocTags" ("Doc_ID" integer not null, "Tag_ID" integer not null, primary key ("Doc_ID", "Tag_ID"))',
    `create table "Files" ("ID" integer primary key, "Name" varchar(100), "MediaContent" ${binary}, "MediaContentType" varchar(100))`,
    'insert into "Docs" values (1, 0)',
    'insert into "Lines" values (1, 1)',
    'insert into "Tags" values (1)',
    `insert into "Files" values (1, 'a', null, 'text/plain')`,
  ]
  return tables.map((one) => inDialect(one, kind))
}

/** Locks everything that the changes need. */
const locks = [
  'update "Docs" set "Value" = 9 where "ID" = 1',
  'update "Lines" set "DocID" = null where "ID" = 1',
  'update "Files" set "Name" = \'b\' where "ID" = 1',
  'insert into "Docs" values (3, 9)',
  'insert into "Files" values (2, \'b\', null, null)',
  'insert into "DocTags" values (1, 1)',
]

function inDialect(statement: string, kind: DatabaseKind): string {
  return statement.replaceAll(/"(\w+)"/g, (_, name: string) => quoted(name, kind))
}

/** A change that waits for a lock. */
interface Change {
  readonly line: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = { 'Content-Type': 'application/json' }
const text = { 'Content-Type': 'text/plain' }
const batch = { 'Content-Type': 'multipart/mixed; boundary=b' }
const line = '{"ID":4}'

const changes: readonly (readonly [name: string, change: Change])[] = [
  ['insert', { line: 'POST Docs', body: '{"ID":3,"Value":1}', headers: json }],
  [
    'deep insert',
    { line: 'POST Docs', body: '{"ID":3,"Value":1,"Lines":[{"ID":4},{"ID":5}]}', headers: json },
  ],
  ['MERGE', { line: 'MERGE Docs(1)', body: '{"Value":1}', headers: json }],
  ['PUT', { line: 'PUT Docs(1)', body: '{"ID":1,"Value":1}', headers: json }],
  ['PUT of a property', { line: 'PUT Docs(1)/Value/$value', body: '1', headers: text }],
  ['DELETE', { line: 'DELETE Docs(1)' }],
  ['DELETE of an entity that no other refers to', { line: 'DELETE Lines(1)' }],
  ['POST to $links', { line: 'POST Docs(1)/$links/Tags', body: '{"uri":"Tags(1)"}', headers: json }],
  ['DELETE of $links', { line: 'DELETE Docs(1)/$links/Lines(1)' }],
  ['media insert', { line: 'POST Files', body: 'x', headers: text }],
  ['media update', { line: 'PUT Files(1)/$value', body: 'x', headers: text }],
  [
    'change set',
    {
      line: 'POST $batch',
      body: batchBody([written('POST Lines', line), written('MERGE Docs(1)', '{"Value":1}')]),
      headers: batch,
    },
  ],
  [
    'queued inserts of a change set',
    {
      line: 'POST $batch',
      body: batchBody([written('POST Lines', line), written('POST Docs', '{"ID":3,"Value":1}')]),
      headers: batch,
    },
  ],
  [
    'single change of a change set',
    { line: 'POST $batch', body: batchBody([written('MERGE Docs(1)', '{"Value":1}')]), headers: batch },
  ],
  ['function import', { line: 'POST Raise' }],
]

/** How a kind of database is opened for a service, and by another client. */
interface EndedDatabases {
  readonly kind: DatabaseKind
  readonly open: () => Promise<OpenedDatabases>
}

interface OpenedDatabases {
  readonly own: AnyDatabase
  /** The number of connections of `own`. */
  readonly connections: number
  readonly options?: Pick<SqlProviderOptions, 'pool'>
  /** A connection of another client; `own` for a database with one connection. */
  readonly other: AnyDatabase
  /** Counts the statements that other connections run. */
  readonly running?: () => Promise<number>
  readonly close: () => Promise<void>
}

/** States that no change is stored after its request has ended, also if all connections of the pool are in use. */
export function describeEndedRequests({ kind, open }: EndedDatabases): void {
  describe(`Changes whose request ends while the pool has no free connection: ${kind}`, () => {
    let databases: OpenedDatabases
    let server: TestServer
    let received: number
    let errors: ODataError[]
    let blocker: ControlledTransaction<never> | undefined

    beforeEach(async () => {
      databases = await open()
      received = 0
      errors = []
    })

    afterEach(async () => {
      await blocker?.rollback().execute()
      blocker = undefined
      await server.stop()
      await databases.close()
    })

    const serve = async (requestTime: number): Promise<void> => {
      const { own, options } = databases
      const raise = inDialect('update "Docs" set "Value" = 1 where "ID" = 1', kind)
      const provider = sqlProvider(model, own, {
        ...options,
        functions: {
          Raise: (_parameters, _context, { signal }) =>
            own.transaction().execute(async (transaction) => {
              signal.throwIfAborted()
              await sql.raw(raise).execute(transaction)
              signal.throwIfAborted()
            }),
        },
      })
      await provider.ready()
      const service = odataV2(model, provider, {
        limits: { requestTime },
        onError: (error) => errors.push(error),
      })
      const app = express().use((_req, _res, next) => {
        received++
        next()
      })
      server = await TestServer.start(app.use('/s', service))
    }

    const block = async (): Promise<void> => {
      const transaction = await databases.other.startTransaction().execute()
      for (const lock of locks) await sql.raw(inDialect(lock, kind)).execute(transaction)
      blocker = transaction as unknown as ControlledTransaction<never>
    }

    const unblock = async (): Promise<void> => {
      await blocker?.rollback().execute()
      blocker = undefined
      // Connections are handed out in the order of the calls, so that no request waits for one any more.
      const all = Array.from({ length: databases.connections }, () =>
        databases.own.startTransaction().execute(),
      )
      for (const one of await Promise.all(all)) await one.rollback().execute()
    }

    const send = ({ line: requestLine, body, headers }: Change): ClientRequest => {
      const [method, path = ''] = requestLine.split(' ')
      const outgoing = request({
        host: '127.0.0.1',
        port: server.port,
        agent: false,
        method,
        path: `/s/${path}`,
        headers,
      })
      outgoing.on('error', () => undefined)
      return outgoing.end(body)
    }

    const statusOf = async (outgoing: ClientRequest): Promise<number> => {
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
      let content = ''
      for await (const chunk of incoming) content += String(chunk)
      const [, inner] = /HTTP\/1\.1 (\d+)/.exec(content) ?? []
      return Number(inner ?? incoming.statusCode)
    }

    const sendToFullPool = (change: Change): readonly ClientRequest[] =>
      Array.from({ length: databases.connections + 2 }, () => send(change))

    const noneIsRunning = async (): Promise<void> => {
      const { running } = databases
      if (running !== undefined) await until(async () => (await running()) === 0)
    }

    const rows = async (): Promise<unknown> => {
      const tables = ['Docs', 'Lines', 'DocTags', 'Files'].map(async (table) => {
        const { rows: found } = await sql
          .raw<object>(inDialect(`select * from "${table}" order by 1`, kind))
          .execute(databases.own)
        return found.map((row) => Object.values(row).map((value) => (value === null ? null : String(value))))
      })
      return Promise.all(tables)
    }

    const untouched = [[['1', '0']], [['1', '1']], [], [['1', 'a', null, 'text/plain']]]

    it.each(changes)('MUST NOT be stored when the clients disconnect: %s', async (_name, change) => {
      await serve(0)
      await block()
      const sent = sendToFullPool(change)
      const { connections, running } = databases
      await until(() => received === sent.length)
      if (running !== undefined) await until(async () => (await running()) === connections)
      for (const one of sent) one.destroy()
      await server.waitForDisconnects()
      if (change.line !== 'POST Raise') await noneIsRunning()
      await unblock()
      expect(await rows()).toEqual(untouched)
      expect(errors).toEqual([])
      expect(await statusOf(send(change))).toBeLessThan(300)
    })

    it.each(changes)('MUST NOT be stored after a response with 503: %s', async (_name, change) => {
      await serve(300)
      await block()
      const statuses = await Promise.all(sendToFullPool(change).map(statusOf))
      expect(new Set(statuses)).toEqual(new Set([503]))
      if (change.line !== 'POST Raise') await noneIsRunning()
      await unblock()
      expect(await rows()).toEqual(untouched)
      expect(errors.map(({ details }) => details.limit)).toEqual(statuses.map(() => 'requestTime'))
      expect(await statusOf(send(change))).toBeLessThan(300)
    })
  })
}
