import { followRights, TenantDatabases } from '../support/followed-rights.js'
import { runs, seed } from '../support/random.js'
import { openMysql } from '../support/sql/mysql-server.js'

describe('Users of two tenants who follow delta links while their rights change', () => {
  const tenants = new TenantDatabases('mariadb', async () => ({ db: await openMysql() }))
  afterAll(() => tenants.close())

  const titles = Array.from({ length: runs(100) }, (_, index) => seed * 1000 + index)

  it.each(titles)('MUST have the entities of MariaDB that they may see: run %d', async (run) => {
    expect(await followRights(tenants.open, run)).toEqual([])
  })
})
