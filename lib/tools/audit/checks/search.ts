import { sapAnnotation } from '../../../edm/annotations.js'
import { assertEqual, assertStatus } from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { sampleWhere } from '../needs.js'

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
