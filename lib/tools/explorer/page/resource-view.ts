import type { RelativeAddress } from './address.js'
import { decode, formatAddress, parseAddress, resourceHash, typeHash } from './address.js'
import type { App, View } from './app.js'
import { allowedMethods, changeActions } from './changes.js'
import { chartPanel } from './chart-view.js'
import { columnsPanel } from './columns-panel.js'
import { about, alert, code, connectionLinks, link, list, note, title as heading } from './components.js'
import type { Child } from './dom.js'
import { el, fill } from './dom.js'
import { downloadLinks } from './download.js'
import { entityTable } from './entity-table.js'
import { exchangePanel } from './exchange-panel.js'
import { formatDocument, formatValue } from './format.js'
import { functionForm, isCallable, queryForm } from './forms.js'
import { mediaPreview } from './media-preview.js'
import type { Resource, StructuralType } from './model.js'
import { describe, isSearchable, resourceOf, shortName, typeOf } from './model.js'
import type { Entity, Page } from './payload.js'
import {
  contentTypeOf,
  deferredUri,
  errorOf,
  isEntity,
  metadataOf,
  pageOf,
  parseDocument,
} from './payload.js'
import { referenceLinks, referencesOf } from './references.js'
import type { Exchange } from './service-client.js'
import { uploadForm } from './upload.js'
import { keyText, valueView } from './value-view.js'

/** Returns any resource of the service. */
export async function resourceView(app: App, text: string): Promise<View> {
  const address = parseAddress(text)
  const resource = resourceOf(app.model, address.path)
  const { kind, type, set, functionImport } = resource
  const title = decode(address.path)
  const needsCall = functionImport !== undefined && !isCallable(functionImport, address.options)
  // Metadata is available as XML only.
  const accept = address.path.startsWith('$metadata') ? 'application/xml' : 'application/json, */*;q=0.1'
  const exchange = needsCall ? undefined : await app.client.send(text, { accept })
  const error = exchange === undefined ? undefined : errorOf(exchange)
  const result = el('div', { class: 'result' })
  if (exchange !== undefined) fill(result, ...resultOf(app, address, resource, exchange))

  const call = (called: string): void => {
    if (functionImport?.method === 'POST') void post(app, called, resource, result)
    else app.navigate(resourceHash(called))
  }
  const returnsEntities = kind === 'collection' || kind === 'entity' || functionImport?.isCollection === true
  return {
    title,
    content: [
      heading(title, type === undefined ? undefined : typeBadge(type)),
      about(descriptionOf(resource)),
      el(
        'div',
        { class: 'commands' },
        exchange !== undefined && error === undefined
          ? changeActions(app, address.path, resource, etagOf(exchange))
          : undefined,
        returnsEntities && kind !== 'entity' && !needsCall ? downloadLinks(app, address) : undefined,
      ),
      functionImport === undefined ? undefined : functionForm(functionImport, address.options, call),
      type?.kind === 'EntityType' && returnsEntities && !needsCall
        ? queryForm(app, address, type, kind !== 'entity', error, isSearchable(set))
        : undefined,
      el(
        'div',
        { class: 'panels' },
        type !== undefined && kind === 'collection' && error === undefined
          ? chartPanel(app, address, type, set)
          : undefined,
        type?.kind === 'EntityType' && kind === 'collection' ? columnsPanel(app, address, type) : undefined,
      ),
      result,
      kind === 'collection' && set?.path === title ? connectionLinks(app, set.path) : undefined,
    ],
  }
}

/** Returns the ETag of an entity in a response. */
function etagOf({ headers }: Exchange): string | undefined {
  return headers.get('etag') ?? undefined
}

async function post(app: App, address: string, resource: Resource, result: HTMLElement): Promise<void> {
  const exchange = await app.client.send(address, { method: 'POST' })
  fill(result, ...resultOf(app, parseAddress(address), resource, exchange))
  app.announce(`${String(exchange.status)} ${exchange.statusText}`)
}

function typeBadge({ qualifiedName, name }: StructuralType): HTMLElement {
  return link(typeHash(qualifiedName), name, { class: 'badge' })
}

function descriptionOf({ set, functionImport, type, kind }: Resource): string {
  if (functionImport !== undefined) return describe(functionImport)
  return kind === 'collection' && set !== undefined ? describe(set, type?.documentation) : ''
}

function resultOf(
  app: App,
  address: RelativeAddress,
  resource: Resource,
  exchange: Exchange,
): readonly Child[] {
  const error = errorOf(exchange)
  const content =
    error === undefined ? contentOf(app, address, resource, exchange) : [alert(error.message, error.title)]
  return [...content, exchangePanel(app, exchange, address)]
}

function contentOf(
  app: App,
  address: RelativeAddress,
  { type, functionImport }: Resource,
  { status, headers, text }: Exchange,
): readonly Child[] {
  if (status === 204) return [note('The request succeeded. The response has no content.')]
  const contentType = headers.get('content-type') ?? ''
  if (!contentType.includes('json')) return [code(formatDocument(text, contentType))]
  const document = parseDocument(text)
  const page = pageOf(document)
  if (page !== undefined) {
    if (type?.kind !== 'EntityType') return [list({ class: 'values' }, page.entities.map(plainText))]
    if (page.entities.length === 0) return [note('No entities found.')]
    return [entityTable(app, address, type, page.entities), pager(app, address, page)]
  }
  // The result of a function is the member of an object with its name.
  const name = functionImport?.name ?? ''
  const isResult = isEntity(document) && !('__metadata' in document) && name in document
  const value = isResult ? document[name] : document
  if (isEntity(value) && type !== undefined) return entityDetails(app, value, type, address.path)
  return [code(isEntity(value) ? JSON.stringify(value, undefined, 2) : plainText(value))]
}

function plainText(value: unknown): string {
  return formatValue(value, '').text
}

/** Creates links to other pages: by the next link of the service, or else by `$skip` and `$top`. */
function pager(app: App, { path, options }: RelativeAddress, page: Page): HTMLElement {
  const shown = page.entities.length
  const skip = Number(options.get('$skip') ?? 0)
  const top = Number(options.get('$top') ?? Number.NaN)
  const isContinued = options.has('$skiptoken')
  const pageLink = (text: string, option: '$skip' | '$skiptoken', value: string): HTMLElement =>
    link(resourceHash(formatAddress(path, new Map(options).set(option, value))), text)
  const links: HTMLElement[] = []
  if (isContinued) links.push(pageLink('First page', '$skiptoken', ''))
  else if (skip > 0) {
    const previous = Math.max(0, skip - (top > 0 ? top : skip))
    links.push(pageLink('Previous page', '$skip', previous === 0 ? '' : String(previous)))
  }
  const next = app.client.relative(page.next)
  const canSkip = shown === top && shown > 0 && skip + shown !== Number(page.count)
  if (next !== undefined) links.push(link(resourceHash(next), 'Next page'))
  else if (canSkip) links.push(pageLink('Next page', '$skip', String(skip + shown)))
  const range = isContinued ? `${String(shown)} entities` : `${String(skip + 1)}–${String(skip + shown)}`
  const text = page.count === undefined ? range : `${range} of ${page.count}`
  return el('nav', { class: 'pager', 'aria-label': 'Pages' }, el('span', {}, text), ...links)
}

/** Creates an entity, or a complex value, with its media resource, links, properties and expanded entities. */
function entityDetails(
  app: App,
  entity: Entity,
  declaredType: StructuralType,
  path: string,
): readonly Child[] {
  const { uri, type: typeName, etag, media_src: mediaUri } = metadataOf(entity)
  const type = (typeof typeName === 'string' ? typeOf(app.model, typeName) : undefined) ?? declaredType
  const address = app.client.relative(uri) ?? path
  const media = app.client.relative(mediaUri)
  const mediaName = keyText(address).split('/').at(-1) ?? 'media'
  return [
    typeof etag === 'string' ? note(`ETag ${etag}`) : undefined,
    media === undefined ? undefined : mediaPreview(app, media, contentTypeOf(entity), mediaName),
    media === undefined ? undefined : replaceForm(app, media),
    ...linksAndTables(app, entity, type, address, propertyTable(app, entity, type, address)),
  ]
}

/** Creates a form for another file in place of the content, if the service allows it. */
function replaceForm(app: App, media: string): HTMLElement {
  const place = el('div')
  void allowedMethods(app, media).then((methods) => {
    if (methods.has('PUT'))
      fill(
        place,
        uploadForm(app, 'PUT', media, () => app.navigate(location.hash)),
      )
  })
  return place
}

function propertyTable(app: App, entity: Entity, type: StructuralType, address: string): HTMLElement {
  const references = referencesOf(app.model, type, resourceOf(app.model, address).set)
  const rows = type.properties
    .filter(({ name }) => name in entity)
    .map((property) => {
      const { name, label, isKey, type } = property
      const reference = references.get(name)
      const linked = reference && referenceLinks(app, property, reference, [entity])(entity)
      return el(
        'tr',
        {},
        el('th', { scope: 'row', title: label }, name, isKey ? el('small', {}, ' key') : undefined),
        el('td', {}, linked ?? valueView(app, entity[name], property)),
        el('td', { class: 'type' }, shortName(type)),
      )
    })
  return el('div', { class: 'scroll' }, el('table', { class: 'details' }, el('tbody', {}, ...rows)))
}

/** Puts links to related entities before the properties, and tables of expanded entities after them. */
function linksAndTables(
  app: App,
  entity: Entity,
  type: StructuralType,
  address: string,
  properties: HTMLElement,
): readonly Child[] {
  const links: Node[] = []
  const tables: Node[] = []
  for (const { name, target, multiplicity } of type.navigation.filter((one) => one.name in entity)) {
    const value = entity[name]
    const path = app.client.relative(deferredUri(value)) ?? `${address}/${name}`
    const details = el('small', {}, ` ${shortName(target)} ${multiplicity}`)
    links.push(el('span', {}, link(resourceHash(path), name), details))
    const single = isEntity(value) && !('__deferred' in value) ? [value] : []
    const entities = pageOf(value)?.entities ?? single
    const targetType = typeOf(app.model, target)
    if (entities.length === 0 || targetType === undefined) continue
    const table = entityTable(app, { path, options: new Map() }, targetType, entities)
    tables.push(el('h2', {}, name), table)
  }
  const nav = el('nav', { 'aria-label': 'Links', class: 'linked' }, list({}, links))
  return [links.length === 0 ? undefined : nav, properties, ...tables]
}
