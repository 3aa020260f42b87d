import { seed } from '../../support/random.js'
import { bundleSqlService, killServicesOn, removeSqlService } from '../../support/sql/killed-services.js'

beforeAll(bundleSqlService)
afterAll(removeSqlService)

describe('A service that is killed in the middle of change sets', () => {
  it.each(['sqlite', 'postgres'] as const)('MUST leave whole ones on %s', async (kind) => {
    const found = await killServicesOn(kind, 30)
    console.log('killed services on %s, seed %d: %o', kind, seed, found)
    expect({ ...found, seed }).toEqual({ ...found, seed, torn: 0, lost: 0 })
    expect(found.whole).toBeGreaterThan(0)
    expect(found.responded).toBeGreaterThan(0)
  })
})
