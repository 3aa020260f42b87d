import { randomBytes } from 'node:crypto'
import express from 'express'
import type { Kysely } from 'kysely'
import type { Authorize, Provider } from '../../lib/index.js'
import { filter, odataV2, tenants } from '../../lib/index.js'
import { Replica } from './delta-client.js'
import { deltaModel } from './delta-model.js'
import { getOrCreate } from '../../lib/util/get-or-create.js'
import type { AnyKysely } from '../../lib/providers/sql/dialect-of.js'
import type { SqlProviderOptions } from '../../lib/sql.js'
import { TestServer } from './http-exchange.js'
import { createDeltaTables, deltaProvider } from './sql/delta-tables.js'
import type { Random } from './sql/random-writer.js'
import { randomOf } from './sql/random-writer.js'

export type DeltaProvider = Provider<typeof deltaModel>
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
export type OpenTenant = (tenant: string) => Promise<DeltaProvider>

/** Two tenants with providers of one kind, and two users of each whose rights change. */
class Shops {
  private constructor(
    readonly server: TestServer,
    /** Indexes of rights by tenant and user. */
    private readonly rightsOf: Map<string, number>,
  ) {}

  static async start(open: OpenTenant): Promise<Shops> {
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
export async function followRights(open: OpenTenant, run: number): Promise<unknown[]> {
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

interface TenantDatabase {
  readonly db: AnyKysely
  readonly options?: SqlProviderOptions
}

/** Opens databases of tenants once, with their names in the rows, for several runs. */
export class TenantDatabases {
  private readonly opened = new Map<string, Promise<TenantDatabase>>()

  constructor(
    private readonly kind: 'sqlite' | 'postgres' | 'mariadb',
    private readonly openDatabase: () => Promise<TenantDatabase>,
  ) {}

  readonly open: OpenTenant = async (tenant) => {
    const { db, options } = await getOrCreate(this.opened, tenant, () => this.create(tenant))
    return deltaProvider(db, options)
  }

  async close(): Promise<void> {
    for (const opened of this.opened.values()) await (await opened).db.destroy()
  }

  private async create(tenant: string): Promise<TenantDatabase> {
    const opened = await this.openDatabase()
    await createDeltaTables(opened.db, this.kind)
    const tables = opened.db as Kysely<{ Products: { Name: string } }>
    await tables.updateTable('Products').set({ Name: tenant }).execute()
    return opened
  }
}
