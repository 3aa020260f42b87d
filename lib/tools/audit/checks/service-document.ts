import { skip } from '../check-outcome.js'
import { appNamespace, atomNamespace } from '../../../xml/namespaces.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf, childElements } from '../../../xml/xml-element.js'
import type { Answer } from '../answer.js'
import { atomText, resolved } from '../atom-documents.js'
import type { AuditRun } from '../audit-run.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandArray, demandMediaType, demandObject, demandStatus } from '../demands.js'
import { jsonContent } from '../feeds.js'
import { model, nothing } from '../needs.js'

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
