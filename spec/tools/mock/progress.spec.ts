import { defineModel, edm } from '../../../lib/index.js'
import { generateRows } from '../../../lib/tools/mock/generate-data.js'

describe('The generation of rows', () => {
  it('MUST report its progress in equal steps', () => {
    const model = defineModel({
      namespace: 'Shop',
      entityTypes: { Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    })
    const reports: number[] = []
    generateRows(model, { rows: 2000 }, (done) => reports.push(done))
    expect(reports).toEqual([0.0005, 0.2505, 0.5005, 0.7505])
  })
})
