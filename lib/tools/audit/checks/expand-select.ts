import { groupIdOf } from '../../../edm/analytical-set.js'
import type { EntityType } from '../../../edm/edm-model.js'
import { isRecord } from '../../../util/is-record.js'
import { atomNamespace } from '../../../xml/namespaces.js'
import { attributeOf, childElements } from '../../../xml/xml-element.js'
import { assert, assertClientError, assertEqual, preview, skip } from '../assertions.js'
import type { Check } from '../check.js'
import { section } from '../check.js'
import { assertSameEntity, jsonEntry, jsonFeed, readPages, resultsIn } from '../json-documents.js'
import { entities, leadsToEntities, navigationWhere, sampleWhere, toMany, toOne } from '../needs.js'
import type { Row } from '../sample.js'
import { keysOf, simpleProperties } from '../sample.js'
import { atomChild, atomRoot, metadataChild, navigationLink, propertiesIn } from '../xml-documents.js'

const expandSpec = 'MS-ODATA 2.2.3.6.1.3 ($expand)'
const expandMany = section(expandSpec, toMany)

function isDeferred(value: unknown): boolean {
  return isRecord(value) && isRecord(value['__deferred'])
}

const expandOne = section(expandSpec, toOne)
const inline = section('MS-ODATA 2.2.6.2.6 (inline representation)', toMany)
const deferred = section('MS-ODATA 2.2.6.3.9 (deferred content)', toMany)
const expandPath = section(
  expandSpec,
  navigationWhere('a navigation property to entities with navigation properties', ({ targetType }) =>
    targetType.navigationProperties.some(leadsToEntities),
  ),
)
const expand = section(expandSpec, entities())

const expandChecks: readonly Check[] = [
  expandMany.must(
    'ODATA-EXPAND-001',
    '$expand of a navigation property to many embeds its entities.',
    async (audit, { navigation: { targetType }, name, entity, address }) => {
      const { rows, isComplete } = await readPages(audit, address, 5)
      const value = jsonEntry(await audit.getJson(`${entity}?$expand=${name}`))[name]
      const inlineRows = resultsIn(value).filter(isRecord)
      const expected = keysOf(targetType, rows).slice(0, Math.max(1, inlineRows.length))
      const actual = keysOf(targetType, inlineRows)
      if (isComplete) assertEqual(`'${name}'`, [...actual].sort(), [...expected].sort())
    },
  ),
  expandOne.must(
    'ODATA-EXPAND-002',
    '$expand of a navigation property to one embeds an entity or null.',
    async (audit, { navigation: { targetType }, name, entity, address }) => {
      const related = await audit.getJson(address)
      const value = jsonEntry(await audit.getJson(`${entity}?$expand=${name}`))[name]
      if (value === null) {
        assert(related.status !== 200 || related.text === '', `'${name}' must not be null.`)
      } else {
        assert(isRecord(value) && !isDeferred(value), `'${name}' must be an entity or null.`)
        assertSameEntity(targetType, value, jsonEntry(related))
      }
    },
  ),
  inline.must(
    'ODATA-EXPAND-003',
    'Atom embeds expanded entities in m:inline of the link.',
    async (audit, { name, entity }) => {
      const response = await audit.getAtom(`${entity}?$expand=${name}`)
      const link = navigationLink(atomRoot(response, 'entry'), name)
      assert(link !== undefined, `There must be a link for '${name}'.`)
      const inline = metadataChild(link, 'inline')
      assert(inline !== undefined, `The link for '${name}' must have <m:inline>.`)
      const [feed] = childElements(inline)
      const isFeed = feed?.name === 'feed' && feed.namespace === atomNamespace
      assert(isFeed, '<m:inline> must have a <feed>.')
    },
  ),
  deferred.must(
    'ODATA-EXPAND-004',
    'A navigation property that is not expanded is deferred.',
    async (audit, { name, entity }) => {
      const response = await audit.getJson(entity)
      const value = jsonEntry(response)[name]
      const message = `'${name}' must be {"__deferred":{"uri":...}}, not ${preview(value)}.`
      assert(isDeferred(value), message)
    },
  ),
  expandPath.must(
    'ODATA-EXPAND-005',
    '$expand accepts a path of navigation properties.',
    async (audit, { navigation: { targetType }, name, entity }) => {
      const second = targetType.navigationProperties.find(leadsToEntities)?.name ?? ''
      const response = await audit.getJson(`${entity}?$expand=${name}/${second}`)
      const value = jsonEntry(response)[name]
      const first = isRecord(value) && 'results' in value ? resultsIn(value)[0] : value
      if (!isRecord(first)) skip(`'${name}' of the entity has no entities.`)
      assert(!isDeferred(first[second]), `'${second}' must be expanded.`)
    },
  ),
  expand.must('ODATA-EXPAND-006', '$expand of an unknown name is rejected.', async (audit, { address }) => {
    assertClientError(await audit.getJson(`${address}?$top=1&$expand=AuditNoSuchProperty`))
  }),
  expandMany.must('ODATA-EXPAND-007', '$expand applies to every entity.', async (audit, { sample, name }) => {
    const response = await audit.getJson(`${sample.address}?$top=3&$expand=${name}`)
    for (const row of jsonFeed(response).rows) {
      assert(!isDeferred(row[name]), `'${name}' of every entity must be expanded.`)
      resultsIn(row[name])
    }
  }),
]

const selectSpec = 'MS-ODATA 2.2.3.6.1.11 ($select)'
const select = section(
  selectSpec,
  sampleWhere(
    'entities with a property that is not in the key',
    ({ type }) => simpleProperties(type).length > type.key.length,
  ),
)

function propertyToSelect(type: EntityType): string {
  return simpleProperties(type).find(({ isKey }) => !isKey)?.name ?? ''
}

/** Asserts that an entity has the selected property and no others, except the key. */
function assertSelected(row: Row, type: EntityType, selected: string): void {
  assert(selected in row, `'${selected}' must be included.`)
  const allowed = ['__metadata', selected, ...type.key.map(({ name }) => name)]
  const others = Object.keys(row).filter((name) => !allowed.includes(name))
  assert(others.length === 0, `'${others.join("', '")}' must be omitted.`)
}

const selectPath = section(
  selectSpec,
  navigationWhere(
    'an entity with a navigation property to many entities with properties that are not in the key',
    ({ isCollection, targetType: { properties, key } }) => isCollection && properties.length > key.length + 1,
  ),
)
const selectAny = section(selectSpec, entities())

const selectChecks: readonly Check[] = [
  select.must('ODATA-SELECT-001', '$select omits other properties.', async (audit, { address, type }) => {
    const name = propertyToSelect(type)
    const response = await audit.getJson(`${address}?$top=2&$select=${name}`)
    for (const row of jsonFeed(response).rows) assertSelected(row, type, name)
  }),
  select.must('ODATA-SELECT-002', '$select=* includes all properties.', async (audit, { address, type }) => {
    const response = await audit.getJson(`${address}?$top=1&$select=*`)
    const [row = {}] = jsonFeed(response).rows
    const missing = type.properties.find(({ name }) => !(name in row))
    assert(missing === undefined, `'${missing?.name}' must be included.`)
  }),
  selectPath.must(
    'ODATA-SELECT-003',
    '$select with a path applies to expanded entities.',
    async (audit, { sample, navigation: { targetType }, name }) => {
      const selected = targetType.properties.find(({ isKey }) => !isKey)?.name ?? ''
      const query = `$top=3&$expand=${name}&$select=${name}/${selected}`
      const response = await audit.getJson(`${sample.address}?${query}`)
      for (const row of jsonFeed(response).rows) {
        for (const inlineRow of resultsIn(row[name]).filter(isRecord)) {
          assertSelected(inlineRow, targetType, selected)
        }
      }
    },
  ),
  selectAny.should('ODATA-SELECT-004', 'An unknown property is rejected.', async (audit, { address }) => {
    assertClientError(await audit.getJson(`${address}?$top=1&$select=AuditNoSuchProperty`))
  }),
  select.must(
    'ODATA-SELECT-005',
    '$select does not change the values.',
    async (audit, { address, set, type }) => {
      if (groupIdOf(set) !== undefined) skip('The entity set has groups, which $select decides.')
      const name = propertyToSelect(type)
      const expected = jsonFeed(await audit.getJson(`${address}?$top=3`)).rows.map((row) => row[name])
      const response = await audit.getJson(`${address}?$top=3&$select=${name}`)
      const actual = jsonFeed(response).rows.map((row) => row[name])
      assertEqual(`'${name}'`, actual, expected)
    },
  ),
  select.must('ODATA-SELECT-006', '$select applies to Atom.', async (audit, { firstAddress, type }) => {
    const name = propertyToSelect(type)
    const response = await audit.getAtom(`${firstAddress}?$select=${name}`)
    const entry = atomRoot(response, 'entry')
    const allowed = [name, ...type.key.map((one) => one.name)]
    const properties = propertiesIn(entry)
    const other = properties && childElements(properties).find((one) => !allowed.includes(one.name))
    assert(other === undefined, `<${other?.name}> must be omitted.`)
    const id = atomChild(entry, 'id')
    assert(id !== undefined && attributeOf(id, 'null') === undefined, 'The entry must have an <id>.')
  }),
]

/** `$expand` and `$select`. */
export const expandSelectChecks: readonly Check[] = [...expandChecks, ...selectChecks]
