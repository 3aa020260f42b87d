import type { Property } from '../../../edm/edm-model.js'
import { nameOfType } from '../../../edm/edm-model.js'
import { metadataNamespace, relatedNamespace, schemeNamespace } from '../../../xml/namespaces.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf, textOf } from '../../../xml/xml-element.js'
import { assert, assertEqual, preview } from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { jsonFeed } from '../json-documents.js'
import { entities, inSamples, sampleWhere, toMany } from '../needs.js'
import type { AuditResponse } from '../response.js'
import { parseMediaType } from '../response.js'
import type { Row, Sample } from '../sample.js'
import { simpleProperties } from '../sample.js'
import { compareNumbers, toNumber, toText } from '../values.js'
import {
  atomChild,
  atomRoot,
  atomText,
  entriesOf,
  isNullElement,
  linkOf,
  navigationLink,
  propertiesIn,
  propertyIn,
  resolveHref,
} from '../xml-documents.js'

const entrySpec = 'MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)'
const feed = section('MS-ODATA 2.2.6.2.1 (entity set as an Atom feed), RFC 4287 4.1.1', entities())
const entry = section(entrySpec, entities())

interface AtomFeed {
  readonly response: AuditResponse
  readonly root: XmlElement
  readonly entries: readonly XmlElement[]
}

async function getFeed(audit: AuditRun, { address }: Sample, top = 3): Promise<AtomFeed> {
  const response = await audit.getAtom(`${address}?$top=${top}`)
  const root = atomRoot(response, 'feed')
  return { response, root, entries: entriesOf(root) }
}

/** Asserts that a feed or entry has an id, a title and the time of the last update. */
function assertCommonElements(element: XmlElement): void {
  for (const name of ['id', 'title', 'updated']) {
    assert(atomChild(element, name) !== undefined, `<${element.name}> must have <${name}>.`)
  }
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
  const updated = atomText(element, 'updated') ?? ''
  assert(isDate.test(updated), '<updated> must be a date and time with a time zone.')
}

const feeds: readonly Check[] = [
  feed.must('ODATA-ATOM-001', 'A feed has id, title and updated.', async (audit, sample) => {
    const { root } = await getFeed(audit, sample, 1)
    assertCommonElements(root)
  }),
  feed.should('ODATA-ATOM-002', 'A feed has a link to itself.', async (audit, sample) => {
    const { root } = await getFeed(audit, sample, 1)
    assert(linkOf(root, 'self') !== undefined, 'The feed must have <link rel="self">.')
  }),
  feed.must('ODATA-ATOM-003', 'Feeds in Atom and JSON are the same.', async (audit) => {
    for (const sample of await audit.service.allSamples()) {
      const { rows } = jsonFeed(await audit.getJson(`${sample.address}?$top=20`))
      const { entries } = await getFeed(audit, sample, 20)
      assertEqual('The number of entries', entries.length, rows.length)
      for (const [index, row] of rows.entries()) {
        const one = entries[index]
        const properties = one === undefined ? undefined : propertiesIn(one)
        assert(properties !== undefined, 'Every entry must have <m:properties>.')
        for (const property of simpleProperties(sample.type)) {
          const element = propertyIn(properties, property.name)
          // Properties can be mapped to elements outside of <m:properties>.
          if (element !== undefined) assertSameValue(property, row, element)
        }
      }
    }
  }),
]

/**
 * Asserts that a property has the same value in JSON and Atom. The representations of types other than numbers,
 * strings and booleans differ.
 */
function assertSameValue({ name, type }: Property, row: Row, element: XmlElement): void {
  const value = row[name]
  const isSameNull = isNullElement(element) === (value === null)
  assert(isSameNull, `'${name}' must be null in both formats or in none.`)
  const typeName = nameOfType(type)
  if (value === null || !/String|Boolean|Decimal|Int/.test(typeName)) return
  const text = textOf(element)
  const isSame =
    /Decimal|Int/.test(typeName) && toNumber(value) !== undefined
      ? compareNumbers(text, value) === 0
      : normalizeXmlText(text) === normalizeXmlText(toText(value))
  assert(isSame, `'${name}' must be ${preview(value)} as in JSON, not ${preview(text)}.`)
}

/** Replaces characters that XML cannot represent. */
function normalizeXmlText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffd\ufffe\uffff]|[\ud800-\udfff]/g, '?')
}

const nullInContent = inSamples('a property that is null and in the content', (sample) => {
  if (sample.type.feedMappings.length > 0) return undefined
  for (const { name, feedMappings } of simpleProperties(sample.type)) {
    const row = sample.rows.find((one) => one[name] === null)
    if (feedMappings.length === 0 && row !== undefined) return { name, address: sample.addressOf(row) }
  }
  return undefined
})

const author = section('RFC 4287 4.1.2', entities())
const ids = section('RFC 4287 4.2.6', entities(2))
const content = section(
  entrySpec,
  sampleWhere('entities without media resources', ({ type }) => !type.hasStream),
)
const nulls = section('MS-ODATA 2.2.6.2.2', nullInContent)
const links = section('MS-ODATA 2.2.6.2.5 (navigation property)', toMany)

const entries: readonly Check[] = [
  author.must('ODATA-ATOM-010', 'An entry has id, title, updated and author.', async (audit, sample) => {
    const { root, entries } = await getFeed(audit, sample)
    for (const one of entries) {
      assertCommonElements(one)
      // The author of the feed applies to entries without one.
      const author = atomChild(one, 'author') ?? atomChild(root, 'author')
      const hasName = author !== undefined && atomChild(author, 'name') !== undefined
      assert(hasName, 'Every entry or the feed must have an <author> with a <name>.')
    }
  }),
  ids.must('ODATA-ATOM-011', 'The id of an entry is absolute and unique.', async (audit, sample) => {
    const { entries } = await getFeed(audit, sample, 20)
    const ids = entries.map((one) => atomText(one, 'id') ?? '')
    const relative = ids.find((id) => !/^[a-z][a-z\d+.-]*:/i.test(id))
    assert(relative === undefined, `<id> must be absolute, not '${relative}'.`)
    assertEqual('The number of different ids', new Set(ids).size, ids.length)
  }),
  entry.must('ODATA-ATOM-012', 'The edit link of an entry leads to the entity.', async (audit, sample) => {
    const { response, root, entries } = await getFeed(audit, sample, 1)
    const [one = root] = entries
    const href = attributeOf(linkOf(one, 'edit') ?? root, 'href')
    assert(href !== undefined, 'Every entry must have <link rel="edit" href="...">.')
    const entity = await audit.getAtom(resolveHref(root, href, response))
    assertEqual('<id>', atomText(atomRoot(entity, 'entry'), 'id'), atomText(one, 'id'))
  }),
  entry.must('ODATA-ATOM-013', 'The category of an entry is its type.', async (audit, sample) => {
    const { entries } = await getFeed(audit, sample)
    const model = await audit.service.model()
    for (const one of entries) {
      const category = atomChild(one, 'category') ?? one
      assertEqual('scheme', attributeOf(category, 'scheme'), schemeNamespace)
      const term = attributeOf(category, 'term') ?? ''
      const isType = model?.entityTypes.get(term)?.isOrInherits(sample.type) === true
      assert(isType, `term must be the type of the entity, not '${term}'.`)
    }
  }),
  content.must(
    'ODATA-ATOM-014',
    'The properties of an entity are m:properties in content of type application/xml.',
    async (audit, sample) => {
      const { entries } = await getFeed(audit, sample)
      for (const one of entries) {
        const type = attributeOf(atomChild(one, 'content') ?? one, 'type')
        assertEqual('The type of <content>', type, 'application/xml')
        assert(propertiesIn(one) !== undefined, '<content> must have <m:properties>.')
      }
    },
  ),
  entry.must('ODATA-ATOM-015', 'Properties have m:type, except Edm.String.', async (audit, sample) => {
    const { entries } = await getFeed(audit, sample)
    for (const properties of entries.flatMap((one) => propertiesIn(one) ?? [])) {
      for (const { name, type } of simpleProperties(sample.type)) {
        const element = propertyIn(properties, name)
        if (element === undefined) continue
        const actual = attributeOf(element, 'type', metadataNamespace) ?? 'Edm.String'
        assertEqual(`m:type of <${name}>`, actual, type)
      }
    }
  }),
  nulls.must('ODATA-ATOM-016', 'Null has m:null="true" and no text.', async (audit, { name, address }) => {
    // In the feed, the entity may be on any page.
    const response = await audit.getAtom(address)
    const properties = propertiesIn(atomRoot(response, 'entry'))
    const element = properties && propertyIn(properties, name)
    const isNull = element !== undefined && isNullElement(element)
    assert(isNull, `<${name}> must have m:null="true".`)
    assertEqual(`The text of <${name}>`, textOf(element), '')
  }),
  links.must(
    'ODATA-ATOM-017',
    'Every navigation property is a link with its relation, type and address.',
    async (audit, { sample }) => {
      const { entries } = await getFeed(audit, sample)
      for (const one of entries) {
        for (const { name, isCollection } of sample.type.navigationProperties) {
          const link = navigationLink(one, name)
          assert(link !== undefined, `There must be a link with rel="${relatedNamespace}${name}".`)
          const { essence, parameters } = parseMediaType(attributeOf(link, 'type') ?? '')
          const kind = isCollection ? 'feed' : 'entry'
          const isRight = essence === 'application/atom+xml' && parameters.get('type') === kind
          const message = `The type of the link '${name}' must be application/atom+xml;type=${kind}.`
          assert(isRight, message)
          assert(attributeOf(link, 'href') !== undefined, `The link '${name}' must have an href.`)
        }
      }
    },
  ),
]

/** Atom. */
export const atomFormatChecks: readonly Check[] = [...feeds, ...entries]
