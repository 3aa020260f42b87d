import Database from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import type { Provider } from '../../lib/index.js'
import { createTables, sqlProvider } from '../../lib/sql.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Team: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), Label: edm.String() },
      navigationProperties: {
        Members: { relationship: 'TeamMembers', fromRole: 'Team', toRole: 'Member' },
        Friends: { relationship: 'Friends', fromRole: 'One', toRole: 'Other' },
      },
    },
    Member: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), TeamID: edm.Int32() },
    },
  },
  associations: {
    TeamMembers: {
      ends: { Team: { type: 'Team', multiplicity: '0..1' }, Member: { type: 'Member', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Team', properties: ['ID'] },
        dependent: { role: 'Member', properties: ['TeamID'] },
      },
    },
    Friends: {
      ends: { One: { type: 'Team', multiplicity: '*' }, Other: { type: 'Team', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: { Teams: { entityType: 'Team' }, Members: { entityType: 'Member' } },
    associationSets: {
      TeamFriends: { association: 'Friends', ends: { One: 'Teams', Other: 'Teams' } },
      TeamMembers: { association: 'TeamMembers', ends: { Team: 'Teams', Member: 'Members' } },
    },
  },
})

const rows = {
  Teams: [
    { ID: 1, Name: 'A' },
    { ID: 2, Name: 'B' },
  ],
  Members: [{ ID: 1, TeamID: 1 }],
}

const headers = { accept: 'application/json', 'content-type': 'application/json' }

describe('Services of one model', () => {
  let server: TestServer | undefined
  const serve = async (services: Readonly<Record<string, ReturnType<typeof odataV2>>>): Promise<void> => {
    const app = express()
    for (const [name, service] of Object.entries(services)) app.use(`/${name}`, service)
    server = await TestServer.start(app)
  }
  const send = async (
    path: string,
    method = 'GET',
    body?: unknown,
  ): Promise<{ status: number; d: never }> => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const { status, text } = await (server as TestServer).send(path, init)
    return { status, d: (text === '' ? undefined : JSON.parse(text).d) as never }
  }
  const idsAt = async (path: string): Promise<readonly number[]> => {
    const { d } = await send(path)
    return (d as { results: { ID: number }[] }).results.map(({ ID }) => ID)
  }

  afterEach(() => server?.stop())

  it.each([
    ['memory', () => Promise.resolve(memoryProvider(model, rows))],
    ['SQLite', sqliteProvider],
  ])('MUST have the rows and links of their own provider, %s', async (_name, open) => {
    const [first, second] = [await open(), await open()] as [Provider, Provider]
    await serve({ first: odataV2(model, first), second: odataV2(model, second) })
    expect(await send('/first/Members', 'POST', { ID: 7, TeamID: 2 })).toMatchObject({ status: 201 })
    expect(await send('/first/Teams(1)/$links/Friends', 'POST', { uri: 'Teams(2)' })).toMatchObject({
      status: 204,
    })
    expect(await idsAt('/first/Teams(2)/Members')).toEqual([7])
    expect(await idsAt('/second/Teams(2)/Members')).toEqual([])
    expect(await idsAt('/first/Teams(1)/Friends')).toEqual([2])
    expect(await idsAt('/second/Teams(1)/Friends')).toEqual([])
    // Deleting a team finds the members of its own service only.
    expect((await send('/second/Teams(2)', 'DELETE')).status).toBe(204)
    expect(await idsAt('/first/Teams')).toEqual([1, 2])
    expect(await idsAt('/second/Teams')).toEqual([1])
    expect((await send('/second/Members', 'POST', { ID: 7, TeamID: 2 })).status).toBe(409)
  })

  it('MUST have their own options', async () => {
    const provider = memoryProvider(model, rows)
    await serve({
      limited: odataV2(model, provider, { pageSize: 1, readOnly: true }),
      computed: odataV2(model, provider, {
        computed: { Teams: { Label: { expression: "concat('Team ',Name)" } } },
      }),
      hidden: odataV2(model, provider, { authorize: () => ({ hidden: ['Name'] }) }),
      filtered: odataV2(model, provider, { authorize: () => 'ID eq 2' }),
      plain: odataV2(model, provider),
    })
    const team = async (name: string, id = 1): Promise<unknown> => (await send(`/${name}/Teams(${id})`)).d
    expect(await idsAt('/limited/Teams')).toEqual([1])
    expect(await idsAt('/filtered/Teams')).toEqual([2])
    expect(await idsAt('/plain/Teams')).toEqual([1, 2])
    expect(await team('hidden')).not.toHaveProperty('Name')
    expect(await team('computed')).toMatchObject({ Name: 'A', Label: 'Team A' })
    expect(await team('plain')).toMatchObject({ Name: 'A', Label: null })
    expect((await send('/limited/Teams', 'POST', { ID: 3 })).status).toBe(405)
    expect((await send('/plain/Teams', 'POST', { ID: 3 })).status).toBe(201)
  })

  it('MUST have their own entity sets if an application replaces one', async () => {
    const [first, second] = [memoryProvider(model, rows), memoryProvider(model, rows)]
    Object.assign(first.entitySets, { Teams: { ...first.entitySets.Teams, read: () => [{ ID: 9 }] } })
    await serve({ first: odataV2(model, first), second: odataV2(model, second) })
    expect(await idsAt('/first/Teams')).toEqual([9])
    expect(await idsAt('/second/Teams')).toEqual([1, 2])
  })

  it('MUST each report errors of their own options', () => {
    const wrong = { computed: { Teams: { ID: { expression: '1' } } } } as never
    const provider = memoryProvider(model)
    expect(() => odataV2(model, provider, wrong)).toThrow("'ID' of 'Team' cannot be computed")
    expect(() => odataV2(model, provider)).not.toThrow()
    expect(() => odataV2(model, provider, wrong)).toThrow("'ID' of 'Team' cannot be computed")
  })
})

async function sqliteProvider(): Promise<Provider> {
  const database = new Database(':memory:')
  const db = new Kysely<Record<string, object>>({ dialect: new SqliteDialect({ database }) })
  for (const statement of createTables(model, 'sqlite')) database.exec(statement)
  for (const row of rows.Teams) await db.insertInto('Teams').values(row).execute()
  for (const row of rows.Members) await db.insertInto('Members').values(row).execute()
  return sqlProvider(model, db)
}
