import type { App, View } from './app.js'
import { connectionLinks } from './connection-links.js'
import { el, fill, freshId } from './dom.js'
import { entityTable } from './entity-table.js'
import { exchangePanel } from './exchange-panel.js'
import { aboutText, shortName, typeOf } from './model.js'
import { documentOf, isEntity, pageOf, deferredAddress, metadataOf } from './payload.js'
import type { Problem } from './problem.js'
import { problemOf } from './problem.js'
import type { RelativeAddress, QueryOptions } from './query-options.js'
import { readAddress, writeAddress } from './query-options.js'
import { queryForm } from './query-form.js'
import { readableText } from './raw-text.js'
import type { Resource } from './resource.js'
import { decoded, resourceOf } from './resource.js'
import { resourceHash, typeHash } from './router.js'
import type { Exchange } from './service-client.js'
import { showValue } from './values.js'
import { alarm, note, title as titled } from './pieces.js'
import type { Page, Entity } from './payload.js'
import { mediaPreview } from './media-preview.js'
import type { StructuralType, FunctionImport, Parameter } from './model.js'
import { keyText, valueView } from './value-view.js'
import { literalOf, plainOf } from './literal.js'

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

/** Where the page stands, and the ways to others: the next link of the service, or else `$skip` and `$top`. */
function pager(app: App, { path, options }: RelativeAddress, page: Page): HTMLElement {
  const shown = page.entities.length
  const skip = Number(options.get('$skip') ?? 0)
  const top = Number(options.get('$top') ?? Number.NaN)
  const isContinued = options.has('$skiptoken')
  const next = app.client.relative(page.next)
  const moved = (to: number): string =>
    resourceHash(writeAddress(path, new Map(options).set('$skip', to === 0 ? '' : String(to))))
  const links = [
    isContinued ? el('a', { href: firstPage({ path, options }) }, 'First page') : undefined,
    !isContinued && skip > 0
      ? el('a', { href: moved(Math.max(0, skip - (top > 0 ? top : skip))) }, 'Previous page')
      : undefined,
    next !== undefined
      ? el('a', { href: resourceHash(next), rel: 'next' }, 'Next page')
      : shown === top && shown > 0 && skip + shown !== Number(page.count)
        ? el('a', { href: moved(skip + shown), rel: 'next' }, 'Next page')
        : undefined,
  ]
  const range = isContinued ? `${String(shown)} more` : `${String(skip + 1)}–${String(skip + shown)}`
  const text = page.count === undefined ? range : `${range} of ${page.count}`
  return el('nav', { class: 'pager', 'aria-label': 'Pages' }, el('span', {}, text), ...links)
}

function firstPage({ path, options }: RelativeAddress): string {
  const without = new Map(options)
  without.delete('$skiptoken')
  return resourceHash(writeAddress(path, without))
}

/** One entity: its properties, its media resource, and what it is linked with. */
function entityDetails(
  app: App,
  entity: Entity,
  declared: StructuralType | undefined,
  fallback: string,
): readonly Node[] {
  const { uri, type: typeName, etag, content_type: contentType, media_src: mediaSource } = metadataOf(entity)
  const type = (typeof typeName === 'string' ? typeOf(app.model, typeName) : undefined) ?? declared
  const address = app.client.relative(uri) ?? fallback
  const rows = (type?.properties ?? []).flatMap((property) =>
    property.name in entity
      ? [
          el(
            'tr',
            {},
            el(
              'th',
              { scope: 'row', title: property.label },
              property.name,
              property.isKey ? el('small', {}, ' key') : undefined,
            ),
            el('td', {}, valueView(app, entity[property.name], property)),
            el('td', { class: 'type' }, shortName(property.type)),
          ),
        ]
      : [],
  )
  const media = app.client.relative(mediaSource)
  const kind = typeof contentType === 'string' ? contentType : ''
  const { links, tables } = linkSections(app, entity, type, address)
  return [
    ...(typeof etag === 'string' ? [note(`ETag ${etag}`)] : []),
    ...(media === undefined
      ? []
      : [mediaPreview(app, media, kind, keyText(address).split('/').at(-1) ?? 'media')]),
    ...links,
    el('div', { class: 'scroll' }, el('table', { class: 'details' }, el('tbody', {}, ...rows))),
    ...tables,
  ]
}

interface LinkSections {
  readonly links: readonly Node[]
  /** What was expanded. */
  readonly tables: readonly Node[]
}

function linkSections(
  app: App,
  entity: Entity,
  type: StructuralType | undefined,
  address: string,
): LinkSections {
  const links: Node[] = []
  const tables: Node[] = []
  for (const { name, target, multiplicity } of type?.navigation ?? []) {
    if (!(name in entity)) continue
    const value = entity[name]
    const to = app.client.relative(deferredAddress(value)) ?? `${address}/${name}`
    const about = el('small', {}, ` ${shortName(target)} ${multiplicity}`)
    links.push(el('li', {}, el('a', { href: resourceHash(to) }, name), about))
    const entities = pageOf(value)?.entities ?? (isEntity(value) && !('__deferred' in value) ? [value] : [])
    const targetType = typeOf(app.model, target)
    if (entities.length === 0 || targetType === undefined) continue
    const table = entityTable(app, { path: to, options: new Map() }, targetType, entities)
    tables.push(el('h2', {}, name), table)
  }
  const list = el('nav', { 'aria-label': 'Links', class: 'linked' }, el('ul', {}, ...links))
  return { links: links.length === 0 ? [] : [list], tables }
}

/**
 * Fields for the parameters of a function.
 *
 * @param call told of the address that calls it
 */
function functionForm(
  called: FunctionImport,
  options: QueryOptions,
  call: (address: string) => void,
): HTMLElement {
  const fields = new Map<Parameter, HTMLInputElement>()
  const rows = called.parameters.map((parameter) => {
    const { name, type, isNullable } = parameter
    const id = freshId('parameter')
    const value = plainOf(type, options.get(name) ?? '')
    const input = el('input', { id, name, value, required: !isNullable, autocomplete: 'off' })
    fields.set(parameter, input)
    const label = el('label', { for: id }, name, el('small', {}, ` ${shortName(type)}`))
    return el('div', { class: 'field' }, label, input)
  })
  const submit = (event: Event): void => {
    event.preventDefault()
    const own = new Set(called.parameters.map(({ name }) => name))
    const given = [...fields].flatMap(([{ name, type }, { value }]) =>
      value === '' ? [] : [[name, literalOf(type, value)] as const],
    )
    const others = [...options].filter(([name]) => !own.has(name))
    call(writeAddress(called.path, [...given, ...others]))
  }
  const returned = called.returnType === '' ? 'nothing' : shortName(called.returnType)
  return el(
    'form',
    { class: 'query', 'aria-label': 'Parameters', onsubmit: submit },
    ...rows,
    el(
      'div',
      { class: 'row' },
      el(
        'span',
        { class: 'note' },
        `${called.method}, returns ${called.isCollection ? `a list of ${returned}` : returned}`,
      ),
      el('button', { type: 'submit', class: 'primary' }, 'Call'),
    ),
  )
}

/** Whether a function can be called as it stands in the address: nothing that it needs is missing. */
function isCallable({ parameters }: FunctionImport, options: QueryOptions): boolean {
  return parameters.every(({ name, isNullable }) => isNullable || options.has(name))
}
