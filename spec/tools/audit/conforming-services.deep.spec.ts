import type { Provider } from '../../../lib/index.js'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../../lib/index.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import { northwindInSqlite } from '../../../sample-app/northwind-sql/northwind-database.js'
import { northwindTotalsModel, northwindTotalsOptions } from '../../support/services/northwind-totals.js'
import type { ServedService } from '../../support/audited-services.js'
import { demandConformance, serve } from '../../support/audited-services.js'

let served: ServedService | undefined

afterEach(async () => {
  await served?.close()
})

describe('The services of this package', () => {
  it('MUST pass with CSRF tokens', async () => {
    served = await serve(
      odataV2(
        northwindModel,
        memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
        { csrf: true },
      ),
    )
    const checks = ['ODATA-BATCH', 'ODATA-WRITE-001', 'ODATA-WRITE-003']
    expect((await demandConformance(served.root, { write: true, checks })).skipped).toBe(0)
  })

  it('MUST pass every check, including writes, with SQLite', async () => {
    const database = await northwindInSqlite(':memory:')
    // The rows of the totals are those of the orders.
    const entitySets = { ...database.provider.entitySets, OrderTotals: { read: () => [] } }
    const provider: Provider = { ...database.provider, entitySets }
    served = await serve(odataV2(northwindTotalsModel, provider, northwindTotalsOptions))
    try {
      expect((await demandConformance(served.root, { write: true })).skipped).toBeLessThan(5)
    } finally {
      await database.close()
    }
  })

  it.each([1, 2])('MUST pass every check with pages of %i', async (size) => {
    served = await serve(
      odataV2(
        northwindModel,
        memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
        {
          pageSize: size,
        },
      ),
    )
    expect((await demandConformance(served.root, { write: true })).passed).toBeGreaterThan(200)
  })

  it('MUST pass every check with files', async () => {
    served = await serve(odataV2(fileModel, fileProvider('sample-app/public-files'), { pageSize: 4 }))
    expect((await demandConformance(served.root)).passed).toBeGreaterThan(100)
  })
})
