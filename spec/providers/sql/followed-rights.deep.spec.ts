import { memoryProvider, ODataError } from '../../../lib/index.js'
import { deltaData, deltaModel } from '../../support/delta-model.js'
import type { DeltaProvider, OpenTenant } from '../../support/followed-rights.js'
import { followRights, TenantDatabases } from '../../support/followed-rights.js'
import { runs, seed } from '../../support/random.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const rowsOf = (tenant: string): typeof deltaData => ({
  ...deltaData,
  Products: deltaData.Products.map((row) => ({ ...row, Name: `${tenant} ${row.Name}` })),
})
const inMemory: OpenTenant = (tenant) =>
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
    expect(await followRights(inMemory, run)).toEqual([])
  })

  it.each(titles)('MUST have the entities of SQLite that they may see: run %d', async (run) => {
    const tenants = new TenantDatabases('sqlite', () => Promise.resolve(openSqlite(run % 2 === 0)))
    expect(await followRights(tenants.open, run)).toEqual([])
    await tenants.close()
  })

  it('MUST have the entities of PostgreSQL that they may see', async () => {
    const postgres = PostgresServer.shared()
    const tenants = new TenantDatabases('postgres', async () => ({
      db: postgres.connect(await postgres.newDatabase()),
    }))
    for (const run of titles) expect(await followRights(tenants.open, run)).toEqual([])
    await tenants.close()
    await postgres.stop()
  })

  it('MUST miss entities if a provider loses changes: these runs notice it', async () => {
    let noticed = 0
    for (const run of titles.slice(0, 10)) {
      const wrong = await followRights(async (tenant) => forgetful(await inMemory(tenant)), run)
      if (wrong.length > 0) noticed++
    }
    expect(noticed).toBeGreaterThanOrEqual(8)
  })
})
