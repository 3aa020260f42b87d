import { isPrimitive } from '../../../edm/edm-model.js'
import { isRecord } from '../../../util/is-record.js'
import { dataNamespace } from '../../../xml/namespaces.js'
import { childElements, textOf } from '../../../xml/xml-element.js'
import {
  assert,
  assertClientError,
  assertEqual,
  assertMediaType,
  assertObject,
  assertStatus,
  assertString,
  preview,
  skip,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import {
  assertEmptyFeed,
  assertEntityAt,
  assertSameOrder,
  jsonContent,
  jsonEntry,
  jsonFeed,
  jsonValue,
  readPages,
  resultsIn,
} from '../json-documents.js'
import { navigationWhere, toMany, toOne } from '../needs.js'
import type { AuditResponse } from '../response.js'
import { keyOf, keysOf } from '../sample.js'
import { keyPredicate } from '../values.js'
import { xmlRoot } from '../xml-documents.js'

const uri6 = 'MS-ODATA 2.2.3.5 (URI 6)'
const many = section(uri6, toMany)
const single = section(uri6, toOne)
const deferred = section('MS-ODATA 2.2.6.3.9 (deferred content)', toMany)

/** Resource paths with navigation properties. */
export const navigationChecks: readonly Check[] = [
  many.must('ODATA-NAV-001', 'A navigation property to many is a feed.', async (audit, { address }) => {
    jsonFeed(await audit.getJson(address))
    const response = await audit.getAtom(address)
    assertStatus(response, 200)
    assertMediaType(response, 'application/atom+xml')
  }),
  single.must(
    'ODATA-NAV-002',
    'A navigation property to one is an entity; the status is 404 or 204 without one.',
    async (audit, { address }) => {
      const response = await audit.getJson(address)
      if (response.status !== 200) assertStatus(response, 404, 204)
      else if (response.text !== '') jsonEntry(response)
    },
  ),
  many.must(
    'ODATA-NAV-003',
    'A navigation property to many can have a key.',
    async (audit, { navigation: { name, targetType }, address }) => {
      const [first] = jsonFeed(await audit.getJson(`${address}?$top=1`)).rows
      if (first === undefined) skip(`'${name}' of the first entity has no entities.`)
      await assertEntityAt(audit, address + keyPredicate(targetType, first), targetType, first)
    },
  ),
  many.must(
    'ODATA-NAV-004',
    'Query options apply to a navigation property to many.',
    async (audit, { navigation: { targetType }, address }) => {
      const whole = await readPages(audit, `${address}?$top=4`, 4)
      const slice = await readPages(audit, `${address}?$skip=1&$top=2`, 4)
      assertSameOrder(targetType, slice.rows, whole.rows.slice(1, 3), '$skip=1&$top=2')
      await assertEmptyFeed(audit, `${address}?$filter=1%20eq%202`)
    },
  ),
  single.must(
    'ODATA-NAV-005',
    'Properties of the entity of a navigation property have addresses.',
    async (audit, { sample, navigation: { name, targetType } }) => {
      const property = targetType.properties.find(({ type }) => isPrimitive(type))?.name ?? ''
      for (const row of sample.rows.slice(0, 5)) {
        const address = `${sample.addressOf(row)}/${name}`
        const related = await audit.getJson(address)
        if (related.status !== 200 || related.text === '') continue
        const response = await audit.getJson(`${address}/${property}`)
        const expected = jsonEntry(related)[property]
        assertEqual(`'${property}'`, jsonValue(response, property), expected)
        return
      }
      skip(`'${name}' of the first entities has no entity.`)
    },
  ),
  deferred.must(
    'ODATA-NAV-006',
    'The deferred address of a navigation property leads to its entities.',
    async (audit, { row, navigation: { name, targetType }, address }) => {
      const value = row[name] as { readonly __deferred?: { readonly uri?: unknown } } | undefined
      const uri = value?.__deferred?.uri
      assert(typeof uri === 'string', `'${name}' must have a deferred address, not ${preview(value)}.`)
      const expected = jsonFeed(await audit.getJson(address))
      const response = await audit.getJson(uri)
      assertSameOrder(targetType, jsonFeed(response).rows, expected.rows, uri)
    },
  ),
]

const uri7 = 'MS-ODATA 2.2.3.5 (URI 7)'

function urisIn(content: unknown): readonly string[] {
  return resultsIn(content).map((link) => assertString(assertObject(link, 'A link')['uri'], '"uri"'))
}

async function getLinks(audit: AuditRun, address: string): Promise<AuditResponse> {
  const response = await audit.getJson(address)
  if (response.status === 501) skip('The service does not implement $links.')
  return response
}

const links = section(uri7, toMany)
const singleLink = section(uri7, toOne)
const xml = section('MS-ODATA 2.2.6.2.9 (links as XML)', toMany)
const unknown = section(
  uri7,
  navigationWhere('an entity with a property', ({ targetType }) => targetType.properties.length > 0),
)

/** `$links`. */
export const linkChecks: readonly Check[] = [
  links.must(
    'ODATA-LINKS-001',
    '$links returns the addresses of the entities of a navigation property.',
    async (audit, { navigation: { name, targetType }, entity, address }) => {
      const { rows, isComplete } = await readPages(audit, address)
      const content = jsonContent(await getLinks(audit, `${entity}/$links/${name}`))
      const uris = urisIn(content)
      if (!isComplete) return
      const hasNext = isRecord(content) && content['__next'] !== undefined
      assert(
        uris.length === rows.length || (hasNext && uris.length < rows.length),
        `There must be ${rows.length} links, not ${uris.length}.`,
      )
      const [uri] = uris
      if (uri === undefined) return
      const linked = jsonEntry(await audit.getJson(uri))
      const isKnown = keysOf(targetType, rows).includes(keyOf(targetType, linked))
      assert(isKnown, `'${uri}' must be one of the entities of '${name}'.`)
    },
  ),
  singleLink.must(
    'ODATA-LINKS-002',
    '$links of a navigation property to one returns one address.',
    async (audit, { name, entity, address }) => {
      const related = await audit.getJson(address)
      const response = await getLinks(audit, `${entity}/$links/${name}`)
      if (related.status !== 200) assertStatus(response, 404, 204)
      else assertString(jsonEntry(response)['uri'], '"uri"')
    },
  ),
  xml.must('ODATA-LINKS-003', 'XML links are <uri> elements in <links>.', async (audit, { name, entity }) => {
    const address = `${entity}/$links/${name}`
    const expected = urisIn(jsonContent(await getLinks(audit, address)))
    const root = xmlRoot(await audit.getXml(address))
    const isLinks = root.name === 'links' && root.namespace.startsWith(dataNamespace)
    assert(isLinks, `The root element must be <links> of ${dataNamespace}, not <${root.name}>.`)
    const uris = childElements(root).filter((one) => one.name === 'uri')
    assertEqual('The addresses', uris.map(textOf), expected)
  }),
  unknown.must('ODATA-LINKS-004', '$links of an unknown property is rejected.', async (audit, { entity }) => {
    assertClientError(await audit.get(`${entity}/$links/AuditNoSuchProperty`))
  }),
]
