import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { Authorize, ODataV2Options, Provider } from '../../lib/index.js'
import { defineModel, edm, germanMessages, memoryProvider, odataV2 } from '../../lib/index.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { batchBody, get, postBatch, written } from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { createTables, fillTable } from '../support/sql/model-tables.js'

const ID = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'H',
  complexTypes: { Home: { properties: { City: edm.String(), Zip: edm.String() } } },
  entityTypes: {
    Person: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String({ maxLength: 20 }),
        Salary: edm.Int32(),
        Home: { type: 'Home' },
        BossID: edm.Int32(),
        TeamID: edm.Int32(),
        Secret: edm.Boolean(),
        Version: edm.Int32({ concurrencyMode: 'Fixed' }),
        Title: edm.String({ computed: { expression: "concat(Name,concat(' of ',Team/Name))" } }),
        Rich: edm.Boolean({ computed: { expression: 'Salary gt 100' } }),
      },
      navigationProperties: {
        Boss: { relationship: 'Bosses', fromRole: 'Staff', toRole: 'Boss' },
        Team: { relationship: 'Members', fromRole: 'Member', toRole: 'Team' },
      },
    },
    Team: {
      key: ['ID'],
      properties: { ID, Name: edm.String(), Budget: edm.Int32(), Secret: edm.Boolean() },
      navigationProperties: { Members: { relationship: 'Members', fromRole: 'Team', toRole: 'Member' } },
    },
    Pay: {
      key: ['ID'],
      sap: { semantics: 'aggregate' },
      properties: {
        ID: edm.String({ nullable: false }),
        Team: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Zip: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Salary: edm.Int32({ sap: { aggregationRole: 'measure' } }),
        People: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: 'count' }),
      },
    },
  },
  associations: {
    Bosses: {
      ends: { Boss: { type: 'Person', multiplicity: '0..1' }, Staff: { type: 'Person', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Boss', properties: ['ID'] },
        dependent: { role: 'Staff', properties: ['BossID'] },
      },
    },
    Members: {
      ends: { Team: { type: 'Team', multiplicity: '0..1' }, Member: { type: 'Person', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Team', properties: ['ID'] },
        dependent: { role: 'Member', properties: ['TeamID'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      People: { entityType: 'Person' },
      Teams: { entityType: 'Team' },
      Pays: { entityType: 'Pay' },
    },
    associationSets: {
      Bosses: { association: 'Bosses', ends: { Boss: 'People', Staff: 'People' } },
      Members: { association: 'Members', ends: { Team: 'Teams', Member: 'People' } },
    },
    functionImports: {
      Best: { returnType: 'Collection(Person)', entitySet: 'People', httpMethod: 'GET' },
    },
  },
} as never) as unknown as EdmModel

/** Rows whose visible part is the same for every world. */
function rowsOf(world: number): Readonly<Record<string, readonly Record<string, unknown>[]>> {
  const person = (id: number, name: string, teamID: number | null): Record<string, unknown> => ({
    ID: id,
    Name: name,
    Salary: 100 + ((id * 7 + world * 5) % 11),
    Home: { City: `City ${id % 2}`, Zip: `secret ${(id + world) % 3}` },
    BossID: ((id + world) % 4) + 1,
    TeamID: teamID,
    Secret: false,
    Version: 1,
  })
  const hidden = Array.from({ length: 2 + world * 3 }, (_, index) => ({
    ...person(50 + index, `secret ${index}`, 1),
    Secret: true,
  }))
  return {
    People: [
      person(1, 'Ada', 1),
      person(2, 'Ben', 2),
      person(3, 'Cleo', 1),
      person(4, 'Dora', 3),
      person(5, 'Ed', null),
      ...hidden,
    ],
    Teams: [
      { ID: 1, Name: 'One', Budget: world, Secret: false },
      { ID: 2, Name: 'Two', Budget: 5 - world, Secret: false },
      { ID: 3, Name: `secret ${world}`, Budget: 1, Secret: true },
    ],
  }
}

const hidden: Readonly<Record<string, readonly string[]>> = {
  People: ['Salary', 'Home/Zip', 'BossID', 'Boss', 'Secret'],
  Teams: ['Budget', 'Secret'],
}

const authorize: Authorize = ({ entitySet = '' }) =>
  hidden[entitySet] && { filter: 'Secret eq false', hidden: hidden[entitySet] }

const options: ODataV2Options = {
  authorize,
  pageSize: 2,
  serviceRoot: 'http://hidden.test/',
  exports: true,
  explorer: true,
  languages: { default: 'en', texts: { de: { messages: germanMessages } } },
  search: { People: ['Name', 'Home/Zip', 'Team/Name'] as never },
  analytics: { Pays: { source: 'People', properties: { Team: 'Team/Name', Zip: 'Home/Zip' } } },
}

type Open = (world: number) => Promise<Provider>

const functions = (world: number): Record<string, () => unknown> => ({
  Best: () => rowsOf(world).People?.toReversed(),
})

const memory: Open = (world) =>
  Promise.resolve(
    memoryProvider(model, structuredClone(rowsOf(world)) as never, { functions: functions(world) }),
  )

const databases: AnyDatabase[] = []

const sqlite: Open = async (world) => {
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
  databases.push(db)
  await createTables(db, model, 'sqlite')
  for (const [name, rows] of Object.entries(rowsOf(world))) {
    const set = model.defaultContainer.entitySet(name)
    if (set !== undefined) await fillTable(db, set, rows, 'sqlite')
  }
  return sqlProvider(model, db, { functions: functions(world) })
}

const names = [
  ...[
    'ID',
    'Name',
    'Salary',
    'Home',
    'Home/City',
    'Home/Zip',
    'BossID',
    'TeamID',
    'Secret',
    'Version',
    'Title',
  ],
  ...[
    'Rich',
    'Boss',
    'Team',
    'Boss/Salary',
    'Team/Name',
    'Team/Budget',
    'Members',
    'Budget',
    'Zip',
    'People',
    'Nome',
  ],
]

/** Requests that may depend on hidden values, in the ways in which attackers can ask for them. */
const paths = ['People', 'Teams', 'Pays', 'Best', 'People(1)/Team/Members', 'Teams(1)/Members'].flatMap(
  (set) => [
    set,
    `${set}/$count`,
    `${set}?$inlinecount=allpages`,
    `${set}?$format=csv`,
    `${set}?$top=1&$skip=1`,
    `${set}?search=secret`,
    `${set}?search=1`,
    ...names.flatMap((name) => [
      `${set}?$select=${name}`,
      `${set}?$expand=${name}`,
      `${set}?$orderby=${name},ID desc`,
      `${set}?$orderby=${name} desc&$top=3`,
      `${set}?$filter=${name} gt 103`,
      `${set}?$filter=length(${name}) eq 8`,
      `${set}/$count?$filter=${name} eq null`,
      `${set}?$skiptoken=${name}`,
    ]),
  ],
)

const single = ['People(1)', 'People(4)', 'People(50)', 'People(54)', 'Teams(1)', 'Teams(3)'].flatMap(
  (entity) => [
    entity,
    `${entity}?$expand=Team,Boss,Members`,
    `${entity}?$expand=Members/Team`,
    ...names.flatMap((name) => [`${entity}/${name}`, `${entity}/${name}/$value`, `${entity}/$links/${name}`]),
  ],
)

const documents = ['', '$metadata', 'openapi.json', "Pays('x')"]

const json = { 'Content-Type': 'application/json', 'If-Match': '*' }

const changes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['MERGE', 'People(1)', { Name: 'x' }],
  ['PUT', 'People(1)', { ID: 1, Name: 'x', Home: { City: 'y' } }],
  ['MERGE', 'People(1)', { Salary: 5 }],
  ['MERGE', 'People(50)', { Name: 'x' }],
  ['MERGE', 'People(54)', { Name: 'x' }],
  ['DELETE', 'People(50)'],
  ['DELETE', 'People(54)'],
  ['PUT', 'People(1)/Salary', { Salary: 5 }],
  ['PUT', 'People(1)/$links/Team', { uri: 'Teams(3)' }],
  ['PUT', 'People(1)/$links/Boss', { uri: 'People(2)' }],
  ['POST', 'Teams(3)/Members', { ID: 90 }],
  ['POST', 'People', { ID: 90, Name: 'x', Boss: { ID: 91 } }],
  ['POST', 'People', { ID: 90, Name: 'x'.repeat(30) }],
  ['POST', 'People', { ID: 90, Name: 'x', Team: { __metadata: { uri: 'Teams(3)' } } }],
  ['OPTIONS', 'People(1)/Salary'],
  ['OPTIONS', 'People(54)'],
]

describe.each([
  ['memory', memory],
  ['SQLite', sqlite],
])('Data that authorize hides on %s', (_name, open) => {
  let server: TestServer
  const worlds = [0, 1]

  beforeAll(async () => {
    const app = express()
    for (const world of worlds) app.use(`/${world}`, odataV2(model, await open(world), options as never))
    server = await TestServer.start(app)
  })

  afterAll(async () => {
    await server.stop()
    for (const one of databases.splice(0)) await one.destroy()
  })

  const send = async (
    world: number,
    method: string,
    path: string,
    headers: object,
    body?: unknown,
  ): Promise<unknown> => {
    const response = await server.send(`/${world}/${encodeURI(path)}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { date: _date, ...rest } = response.headers as Record<string, unknown>
    const text = response.text.replaceAll(/<updated>[^<]*/g, '')
    return { path: `${method} ${path}`, status: response.status, headers: rest, text }
  }

  async function expectSame(method: string, path: string, headers: object, body?: unknown): Promise<string> {
    const [one, other] = await Promise.all(worlds.map((world) => send(world, method, path, headers, body)))
    expect(one).toEqual(other)
    return (one as { readonly text: string }).text
  }

  it('MUST NOT influence any response to a read', async () => {
    for (const path of [...paths, ...single, ...documents]) {
      const accept = path.includes('desc') ? 'application/atom+xml' : 'application/json'
      const headers = path === '$metadata' ? {} : { Accept: `${accept},*/*;q=0.1`, 'Accept-Language': 'de' }
      const text = await expectSame('GET', path, headers)
      if (!documents.includes(path)) expect(text).not.toMatch(/secret \d/)
      // The second response may come from the cache of pages.
      await expectSame('GET', path, headers)
      const next = /"__next":"http:\/\/hidden\.test\/([^"]*)"/.exec(text)?.[1]
      if (next !== undefined) await expectSame('GET', decodeURI(next), headers)
    }
  })

  it('MUST NOT influence any response in a batch', async () => {
    const all = [...paths, ...single]
    for (let start = 0; start < all.length; start += 100) {
      const body = batchBody(...all.slice(start, start + 100).map((path) => get(encodeURI(path))))
      const [one, other] = await Promise.all(
        worlds.map(async (world) => {
          const { text } = await postBatch(server.port, body, {}, `/${world}/$batch`)
          return text.replaceAll(/^--(\S+)/.exec(text)?.[1] ?? '', 'boundary')
        }),
      )
      expect(one).toEqual(other)
    }
  })

  it('MUST NOT influence any response to a change', async () => {
    for (const [method, path, body] of changes) await expectSame(method, path, json, body)
    const set = changes
      .slice(0, 3)
      .map(([method, path, body]) => written(`${method} ${path}`, JSON.stringify(body), { 'If-Match': '*' }))
    const [one, other] = await Promise.all(
      worlds.map(async (world) => {
        const { text } = await postBatch(server.port, batchBody(set), {}, `/${world}/$batch`)
        return text.replaceAll(/(batchresponse|changesetresponse)_[\w-]+/g, 'boundary')
      }),
    )
    expect(one).toEqual(other)
  })
})
