import { sapAnnotation } from '../../../edm/annotations.js'
import { assertEqual, assertStatus, assert, assertClientError, assertMediaType } from '../assertions.js'
import type { AuditRun, Check, Need } from '../check.js'
import { section } from '../check.js'
import { sampleWhere, entities, model } from '../needs.js'
import type { Sample } from '../sample.js'

const searchable = sampleWhere(
  'an entity set with sap:searchable="true" and entities',
  ({ set, rows }) => rows.length > 0 && sapAnnotation(set, 'searchable') === 'true',
)

const search = section('SAP annotations (sap:searchable)', searchable)

/** Returns the number of entities that a search finds. */
async function count(audit: AuditRun, address: string, text: string): Promise<string> {
  const response = await audit.get(`${address}/$count?search=${encodeURIComponent(text)}`)
  assertStatus(response, 200)
  return response.text.trim()
}

/** The query option `search` of sets that announce it. */
export const searchChecks: readonly Check[] = [
  search.must('ODATA-SEARCH-001', 'A search for nothing finds everything.', async (audit, { address }) => {
    const all = await audit.get(`${address}/$count`)
    assertStatus(all, 200)
    assertEqual('The count with an empty search', await count(audit, address, ''), all.text.trim())
  }),
  search.must(
    'ODATA-SEARCH-002',
    'A search for a text that does not occur finds nothing.',
    async (audit, { address }) => {
      assertEqual('The count', await count(audit, address, 'Zq7-does-not-occur-Xv3'), '0')
    },
  ),
  search.should(
    'ODATA-SEARCH-003',
    'A search for an unfinished phrase is not an error: users type it.',
    async (audit, { address }) => {
      assertStatus(await audit.get(`${address}?$top=1&search=${encodeURIComponent('"a')}`), 200)
    },
  ),
]

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
