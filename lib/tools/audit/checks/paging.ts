import { attributeOf, textOf } from '../../../xml/xml-element.js'
import { assert, assertClientError, assertEqual, skip } from '../assertions.js'
import type { AuditRun, Check, Need } from '../check.js'
import { section } from '../check.js'
import { countableFilter, integers } from '../filter-check.js'
import type { PagedFeed } from '../json-documents.js'
import { assertEmptyFeed, jsonFeed, readPages } from '../json-documents.js'
import { entities, sampleWhere } from '../needs.js'
import type { Sample } from '../sample.js'
import { keysOf } from '../sample.js'
import { atomChildren, atomRoot, linkOf, metadataChild } from '../xml-documents.js'

/** An entity set whose first page has a next link. */
interface PagedSet {
  readonly sample: Sample
  readonly pageSize: number
}

const pagedSet: Need<PagedSet> = {
  description: 'an entity set with server-driven paging',
  find: (audit) => audit.service.once(pagedSet, () => findPagedSet(audit)),
}

async function findPagedSet(audit: AuditRun): Promise<PagedSet | undefined> {
  for (const set of await audit.service.entitySets()) {
    const sample = await audit.service.sample(set)
    if (sample === undefined || sample.rows.length < 2) continue
    const response = await audit.getJson(sample.address)
    if (response.status !== 200) continue
    const { next, rows } = jsonFeed(response)
    if (next !== undefined && rows.length > 0) return { sample, pageSize: rows.length }
  }
  return undefined
}

async function readEachOnce(audit: AuditRun, { address, type }: Sample, query: string): Promise<PagedFeed> {
  const feed = await readPages(audit, address + query, 12)
  const keys = keysOf(type, feed.rows)
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index)
  assert(repeated === undefined, `The entity ${repeated} must be on one page only.`)
  return feed
}

const skipToken = section('MS-ODATA 2.2.3.6.1.9 ($skiptoken)', pagedSet)
const top = section('MS-ODATA 2.2.3.6.1.8 ($top)', pagedSet)
const atom = section('MS-ODATA 2.2.6.2.1, 2.2.6.3.2 (partial feeds)', pagedSet)
const total = section('MS-ODATA 2.2.3.6.1.10 ($inlinecount)', pagedSet)

/** Server-driven paging. */
export const pagingChecks: readonly Check[] = [
  skipToken.must('ODATA-PAGE-001', 'Next links lead to each entity once.', async (audit, { sample }) => {
    const { isComplete, rows } = await readEachOnce(audit, sample, '')
    const count = await audit.get(`${sample.address}/$count`)
    if (!isComplete || count.status !== 200) return
    assertEqual('The number of entities', rows.length, Number(count.text))
  }),
  skipToken.must('ODATA-PAGE-002', 'Next links preserve $orderby.', async (audit, { sample }) => {
    const { type, address } = sample
    const [key, ...others] = type.key
    if (key === undefined || others.length > 0) skip('The key has several properties.')
    const orderBy = `?$orderby=${key.name}`
    await readEachOnce(audit, sample, `${orderBy}%20desc`)
    const ascending = await readPages(audit, `${address}${orderBy}`, 12)
    const descending = await readPages(audit, `${address}${orderBy}%20desc`, 2)
    const expected = keysOf(type, ascending.rows).slice(-descending.rows.length).reverse()
    const actual = keysOf(type, descending.rows)
    if (ascending.isComplete) assertEqual('The first pages in descending order', actual, expected)
  }),
  skipToken.must('ODATA-PAGE-003', 'Next links preserve $filter.', async (audit, { sample }) => {
    const { address, type } = sample
    await assertEmptyFeed(audit, `${address}?$filter=1%20eq%202`)
    const filtered = await audit.getJson(`${address}?$filter=${type.key[0]?.name}%20ne%20null`)
    const link = jsonFeed(filtered).next ?? ''
    assert(link === '' || /%24filter|\$filter/.test(link), `The next link '${link}' must have $filter.`)
  }),
  top.should('ODATA-PAGE-004', '$top limits all pages together.', async (audit, { sample, pageSize }) => {
    const top = pageSize + 1
    const { rows } = await readPages(audit, `${sample.address}?$top=${top}`, 12)
    assertEqual(`The number of entities for $top=${top}`, rows.length, top)
  }),
  atom.must(
    'ODATA-PAGE-005',
    'The next link in Atom has rel="next".',
    async (audit, { sample, pageSize }) => {
      const response = await audit.getAtom(sample.address)
      const root = atomRoot(response, 'feed')
      const href = attributeOf(linkOf(root, 'next') ?? root, 'href')
      assert(href !== undefined, 'The feed must have <link rel="next" href="...">.')
      assertEqual('The number of entries', atomChildren(root, 'entry').length, pageSize)
      atomRoot(await audit.getAtom(href), 'feed')
    },
  ),
  total.must('ODATA-PAGE-006', '$inlinecount counts entities of all pages.', async (audit, { sample }) => {
    const response = await audit.getJson(`${sample.address}?$inlinecount=allpages`)
    const { next, count, rows } = jsonFeed(response)
    const isLarger = Number(count) > rows.length
    assert(isLarger, `"__count" must be the number of all entities, not ${String(count)}.`)
    const second = jsonFeed(await audit.getJson(next ?? sample.address))
    if (second.count !== undefined) assertEqual('"__count" of the second page', second.count, count)
  }),
]

const inlineCountSpec = 'MS-ODATA 2.2.3.6.1.10 ($inlinecount)'
const inlineCount = section(inlineCountSpec, entities())
const whole = section(
  inlineCountSpec,
  sampleWhere(
    'an entity set that can be read completely',
    ({ isComplete, rows }) => isComplete && rows.length > 1,
  ),
)

async function assertCount(audit: AuditRun, address: string, expected: number): Promise<void> {
  const response = await audit.getJson(address)
  assertEqual('"__count"', Number(jsonFeed(response).count), expected)
}

const filtered = section(inlineCountSpec, integers)
const jsonCount = section('MS-ODATA 2.2.6.3.2 (entity set in verbose JSON)', entities())

/** `$inlinecount`. */
export const inlineCountChecks: readonly Check[] = [
  whole.must('ODATA-COUNT-001', '$inlinecount ignores $top and $skip.', async (audit, { address, rows }) => {
    for (const query of ['', '&$top=1', '&$skip=1', '&$top=0']) {
      await assertCount(audit, `${address}?$inlinecount=allpages${query}`, rows.length)
    }
  }),
  filtered.must('ODATA-COUNT-002', '$inlinecount applies $filter.', async (audit, subject) => {
    const { query, count } = countableFilter(subject)
    await assertCount(audit, `${subject.sample.address}?$inlinecount=allpages&$top=1&${query}`, count)
  }),
  inlineCount.must('ODATA-COUNT-003', 'There is no count unless requested.', async (audit, { address }) => {
    for (const query of ['$top=1', '$top=1&$inlinecount=none']) {
      const response = await audit.getJson(`${address}?${query}`)
      assert(jsonFeed(response).count === undefined, 'There must be no "__count".')
    }
  }),
  inlineCount.must('ODATA-COUNT-004', 'An unknown $inlinecount is rejected.', async (audit, { address }) => {
    assertClientError(await audit.getJson(`${address}?$inlinecount=audit`))
  }),
  whole.must('ODATA-COUNT-005', 'The count in Atom is m:count.', async (audit, { address, rows }) => {
    const response = await audit.getAtom(`${address}?$inlinecount=allpages&$top=1`)
    const count = metadataChild(atomRoot(response, 'feed'), 'count')
    assert(count !== undefined, 'The feed must have <m:count>.')
    assertEqual('m:count', Number(textOf(count)), rows.length)
  }),
  jsonCount.should('ODATA-COUNT-006', 'The count in JSON is a string.', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$inlinecount=allpages&$top=1`)
    assertEqual('The type of "__count"', typeof jsonFeed(response).count, 'string')
  }),
]
