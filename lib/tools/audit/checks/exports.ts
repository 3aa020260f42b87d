import { sapAnnotation } from '../../../edm/annotations.js'
import { assert, assertClientError, assertMediaType, assertStatus } from '../assertions.js'
import type { Check, Need } from '../check.js'
import { section } from '../check.js'
import { entities, model } from '../needs.js'
import type { Sample } from '../sample.js'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Finds entities of a service whose metadata announces a format of collections. */
function announced(format: string): Need<Sample> {
  return {
    description: `entities of a service with ${format} in sap:supported-formats`,
    find: async (audit) => {
      const container = (await model.find(audit))?.defaultContainer
      const formats = container && sapAnnotation(container, 'supported-formats')
      return formats?.split(/\s+/).includes(format) === true ? entities().find(audit) : undefined
    },
  }
}

const annotation = 'SAP annotations (sap:supported-formats)'
const csv = section(annotation, announced('csv'))
const xlsx = section(annotation, announced('xlsx'))

/** Collections as files. */
export const exportChecks: readonly Check[] = [
  csv.must('ODATA-EXPORT-001', 'A collection is available as CSV.', async (audit, { address }) => {
    const response = await audit.get(`${address}?$top=1&$format=csv`)
    assertStatus(response, 200)
    assertMediaType(response, 'text/csv')
    assert(response.text.split('\n').length > 1, 'The document must have a header row and a row.', response)
  }),
  csv.must(
    'ODATA-EXPORT-002',
    'A single entity is not available as CSV.',
    async (audit, { firstAddress }) => {
      assertClientError(await audit.get(`${firstAddress}?$format=csv`))
    },
  ),
  xlsx.must('ODATA-EXPORT-003', 'A collection is available as Excel file.', async (audit, { address }) => {
    const response = await audit.get(`${address}?$top=1&$format=xlsx`)
    assertStatus(response, 200)
    assertMediaType(response, XLSX)
    assert(response.text.startsWith('PK'), 'The document must be a ZIP archive.', response)
  }),
]
