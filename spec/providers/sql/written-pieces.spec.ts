import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { OwnLoggedDatabase } from '../../support/sql/logged-database.js'
import { openLogged } from '../../support/sql/logged-database.js'

const count = 60
const length = 10_000

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Note: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Body: edm.String({ nullable: false }) },
    },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

describe.each(['sqlite', 'postgres'] as const)('Long entities that %s writes', (kind) => {
  let logged: OwnLoggedDatabase
  let server: TestServer

  beforeAll(async () => {
    logged = await openLogged(kind)
    const { db } = logged
    await sql`create table "Notes" ("ID" integer primary key, "Body" text not null)`.execute(db)
    for (let id = 1; id <= count; id++) {
      await sql`insert into "Notes" values (${id}, ${`${String(id)} `.repeat(length).slice(0, length)})`.execute(
        db,
      )
    }
    const app = express()
    for (const rendering of [true, false]) {
      const provider = sqlProvider(model, db, { rendering })
      await provider.ready()
      app.use(rendering ? '/written' : '/read', odataV2(model, provider))
    }
    server = await TestServer.start(app)
  })
  afterAll(async () => {
    await server.stop()
    await logged.close()
  })

  /** The entities of a feed, and how many statements wrote some of them. */
  async function ask(path: string): Promise<readonly [entities: unknown, statements: number]> {
    logged.statements()
    const { status, text } = await server.ask(path, { headers: { Accept: 'application/json' } })
    expect(status).toBe(200)
    const all = logged.statements()
    const written = all.filter((one) => / as "written"|^select x as "text"/.test(one)).length
    return [JSON.parse(text.replaceAll(/\/(written|read)\//g, '/')), written]
  }

  it('MUST come in pieces of about 100 kB where their text is a value of JavaScript', async () => {
    const [read, none] = await ask('/read/Notes')
    expect(none).toBe(0)
    // How long they are is known once some have been written.
    expect(await ask('/written/Notes')).toEqual([read, 1])
    const pieces = Math.ceil(count / Math.floor(100_000 / (length + 100)))
    expect(await ask('/written/Notes')).toEqual([read, kind === 'postgres' ? pieces : 1])
  })

  it('MUST come by one statement where their order is another than that of the key', async () => {
    const path = 'Notes?$orderby=Body%20desc&$top=50'
    const [read] = await ask(`/read/${path}`)
    for (let times = 0; times < 2; times++) expect(await ask(`/written/${path}`)).toEqual([read, 1])
  })
})
