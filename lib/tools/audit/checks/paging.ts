import { skip } from '../check-outcome.js'
import { attributeOf } from '../../../xml/xml-element.js'
import { atomRoot, atomChildren, linkOf } from '../atom-documents.js'
import type { AuditRun } from '../audit-run.js'
import type { Check, Need } from '../check.js'
import { check } from '../check.js'
import { demand, demandStatus } from '../demands.js'
import { identitiesOf, jsonFeed, walkFeed } from '../feeds.js'
import type { Sample } from '../sample.js'
import { setAddress } from '../sample.js'

const skipToken = 'MS-ODATA 2.2.3.6.1.9 ($skiptoken)'
const partial = 'MS-ODATA 2.2.6.2.1, 2.2.6.3.2 (partial feeds)'

/** An entity set of which the first page is not the last. */
interface PagedSet {
  readonly sample: Sample
  readonly pageSize: number
}

const pagedSet: Need<PagedSet> = {
  description: 'an entity set that it sends in pages',
  find: (audit) => audit.service.finding(pageKey, () => findPagedSet(audit)),
}

const pageKey = {}

async function findPagedSet(audit: AuditRun): Promise<PagedSet | undefined> {
  for (const set of await audit.service.entitySets()) {
    const sample = await audit.service.sample(set)
    if (sample === undefined || sample.rows.length < 2) continue
    const answer = await audit.getJson(setAddress(set))
    if (answer.status !== 200) continue
    const { next, rows } = jsonFeed(answer)
    if (next !== undefined && rows.length > 0) return { sample, pageSize: rows.length }
  }
  return undefined
}

/** Demands that no entity comes twice on its way through the pages. */
async function demandEachOnce(audit: AuditRun, { set }: Sample, query: string): Promise<number> {
  const walk = await walkFeed(audit, `${setAddress(set)}${query}`, 12)
  const keys = identitiesOf(set, walk.rows)
  const doubled = keys.find((key, index) => keys.indexOf(key) !== index)
  demand(doubled === undefined, `The entity ${doubled} must come once.`, walk.pages.at(-1))
  return walk.complete ? keys.length : -1
}

/** Feeds that the server cuts into pages. */
export const pagingChecks: readonly Check[] = [
  check({
    id: 'ODATA-PAGE-001',
    level: 'MUST',
    title: 'Next links lead through all entities, each once.',
    spec: skipToken,
    needs: pagedSet,
    run: async (audit, { sample }) => {
      const count = await demandEachOnce(audit, sample, '')
      const answer = await audit.get(`${setAddress(sample.set)}/$count`)
      if (count < 0 || answer.status !== 200) return
      demand(count === Number(answer.text), `${answer.text} entities must come, not ${count}.`, answer)
    },
  }),
  check({
    id: 'ODATA-PAGE-002',
    level: 'MUST',
    title: 'Next links keep $orderby.',
    spec: skipToken,
    needs: pagedSet,
    run: async (audit, { sample }) => {
      const [key] = sample.set.entityType.key
      if (key === undefined || sample.set.entityType.key.length > 1) skip('The key has several properties.')
      await demandEachOnce(audit, sample, `?$orderby=${key.name}%20desc`)
      const walk = await walkFeed(audit, `${setAddress(sample.set)}?$orderby=${key.name}%20desc`, 2)
      const rising = await walkFeed(audit, `${setAddress(sample.set)}?$orderby=${key.name}`, 12)
      if (!rising.complete) return
      const wanted = identitiesOf(sample.set, rising.rows).slice(-walk.rows.length).reverse()
      const given = identitiesOf(sample.set, walk.rows)
      demand(
        wanted.join() === given.join(),
        'Two pages from the end must be what the last entities are from the beginning.',
        walk.pages.at(-1),
      )
    },
  }),
  check({
    id: 'ODATA-PAGE-003',
    level: 'MUST',
    title: 'Next links keep $filter.',
    spec: skipToken,
    needs: pagedSet,
    run: async (audit, { sample }) => {
      const filter = '$filter=1%20eq%202'
      const plain = await audit.getJson(`${setAddress(sample.set)}?${filter}`)
      demand(jsonFeed(plain).rows.length === 0, 'What is never true gives nothing.', plain)
      const [key] = sample.set.entityType.key
      const always = `?$filter=${key?.name}%20ne%20null`
      const walk = await walkFeed(audit, setAddress(sample.set) + always, 2)
      const link = jsonFeed(walk.pages[0] ?? plain).next ?? ''
      demand(link === '' || /%24filter|\$filter/.test(link), `The next link '${link}' must keep $filter.`)
    },
  }),
  check({
    id: 'ODATA-PAGE-004',
    level: 'SHOULD',
    title: 'All pages together have no more entities than $top says.',
    spec: 'MS-ODATA 2.2.3.6.1.8 ($top)',
    needs: pagedSet,
    run: async (audit, { sample, pageSize }) => {
      const wanted = pageSize + 1
      const walk = await walkFeed(audit, `${setAddress(sample.set)}?$top=${wanted}`, 12)
      demand(
        walk.rows.length === wanted,
        `$top=${wanted} must give ${wanted} entities, not ${walk.rows.length}.`,
        walk.pages.at(-1),
      )
    },
  }),
  check({
    id: 'ODATA-PAGE-005',
    level: 'MUST',
    title: 'In Atom the next page is a link with rel="next".',
    spec: partial,
    needs: pagedSet,
    run: async (audit, { sample, pageSize }) => {
      const answer = await audit.getAtom(setAddress(sample.set))
      const root = atomRoot(answer, 'feed')
      const href = attributeOf(linkOf(root, 'next') ?? root, 'href')
      demand(href !== undefined, 'The feed must have <link rel="next" href="...">.', answer)
      const entries = atomChildren(root, 'entry').length
      demand(entries === pageSize, `There must be ${pageSize} entries as in JSON, not ${entries}.`, answer)
      const next = await audit.getAtom(href)
      demandStatus(next, 200)
      atomRoot(next, 'feed')
    },
  }),
  check({
    id: 'ODATA-PAGE-006',
    level: 'MUST',
    title: 'The number that $inlinecount gives does not depend on pages.',
    spec: 'MS-ODATA 2.2.3.6.1.10 ($inlinecount)',
    needs: pagedSet,
    run: async (audit, { sample }) => {
      const answer = await audit.getJson(`${setAddress(sample.set)}?$inlinecount=allpages`)
      const { next, count, rows } = jsonFeed(answer)
      demand(
        Number(count) > rows.length,
        `"__count" must be the number of all, not ${String(count)}.`,
        answer,
      )
      const second = jsonFeed(await audit.getJson(next ?? setAddress(sample.set)))
      if (second.count !== undefined) {
        demand(second.count === count, `"__count" must be ${String(count)} on the second page too.`)
      }
    },
  }),
]
