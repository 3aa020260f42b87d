import { readdirSync } from 'node:fs'
import * as diagnostics from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { Server } from 'node:net'
import { transformSync } from '@swc/core'
import type { Express } from 'express'
import express from 'express'
import request from 'supertest'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import * as library from '../lib/index.js'
import * as sql from '../lib/sql.js'
import * as v2 from '../lib/v2.js'
import * as v4 from '../lib/v4.js'
import { curlCalls, moduleOf } from './support/documentation.js'

const guides = readdirSync('docs').filter((name) => name.endsWith('.md'))
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)]

/** Channels are global to the process: a subscriber of one document would receive the events of later specs. */
const silent = {
  ...diagnostics,
  channel: (name: string) => ({ subscribe: () => undefined, name: diagnostics.channel(name).name }),
}

const tracingForNow: typeof library.tracing = (api) => {
  const stop = library.tracing(api)
  stop()
  return stop
}

/** The variables that the code of a document has assigned. */
interface Outcome {
  readonly apps: Express[]
  /** The tests that a document shows, each with what comes before it. */
  readonly tests: { readonly name: string; readonly test: () => Promise<void> }[]
}

/** Databases that documents open. */
const openDatabase: typeof sql.openDatabase = async (_source, options) => {
  const database = new SQLite(':memory:')
  database.exec(`
    create table categories (id integer primary key, name varchar(40) not null);
    create table products (
      id integer primary key,
      name varchar(80) not null,
      unit_price decimal(10, 2),
      currency char(3),
      released date,
      organic boolean not null,
      category_id integer references categories(id)
    );
    insert into categories values (1, 'Cheese');
  `)
  return sql.openDatabase(new Kysely({ dialect: new SqliteDialect({ database }) }), options)
}

/** The V2 services that documents open. */
const openV2: typeof v2.openV2 = (url, options) =>
  v2.openV2(url, {
    ...options,
    fetch: () =>
      Promise.resolve(
        new Response(`<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>
          <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
            <EntityType Name="Order">
              <Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            </EntityType>
            <EntityContainer Name="Container"><EntitySet Name="Orders" EntityType="Shop.Order"/></EntityContainer>
          </Schema>
        </edmx:DataServices></edmx:Edmx>`),
      ),
  })

/** The V4 services that documents open. */
const openV4: typeof v4.openV4 = (url, options) =>
  v4.openV4(url, {
    ...options,
    fetch: () =>
      Promise.resolve(
        new Response(`<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
          <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Book">
              <Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            </EntityType>
            <EntityContainer Name="Container"><EntitySet Name="Books" EntityType="Shop.Book"/></EntityContainer>
          </Schema>
        </edmx:DataServices></edmx:Edmx>`),
      ),
  })

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor

/** Runs the code of a document; nothing listens. */
async function run(file: string): Promise<Outcome> {
  const outcome: Outcome = { apps: [], tests: [] }
  const { apps, tests } = outcome
  const before: (() => unknown)[] = []
  const framework = {
    describe: (_name: string, define: () => void) => {
      define()
      before.splice(0)
    },
    beforeEach: (work: () => unknown) => before.push(work),
    it: (name: string, work: () => unknown) => {
      const steps = [...before, work]
      const test = async (): Promise<void> => {
        for (const step of steps) await step()
      }
      tests.push({ name, test })
    },
    expect,
  }
  const makeApp = Object.assign(() => {
    const app = express()
    apps.push(app)
    return app
  }, express)
  // Statements that a module awaits, such as a server that listens, are started and not awaited.
  const { code } = transformSync(moduleOf(file).replace(/^await /gm, 'void '), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const require = (name: string): unknown => {
    if (name === 'express') return { __esModule: true, default: makeApp }
    if (name === 'node:diagnostics_channel') return silent
    if (name === 'express-odata-v2/sql') return { ...sql, openDatabase }
    if (name === 'express-odata-v2/v4') return { ...v4, openV4 }
    if (name === 'express-odata-v2/v2') return { ...v2, openV2 }
    return name === 'express-odata-v2' ? { ...library, tracing: tracingForNow } : load(name)
  }
  // The code is the project's own documentation, and must run in this context to share its classes.
  const module = Reflect.construct(AsyncFunction, [
    'require',
    'exports',
    'console',
    ...Object.keys(framework),
    code,
  ]) as (...given: unknown[]) => Promise<void>
  const servers: { listen: unknown } = Server.prototype
  const { listen } = servers
  servers.listen = function (this: Server) {
    return this
  }
  try {
    await module(require, {}, { log: () => undefined }, ...Object.values(framework))
  } finally {
    servers.listen = listen
  }
  return outcome
}

describe.each(documents)('%s', (file) => {
  const calls = curlCalls(file)

  it('MUST contain code that runs', async () => {
    await expect(run(file)).resolves.toBeDefined()
  })

  if (/^\s*it\(/m.test(moduleOf(file))) {
    it('MUST contain tests that pass', async () => {
      const { tests } = await run(file)
      expect(tests).not.toEqual([])
      for (const { name, test } of tests) {
        await test().catch((error: unknown) => {
          throw new Error(name, { cause: error })
        })
      }
    })
  }

  if (calls.length > 0) {
    it.each(calls.map((call) => [call.url.pathname + call.url.search, call] as const))(
      'MUST contain requests that get a response: %s',
      async (path, { headers }) => {
        const [app] = (await run(file)).apps
        const response = await request(app as Express)
          .get(path)
          .set(headers)
        expect(response.status).toBe(200)
      },
    )
  }
})
