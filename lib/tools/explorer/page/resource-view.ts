import type { App, View } from './app.js'
import { connectionLinks } from './connection-links.js'
import { el, fill } from './dom.js'
import { entityDetails } from './entity-details.js'
import { entityTable } from './entity-table.js'
import { exchangePanel } from './exchange-panel.js'
import { functionForm, isCallable } from './function-form.js'
import { aboutText } from './model.js'
import { documentOf, isEntity, pageOf } from './payload.js'
import { pager } from './pager.js'
import type { Problem } from './problem.js'
import { problemOf } from './problem.js'
import type { RelativeAddress } from './query-options.js'
import { readAddress } from './query-options.js'
import { queryForm } from './query-form.js'
import { readableText } from './raw-text.js'
import type { Resource } from './resource.js'
import { decoded, resourceOf } from './resource.js'
import { resourceHash, typeHash } from './router.js'
import type { Exchange } from './service-client.js'
import { showValue } from './values.js'
import { alarm, note, title as titled } from './pieces.js'

/** Whatever an address of the service leads to. */
export async function resourceView(app: App, text: string): Promise<View> {
  const address = readAddress(text)
  const resource = resourceOf(app.model, address.path)
  const title = decoded(address.path)
  const { functionImport } = resource
  const waits =
    functionImport !== undefined &&
    (functionImport.method === 'POST' || !isCallable(functionImport, address.options))
  const answer = waits ? undefined : await app.client.send(text, { accept: acceptOf(address.path) })
  const problem = answer === undefined ? undefined : problemOf(answer)
  const isKnown = resource.kind === 'collection' || resource.kind === 'entity'
  const isQueried = resource.type?.kind === 'EntityType' && (isKnown || functionImport?.isCollection === true)
  const result = el('div', { class: 'result' })
  if (answer !== undefined) fill(result, ...resultOf(app, address, resource, answer, problem))
  const call = (called: string): void => {
    if (functionImport?.method === 'POST') void post(app, called, resource, result)
    else app.go(resourceHash(called))
  }
  return {
    title,
    content: [
      heading(title, resource),
      ...describedBy(resource),
      ...(functionImport === undefined ? [] : [functionForm(functionImport, address.options, call)]),
      ...(isQueried && resource.type !== undefined && !waits
        ? [queryForm(app, address, resource.type, resource.kind !== 'entity', problem)]
        : []),
      result,
      ...(resource.kind === 'collection' && resource.set?.path === title
        ? [connectionLinks(app, resource.set.path)]
        : []),
    ],
  }
}

/** Metadata exists as XML alone. */
function acceptOf(path: string): string {
  return path.startsWith('$metadata') ? 'application/xml' : 'application/json, */*;q=0.1'
}

async function post(app: App, text: string, resource: Resource, result: HTMLElement): Promise<void> {
  const answer = await app.client.send(text, { method: 'POST' })
  fill(result, ...resultOf(app, readAddress(text), resource, answer, problemOf(answer)))
  app.announce(`${String(answer.status)} ${answer.statusText}`)
}

function heading(title: string, { type }: Resource): HTMLElement {
  const badge =
    type === undefined
      ? undefined
      : el('a', { class: 'badge', href: typeHash(type.qualifiedName) }, type.name)
  return titled(title, badge)
}

function describedBy({ set, functionImport, type, kind }: Resource): Node[] {
  const text =
    functionImport !== undefined
      ? aboutText(functionImport.name, functionImport.label, functionImport.documentation)
      : kind === 'collection' && set !== undefined
        ? aboutText(set.name, set.label, set.documentation === '' ? type?.documentation : set.documentation)
        : ''
  return text === '' ? [] : [el('p', { class: 'about' }, text)]
}

function resultOf(
  app: App,
  address: RelativeAddress,
  resource: Resource,
  answer: Exchange,
  problem: Problem | undefined,
): readonly Node[] {
  const panel = exchangePanel(app, answer, address)
  if (problem !== undefined) return [alarm(problem.message, problem.title), panel]
  return [...contentOf(app, address, resource, answer), panel]
}

function contentOf(
  app: App,
  address: RelativeAddress,
  { type, functionImport }: Resource,
  answer: Exchange,
): readonly Node[] {
  const contentType = answer.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  if (answer.status === 204) return [note('Done; there is nothing to show.')]
  if (!contentType.includes('json'))
    return [el('pre', { tabindex: 0 }, readableText(answer.text, contentType))]
  const document = documentOf(answer.text)
  const page = pageOf(document)
  if (page !== undefined) {
    if (type?.kind !== 'EntityType') return [el('ul', { class: 'values' }, ...page.entities.map(listed))]
    if (page.entities.length === 0) return [note('There are no entities.')]
    return [entityTable(app, address, type, page.entities), pager(app, address, page)]
  }
  if (isEntity(document) && '__metadata' in document && type?.kind === 'EntityType') {
    return entityDetails(app, document, type, address.path)
  }
  const name = functionImport?.name ?? ''
  const value = isEntity(document) && name in document ? document[name] : document
  if (isEntity(value) && type !== undefined) return entityDetails(app, value, type, address.path)
  return [
    el(
      'pre',
      { tabindex: 0 },
      isEntity(value) ? JSON.stringify(value, undefined, 2) : showValue(value, '').text,
    ),
  ]
}

function listed(value: unknown): HTMLElement {
  return el('li', {}, isEntity(value) ? JSON.stringify(value) : showValue(value, '').text)
}
