import { readEdmx } from '../../../csdl/read-edmx.js'
import {
  edmNamespaces,
  edmxNamespace,
  metadataNamespace,
  appNamespace,
  atomNamespace,
} from '../../../xml/namespaces.js'
import { XmlError } from '../../../xml/parse-xml.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf, childElements } from '../../../xml/xml-element.js'
import { ModelError } from '../../../edm/build/model-faults.js'
import type { Answer } from '../answer.js'
import type { AuditRun } from '../audit-run.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { CheckFailure, skip } from '../check-outcome.js'
import { demand, demandMediaType, demandStatus, demandArray, demandObject } from '../demands.js'
import { nothing, model } from '../needs.js'
import { atomText, resolved } from '../atom-documents.js'
import { jsonContent } from '../feeds.js'

const edmx = 'MS-ODATA 2.2.3.7.1, MC-EDMX'

async function metadata(audit: AuditRun): Promise<Answer> {
  const answer = await audit.get('$metadata')
  demandStatus(answer, 200)
  return answer
}

function dataServices(answer: Answer): XmlElement {
  const root = answer.xml()
  const isEdmx = root.name === 'Edmx' && root.namespace === edmxNamespace
  demand(isEdmx, `The root element must be <Edmx> of ${edmxNamespace}, not <${root.name}>.`, answer)
  const found = childElements(root).find((one) => one.name === 'DataServices')
  demand(found !== undefined, 'There must be <DataServices> in <Edmx>.', answer)
  return found
}

function schemasIn(answer: Answer): readonly XmlElement[] {
  return childElements(dataServices(answer)).filter(({ name }) => name === 'Schema')
}

function elementsOf(schemas: readonly XmlElement[], name: string): readonly XmlElement[] {
  return schemas.flatMap((schema) => childElements(schema).filter((one) => one.name === name))
}

/** `$metadata`. */
export const metadataChecks: readonly Check[] = [
  check({
    id: 'ODATA-META-001',
    level: 'MUST',
    title: '$metadata answers with a well-formed EDMX document.',
    spec: edmx,
    needs: nothing,
    run: async (audit) => {
      dataServices(await metadata(audit))
    },
  }),
  check({
    id: 'ODATA-META-002',
    level: 'MUST',
    title: 'The metadata document is of type application/xml.',
    spec: 'MS-ODATA 2.2.5.2 (Content-Type)',
    needs: nothing,
    run: async (audit) => {
      demandMediaType(await metadata(audit), 'application/xml', 'text/xml')
    },
  }),
  check({
    id: 'ODATA-META-003',
    level: 'MUST',
    title: 'Schemas are written in a version of CSDL that OData V2 knows.',
    spec: 'MC-CSDL 2.1.1',
    needs: nothing,
    run: async (audit) => {
      const answer = await metadata(audit)
      const schemas = schemasIn(answer)
      demand(schemas.length > 0, 'There must be a <Schema>.', answer)
      for (const { namespace } of schemas) {
        demand(edmNamespaces.has(namespace), `'${namespace}' is no namespace of CSDL 1.0 to 2.0.`, answer)
      }
    },
  }),
  check({
    id: 'ODATA-META-004',
    level: 'SHOULD',
    title: 'DataServices says by m:DataServiceVersion which version clients need, 1.0 or 2.0.',
    spec: edmx,
    needs: nothing,
    run: async (audit) => {
      const answer = await metadata(audit)
      const version = attributeOf(dataServices(answer), 'DataServiceVersion', metadataNamespace)
      demand(
        version === '1.0' || version === '2.0',
        `m:DataServiceVersion must be 1.0 or 2.0, not '${version ?? ''}'.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-META-005',
    level: 'MUST',
    title: 'One entity container is the default one.',
    spec: 'MS-ODATA 2.2.3.7.2 (m:IsDefaultEntityContainer)',
    needs: nothing,
    run: async (audit) => {
      const answer = await metadata(audit)
      const containers = elementsOf(schemasIn(answer), 'EntityContainer')
      const defaults = containers.filter(
        (one) => attributeOf(one, 'IsDefaultEntityContainer', metadataNamespace)?.toLowerCase() === 'true',
      )
      demand(
        defaults.length === 1,
        `One <EntityContainer> must have m:IsDefaultEntityContainer="true", not ${defaults.length}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-META-006',
    level: 'MUST',
    title: 'Every name in the metadata document leads to what it names.',
    spec: 'MC-CSDL 2.1',
    needs: nothing,
    run: async (audit) => {
      const answer = await metadata(audit)
      try {
        readEdmx(answer.text)
      } catch (error) {
        if (error instanceof ModelError || error instanceof XmlError)
          throw new CheckFailure(error.message, answer)
        throw error
      }
    },
  }),
  check({
    id: 'ODATA-META-007',
    level: 'MUST',
    title: 'Every entity type has a key, or a base type that has one.',
    spec: 'MC-CSDL 2.1.5',
    needs: nothing,
    run: async (audit) => {
      const answer = await metadata(audit)
      for (const type of elementsOf(schemasIn(answer), 'EntityType')) {
        const hasKey = childElements(type).some(({ name }) => name === 'Key')
        demand(
          hasKey || attributeOf(type, 'BaseType') !== undefined,
          `<EntityType Name="${attributeOf(type, 'Name') ?? ''}"> must have a <Key>.`,
          answer,
        )
      }
    },
  }),
  check({
    id: 'ODATA-META-008',
    level: 'MUST',
    title: 'The metadata document is never JSON: a request for JSON is refused, or answered with XML.',
    spec: 'MS-ODATA 2.2.6.5.10 (metadata document)',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.getJson('$metadata')
      if (answer.status === 200) dataServices(answer)
      else demandStatus(answer, 400, 406, 415)
    },
  }),
]

const atom = 'MS-ODATA 2.2.6.2.7 (service document), RFC 5023 8'

async function serviceDocument(audit: AuditRun): Promise<Answer> {
  const answer = await audit.get('', { Accept: 'application/atomsvc+xml,application/xml' })
  demandStatus(answer, 200)
  return answer
}

function collectionsIn(answer: Answer): readonly XmlElement[] {
  const inApp = (element: XmlElement, name: string): XmlElement[] =>
    childElements(element).filter((one) => one.name === name && one.namespace === appNamespace)
  const root = answer.xml()
  demand(
    root.name === 'service' && root.namespace === appNamespace,
    `The root element must be <service> of ${appNamespace}, not <${root.name}> of '${root.namespace}'.`,
    answer,
  )
  const workspaces = inApp(root, 'workspace')
  demand(workspaces.length > 0, 'There must be a <workspace>.', answer)
  return workspaces.flatMap((one) => inApp(one, 'collection'))
}

async function namesInJson(audit: AuditRun): Promise<{ answer: Answer; names: readonly unknown[] }> {
  const answer = await audit.getJson('')
  const content = demandObject(jsonContent(answer), '"d"', answer)
  return { answer, names: demandArray(content['EntitySets'], '"EntitySets"', answer) }
}

/** The root of the service. */
export const serviceDocumentChecks: readonly Check[] = [
  check({
    id: 'ODATA-ROOT-001',
    level: 'MUST',
    title: 'The root of the service answers with an Atom service document.',
    spec: atom,
    needs: nothing,
    run: async (audit) => {
      collectionsIn(await serviceDocument(audit))
    },
  }),
  check({
    id: 'ODATA-ROOT-002',
    level: 'MUST',
    title: 'The service document is of type application/atomsvc+xml or application/xml.',
    spec: 'MS-ODATA 2.2.5.2 (Content-Type)',
    needs: nothing,
    run: async (audit) => {
      demandMediaType(await serviceDocument(audit), 'application/atomsvc+xml', 'application/xml', 'text/xml')
    },
  }),
  check({
    id: 'ODATA-ROOT-003',
    level: 'MUST',
    title: 'Every collection of the service document has an address and a title.',
    spec: atom,
    needs: nothing,
    run: async (audit) => {
      const answer = await serviceDocument(audit)
      for (const collection of collectionsIn(answer)) {
        const href = attributeOf(collection, 'href')
        demand(href !== undefined && href !== '', 'Every <collection> must have an href.', answer)
        const title = atomText(collection, 'title')
        demand(
          title !== undefined,
          `<collection href="${href}"> must have a <title> of ${atomNamespace}.`,
          answer,
        )
      }
    },
  }),
  check({
    id: 'ODATA-ROOT-004',
    level: 'MUST',
    title: 'The service document in JSON has the names of the entity sets.',
    spec: 'MS-ODATA 2.2.6.3.12 (service document)',
    needs: nothing,
    run: async (audit) => {
      const { answer, names } = await namesInJson(audit)
      demand(
        names.every((name) => typeof name === 'string'),
        'Every member of "EntitySets" must be a string.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-ROOT-005',
    level: 'SHOULD',
    title: 'The service document in JSON and in Atom names the same entity sets.',
    spec: 'MS-ODATA 2.2.6.3.12 (service document)',
    needs: nothing,
    run: async (audit) => {
      const { answer, names } = await namesInJson(audit)
      const collections = collectionsIn(await serviceDocument(audit))
      const titles = new Set(collections.map((one) => atomText(one, 'title')))
      const hrefs = new Set(collections.map((one) => decodeURIComponent(attributeOf(one, 'href') ?? '')))
      const missing = names.filter((name) => !titles.has(String(name)) && !hrefs.has(String(name)))
      demand(missing.length === 0, `In Atom there is no collection for ${missing.join(', ')}.`, answer)
      demand(
        names.length === collections.length,
        'There must be as many collections in Atom as in JSON.',
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-ROOT-006',
    level: 'SHOULD',
    title: 'Every collection of the service document is an entity set of the metadata document.',
    spec: 'MS-ODATA 2.2.3.1 (service root)',
    needs: model,
    run: async (audit, { entityContainers }) => {
      const { answer, names } = await namesInJson(audit)
      const known = new Set(entityContainers.flatMap(({ entitySets }) => entitySets.map(({ path }) => path)))
      const unknown = names.filter((name) => !known.has(String(name)))
      demand(unknown.length === 0, `The metadata document has no entity set ${unknown.join(', ')}.`, answer)
    },
  }),
  check({
    id: 'ODATA-ROOT-007',
    level: 'MUST',
    title: 'The first collection of the service document can be reached by its href and xml:base.',
    spec: 'RFC 5023 8.3.3',
    needs: nothing,
    run: async (audit) => {
      const answer = await serviceDocument(audit)
      const [first] = collectionsIn(answer)
      if (first === undefined) skip('The service has no collections.')
      const address = resolved(answer.xml(), attributeOf(first, 'href') ?? '', answer)
      const feed = await audit.get(`${address}?$top=1`)
      demand(feed.status !== 404, `'${address}' must be found.`, feed)
    },
  }),
]
