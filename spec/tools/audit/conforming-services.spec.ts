import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import { auditService } from '../../../lib/audit.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import type { ServedService } from '../../support/audited-services.js'
import { demandConformance, serve } from '../../support/audited-services.js'

const pageSize = { Orders: 100, Order_Details: 200 }

let served: ServedService | undefined

afterEach(async () => {
  await served?.close()
})

describe('The services of this package', () => {
  it('MUST pass every check, including writes, with data in memory', async () => {
    const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
    served = await serve(odataV2(northwindModel, provider, { exports: true, pageSize }))
    const { passed = 0, skipped } = await demandConformance(served.root, { write: true })
    expect(passed).toBeGreaterThan(250)
    expect(skipped).toBe(0)
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
