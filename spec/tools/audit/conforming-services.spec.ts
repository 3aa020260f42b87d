import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import { auditService } from '../../../lib/audit.js'
import { northwindData, northwindFunctions } from '../../../sample-app/northwind/northwind-service.js'
import { saleRows, salesModel, salesOptions, salesProviders } from '../../support/services/sales-service.js'
import { northwindTotalsModel, northwindTotalsOptions } from '../../support/services/northwind-totals.js'
import type { ServedService } from '../../support/audited-services.js'
import { demandConformance, serve } from '../../support/audited-services.js'

let served: ServedService | undefined

afterEach(async () => {
  await served?.close()
})

describe('The services of this package', () => {
  it('MUST pass every check, including writes, with data in memory', async () => {
    const provider = memoryProvider(northwindTotalsModel, northwindData, { functions: northwindFunctions })
    served = await serve(odataV2(northwindTotalsModel, provider, northwindTotalsOptions))
    const { passed = 0, skipped } = await demandConformance(served.root, { write: true })
    expect(passed).toBeGreaterThan(250)
    expect(skipped).toBe(0)
  })

  it('MUST pass every check but those of the default format with defaultFormat: json', async () => {
    const provider = memoryProvider(northwindTotalsModel, northwindData, { functions: northwindFunctions })
    const options = { ...northwindTotalsOptions, defaultFormat: 'json' } as const
    served = await serve(odataV2(northwindTotalsModel, provider, options))
    const { checks } = await auditService(served.root, { write: true })
    const others = checks.filter(({ outcome }) => outcome !== 'passed')
    expect(others.map(({ id, level, outcome }) => `${id} ${level} ${outcome}`)).toEqual([
      'ODATA-SET-001 SHOULD failed',
      'ODATA-ENTITY-004 SHOULD failed',
      'ODATA-FUNCIMPORT-004 SHOULD failed',
    ])
  })

  it('MUST pass the checks of groups', async () => {
    served = await serve(odataV2(salesModel, salesProviders.memory(), salesOptions))
    const { passed } = await demandConformance(served.root, { write: true })
    expect(passed).toBeGreaterThan(100)
    const groups = await auditService(served.root, { checks: ['ODATA-GROUP'] })
    expect(groups.checks.map(({ outcome }) => outcome)).toEqual(Array(6).fill('passed'))
  })

  it('MUST fail the checks of groups if the rows of an analytical set are not grouped', async () => {
    const rows = saleRows.map((row, index) => ({ ...row, ID: String(index) }))
    served = await serve(odataV2(salesModel, salesProviders.memory(rows), { analytics: false }))
    const { checks } = await auditService(served.root, { checks: ['ODATA-GROUP'] })
    const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
    expect(failed).toEqual(['ODATA-GROUP-001', 'ODATA-GROUP-004'])
  })

  it('MUST pass if the only null is on another page', async () => {
    const model = defineModel({
      namespace: 'Shop',
      entityTypes: {
        Product: { key: ['ID'], properties: { ID: edm.Int32(), Added: edm.DateTime() } },
      },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    })
    const data = {
      Products: [
        { ID: 1, Added: new Date('2024-05-29T09:13:28Z') },
        { ID: 2, Added: null },
      ],
    }
    served = await serve(odataV2(model, memoryProvider(model, data), { pageSize: 1 }))
    expect((await demandConformance(served.root, { checks: ['ODATA-ATOM-016'] })).passed).toBe(1)
    const { checks } = await auditService(served.root)
    const failures = checks.filter(({ outcome }) => outcome === 'failed')
    expect(failures).toEqual([])
    expect(checks.find(({ id }) => id === 'ODATA-FUNC-020')?.reason).toBe(
      'This needs a property of type Edm.DateTime. There is Products/Added, but not with two different values that the check can tell apart.',
    )
    expect(checks.find(({ id }) => id === 'ODATA-FILTER-023')?.reason).toBe(
      'This needs a property of type Edm.Guid. The service has no property of type Edm.Guid.',
    )
    expect(checks.find(({ id }) => id === 'ODATA-MEDIA-001')?.reason).toBe(
      'This needs entities with media resources. None was found in the entities that were read.',
    )
  })
})
