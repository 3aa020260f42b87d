import { memoryProvider, odataV2 } from '../../../lib/index.js'
import { auditService } from '../../../lib/audit.js'
import { northwindData, northwindFunctions } from '../../../sample-app/northwind/northwind-service.js'
import { northwindTotalsModel, northwindTotalsOptions } from '../../support/services/northwind-totals.js'
import { brokenChanges } from '../../support/broken-changes.js'
import { brokenDocuments } from '../../support/broken-documents.js'
import { proxiedService } from '../../support/broken-proxy.js'
import { brokenGroups } from '../../support/broken-groups.js'
import { brokenQueries } from '../../support/broken-queries.js'

const served = proxiedService(() => {
  const provider = memoryProvider(northwindTotalsModel, northwindData, { functions: northwindFunctions })
  return odataV2(northwindTotalsModel, provider, northwindTotalsOptions)
})

describe.each([
  ['query options', brokenQueries],
  ['documents', brokenDocuments],
  ['changes and batches', brokenChanges],
  ['groups and annotations', brokenGroups],
])('A server with faulty %s', (_what, servers) => {
  it.each(servers)('MUST fail %s: %s', async (check, _title, error) => {
    served.proxy.violation = error
    const { checks } = await auditService(served.proxy.root, { write: true, checks: [check] })
    expect(checks.map(({ id, outcome, reason }) => ({ id, outcome, reason }))).toEqual([
      { id: check, outcome: 'failed', reason: expect.any(String) },
    ])
  })
})

describe('A correct server behind the same proxy', () => {
  it('MUST pass all checks', async () => {
    served.proxy.violation = {}
    const { checks } = await auditService(served.proxy.root)
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })
})
