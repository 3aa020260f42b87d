import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../../lib/index.js'
import { auditService, formatReport } from '../../../lib/audit.js'
import type { AuditOptions } from '../../../lib/audit.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import { northwindInSqlite } from '../../../sample-app/northwind-sql/northwind-database.js'
import type { ServedService } from '../../support/audited-services.js'
import { serve } from '../../support/audited-services.js'

const pageSize = { Orders: 100, Order_Details: 200 }

let served: ServedService | undefined

afterEach(async () => {
  await served?.close()
})

/** Demands that nothing fails, and shows what does. */
async function demandConformance(options: AuditOptions = {}): Promise<Record<string, number>> {
  const report = await auditService(served?.root ?? '', options)
  const failures = report.checks.filter(({ outcome }) => outcome === 'failed')
  if (failures.length > 0) throw new Error(formatReport({ ...report, checks: failures }, 'text'))
  const { MUST, SHOULD } = report.counts
  return { passed: MUST.passed + SHOULD.passed, skipped: MUST.skipped + SHOULD.skipped }
}

describe('The services of this package', () => {
  it('MUST pass where changes need a token', async () => {
    served = await serve(
      odataV2(northwindModel, memoryProvider(northwindModel, northwindData), { csrf: true }),
    )
    const checks = ['ODATA-BATCH', 'ODATA-WRITE-001', 'ODATA-WRITE-003']
    expect((await demandConformance({ write: true, checks })).skipped).toBe(0)
  })

  it('MUST pass every check with SQLite, those that change data too', async () => {
    const database = await northwindInSqlite(':memory:')
    served = await serve(odataV2(northwindModel, database.provider, { pageSize }))
    try {
      expect((await demandConformance({ write: true })).skipped).toBeLessThan(5)
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
    expect((await demandConformance({ write: true })).passed).toBeGreaterThan(200)
  })

  it('MUST pass every check with files', async () => {
    served = await serve(odataV2(fileModel, fileProvider('sample-app/public-files'), { pageSize: 4 }))
    expect((await demandConformance()).passed).toBeGreaterThan(100)
  })
})
