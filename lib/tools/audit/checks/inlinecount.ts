import { skip } from '../check-outcome.js'
import { metadataNamespace } from '../../../xml/namespaces.js'
import { childElements, textOf } from '../../../xml/xml-element.js'
import { atomRoot } from '../atom-documents.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, shown } from '../demands.js'
import { jsonFeed } from '../feeds.js'
import { integers } from '../filter-check.js'
import { entities, sampleWhere } from '../needs.js'
import { setAddress } from '../sample.js'
import { rowsFrom } from '../values.js'

const spec = 'MS-ODATA 2.2.3.6.1.10 ($inlinecount)'
const wholeSets = sampleWhere(
  'an entity set that can be read to its end',
  ({ complete, rows }) => complete && rows.length > 1,
)

/** `$inlinecount`. */
export const inlineCountChecks: readonly Check[] = [
  check({
    id: 'ODATA-COUNT-001',
    level: 'MUST',
    title: '$inlinecount=allpages gives the number of all entities, whatever $top and $skip are.',
    spec,
    needs: wholeSets,
    run: async (audit, { set, rows }) => {
      for (const query of ['', '&$top=1', '&$skip=1', '&$top=0']) {
        const answer = await audit.getJson(`${setAddress(set)}?$inlinecount=allpages${query}`)
        const { count } = jsonFeed(answer)
        demand(
          Number(count) === rows.length,
          `"__count" must be ${rows.length}, not ${shown(count)}.`,
          answer,
        )
      }
    },
  }),
  check({
    id: 'ODATA-COUNT-002',
    level: 'MUST',
    title: '$inlinecount=allpages counts what $filter is true of.',
    spec,
    needs: integers,
    run: async (audit, { sample, name, literal, value }) => {
      if (!sample.complete) skip('The entity set is too large.')
      const wanted = rowsFrom(sample, name, value)
      const query = `$inlinecount=allpages&$top=1&$filter=${name}%20ge%20${literal}`
      const answer = await audit.getJson(`${setAddress(sample.set)}?${query}`)
      const { count } = jsonFeed(answer)
      demand(
        Number(count) === wanted.length,
        `"__count" must be ${wanted.length}, not ${shown(count)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-COUNT-003',
    level: 'MUST',
    title: '$inlinecount=none, and no $inlinecount, give no number.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      for (const query of ['$top=1', '$top=1&$inlinecount=none']) {
        const answer = await audit.getJson(`${setAddress(set)}?${query}`)
        demand(jsonFeed(answer).count === undefined, 'There must be no "__count".', answer)
      }
    },
  }),
  check({
    id: 'ODATA-COUNT-004',
    level: 'MUST',
    title: 'Another value of $inlinecount is refused.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.getJson(`${setAddress(set)}?$inlinecount=audit`))
    },
  }),
  check({
    id: 'ODATA-COUNT-005',
    level: 'MUST',
    title: 'In Atom the number is m:count of the feed.',
    spec,
    needs: wholeSets,
    run: async (audit, { set, rows }) => {
      const answer = await audit.getAtom(`${setAddress(set)}?$inlinecount=allpages&$top=1`)
      const children = childElements(atomRoot(answer, 'feed'))
      const count = children.find((one) => one.name === 'count' && one.namespace === metadataNamespace)
      demand(count !== undefined, 'The feed must have <m:count>.', answer)
      demand(
        Number(textOf(count)) === rows.length,
        `m:count must be ${rows.length}, not ${textOf(count)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-COUNT-006',
    level: 'SHOULD',
    title: 'In JSON the number is written as a string.',
    spec: 'MS-ODATA 2.2.6.3.2 (entity set in verbose JSON)',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$inlinecount=allpages&$top=1`)
      const { count } = jsonFeed(answer)
      demand(typeof count === 'string', `"__count" must be a string, not ${shown(count)}.`, answer)
    },
  }),
]
