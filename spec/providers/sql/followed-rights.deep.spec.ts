import { randomBytes } from 'node:crypto'
import express from 'express'
import type { Authorize, Provider } from '../../../lib/index.js'
import { filter, memoryProvider, ODataError, odataV2, tenants } from '../../../lib/index.js'
import { Replica } from '../../support/delta-client.js'
import { deltaData, deltaModel } from '../../support/delta-model.js'
import { TestServer } from '../../support/http-exchange.js'
import { runs, seed } from '../../support/random.js'
import { createDeltaTables, deltaProvider, openSqlite } from '../../support/sql/delta-tables.js'
import type { Random } from '../../support/sql/random-writer.js'
import { randomOf } from '../../support/sql/random-writer.js'

type DeltaProvider = Provider<typeof deltaModel>
type Context = { readonly user: string }

const STEPS = 160
const names = ['north', 'south'] as const
const users = ['ann', 'bob'] as const
const queries = [
  'Products',
  'Products?$filter=Price%20gt%2025',
  'Products?$select=ID,Name,Owner&$orderby=Name',
]
const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

const rights: readonly (() => ReturnType<Authorize>)[] = [
  () => undefined,
  () => filter`Owner eq ${'ann'}`,
  () => filter`Owner eq ${'bob'}`,
  () => 'Price lt 40',
  () => ({ filter: 'CategoryID eq 1', hidden: ['Changed'] }),
]

/** Opens the provider of a tenant, whose rows have its name. */
type Open = (tenant: string) => Promise<DeltaProvider>

/** Two tenants with providers of one kind, and two users of each whose rights change. */
class Shops {
  private constructor(
    readonly server: TestServer,
    /** Indexes of rights by tenant and user. */
    private readonly rightsOf: Map<string, number>,
  ) {}

  static async start(open: Open): Promise<Shops> {
    const partOf = (req: express.Request, index: number): string => req.baseUrl.split('/')[index] ?? ''
    const signedLinks = { keys: [randomBytes(32)], caller: ({ user }: Context): string => user }
    const rightsOf = new Map<string, number>()
    const handler = tenants<express.Request>({
      of: (req) => partOf(req, 1),
      open: async (tenant) => {
        const context = (req: express.Request): Context => ({ user: partOf(req, 2) })
        const authorize = (_operation: unknown, { user }: Context): unknown =>
          rights[rightsOf.get(`${tenant} ${user}`) ?? 0]?.()
        const options = { pageSize: 3, context, authorize, signedLinks }
        return { service: odataV2(deltaModel, await open(tenant), options as never) }
      },
    })
    const app = express().use('/:tenant/:user', handler)
    return new Shops(await TestServer.start(app), rightsOf)
  }

  changeRights(random: Random): void {
    const caller = `${names[random(2)] ?? ''} ${users[random(2)] ?? ''}`
    this.rightsOf.set(caller, random(rights.length))
  }

  async write(random: Random): Promise<void> {
    const tenant = names[random(2)] ?? ''
    const id = random(9)
    const values = {
      Price: String(random(60)),
      Owner: random(2) === 0 ? 'ann' : 'bob',
      Name: `${tenant} ${String(random(100))}`,
      CategoryID: random(2) + 1,
    }
    const [method, path] = [
      ['POST', 'Products'],
      ['MERGE', `Products(${String(id)})`],
      ['DELETE', `Products(${String(id)})`],
    ][random(3)] as [string, string]
    const body =
      method === 'DELETE' ? undefined : JSON.stringify(method === 'POST' ? { ID: id, ...values } : values)
    const { status, text } = await this.server.send(`/${tenant}/admin/${path}`, {
      method,
      headers: json,
      ...(body !== undefined && { body }),
    })
    if (status >= 500) throw new Error(text)
  }
}

/** Lets users follow delta links while rows and rights change. Returns the copies that are wrong in the end. */
async function follow(open: Open, run: number): Promise<unknown[]> {
  const shops = await Shops.start(open)
  const { server } = shops
  const random = randomOf(run)
  const starts = names.flatMap((tenant) =>
    users.flatMap((user) => queries.map((query) => `/${tenant}/${user}/${query}`)),
  )
  const replicas = starts.map((start) => new Replica(server, start))
  const wrong: unknown[] = []
  try {
    for (let index = 0; index < STEPS; index++) {
      const choice = random(16)
      if (choice === 0) shops.changeRights(random)
      else if (choice < 9) await shops.write(random)
      else await replicas[random(replicas.length)]?.step()
    }
    for (const [index, start] of starts.entries()) {
      const replica = replicas[index]
      // The first ends what was being read.
      await replica?.synchronize()
      await replica?.synchronize()
      const fresh = new Replica(server, start)
      await fresh.synchronize()
      const [found, expected] = [replica, fresh].map((one) => one?.rows('ID', 'Name', 'Price', 'Owner'))
      const isForeign = [...(replica?.entities.values() ?? [])].some(
        ({ Name }) => !String(Name).startsWith(start.split('/')[1] ?? '?'),
      )
      if (isForeign || JSON.stringify(found) !== JSON.stringify(expected))
        wrong.push({ run, start, found, expected })
    }
  } finally {
    await server.stop()
  }
  return wrong
}

const rowsOf = (tenant: string): typeof deltaData => ({
  ...deltaData,
  Products: deltaData.Products.map((row) => ({ ...row, Name: `${tenant} ${row.Name}` })),
})
const inMemory: Open = (tenant) =>
  Promise.resolve(
    memoryProvider(deltaModel, rowsOf(tenant), { functions: { Cheap: () => [] }, changeTracking: true }),
  )

/** Loses one of the changes of some deltas. */
function forgetful(provider: DeltaProvider): DeltaProvider {
  const { Products } = provider.entitySets
  const { changes } = Products
  if (changes === undefined) throw new ODataError('NotImplemented')
  let deltas = 0
  const since: typeof changes.since = async (query, call) => {
    const all = await changes.since(query, call)
    return ++deltas % 3 === 0 ? { ...all, rows: all.rows.slice(1) } : all
  }
  const lossy = { hasEarlier: true, position: changes.position.bind(changes), since }
  return { ...provider, entitySets: { ...provider.entitySets, Products: { ...Products, changes: lossy } } }
}

const titles = Array.from({ length: runs(20) }, (_, index) => seed * 1000 + index)

describe('Users of two tenants who follow delta links while their rights change', () => {
  it.each(titles)('MUST have the entities of memory that they may see: run %d', async (run) => {
    expect(await follow(inMemory, run)).toEqual([])
  })

  it.each(titles)('MUST have the entities of SQLite that they may see: run %d', async (run) => {
    const closing: (() => Promise<void>)[] = []
    const open: Open = async (tenant) => {
      const { db, options } = openSqlite(run % 2 === 0)
      closing.push(() => db.destroy())
      await createDeltaTables(db, 'sqlite')
      const { provider } = { provider: deltaProvider(db, options) }
      const connection = provider.connectionOf<{ Products: { Name: string } }>({ changeSet: undefined })
      await connection.updateTable('Products').set({ Name: tenant }).execute()
      return provider
    }
    expect(await follow(open, run)).toEqual([])
    for (const close of closing) await close()
  })

  it('MUST miss entities if a provider loses changes: these runs notice it', async () => {
    let noticed = 0
    for (const run of titles.slice(0, 10)) {
      const wrong = await follow(async (tenant) => forgetful(await inMemory(tenant)), run)
      if (wrong.length > 0) noticed++
    }
    expect(noticed).toBeGreaterThanOrEqual(8)
  })
})
