import { readEdmx } from '../../../csdl/read-edmx.js'
import { ModelError } from '../../../edm/build/model-error.js'
import { entitySetsOf } from '../../../edm/edm-model.js'
import {
  appNamespace,
  atomNamespace,
  edmNamespaces,
  edmxNamespace,
  metadataNamespace,
} from '../../../xml/namespaces.js'
import { XmlError } from '../../../xml/parse-xml.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf, childElements } from '../../../xml/xml-element.js'
import {
  assert,
  assertArray,
  assertEqual,
  assertMediaType,
  assertStatus,
  assertString,
  skip,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { jsonEntry } from '../json-documents.js'
import { anyService, model } from '../needs.js'
import type { AuditResponse } from '../response.js'
import { CheckFailure } from '../response.js'
import { assertElement, atomText, childrenIn, resolveHref } from '../xml-documents.js'

const edmx = section('MS-ODATA 2.2.3.7.1, MC-EDMX', anyService)
const csdl = section('MC-CSDL 2.1', anyService)
const contentType = section('MS-ODATA 2.2.5.2 (Content-Type)', anyService)

async function getMetadata(audit: AuditRun): Promise<AuditResponse> {
  const response = await audit.get('$metadata')
  assertStatus(response, 200)
  return response
}

function childrenNamed(parents: readonly XmlElement[], name: string): readonly XmlElement[] {
  return parents.flatMap((parent) => childElements(parent).filter((one) => one.name === name))
}

function dataServicesIn(response: AuditResponse): XmlElement {
  const root = response.xml()
  assertElement(root, 'Edmx', edmxNamespace)
  const [dataServices] = childrenNamed([root], 'DataServices')
  assert(dataServices !== undefined, '<Edmx> must have a <DataServices> element.')
  return dataServices
}

function schemasIn(response: AuditResponse): readonly XmlElement[] {
  return childrenNamed([dataServicesIn(response)], 'Schema')
}

const csdlVersions = section('MC-CSDL 2.1.1', anyService)
const containers = section('MS-ODATA 2.2.3.7.2 (m:IsDefaultEntityContainer)', anyService)
const entityTypes = section('MC-CSDL 2.1.5', anyService)
const xmlOnly = section('MS-ODATA 2.2.6.5.10 (metadata document)', anyService)

/** `$metadata`. */
const namesAreDefined =
  'All names that $metadata refers to are defined, and roles belong to the type of their navigation property.'

export const metadataChecks: readonly Check[] = [
  edmx.must('ODATA-META-001', '$metadata returns a well-formed EDMX document.', async (audit) => {
    dataServicesIn(await getMetadata(audit))
  }),
  contentType.must('ODATA-META-002', 'The type of $metadata is application/xml.', async (audit) => {
    assertMediaType(await getMetadata(audit), 'application/xml', 'text/xml')
  }),
  csdlVersions.must('ODATA-META-003', 'Schemas have a CSDL version that V2 supports.', async (audit) => {
    const response = await getMetadata(audit)
    const schemas = schemasIn(response)
    assert(schemas.length > 0, 'There must be a <Schema>.')
    for (const { namespace } of schemas) {
      assert(edmNamespaces.has(namespace), `'${namespace}' is not a namespace of CSDL 1.0 to 2.0.`)
    }
  }),
  edmx.should('ODATA-META-004', 'm:DataServiceVersion of DataServices is 1.0 or 2.0.', async (audit) => {
    const response = await getMetadata(audit)
    const version = attributeOf(dataServicesIn(response), 'DataServiceVersion', metadataNamespace)
    assert(
      version === '1.0' || version === '2.0',
      `m:DataServiceVersion must be 1.0 or 2.0, not '${version ?? ''}'.`,
    )
  }),
  containers.must('ODATA-META-005', 'There is one default entity container.', async (audit) => {
    const response = await getMetadata(audit)
    const defaults = childrenNamed(schemasIn(response), 'EntityContainer').filter(
      (one) => attributeOf(one, 'IsDefaultEntityContainer', metadataNamespace)?.toLowerCase() === 'true',
    )
    const what = 'The number of containers with m:IsDefaultEntityContainer="true"'
    assertEqual(what, defaults.length, 1)
  }),
  csdl.must('ODATA-META-006', namesAreDefined, async (audit) => {
    const response = await getMetadata(audit)
    try {
      readEdmx(response.text)
    } catch (error) {
      const isInvalid = error instanceof ModelError || error instanceof XmlError
      throw isInvalid ? new CheckFailure(error.message, response) : error
    }
  }),
  entityTypes.must('ODATA-META-007', 'Every entity type has a key or a base type.', async (audit) => {
    const response = await getMetadata(audit)
    for (const type of childrenNamed(schemasIn(response), 'EntityType')) {
      const hasKey = childrenNamed([type], 'Key').length > 0 || attributeOf(type, 'BaseType') !== undefined
      assert(hasKey, `<EntityType Name="${attributeOf(type, 'Name') ?? ''}"> must have a <Key>.`)
    }
  }),
  // Five tools for V2 fail for several containers, or lose all but one.
  containers.should('ODATA-META-009', 'There is a single entity container.', async (audit) => {
    const all = childrenNamed(schemasIn(await getMetadata(audit)), 'EntityContainer')
    assertEqual('The number of containers', all.length, 1)
  }),
  entityTypes.should(
    'ODATA-META-010',
    'The type of an entity set has no base type: clients of SAP ignore BaseType and find no key.',
    async (audit) => {
      const schemas = schemasIn(await getMetadata(audit))
      const derived = new Set(
        schemas.flatMap((schema) =>
          childrenNamed([schema], 'EntityType')
            .filter((type) => attributeOf(type, 'BaseType') !== undefined)
            .flatMap((type) =>
              ['Namespace', 'Alias'].map(
                (name) => `${attributeOf(schema, name) ?? ''}.${attributeOf(type, 'Name') ?? ''}`,
              ),
            ),
        ),
      )
      const sets = childrenNamed(childrenNamed(schemas, 'EntityContainer'), 'EntitySet')
      const found = sets.filter((set) => derived.has(attributeOf(set, 'EntityType') ?? ''))
      const names = found.map((set) => attributeOf(set, 'Name')).join(', ')
      assert(names === '', `The type of ${names} has a BaseType. Repeat its members, see flattenInheritance.`)
    },
  ),
  entityTypes.should(
    'ODATA-META-011',
    'Names of properties differ not only in case: SAP Cloud SDK mixes up their values.',
    async (audit) => {
      const schemas = schemasIn(await getMetadata(audit))
      for (const type of [
        ...childrenNamed(schemas, 'EntityType'),
        ...childrenNamed(schemas, 'ComplexType'),
      ]) {
        const seen = new Map<string, string>()
        for (const property of childElements(type).filter(({ name }) => /Property$/.test(name))) {
          const name = attributeOf(property, 'Name') ?? ''
          const other = seen.get(name.toLowerCase())
          const place = attributeOf(type, 'Name') ?? ''
          assert(other === undefined, `'${other ?? ''}' and '${name}' of ${place} differ only in case.`)
          seen.set(name.toLowerCase(), name)
        }
      }
    },
  ),
  xmlOnly.must('ODATA-META-008', '$metadata is never JSON, even if JSON is requested.', async (audit) => {
    const response = await audit.getJson('$metadata')
    if (response.status === 200) dataServicesIn(response)
    else assertStatus(response, 400, 406, 415)
  }),
]

const atomDocument = section('MS-ODATA 2.2.6.2.7 (service document), RFC 5023 8', anyService)
const jsonDocument = section('MS-ODATA 2.2.6.3.12 (service document)', anyService)

async function getServiceDocument(audit: AuditRun): Promise<AuditResponse> {
  const response = await audit.get('', { Accept: 'application/atomsvc+xml,application/xml' })
  assertStatus(response, 200)
  return response
}

function collectionsIn(response: AuditResponse): readonly XmlElement[] {
  const root = response.xml()
  assertElement(root, 'service', appNamespace)
  const workspaces = childrenIn(root, appNamespace, 'workspace')
  assert(workspaces.length > 0, 'There must be a <workspace>.')
  return workspaces.flatMap((one) => childrenIn(one, appNamespace, 'collection'))
}

async function getJsonNames(audit: AuditRun): Promise<readonly string[]> {
  const names = assertArray(jsonEntry(await audit.getJson(''))['EntitySets'], '"EntitySets"')
  return names.map((name) => assertString(name, 'A name in "EntitySets"'))
}

const collections = section('MS-ODATA 2.2.3.1 (service root)', model)
const references = section('RFC 5023 8.3.3', anyService)

/** The service root. */
export const serviceDocumentChecks: readonly Check[] = [
  atomDocument.must('ODATA-ROOT-001', 'The service root returns an Atom service document.', async (audit) => {
    collectionsIn(await getServiceDocument(audit))
  }),
  contentType.must(
    'ODATA-ROOT-002',
    'The type of the service document is application/atomsvc+xml or application/xml.',
    async (audit) => {
      const response = await getServiceDocument(audit)
      assertMediaType(response, 'application/atomsvc+xml', 'application/xml', 'text/xml')
    },
  ),
  atomDocument.must('ODATA-ROOT-003', 'Every collection has an href and a title.', async (audit) => {
    const response = await getServiceDocument(audit)
    for (const collection of collectionsIn(response)) {
      const href = attributeOf(collection, 'href') ?? ''
      assert(href !== '', 'Every <collection> must have an href.')
      const hasTitle = atomText(collection, 'title') !== undefined
      assert(hasTitle, `<collection href="${href}"> must have a <title> of ${atomNamespace}.`)
    }
  }),
  jsonDocument.must('ODATA-ROOT-004', 'The JSON document lists the entity sets.', async (audit) => {
    await getJsonNames(audit)
  }),
  jsonDocument.should('ODATA-ROOT-005', 'The JSON and Atom documents have the same sets.', async (audit) => {
    const names = await getJsonNames(audit)
    const collections = collectionsIn(await getServiceDocument(audit))
    const known = new Set(
      collections.flatMap((one) => [
        atomText(one, 'title'),
        decodeURIComponent(attributeOf(one, 'href') ?? ''),
      ]),
    )
    const missing = names.filter((name) => !known.has(name))
    assert(missing.length === 0, `The Atom document has no collection ${missing.join(', ')}.`)
    assertEqual('The number of names', names.length, collections.length)
  }),
  collections.should(
    'ODATA-ROOT-006',
    'Every collection of the service document is an entity set of $metadata.',
    async (audit, edmModel) => {
      const names = await getJsonNames(audit)
      const known = new Set(entitySetsOf(edmModel).map(({ path }) => path))
      const unknown = names.filter((name) => !known.has(name))
      assert(unknown.length === 0, `$metadata has no entity set ${unknown.join(', ')}.`)
    },
  ),
  references.must('ODATA-ROOT-007', 'The href of a collection leads to its set.', async (audit) => {
    const response = await getServiceDocument(audit)
    const [first] = collectionsIn(response)
    if (first === undefined) skip('The service has no collections.')
    const address = resolveHref(response.xml(), attributeOf(first, 'href') ?? '', response)
    const feed = await audit.get(`${address}?$top=1`)
    assert(feed.status !== 404, `'${address}' must exist.`)
  }),
]
