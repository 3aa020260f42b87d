import { analyticalProperties } from '../../../edm/analytical-set.js'
import type { Property } from '../../../edm/edm-model.js'
import { assert, assertClientError, assertEqual, assertStatus, assertString } from '../assertions.js'
import type { AuditRun, Check, Need } from '../check.js'
import { section } from '../check.js'
import { jsonEntry, jsonFeed, metadataOf } from '../json-documents.js'
import type { Row } from '../sample.js'

/** An entity set whose metadata announces groups. */
interface AnalyticalSubject {
  readonly address: string
  readonly dimension: Property
  readonly measure: Property | undefined
}

const analyticalSet: Need<AnalyticalSubject> = {
  description: 'an entity set with sap:semantics="aggregate", a key of type Edm.String and a dimension',
  find: async ({ service }) => {
    for (const set of await service.analyticalSets()) {
      const { dimensions, measures } = analyticalProperties(set)
      const [dimension] = dimensions
      const sample = await service.sample(set)
      if (dimension === undefined || sample === undefined || sample.rows.length === 0) continue
      return { address: sample.address, dimension, measure: measures[0] }
    }
    return undefined
  },
}

const groups = section('SAP annotations (sap:semantics="aggregate")', analyticalSet)

async function groupsBy(audit: AuditRun, { address, dimension }: AnalyticalSubject): Promise<readonly Row[]> {
  const response = await audit.getJson(
    `${address}?$select=${dimension.name}&$orderby=${dimension.name}&$top=50`,
  )
  assertStatus(response, 200)
  return jsonFeed(response).rows
}

/** Groups of analytical sets. */
export const analyticsChecks: readonly Check[] = [
  groups.must(
    'ODATA-GROUP-001',
    'Groups have distinct values of the selected dimension.',
    async (audit, subject) => {
      const { name } = subject.dimension
      const values = (await groupsBy(audit, subject)).map((row) => JSON.stringify(row[name] ?? null))
      assertEqual(`The number of different values of '${name}'`, new Set(values).size, values.length)
    },
  ),
  groups.must('ODATA-GROUP-002', 'Groups have different addresses.', async (audit, subject) => {
    const { name } = subject.dimension
    const uris = (await groupsBy(audit, subject)).map(uriOf)
    const all = jsonFeed(await audit.getJson(`${subject.address}?$top=50`)).rows.map(uriOf)
    assertEqual(`The number of different addresses by '${name}'`, new Set(uris).size, uris.length)
    assertEqual('The number of different addresses', new Set(all).size, all.length)
  }),
  groups.must(
    'ODATA-GROUP-003',
    '$inlinecount counts groups, also with $top=0.',
    async (audit, { address, dimension: { name } }) => {
      const all = await audit.getJson(`${address}?$select=${name}&$inlinecount=allpages`)
      const none = await audit.getJson(`${address}?$select=${name}&$top=0&$inlinecount=allpages`)
      const { count, rows } = jsonFeed(none)
      assertEqual('__count', count, jsonFeed(all).count)
      assertEqual('The number of entries with $top=0', rows.length, 0)
    },
  ),
  groups.must(
    'ODATA-GROUP-004',
    'Without a dimension there is one entry, the grand total.',
    async (audit, { address, measure }) => {
      if (measure === undefined) return
      const response = await audit.getJson(`${address}?$select=${measure.name}`)
      assertStatus(response, 200)
      assertEqual('The number of entries', jsonFeed(response).rows.length, 1)
    },
  ),
  groups.should('ODATA-GROUP-005', 'A group can be read by its address.', async (audit, subject) => {
    const [first] = await groupsBy(audit, subject)
    assert(first !== undefined, 'There must be a group.')
    const { name } = subject.dimension
    const response = await audit.getJson(audit.service.relative(uriOf(first)))
    assertEqual(`'${name}'`, jsonEntry(response)[name] ?? null, first[name] ?? null)
  }),
  groups.should('ODATA-GROUP-006', '$expand of groups is a client error.', async (audit, { address }) => {
    assertClientError(await audit.getJson(`${address}?$expand=Nothing`))
  }),
]

function uriOf(row: Row): string {
  const { uri } = metadataOf(row)
  return assertString(uri, '"uri"')
}
