import { skip } from '../check-outcome.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import {
  demand,
  demandMediaType,
  demandStatus,
  shown,
  demandArray,
  demandClientError,
  demandObject,
  demandString,
} from '../demands.js'
import {
  demandSameOrder,
  identitiesOf,
  jsonEntry,
  jsonFeed,
  jsonValue,
  walkFeed,
  jsonContent,
} from '../feeds.js'
import { keyPredicate } from '../literals.js'
import { toMany, toOne, navigation } from '../needs.js'
import { entityAddress } from '../sample.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import { isRecord } from '../../../util/is-record.js'
import { dataNamespace } from '../../../xml/namespaces.js'
import { childElements, textOf } from '../../../xml/xml-element.js'
import type { AuditRun } from '../audit-run.js'
import type { Answer } from '../answer.js'

const uri6 = 'MS-ODATA 2.2.3.5 (URI 6)'

/** What lies behind entities. */
export const navigationChecks: readonly Check[] = [
  check({
    id: 'ODATA-NAV-001',
    level: 'MUST',
    title: 'A navigation property that leads to many is a feed.',
    spec: uri6,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const address = `${entityAddress(sample.set, row)}/${name}`
      jsonFeed(await audit.getJson(address))
      const answer = await audit.get(address)
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/atom+xml')
    },
  }),
  check({
    id: 'ODATA-NAV-002',
    level: 'MUST',
    title: 'A navigation property that leads to one is an entity, or 404 or 204 when there is none.',
    spec: uri6,
    needs: toOne,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const answer = await audit.getJson(`${entityAddress(sample.set, row)}/${name}`)
      if (answer.status !== 200) demandStatus(answer, 404, 204)
      else if (answer.text !== '') jsonEntry(answer)
    },
  }),
  check({
    id: 'ODATA-NAV-003',
    level: 'MUST',
    title: 'A key picks one of the entities that a navigation property leads to.',
    spec: uri6,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name, targetType }, target }) => {
      const address = `${entityAddress(sample.set, row)}/${name}`
      const [first] = jsonFeed(await audit.getJson(`${address}?$top=1`)).rows
      if (first === undefined || target === undefined) skip(`'${name}' of the first entity leads to nothing.`)
      const answer = await audit.getJson(address + keyPredicate(targetType, first))
      const [wanted, given] = [first, jsonEntry(answer)].map((one) => identitiesOf(target, [one])[0])
      demand(wanted === given, `The entity must have the key ${wanted}, not ${given}.`, answer)
    },
  }),
  check({
    id: 'ODATA-NAV-004',
    level: 'MUST',
    title: 'Query options count for what a navigation property leads to.',
    spec: uri6,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name }, target }) => {
      const address = `${entityAddress(sample.set, row)}/${name}`
      const all = await walkFeed(audit, `${address}?$top=4`, 4)
      const rows = await walkFeed(audit, `${address}?$skip=1&$top=2`, 4)
      if (target !== undefined) demandSameOrder(target, all.rows.slice(1, 3), rows.rows, '$skip=1&$top=2')
      const never = await audit.getJson(`${address}?$filter=1%20eq%202`)
      demand(jsonFeed(never).rows.length === 0, 'What is never true gives nothing.', never)
    },
  }),
  check({
    id: 'ODATA-NAV-005',
    level: 'MUST',
    title: 'Properties of the one entity behind a navigation property have addresses.',
    spec: uri6,
    needs: toOne,
    run: async (audit, { sample, navigation: { name, targetType } }) => {
      const property = targetType.properties.find(({ type }) => isPrimitive(type))?.name ?? ''
      for (const row of sample.rows.slice(0, 5)) {
        const address = `${entityAddress(sample.set, row)}/${name}`
        const related = await audit.getJson(address)
        if (related.status !== 200 || related.text === '') continue
        const answer = await audit.getJson(`${address}/${property}`)
        const [wanted, given] = [jsonEntry(related)[property], jsonValue(answer, property)].map(shown)
        demand(wanted === given, `'${property}' must be ${wanted}, not ${given}.`, answer)
        return
      }
      skip(`'${name}' of the first entities leads to nothing.`)
    },
  }),
  check({
    id: 'ODATA-NAV-006',
    level: 'MUST',
    title: 'The deferred address of a navigation property is where it leads.',
    spec: 'MS-ODATA 2.2.6.3.9 (deferred content)',
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name }, target }) => {
      const value = row[name] as { readonly __deferred?: { readonly uri?: unknown } } | undefined
      const uri = value?.__deferred?.uri
      demand(typeof uri === 'string', `'${name}' must have a deferred address, not ${shown(value)}.`)
      const wanted = jsonFeed(await audit.getJson(`${entityAddress(sample.set, row)}/${name}`))
      const answer = await audit.getJson(uri)
      if (target !== undefined) demandSameOrder(target, wanted.rows, jsonFeed(answer).rows, uri, answer)
    },
  }),
]

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
