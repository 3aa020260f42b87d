import type { App } from './app.js'
import { el } from './dom.js'
import { mediaPreview } from './media-preview.js'
import type { StructuralType } from './model.js'
import { shortName, typeOf } from './model.js'
import type { Entity } from './payload.js'
import { deferredAddress, isEntity, metadataOf, pageOf } from './payload.js'
import { entityTable } from './entity-table.js'
import { resourceHash } from './router.js'
import { keyText, valueView } from './value-view.js'
import { note } from './pieces.js'

/** One entity: its properties, its media resource, and what it is linked with. */
export function entityDetails(
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
