import { isRecord } from '../../../util/is-record.js'
import { skip } from '../check-outcome.js'
import { dataNamespace } from '../../../xml/namespaces.js'
import { childElements, textOf } from '../../../xml/xml-element.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import {
  demand,
  demandArray,
  demandClientError,
  demandMediaType,
  demandObject,
  demandStatus,
  demandString,
} from '../demands.js'
import { identitiesOf, jsonContent, jsonEntry, walkFeed } from '../feeds.js'
import { navigation, toMany, toOne } from '../needs.js'
import { entityAddress } from '../sample.js'
import type { AuditRun } from '../audit-run.js'
import type { Answer } from '../answer.js'

const uri7 = 'MS-ODATA 2.2.3.5 (URI 7)'

/** The addresses in an answer to `$links`, which may be an array as in version 1. */
function urisIn(answer: Answer): readonly string[] {
  const content = jsonContent(answer)
  const list = demandArray(isRecord(content) ? content['results'] : content, '"results"', answer)
  return list.map((one) => demandString(demandObject(one, 'A link', answer)['uri'], '"uri"', answer))
}

/** Whether there are links on a page behind. */
function hasNext(answer: Answer): boolean {
  const content = jsonContent(answer)
  return isRecord(content) && content['__next'] !== undefined
}

async function links(audit: AuditRun, address: string): Promise<Answer> {
  const answer = await audit.getJson(address)
  if (answer.status === 501) skip('The service does not have links.')
  return answer
}

/** `$links`. */
export const linkChecks: readonly Check[] = [
  check({
    id: 'ODATA-LINKS-001',
    level: 'MUST',
    title: '$links gives the addresses of the entities that a navigation property leads to.',
    spec: uri7,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name }, target }) => {
      const address = entityAddress(sample.set, row)
      const answer = await links(audit, `${address}/$links/${name}`)
      const uris = urisIn(answer)
      const walk = await walkFeed(audit, `${address}/${name}`, 10)
      if (!walk.complete || target === undefined) return
      demand(
        uris.length === walk.rows.length || (hasNext(answer) && uris.length < walk.rows.length),
        `There must be ${walk.rows.length} links, not ${uris.length}.`,
        answer,
      )
      const [uri] = uris
      if (uri === undefined) return
      const [given = ''] = identitiesOf(target, [jsonEntry(await audit.getJson(uri))])
      demand(identitiesOf(target, walk.rows).includes(given), `'${uri}' must be one of the entities.`, answer)
    },
  }),
  check({
    id: 'ODATA-LINKS-002',
    level: 'MUST',
    title: '$links of a navigation property that leads to one gives one address.',
    spec: uri7,
    needs: toOne,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const address = entityAddress(sample.set, row)
      const alone = await audit.getJson(`${address}/${name}`)
      const answer = await links(audit, `${address}/$links/${name}`)
      if (alone.status !== 200) demandStatus(answer, 404, 204)
      else demandString(demandObject(jsonContent(answer), '"d"', answer)['uri'], '"uri"', answer)
    },
  }),
  check({
    id: 'ODATA-LINKS-003',
    level: 'MUST',
    title: 'Links in XML are <uri> elements in <links>.',
    spec: 'MS-ODATA 2.2.6.2.9 (links as XML)',
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const address = `${entityAddress(sample.set, row)}/$links/${name}`
      const json = await links(audit, address)
      const answer = await audit.getXml(address)
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/xml', 'text/xml')
      const root = answer.xml()
      const ok = root.name === 'links' && root.namespace.startsWith(dataNamespace)
      demand(ok, `The root element must be <links> of ${dataNamespace}, not <${root.name}>.`, answer)
      const uris = childElements(root)
        .filter((one) => one.name === 'uri')
        .map(textOf)
      demand(
        uris.join(' ') === urisIn(json).join(' '),
        'The addresses must be those of the JSON document.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-LINKS-004',
    level: 'MUST',
    title: '$links of what is no navigation property is refused.',
    spec: uri7,
    needs: navigation('an entity with a property', ({ targetType }) => targetType.properties.length > 0),
    run: async (audit, { sample, row }) => {
      demandClientError(await audit.get(`${entityAddress(sample.set, row)}/$links/AuditNoSuchProperty`))
    },
  }),
]
