import type { App, View } from './app.js'
import { el } from './dom.js'
import type { FileSet } from './file-set.js'
import { mediaPreview, mediaKind } from './media-preview.js'
import type { Entity } from './payload.js'
import { documentOf, isEntity, metadataOf, pageOf } from './payload.js'
import { problemOf } from './problem.js'
import { fileHash, resourceHash } from './router.js'
import { actions, alarm, note, title as heading, scrolled, tableOf } from './pieces.js'
import { icon } from './icons.js'
import { writeAddress } from './query-options.js'
import { showDate, showSize } from './values.js'

/** A directory or a file of a service of files. */
export async function filesView(app: App, files: FileSet, path: string): Promise<View> {
  const address = fileAddress(files, path)
  const answer = await app.client.send(address)
  const title = path === '/' ? 'Files' : (path.split('/').at(-1) ?? path)
  const head = [...(path === '/' ? [] : [crumbs(path)]), heading(title)]
  const problem = problemOf(answer)
  const entity = problem === undefined ? documentOf(answer.text) : undefined
  if (!isEntity(entity)) {
    const text = answer.status === 404 ? 'There is no such file.' : (problem?.message ?? '')
    return { title, content: [...head, alarm(text)] }
  }
  const asEntity = actions(el('a', { href: resourceHash(address) }, 'Show it as an entity'))
  if (entity[files.isDirectory] === true) {
    return { title, content: [...head, await fileList(app, files, address), asEntity] }
  }
  return {
    title,
    content: [...head, fileFacts(files, entity), content(app, address, entity, title), asEntity],
  }
}

function content(app: App, address: string, entity: Entity, name: string): Node {
  const { content_type: contentType, media_src: source } = metadataOf(entity)
  const media = app.client.relative(source) ?? `${address}/$value`
  return mediaPreview(app, media, typeof contentType === 'string' ? contentType : '', name)
}

function fileFacts(files: FileSet, entity: Entity): HTMLElement {
  const { size, modified } = factsOf(files, entity)
  return note([size, modified].filter((text) => text !== '').join(' · '))
}

/** Where one is, and the ways up. */
function crumbs(path: string): HTMLElement {
  const names = path.split('/').filter((name) => name !== '')
  const items = names.map((name, index) => {
    const isHere = index === names.length - 1
    const to = `/${names.slice(0, index + 1).join('/')}`
    return el('li', {}, el('a', { href: fileHash(to), 'aria-current': isHere ? 'page' : undefined }, name))
  })
  const root = el(
    'a',
    { href: fileHash('/'), 'aria-current': names.length === 0 ? 'page' : undefined },
    'Files',
  )
  return el('nav', { class: 'crumbs', 'aria-label': 'Path' }, el('ol', {}, el('li', {}, root), ...items))
}

/**
 * What is in a directory: directories first, each with size and time. More is read when it is asked for.
 *
 * @param address of the directory
 */
async function fileList(app: App, files: FileSet, address: string): Promise<HTMLElement> {
  const body = el('tbody')
  const note = el('p', { class: 'note' })
  const more = el('button', { type: 'button', hidden: true, onclick: () => void read() }, 'Show more')
  const search = el('input', { type: 'search', placeholder: 'Find in this directory', oninput: filter })
  search.setAttribute('aria-label', 'Find in this directory')
  const order = `${files.isDirectory} desc,${files.name}`
  let next: string | undefined = writeAddress(`${address}/${files.children}`, [['$orderby', order]])

  async function read(): Promise<void> {
    if (next === undefined) return
    let answer = await app.client.send(next)
    // A service may not allow to sort: then its own order must do.
    if (answer.status === 400 && body.children.length === 0) {
      answer = await app.client.send(`${address}/${files.children}`)
    }
    const problem = problemOf(answer)
    const page = problem === undefined ? pageOf(documentOf(answer.text)) : undefined
    body.append(...(page?.entities ?? []).map((entity) => row(app, files, entity)))
    next = app.client.relative(page?.next)
    more.hidden = next === undefined
    const count = body.children.length
    note.textContent =
      problem?.message ??
      (count === 0
        ? 'This directory is empty.'
        : `${String(count)} entries${next === undefined ? '' : ' so far'}`)
    filter()
    app.announce(note.textContent)
  }

  function filter(): void {
    const wanted = search.value.toLowerCase()
    for (const one of body.rows) one.hidden = !(one.dataset.name ?? '').includes(wanted)
  }

  await read()
  const size = el('th', { scope: 'col', class: 'number' }, 'Size')
  return el(
    'div',
    { class: 'files' },
    body.children.length > 10 ? search : undefined,
    body.children.length === 0
      ? undefined
      : scrolled('Entries', tableOf(['Name', size, 'Changed', el('td')], body)),
    note,
    more,
  )
}

function row(app: App, files: FileSet, entity: Entity): HTMLElement {
  const name = String(entity[files.name])
  const isDirectory = entity[files.isDirectory] === true
  const { content_type: contentType, media_src: source } = metadataOf(entity)
  const kind = mediaKind(typeof contentType === 'string' ? contentType : '')
  const picture = isDirectory ? 'folder' : kind === 'image' || kind === 'text' ? kind : 'file'
  const { size, modified } = factsOf(files, entity)
  const [day, time] = [modified.slice(0, 10), modified.slice(10, 16)]
  const media = app.client.relative(source)
  const download =
    isDirectory || media === undefined
      ? undefined
      : el(
          'a',
          { href: app.client.root + media, download: name, 'aria-label': `Download ${name}` },
          icon('download'),
        )
  const made = el(
    'tr',
    {},
    el('th', { scope: 'row' }, el('a', { href: fileHash(String(entity[files.key])) }, icon(picture), name)),
    el('td', { class: 'number' }, size),
    el('td', { class: 'date' }, day, el('span', { class: 'time' }, time)),
    el('td', {}, download),
  )
  made.dataset.name = name.toLowerCase()
  return made
}

/** Size and time for people; empty where they are not known. */
function factsOf(files: FileSet, entity: Entity): { readonly size: string; readonly modified: string } {
  const size = files.size === undefined ? null : entity[files.size]
  const modified = files.modified === undefined ? null : entity[files.modified]
  return {
    size: size === null || size === undefined ? '' : showSize(Number(size)),
    modified: typeof modified === 'string' ? showDate(modified).replace(/\.\d+$/, '') : '',
  }
}

function fileAddress({ path: set }: FileSet, path: string): string {
  return `${encodeURIComponent(set)}('${encodeURIComponent(path.replaceAll("'", "''"))}')`
}
