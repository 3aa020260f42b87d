import type { App } from './app.js'
import { el } from './dom.js'
import { factsOf } from './file-facts.js'
import type { FileSet } from './file-set.js'
import { icon } from './icons.js'
import { mediaKind } from './media-preview.js'
import type { Entity } from './payload.js'
import { documentOf, metadataOf, pageOf } from './payload.js'
import { problemOf } from './problem.js'
import { writeAddress } from './query-options.js'
import { fileHash } from './router.js'
import { scrolled, tableOf } from './pieces.js'

/**
 * What is in a directory: directories first, each with size and time. More is read when it is asked for.
 *
 * @param address of the directory
 */
export async function fileList(app: App, files: FileSet, address: string): Promise<HTMLElement> {
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
