import type { App, View } from './app.js'
import { el } from './dom.js'
import { factsOf, fileAddress } from './file-facts.js'
import { fileList } from './file-list.js'
import type { FileSet } from './file-set.js'
import { mediaPreview } from './media-preview.js'
import type { Entity } from './payload.js'
import { documentOf, isEntity, metadataOf } from './payload.js'
import { problemOf } from './problem.js'
import { fileHash, resourceHash } from './router.js'
import { actions, alarm, note, title as heading } from './pieces.js'

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
