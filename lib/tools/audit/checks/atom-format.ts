import { isPrimitive, nameOfType } from '../../../edm/edm-model.js'
import { metadataNamespace, relatedNamespace, schemeNamespace } from '../../../xml/namespaces.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf, textOf } from '../../../xml/xml-element.js'
import type { Answer } from '../answer.js'
import {
  atomChild,
  atomRoot,
  atomText,
  entriesOf,
  isNullElement,
  linkOf,
  propertiesIn,
  propertyIn,
  relatedLink,
  resolved,
} from '../atom-documents.js'
import type { AuditRun } from '../audit-run.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandStatus, shown } from '../demands.js'
import { jsonFeed } from '../feeds.js'
import { readMediaType } from '../answer.js'
import { entities, inSamples, sampleWhere, toMany } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { entityAddress, setAddress, simpleProperties } from '../sample.js'
import { compareNumbers, plainText, toNumber } from '../values.js'

const feed = 'MS-ODATA 2.2.6.2.1 (entity set as an Atom feed), RFC 4287 4.1.1'
const entry = 'MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)'

const plainEntries = sampleWhere('entities without media resource', ({ set }) => !set.entityType.hasStream)
const nullValues = inSamples('a property that is null and kept in the content', (sample) => {
  for (const { name, type, feedMappings } of sample.set.entityType.properties) {
    const isMapped = feedMappings.length > 0 || sample.set.entityType.feedMappings.length > 0
    const row = sample.rows.find((one) => one[name] === null)
    if (isPrimitive(type) && !isMapped && row !== undefined) return { sample, name, row }
  }
  return undefined
})

/** Three entries of a set, and the document they are in. */
async function someEntries(
  audit: AuditRun,
  { set }: Sample,
  count = 3,
): Promise<{ answer: Answer; root: XmlElement; entries: readonly XmlElement[] }> {
  const answer = await audit.getAtom(`${setAddress(set)}?$top=${count}`)
  return { answer, root: atomRoot(answer, 'feed'), entries: entriesOf(answer) }
}

function isDate(text: string | undefined): boolean {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
}

const feeds: readonly Check[] = [
  check({
    id: 'ODATA-ATOM-001',
    level: 'MUST',
    title: 'A feed has an id, a title and the time of its update.',
    spec: feed,
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, root } = await someEntries(audit, sample, 1)
      for (const name of ['id', 'title', 'updated']) {
        demand(atomChild(root, name) !== undefined, `The feed must have <${name}>.`, answer)
      }
      demand(isDate(atomText(root, 'updated')), `<updated> must be a date with zone.`, answer)
    },
  }),
  check({
    id: 'ODATA-ATOM-002',
    level: 'SHOULD',
    title: 'A feed has a link to itself.',
    spec: feed,
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, root } = await someEntries(audit, sample, 1)
      demand(linkOf(root, 'self') !== undefined, 'The feed must have <link rel="self">.', answer)
    },
  }),
  check({
    id: 'ODATA-ATOM-003',
    level: 'MUST',
    title: 'Feeds in Atom and JSON have the same entities in the same order.',
    spec: feed,
    needs: entities(),
    run: async (audit) => {
      for (const sample of await audit.service.allSamples()) {
        const { answer, entries } = await someEntries(audit, sample, 20)
        const rows = jsonFeed(await audit.getJson(`${setAddress(sample.set)}?$top=20`)).rows
        demand(
          entries.length === rows.length,
          `There must be ${rows.length} entries, not ${entries.length}.`,
          answer,
        )
        for (const [index, row] of rows.entries()) demandSameValues(sample, row, entries[index], answer)
      }
    },
  }),
]

/** Compares numbers, texts and truth; other types are written too differently. */
function demandSameValues({ set }: Sample, row: Row, one: XmlElement | undefined, answer: Answer): void {
  const properties = one === undefined ? undefined : propertiesIn(one)
  demand(properties !== undefined, 'Every entry must have <m:properties>.', answer)
  for (const { name, type } of simpleProperties(set)) {
    const element = propertyIn(properties, name)
    // A property that is mapped to another place may not be here.
    if (element === undefined) continue
    const value = row[name]
    demand(
      isNullElement(element) === (value === null),
      `'${name}' must be null in both formats or in none.`,
      answer,
    )
    if (value === null || !/String|Boolean|Decimal|Int/.test(nameOfType(type))) continue
    const text = textOf(element)
    const isSame =
      /Decimal|Int/.test(nameOfType(type)) && toNumber(value) !== undefined
        ? compareNumbers(toNumber(text), toNumber(value)) === 0
        : comparable(text) === comparable(plainText(value))
    demand(isSame, `'${name}' must be ${shown(value)} as in JSON, not ${shown(text)}.`, answer)
  }
}

/** Signs that XML cannot hold are written in some other way. */
function comparable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffd\ufffe\uffff]|[\ud800-\udfff]/g, '?')
}

const entries: readonly Check[] = [
  check({
    id: 'ODATA-ATOM-010',
    level: 'MUST',
    title: 'An entry has an id, a title, the time of its update and an author.',
    spec: 'RFC 4287 4.1.2',
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, root, entries: found } = await someEntries(audit, sample)
      for (const one of found) {
        for (const name of ['id', 'title', 'updated']) {
          demand(atomChild(one, name) !== undefined, `Every entry must have <${name}>.`, answer)
        }
        // The author of the feed is that of all entries without one.
        const author = atomChild(one, 'author') ?? atomChild(root, 'author')
        demand(
          author !== undefined && atomChild(author, 'name') !== undefined,
          'There must be <author> with <name>, in every entry or in the feed.',
          answer,
        )
        demand(isDate(atomText(one, 'updated')), '<updated> must be a date with zone.', answer)
      }
    },
  }),
  check({
    id: 'ODATA-ATOM-011',
    level: 'MUST',
    title: 'The id of an entry is absolute, and no other entry has it.',
    spec: 'RFC 4287 4.2.6',
    needs: entities(2),
    run: async (audit, sample) => {
      const { answer, entries: found } = await someEntries(audit, sample, 20)
      const ids = found.map((one) => atomText(one, 'id') ?? '')
      const relative = ids.find((id) => !/^[a-z][a-z\d+.-]*:/i.test(id))
      demand(relative === undefined, `<id> must be absolute, not '${relative}'.`, answer)
      demand(new Set(ids).size === ids.length, 'No two entries may have the same <id>.', answer)
    },
  }),
  check({
    id: 'ODATA-ATOM-012',
    level: 'MUST',
    title: 'The edit link of an entry leads to the entity.',
    spec: entry,
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, root, entries: found } = await someEntries(audit, sample, 1)
      const [one] = found
      const link = one === undefined ? undefined : linkOf(one, 'edit')
      const href = link === undefined ? undefined : attributeOf(link, 'href')
      demand(
        one !== undefined && href !== undefined,
        'Every entry must have <link rel="edit" href="...">.',
        answer,
      )
      const alone = await audit.getAtom(resolved(root, href, answer))
      demandStatus(alone, 200)
      const [wanted, given] = [one, atomRoot(alone, 'entry')].map((each) => atomText(each, 'id'))
      demand(wanted === given, `<id> must be ${wanted}, not ${given}.`, alone)
    },
  }),
  check({
    id: 'ODATA-ATOM-013',
    level: 'MUST',
    title: 'The category of an entry is the name of its type, in the scheme of the protocol.',
    spec: entry,
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, entries: found } = await someEntries(audit, sample)
      const model = await audit.service.model()
      for (const one of found) {
        const category = atomChild(one, 'category') ?? one
        const scheme = attributeOf(category, 'scheme')
        demand(
          scheme === schemeNamespace,
          `scheme must be ${schemeNamespace}, not '${scheme ?? ''}'.`,
          answer,
        )
        const term = attributeOf(category, 'term') ?? ''
        const type = model?.entityTypes.get(term)
        demand(
          type?.isOrInherits(sample.set.entityType) === true,
          `'${term}' is not the type of the entity.`,
          answer,
        )
      }
    },
  }),
  check({
    id: 'ODATA-ATOM-014',
    level: 'MUST',
    title: 'The properties of an entity are m:properties in content of type application/xml.',
    spec: entry,
    needs: plainEntries,
    run: async (audit, sample) => {
      const { answer, entries: found } = await someEntries(audit, sample)
      for (const one of found) {
        const content = atomChild(one, 'content')
        const type = content === undefined ? undefined : attributeOf(content, 'type')
        demand(
          type === 'application/xml',
          `<content> must be of type application/xml, not '${type ?? ''}'.`,
          answer,
        )
        demand(propertiesIn(one) !== undefined, '<content> must have <m:properties>.', answer)
      }
    },
  }),
  check({
    id: 'ODATA-ATOM-015',
    level: 'MUST',
    title: 'Properties have their type in m:type, unless it is Edm.String.',
    spec: entry,
    needs: entities(),
    run: async (audit, sample) => {
      const { answer, entries: found } = await someEntries(audit, sample)
      for (const one of found) {
        const properties = propertiesIn(one)
        for (const { name, type } of simpleProperties(sample.set)) {
          const element = properties === undefined ? undefined : propertyIn(properties, name)
          if (element === undefined) continue
          const given = attributeOf(element, 'type', metadataNamespace) ?? 'Edm.String'
          demand(given === type, `m:type of <${name}> must be ${nameOfType(type)}, not ${given}.`, answer)
        }
      }
    },
  }),
  check({
    id: 'ODATA-ATOM-016',
    level: 'MUST',
    title: 'A property that is null has m:null="true" and no text.',
    spec: 'MS-ODATA 2.2.6.2.2',
    needs: nullValues,
    run: async (audit, { sample: { set }, name, row }) => {
      // The entity itself: in the feed it may stand on any page.
      const answer = await audit.getAtom(entityAddress(set, row))
      const properties = propertiesIn(atomRoot(answer, 'entry'))
      const element = properties && propertyIn(properties, name)
      demand(element !== undefined && isNullElement(element), `<${name}> must have m:null="true".`, answer)
      demand(textOf(element) === '', 'What is null must have no text.', answer)
    },
  }),
  check({
    id: 'ODATA-ATOM-017',
    level: 'MUST',
    title: 'Every navigation property is a link with its relation, type and title.',
    spec: 'MS-ODATA 2.2.6.2.5 (navigation property)',
    needs: toMany,
    run: async (audit, { sample }) => {
      const { answer, entries: found } = await someEntries(audit, sample)
      for (const one of found) {
        for (const { name, isCollection } of sample.set.entityType.navigationProperties) {
          const link = relatedLink(one, name)
          demand(link !== undefined, `There must be a link with rel="${relatedNamespace}${name}".`, answer)
          const { essence, parameters } = readMediaType(attributeOf(link, 'type') ?? '')
          const wanted = isCollection ? 'feed' : 'entry'
          const isRight = essence === 'application/atom+xml' && parameters.get('type') === wanted
          demand(
            isRight,
            `The type of the link '${name}' must be application/atom+xml;type=${wanted}.`,
            answer,
          )
          demand(attributeOf(link, 'href') !== undefined, `The link '${name}' must have an href.`, answer)
        }
      }
    },
  }),
]

/** Atom. */
export const atomFormatChecks: readonly Check[] = [...feeds, ...entries]
