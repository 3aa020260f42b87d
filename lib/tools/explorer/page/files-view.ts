import { fileHash, formatAddress, resourceHash } from './address.js'
import type { App, View } from './app.js'
import {
  actions,
  alert,
  button,
  filterField,
  icon,
  link,
  note,
  table,
  title as heading,
} from './components.js'
import { el } from './dom.js'
import { downloadLink } from './download.js'
import { formatDate, formatSize } from './format.js'
import { mediaKind, mediaPreview } from './media-preview.js'
import type { FileSet } from './model.js'
import type { Entity } from './payload.js'
import { contentTypeOf, errorOf, isEntity, metadataOf, pageOf, parseDocument } from './payload.js'

/** Creates a directory or a file of a file service. */
export async function filesView(app: App, files: FileSet, path: string): Promise<View> {
  const address = fileAddress(files, path)
  const exchange = await app.client.send(address)
  const title = path === '/' ? 'Files' : (path.split('/').at(-1) ?? path)
  const head = [path === '/' ? undefined : breadcrumbs(path), heading(title)]
  const error = errorOf(exchange)
  const entity = error === undefined ? parseDocument(exchange.text) : undefined
  if (!isEntity(entity)) {
    const message = exchange.status === 404 ? 'File not found.' : (error?.message ?? '')
    return { title, content: [...head, alert(message)] }
  }
  const content =
    entity[files.isDirectory] === true
      ? [await directoryView(app, files, address)]
      : fileContent(app, files, address, entity, title)
  const entityLink = actions(link(resourceHash(address), 'Show as entity'))
  return { title, content: [...head, ...content, entityLink] }
}

function fileContent(
  app: App,
  files: FileSet,
  address: string,
  entity: Entity,
  name: string,
): readonly Node[] {
  const { size, modified } = formatDetails(files, entity)
  const media = app.client.relative(metadataOf(entity).media_src) ?? `${address}/$value`
  return [
    note([size, modified].filter((text) => text !== '').join(' · ')),
    mediaPreview(app, media, contentTypeOf(entity), name),
  ]
}

/** Creates links to the directories above a path. */
function breadcrumbs(path: string): HTMLElement {
  const names = path.split('/').filter((name) => name !== '')
  const items = names.map((name, index) => {
    const current = index === names.length - 1 ? 'page' : undefined
    return link(fileHash(`/${names.slice(0, index + 1).join('/')}`), name, { 'aria-current': current })
  })
  const all = [link(fileHash('/'), 'Files'), ...items].map((item) => el('li', {}, item))
  return el('nav', { class: 'crumbs', 'aria-label': 'Path' }, el('ol', {}, ...all))
}

/** Returns the entries of a directory, subdirectories first, loaded page by page. */
async function directoryView(app: App, files: FileSet, address: string): Promise<HTMLElement> {
  const size = el('th', { scope: 'col', class: 'number' }, 'Size')
  const entries = table('Entries', ['Name', size, 'Modified', el('td')], [])
  const body = entries.querySelector('tbody') ?? entries
  const status = note('')
  const more = button('Show more', () => void load())
  const filter = filterField(
    'Filter this directory',
    () => body.querySelectorAll('tr'),
    (row) => row.dataset.name ?? '',
  )
  const children = `${address}/${files.children}`
  let next: string | undefined = formatAddress(children, [
    ['$orderby', `${files.isDirectory} desc,${files.name}`],
  ])

  async function load(): Promise<void> {
    if (next === undefined) return
    let exchange = await app.client.send(next)
    // The service may not support sorting.
    if (exchange.status === 400 && body.children.length === 0) exchange = await app.client.send(children)
    const error = errorOf(exchange)
    const page = error === undefined ? pageOf(parseDocument(exchange.text)) : undefined
    body.append(...(page?.entities ?? []).map((entity) => entryRow(app, files, entity)))
    next = app.client.relative(page?.next)
    more.hidden = next === undefined
    const count = body.children.length
    const total = next === undefined ? `${String(count)} entries` : `The first ${String(count)} entries`
    const text = error?.message ?? (count === 0 ? 'The directory is empty.' : total)
    status.textContent = text
    filter.dispatchEvent(new Event('input'))
    app.announce(text)
  }

  await load()
  const count = body.children.length
  return el(
    'div',
    { class: 'files' },
    count > 10 ? filter : undefined,
    count > 0 ? entries : undefined,
    status,
    more,
  )
}

function entryRow(app: App, files: FileSet, entity: Entity): HTMLElement {
  const name = String(entity[files.name])
  const isDirectory = entity[files.isDirectory] === true
  const kind = mediaKind(contentTypeOf(entity))
  const { size, modified } = formatDetails(files, entity)
  const media = isDirectory ? undefined : app.client.relative(metadataOf(entity).media_src)
  const picture = icon(isDirectory ? 'folder' : kind === 'image' || kind === 'text' ? kind : 'file')
  const download =
    media === undefined
      ? undefined
      : downloadLink(app, media, icon('download'), name, { 'aria-label': `Download ${name}` })
  return el(
    'tr',
    { 'data-name': name.toLowerCase() },
    el('th', { scope: 'row' }, link(fileHash(String(entity[files.key])), [picture, name])),
    el('td', { class: 'number' }, size),
    el('td', { class: 'date' }, modified.slice(0, 10), el('span', { class: 'time' }, modified.slice(10, 16))),
    el('td', {}, download),
  )
}

/** Formats size and time of a file; empty where they are unknown. */
function formatDetails(files: FileSet, entity: Entity): { readonly size: string; readonly modified: string } {
  const size = files.size === undefined ? undefined : (entity[files.size] ?? undefined)
  const modified = files.modified === undefined ? undefined : entity[files.modified]
  return {
    size: size === undefined ? '' : formatSize(Number(size)),
    modified: typeof modified === 'string' ? formatDate(modified).replace(/\.\d+$/, '') : '',
  }
}

function fileAddress({ path: set }: FileSet, path: string): string {
  return `${encodeURIComponent(set)}('${encodeURIComponent(path.replaceAll("'", "''"))}')`
}
