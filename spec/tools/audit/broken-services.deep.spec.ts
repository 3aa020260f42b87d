import { memoryProvider, odataV2 } from '../../../lib/index.js'
import { auditService } from '../../../lib/audit.js'
import { northwindData, northwindFunctions } from '../../../sample-app/northwind/northwind-service.js'
import { northwindTotalsModel, northwindTotalsOptions } from '../../support/services/northwind-totals.js'
import type { ServedService } from '../../support/audited-services.js'
import { serve } from '../../support/audited-services.js'
import { brokenChanges } from '../../support/broken-changes.js'
import { brokenDocuments } from '../../support/broken-documents.js'
import type { BrokenProxy } from '../../support/broken-proxy.js'
import { brokenProxy } from '../../support/broken-proxy.js'
import { brokenGroups } from '../../support/broken-groups.js'
import { brokenQueries } from '../../support/broken-queries.js'

let service: ServedService
let proxy: BrokenProxy

beforeAll(async () => {
  const provider = memoryProvider(northwindTotalsModel, northwindData, { functions: northwindFunctions })
  service = await serve(odataV2(northwindTotalsModel, provider, northwindTotalsOptions))
  proxy = await brokenProxy(service.root)
})

afterAll(async () => {
  await proxy.close()
  await service.close()
})

describe.each([
  ['query options', brokenQueries],
  ['documents', brokenDocuments],
  ['changes and batches', brokenChanges],
  ['groups and annotations', brokenGroups],
])('A server with faulty %s', (_what, servers) => {
  it.each(servers)('MUST fail %s: %s', async (check, _title, error) => {
    proxy.violation = error
    const { checks } = await auditService(proxy.root, { write: true, checks: [check] })
    expect(checks.map(({ id, outcome, reason }) => ({ id, outcome, reason }))).toEqual([
      { id: check, outcome: 'failed', reason: expect.any(String) },
    ])
  })
})

describe('A correct server behind the same proxy', () => {
  it('MUST pass all checks', async () => {
    proxy.violation = {}
    const { checks } = await auditService(proxy.root)
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })
})
