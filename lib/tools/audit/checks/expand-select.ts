import { isRecord } from '../../../util/is-record.js'
import { skip } from '../check-outcome.js'
import { attributeOf, childElements, textOf } from '../../../xml/xml-element.js'
import { atomNamespace } from '../../../xml/namespaces.js'
import { atomRoot, metadataChild, relatedLink } from '../atom-documents.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandArray, demandClientError, demandObject, shown } from '../demands.js'
import { identitiesOf, jsonEntry, jsonFeed, walkFeed } from '../feeds.js'
import { entities, navigation, sampleWhere, toMany, toOne } from '../needs.js'
import type { Row } from '../sample.js'
import { entityAddress, setAddress, simpleProperties } from '../sample.js'

const expand = 'MS-ODATA 2.2.3.6.1.3 ($expand)'
const select = 'MS-ODATA 2.2.3.6.1.11 ($select)'
const inline = 'MS-ODATA 2.2.6.2.6 (inline representation)'

const severalProperties = sampleWhere(
  'entities with a property beside their key',
  (sample) => simpleProperties(sample.set).length > sample.set.entityType.key.length,
)

const twoSteps = navigation(
  'a navigation property behind another one',
  ({ targetType }) => targetType.navigationProperties.length > 0,
)

/** Entities of an expanded navigation property, of version 1 too. */
function inlineRows(value: unknown): readonly unknown[] {
  return demandArray(isRecord(value) ? value['results'] : value, 'An expanded collection')
}

function isDeferred(value: unknown): boolean {
  return isRecord(value) && isRecord(value['__deferred'])
}

/** A property that is no part of the key. */
function otherProperty(set: Parameters<typeof simpleProperties>[0]): string {
  return simpleProperties(set).find(({ isKey }) => !isKey)?.name ?? ''
}

const expandChecks: readonly Check[] = [
  check({
    id: 'ODATA-EXPAND-001',
    level: 'MUST',
    title: '$expand shows the entities that a navigation property leads to within the entity.',
    spec: expand,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name }, target }) => {
      const address = entityAddress(sample.set, row)
      const answer = await audit.getJson(`${address}?$expand=${name}`)
      const shownRows = inlineRows(jsonEntry(answer)[name]).filter(isRecord)
      const walk = await walkFeed(audit, `${address}/${name}`, 5)
      if (target === undefined) return
      const wanted = identitiesOf(target, walk.rows).slice(0, Math.max(1, shownRows.length))
      const given = identitiesOf(target, shownRows)
      demand(
        [...wanted].sort().join() === [...given].sort().join() || !walk.complete,
        `'${name}' must show ${shown(wanted)}, not ${shown(given)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-EXPAND-002',
    level: 'MUST',
    title: '$expand shows the one entity that a navigation property leads to, or null.',
    spec: expand,
    needs: toOne,
    run: async (audit, { sample, row, navigation: { name }, target }) => {
      const address = entityAddress(sample.set, row)
      const answer = await audit.getJson(`${address}?$expand=${name}`)
      const value = jsonEntry(answer)[name]
      demand(
        value === null || (isRecord(value) && !isDeferred(value)),
        `'${name}' must be an entity or null.`,
        answer,
      )
      const alone = await audit.getJson(`${address}/${name}`)
      if (value === null) {
        demand(alone.status !== 200 || alone.text === '', `'${name}' must lead to nothing.`, alone)
      } else if (target !== undefined) {
        const [wanted] = identitiesOf(target, [jsonEntry(alone)])
        const [given] = identitiesOf(target, [demandObject(value, name)])
        demand(wanted === given, `'${name}' must show ${wanted}, not ${given}.`, answer)
      }
    },
  }),
  check({
    id: 'ODATA-EXPAND-003',
    level: 'MUST',
    title: 'In Atom what is expanded stands in m:inline of its link.',
    spec: inline,
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const answer = await audit.getAtom(`${entityAddress(sample.set, row)}?$expand=${name}`)
      const link = relatedLink(atomRoot(answer, 'entry'), name)
      demand(link !== undefined, `There must be a link for '${name}'.`, answer)
      const content = metadataChild(link, 'inline')
      demand(content !== undefined, `There must be <m:inline> in the link for '${name}'.`, answer)
      const [feed] = childElements(content)
      demand(feed?.name === 'feed' && feed.namespace === atomNamespace, 'There must be <feed> in it.', answer)
    },
  }),
  check({
    id: 'ODATA-EXPAND-004',
    level: 'MUST',
    title: 'What is not expanded is deferred: an object with the address.',
    spec: 'MS-ODATA 2.2.6.3.9 (deferred content)',
    needs: toMany,
    run: async (audit, { sample, row, navigation: { name } }) => {
      const answer = await audit.getJson(entityAddress(sample.set, row))
      const value = jsonEntry(answer)[name]
      demand(isDeferred(value), `'${name}' must be {"__deferred":{"uri":...}}, not ${shown(value)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-EXPAND-005',
    level: 'MUST',
    title: '$expand goes over several navigation properties with /.',
    spec: expand,
    needs: twoSteps,
    run: async (audit, { sample, row, navigation: { name, targetType } }) => {
      const second = targetType.navigationProperties[0]?.name ?? ''
      const answer = await audit.getJson(`${entityAddress(sample.set, row)}?$expand=${name}/${second}`)
      const value = jsonEntry(answer)[name]
      const first = isRecord(value) && 'results' in value ? inlineRows(value)[0] : value
      if (!isRecord(first)) skip('There is nothing behind the first navigation property.')
      demand(!isDeferred(first[second]), `'${second}' must be expanded.`, answer)
    },
  }),
  check({
    id: 'ODATA-EXPAND-006',
    level: 'MUST',
    title: '$expand of a name that is no navigation property is refused.',
    spec: expand,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.getJson(`${setAddress(set)}?$top=1&$expand=AuditNoSuchProperty`))
    },
  }),
  check({
    id: 'ODATA-EXPAND-007',
    level: 'MUST',
    title: '$expand works for every entity of a feed.',
    spec: expand,
    needs: toMany,
    run: async (audit, { sample, navigation: { name } }) => {
      const answer = await audit.getJson(`${setAddress(sample.set)}?$top=3&$expand=${name}`)
      for (const row of jsonFeed(answer).rows) {
        demand(!isDeferred(row[name]), `'${name}' must be expanded in every entity.`, answer)
        inlineRows(row[name])
      }
    },
  }),
]

/** The properties and navigation properties that an entity shows. */
function namesIn(row: Row): readonly string[] {
  return Object.keys(row).filter((name) => name !== '__metadata')
}

const selectChecks: readonly Check[] = [
  check({
    id: 'ODATA-SELECT-001',
    level: 'MUST',
    title: '$select leaves out the properties that it does not name; the key may stay.',
    spec: select,
    needs: severalProperties,
    run: async (audit, { set }) => {
      const name = otherProperty(set)
      const answer = await audit.getJson(`${setAddress(set)}?$top=2&$select=${name}`)
      const allowed = new Set([name, ...set.entityType.key.map((one) => one.name)])
      for (const row of jsonFeed(answer).rows) {
        demand(name in row, `'${name}' must be shown.`, answer)
        const others = namesIn(row).filter((one) => !allowed.has(one))
        demand(others.length === 0, `'${others.join("', '")}' must be left out.`, answer)
      }
    },
  }),
  check({
    id: 'ODATA-SELECT-002',
    level: 'MUST',
    title: '$select=* shows all properties.',
    spec: select,
    needs: severalProperties,
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=1&$select=*`)
      const [row = {}] = jsonFeed(answer).rows
      const missing = set.entityType.properties.find(({ name }) => !(name in row))
      demand(missing === undefined, `'${missing?.name}' must be shown.`, answer)
    },
  }),
  check({
    id: 'ODATA-SELECT-003',
    level: 'MUST',
    title: '$select with a path restricts what $expand shows.',
    spec: select,
    needs: navigation(
      'an entity that leads to others with properties beside their key',
      ({ isCollection, targetType }) =>
        isCollection && targetType.properties.length > targetType.key.length + 1,
    ),
    run: async (audit, { sample, navigation: { name, targetType } }) => {
      const wanted = targetType.properties.find(({ isKey }) => !isKey)?.name ?? ''
      const query = `$top=3&$expand=${name}&$select=${name}/${wanted}`
      const answer = await audit.getJson(`${setAddress(sample.set)}?${query}`)
      const allowed = new Set([wanted, ...targetType.key.map((one) => one.name)])
      for (const row of jsonFeed(answer).rows) {
        for (const inner of inlineRows(row[name]).filter(isRecord)) {
          const others = namesIn(inner).filter((one) => !allowed.has(one))
          demand(others.length === 0, `'${others.join("', '")}' must be left out of '${name}'.`, answer)
          demand(wanted in inner, `'${wanted}' must be shown in '${name}'.`, answer)
        }
      }
    },
  }),
  check({
    id: 'ODATA-SELECT-004',
    level: 'SHOULD',
    title: '$select of a property that does not exist is refused.',
    spec: select,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.getJson(`${setAddress(set)}?$top=1&$select=AuditNoSuchProperty`))
    },
  }),
  check({
    id: 'ODATA-SELECT-005',
    level: 'MUST',
    title: '$select leaves the values of what it names as they are.',
    spec: select,
    needs: severalProperties,
    run: async (audit, { set }) => {
      const name = otherProperty(set)
      const wanted = jsonFeed(await audit.getJson(`${setAddress(set)}?$top=3`)).rows.map((row) => row[name])
      const answer = await audit.getJson(`${setAddress(set)}?$top=3&$select=${name}`)
      const given = jsonFeed(answer).rows.map((row) => row[name])
      demand(JSON.stringify(wanted) === JSON.stringify(given), `'${name}' must be ${shown(wanted)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-SELECT-006',
    level: 'MUST',
    title: '$select works in Atom as in JSON.',
    spec: select,
    needs: severalProperties,
    run: async (audit, sample) => {
      const { set, rows } = sample
      const name = otherProperty(set)
      const answer = await audit.getAtom(`${entityAddress(set, rows[0] ?? {})}?$select=${name}`)
      const allowed = new Set([name, ...set.entityType.key.map((one) => one.name)])
      const content = childElements(atomRoot(answer, 'entry')).flatMap((one) => [one, ...childElements(one)])
      const properties = content.find((one) => one.name === 'properties')
      const others = (properties === undefined ? [] : childElements(properties)).filter(
        (one) => !allowed.has(one.name),
      )
      const first = others[0]
      demand(first === undefined, `<${first?.name}> must be left out: ${first ? textOf(first) : ''}`, answer)
      const id = childElements(atomRoot(answer, 'entry')).find((one) => one.name === 'id')
      demand(
        id !== undefined && attributeOf(id, 'null') === undefined,
        'The entry must keep its <id>.',
        answer,
      )
    },
  }),
]

/** `$expand` and `$select`. */
export const expandSelectChecks: readonly Check[] = [...expandChecks, ...selectChecks]
