import { isPrimitive } from '../../../edm/edm-model.js'
import { dataNamespace, metadataNamespace } from '../../../xml/namespaces.js'
import { attributeOf, childElements, textOf } from '../../../xml/xml-element.js'
import { assert, assertEqual, assertObject, assertStatus, skip } from '../assertions.js'
import type { Check } from '../check.js'
import { section } from '../check.js'
import { jsonValue } from '../json-documents.js'
import { entities, nullProperty, propertyWhere } from '../needs.js'
import { simpleProperties } from '../sample.js'
import { assertElement, isNullElement, xmlRoot } from '../xml-documents.js'

const xmlSpec = 'MS-ODATA 2.2.6.2.3 (properties as XML)'

const simpleProperty = propertyWhere(
  'an entity with a property',
  (value, { type }) => isPrimitive(type) && value !== null,
)
const int32Property = propertyWhere(
  'an entity with a property of type Edm.Int32 that is not null',
  (value, { type }) => type === 'Edm.Int32' && value !== null,
)
const complexProperty = propertyWhere(
  'an entity with a complex property',
  (value, { type }) => !isPrimitive(type) && value !== null,
)

const json = section('MS-ODATA 2.2.6.5.3 (a property in verbose JSON)', simpleProperty)
const xml = section(xmlSpec, simpleProperty)
const typedXml = section(xmlSpec, int32Property)
const nulls = section(xmlSpec, nullProperty)
const complex = section('MS-ODATA 2.2.6.2.4, 2.2.6.3.5 (complex types)', complexProperty)
const members = section('MS-ODATA 2.2.3.5 (URI 4)', complexProperty)
const unknown = section('MS-ODATA 2.2.8 (error responses)', entities())
const simple = section('MS-ODATA 2.2.3.5 (URI 5)', entities())

/** Addresses of properties. */
export const propertyChecks: readonly Check[] = [
  json.must(
    'ODATA-PROP-001',
    'A property in JSON is its name and value.',
    async (audit, { address, name, row }) => {
      const response = await audit.getJson(address)
      assertEqual(`'${name}'`, jsonValue(response, name), row[name])
    },
  ),
  xml.must(
    'ODATA-PROP-002',
    'A property in XML is an element with its name.',
    async (audit, { address, name }) => {
      const response = await audit.getXml(address)
      assertElement(xmlRoot(response), name, dataNamespace)
    },
  ),
  typedXml.must(
    'ODATA-PROP-003',
    'Properties have m:type, except Edm.String.',
    async (audit, { address, name, row }) => {
      const response = await audit.getXml(address)
      const root = response.xml()
      assertEqual('m:type', attributeOf(root, 'type', metadataNamespace), 'Edm.Int32')
      assertEqual(`The text of <${name}>`, textOf(root), String(row[name]))
    },
  ),
  nulls.must(
    'ODATA-PROP-004',
    'A property that is null has m:null="true" in XML and is null in JSON.',
    async (audit, { address, name }) => {
      const response = await audit.getXml(address)
      // Accepted, too: there is no value.
      if (response.status === 404 || response.status === 204) return
      assertStatus(response, 200)
      assert(isNullElement(response.xml()), 'There must be m:null="true".')
      const json = await audit.getJson(address)
      assertEqual(`'${name}'`, jsonValue(json, name), null)
    },
  ),
  complex.must(
    'ODATA-PROP-005',
    'A complex property has all its members in JSON and XML.',
    async (audit, { address, name, property: { type } }) => {
      if (isPrimitive(type)) return
      const members = type.properties.map((one) => one.name)
      const value = assertObject(jsonValue(await audit.getJson(address), name), name)
      const missing = members.find((member) => !(member in value))
      assert(missing === undefined, `'${name}' must have the member '${missing}'.`)
      const elements = childElements((await audit.getXml(address)).xml()).map((one) => one.name)
      const missingElement = members.find((member) => !elements.includes(member))
      assert(missingElement === undefined, `<${name}> must have <${missingElement}>.`)
    },
  ),
  members.must(
    'ODATA-PROP-006',
    'Members of a complex property have addresses.',
    async (audit, { address, row, name, property: { type } }) => {
      const member = isPrimitive(type) ? undefined : type.properties.find((one) => isPrimitive(one.type))
      if (member === undefined) skip('It has no simple member.')
      const response = await audit.getJson(`${address}/${member.name}`)
      const expected = assertObject(row[name], name)[member.name]
      assertEqual(`'${member.name}'`, jsonValue(response, member.name), expected)
    },
  ),
  unknown.must('ODATA-PROP-007', 'An unknown property returns 404.', async (audit, { firstAddress }) => {
    assertStatus(await audit.get(`${firstAddress}/AuditNoSuchProperty`), 404)
  }),
  simple.must(
    'ODATA-PROP-008',
    'Every simple property has an address.',
    async (audit, { first, firstAddress, type }) => {
      for (const { name } of simpleProperties(type).slice(0, 12)) {
        const response = await audit.getJson(`${firstAddress}/${name}`)
        if (first[name] !== null) assertStatus(response, 200)
      }
    },
  ),
]
