import { skip } from '../check-outcome.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { Property } from '../../../edm/edm-model.js'
import { dataNamespace, metadataNamespace } from '../../../xml/namespaces.js'
import { attributeOf, childElements, textOf } from '../../../xml/xml-element.js'
import { isNullElement } from '../atom-documents.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandMediaType, demandObject, demandStatus, shown } from '../demands.js'
import { jsonValue } from '../feeds.js'
import { entities, inSamples } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { entityAddress, simpleProperties } from '../sample.js'

const json = 'MS-ODATA 2.2.6.5.3 (a property in verbose JSON)'
const xml = 'MS-ODATA 2.2.6.2.3 (properties as XML)'

interface PropertyOfRow {
  readonly sample: Sample
  readonly row: Row
  readonly property: Property
}

function where(description: string, fits: (value: unknown, property: Property) => boolean) {
  return inSamples(description, (sample): PropertyOfRow | undefined => {
    for (const row of sample.rows) {
      const property = sample.set.entityType.properties.find((one) => fits(row[one.name], one))
      if (property !== undefined) return { sample, row, property }
    }
    return undefined
  })
}

const simple = where('an entity with a property', (value, { type }) => isPrimitive(type) && value !== null)
const nullOne = where(
  'an entity with a property that is null',
  (value, { type }) => isPrimitive(type) && value === null,
)
const typed = where(
  'an entity with a property of type Edm.Int32 that is not null',
  (value, { type }) => type === 'Edm.Int32' && value !== null,
)
const complex = where(
  'an entity with a complex property',
  (value, { type }) => !isPrimitive(type) && value !== null,
)

function addressOf({ sample, row, property }: PropertyOfRow): string {
  return `${entityAddress(sample.set, row)}/${property.name}`
}

/** Properties with addresses of their own. */
export const propertyChecks: readonly Check[] = [
  check({
    id: 'ODATA-PROP-001',
    level: 'MUST',
    title: 'A property in JSON is an object with the name and the value.',
    spec: json,
    needs: simple,
    run: async (audit, subject) => {
      const answer = await audit.getJson(addressOf(subject))
      const { name } = subject.property
      const wanted = JSON.stringify(subject.row[name])
      const given = JSON.stringify(jsonValue(answer, name))
      demand(wanted === given, `'${name}' must be ${wanted}, not ${given}.`, answer)
    },
  }),
  check({
    id: 'ODATA-PROP-002',
    level: 'MUST',
    title: 'A property in XML is an element with its name.',
    spec: xml,
    needs: simple,
    run: async (audit, subject) => {
      const answer = await audit.getXml(addressOf(subject))
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/xml', 'text/xml')
      const { name, namespace } = answer.xml()
      demand(
        name === subject.property.name && namespace === dataNamespace,
        `The root element must be <${subject.property.name}> of ${dataNamespace}, not <${name}>.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-PROP-003',
    level: 'MUST',
    title: 'In XML the type of a property stands in m:type, unless it is Edm.String.',
    spec: xml,
    needs: typed,
    run: async (audit, subject) => {
      const answer = await audit.getXml(addressOf(subject))
      const root = answer.xml()
      const type = attributeOf(root, 'type', metadataNamespace)
      demand(type === 'Edm.Int32', `m:type must be Edm.Int32, not '${type ?? ''}'.`, answer)
      const wanted = String(subject.row[subject.property.name])
      demand(textOf(root) === wanted, `The text must be ${wanted}, not ${textOf(root)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-PROP-004',
    level: 'MUST',
    title: 'A property that is null has m:null="true" in XML, and is null in JSON.',
    spec: xml,
    needs: nullOne,
    run: async (audit, subject) => {
      const answer = await audit.getXml(addressOf(subject))
      // A service may also say that there is nothing.
      if (answer.status === 404 || answer.status === 204) return
      demandStatus(answer, 200)
      demand(isNullElement(answer.xml()), 'There must be m:null="true".', answer)
      const other = await audit.getJson(addressOf(subject))
      demand(jsonValue(other, subject.property.name) === null, 'The value must be null.', other)
    },
  }),
  check({
    id: 'ODATA-PROP-005',
    level: 'MUST',
    title: 'A complex property shows all its members, in JSON and in XML.',
    spec: 'MS-ODATA 2.2.6.2.4, 2.2.6.3.5 (complex types)',
    needs: complex,
    run: async (audit, subject) => {
      const { name, type } = subject.property
      if (isPrimitive(type)) return
      const answer = await audit.getJson(addressOf(subject))
      const value = demandObject(jsonValue(answer, name), name, answer)
      const document = await audit.getXml(addressOf(subject))
      const elements = childElements(document.xml()).map((one) => one.name)
      for (const member of type.properties) {
        demand(member.name in value, `'${name}' must have the member '${member.name}'.`, answer)
        demand(elements.includes(member.name), `<${name}> must have <${member.name}>.`, document)
      }
    },
  }),
  check({
    id: 'ODATA-PROP-006',
    level: 'MUST',
    title: 'Members of a complex property have addresses.',
    spec: 'MS-ODATA 2.2.3.5 (URI 4)',
    needs: complex,
    run: async (audit, subject) => {
      const { name, type } = subject.property
      const member = isPrimitive(type) ? undefined : type.properties.find((one) => isPrimitive(one.type))
      if (member === undefined) skip('It has no simple member.')
      const answer = await audit.getJson(`${addressOf(subject)}/${member.name}`)
      const wanted = JSON.stringify(demandObject(subject.row[name], name)[member.name])
      const given = JSON.stringify(jsonValue(answer, member.name))
      demand(wanted === given, `'${member.name}' must be ${shown(wanted)}, not ${shown(given)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-PROP-007',
    level: 'MUST',
    title: 'A property that does not exist is answered with 404.',
    spec: 'MS-ODATA 2.2.8 (error responses)',
    needs: entities(),
    run: async (audit, { set, rows }) => {
      demandStatus(await audit.get(`${entityAddress(set, rows[0] ?? {})}/AuditNoSuchProperty`), 404)
    },
  }),
  check({
    id: 'ODATA-PROP-008',
    level: 'MUST',
    title: 'Every simple property has an address.',
    spec: 'MS-ODATA 2.2.3.5 (URI 5)',
    needs: entities(),
    run: async (audit, { set, rows }) => {
      const row = rows[0] ?? {}
      for (const { name } of simpleProperties(set).slice(0, 12)) {
        const answer = await audit.getJson(`${entityAddress(set, row)}/${name}`)
        if (row[name] !== null) demandStatus(answer, 200)
      }
    },
  }),
]
