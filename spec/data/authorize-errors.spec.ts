import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import {
  defineModel,
  edm,
  fileModel,
  fileProvider,
  filter,
  memoryProvider,
  odataV2,
} from '../../lib/index.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import type { FunctionHandler, Provider } from '../../lib/provider/provider.js'
import { LiveServer } from '../support/live-server.js'
import type { AnyDatabase, DatabaseKind } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { writeDatabase } from '../support/sql/write-database.js'

const model = defineModel({
  namespace: 'Archive',
  entityTypes: {
    Folder: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Owner: edm.String(), Title: edm.String() },
      navigationProperties: {
        Docs: { relationship: 'FolderDocs', fromRole: 'Folder', toRole: 'Docs' },
      },
    },
    Doc: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Owner: edm.String(),
        Body: edm.String(),
        Price: edm.Decimal({ precision: 58, scale: 0 }),
        FolderID: edm.Int32(),
      },
      navigationProperties: {
        Folder: { relationship: 'FolderDocs', fromRole: 'Docs', toRole: 'Folder' },
      },
    },
  },
  associations: {
    FolderDocs: {
      ends: {
        Folder: { type: 'Folder', multiplicity: '0..1' },
        Docs: { type: 'Doc', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Folder', properties: ['ID'] },
        dependent: { role: 'Docs', properties: ['FolderID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Folders: { entityType: 'Folder' }, Docs: { entityType: 'Doc' } },
    associationSets: {
      FoldersDocs: { association: 'FolderDocs', ends: { Folder: 'Folders', Docs: 'Docs' } },
    },
    functionImports: {
      AllDocs: { returnType: 'Collection(Doc)', entitySet: 'Docs', httpMethod: 'GET' },
    },
  },
})

type Rows = Readonly<Record<'Folders' | 'Docs', readonly Readonly<Record<string, unknown>>[]>>

const huge = `9${'0'.repeat(50)}`
const rows: Rows = {
  Folders: [
    { ID: 1, Owner: 'ada', Title: 'Plans' },
    { ID: 2, Owner: 'ben', Title: 'SECRET' },
    { ID: 3, Owner: 'cy', Title: 'EEE' },
  ],
  Docs: [
    { ID: 1, Owner: 'ada', Body: 'short', Price: '5', FolderID: 1 },
    { ID: 2, Owner: 'ben', Body: 'SECRET', Price: huge, FolderID: 1 },
    { ID: 3, Owner: 'ada', Body: 'long', Price: '7', FolderID: 2 },
    { ID: 4, Owner: 'cy', Body: 'EEE', Price: huge, FolderID: 3 },
    { ID: 5, Owner: 'ada', Body: null, Price: null, FolderID: null },
    { ID: 6, Owner: 'ben', Body: 'SECRET', Price: huge, FolderID: 2 },
  ],
}

/** Exceeds the maximum length of strings where the value contains an E. */
const growing = (path: string): string =>
  `length(${'replace('.repeat(6)}${path}${",'E','EEEEEEEEEE')".repeat(6)}) gt 0`

const guess = `startswith(Body,'SEC') and ${growing('Body')}`
const product = `Price mul ${huge}M gt 0M`

const query = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

const filters = [
  guess,
  `${growing('Body')} and startswith(Body,'SEC')`,
  `not (${growing('Body')})`,
  product,
  growing('Folder/Title'),
  `Folder/Title eq 'SECRET' or ${growing('Folder/Title')}`,
]
const paths = [
  ...filters.flatMap(($filter) => [
    `/Docs?${query({ $filter })}`,
    `/Docs?${query({ $filter, $orderby: 'Body desc', $top: '2' })}`,
    `/Docs?${query({ $filter, $inlinecount: 'allpages', $top: '1' })}`,
    `/Docs/$count?${query({ $filter })}`,
    `/Folders(1)/Docs?${query({ $filter })}`,
    `/Folders(1)/Docs/$count?${query({ $filter })}`,
    `/Folders(1)/$links/Docs?${query({ $filter })}`,
    `/Docs(2)?${query({ $filter })}`,
    `/Docs(4)?${query({ $filter })}`,
    `/AllDocs?${query({ $filter })}`,
  ]),
  `/Docs?${query({ $orderby: `${growing('Body')} desc` })}`,
  `/Docs?${query({ $orderby: `Price mul ${huge}M` })}`,
  `/Docs?${query({ $orderby: `Price mul ${huge}M`, $skiptoken: `1M,1` })}`,
  `/Docs?${query({ $orderby: growing('Folder/Title') })}`,
  `/Folders?${query({ $filter: growing('Title'), $expand: 'Docs' })}`,
  `/Docs(1)/Folder?${query({ $filter: growing('Title') })}`,
  `/Docs(3)/Folder?${query({ $filter: growing('Title') })}`,
]

interface Store {
  readonly provider: Provider
  readonly close?: () => Promise<void>
}

const functionsOf = ({ Docs }: Rows): { AllDocs: FunctionHandler<unknown, object, never> } => ({
  AllDocs: () => Docs as never,
})

async function inDatabase(db: AnyDatabase, kind: DatabaseKind, data: Rows): Promise<Store> {
  const provider = await writeDatabase(db, kind, model, data, {}, { functions: functionsOf(data) })
  return { provider: provider as unknown as Provider, close: () => db.destroy() }
}

const postgres = PostgresServer.shared()
afterAll(() => postgres.stop())

const stores: Readonly<Record<string, (data: Rows) => Store | Promise<Store>>> = {
  memoryProvider: (data) => ({
    provider: memoryProvider(model, data as never, {
      functions: functionsOf(data),
    }) as unknown as Provider,
  }),
  'a provider that only reads': (data) => ({
    provider: {
      entitySets: { Docs: { read: () => data.Docs }, Folders: { read: () => data.Folders } },
      functions: functionsOf(data),
    } as unknown as Provider,
  }),
  SQLite: (data) =>
    inDatabase(
      new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) }),
      'sqlite',
      data,
    ),
  PostgreSQL: async (data) => inDatabase(await postgres.open(), 'postgres', data),
}

const root = 'http://archive.test/'

describe.each(Object.entries(stores))('Errors of expressions, over %s,', (_name, open) => {
  let server: LiveServer
  const opened: Store[] = []

  const mount = async (name: string, data: Rows, authorize?: Authorize<string>): Promise<void> => {
    const store = await open(data)
    opened.push(store)
    const service = odataV2(model as never, store.provider as Provider<never, string>, {
      serviceRoot: root,
      context: (req) => String(req.headers['x-user']),
      ...(authorize && { authorize }),
    })
    server.mount(name, service)
  }

  beforeAll(async () => {
    server = await LiveServer.start()
    await mount('hidden', rows, (operation, user) =>
      operation.kind === 'function' && operation.entitySet === undefined
        ? undefined
        : filter`Owner eq ${user}`,
    )
    for (const user of ['ada', 'cy']) {
      const own = (some: Rows['Docs']): Rows['Docs'] => some.filter(({ Owner }) => Owner === user)
      await mount(user, { Folders: own(rows.Folders), Docs: own(rows.Docs) })
    }
  })

  afterAll(async () => {
    for (const store of opened) await store.close?.()
    await server.close()
  })

  const response = async (name: string, path: string, user: string): Promise<unknown> => {
    const headers = { Accept: 'application/json,text/plain;q=0.5', 'X-User': user }
    const { status, text } = await server.get(`/${name}${path}`, headers)
    return { status, text }
  }

  it.each(paths)(
    'MUST be those of a service whose data do not contain the hidden entities: %s',
    async (path) => {
      for (const user of ['ada', 'cy']) {
        expect({ user, ...Object(await response('hidden', path, user)) }).toEqual({
          user,
          ...Object(await response(user, path, user)),
        })
      }
    },
  )

  it('MUST still be reported for entities that the caller may see', async () => {
    const path = `/Docs?${query({ $filter: growing('Body') })}`
    expect(await response('hidden', path, 'cy')).toMatchObject({ status: 400 })
  })
})

describe('A file whose path the caller may not see', () => {
  it('MUST NOT be named by the error of an expression', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hidden-files-'))
    mkdirSync(join(directory, 'private'))
    writeFileSync(join(directory, 'private', 'EEE.txt'), 'x')
    writeFileSync(join(directory, 'open.txt'), 'x')
    const server = await LiveServer.start()
    try {
      const provider = fileProvider(directory)
      const authorize = (): string => "not startswith(path,'/private')"
      server.mount('files', odataV2(fileModel, provider, { authorize }))
      for (const $orderby of ['path', 'size']) {
        const path = `/files/Files?${query({ $filter: growing('path'), $orderby })}`
        expect([$orderby, (await server.get(path)).status]).toEqual([$orderby, 200])
      }
    } finally {
      await server.close()
      rmSync(directory, { recursive: true })
    }
  })
})
