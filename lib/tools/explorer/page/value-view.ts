import type { App } from './app.js'
import { el } from './dom.js'
import type { Property } from './model.js'
import { typeOf } from './model.js'
import { deferredAddress, isEntity, metadataOf, pageOf } from './payload.js'
import { decoded } from './resource.js'
import { resourceHash } from './router.js'
import { showValue } from './values.js'

/** A value of a property, complex ones with their members. */
export function valueView(app: App, value: unknown, property: Property): Node {
  if (isEntity(value)) return complexView(app, value, property.type)
  const { text, kind } = showValue(value, property.type)
  const picture = pictureOf(value, property)
  if (picture !== undefined) return picture
  return el('span', { class: `value ${kind}` }, text)
}

/** The same on one line, for tables. */
export function shortText(app: App, value: unknown, type: string): string {
  if (!isEntity(value)) return showValue(value, type).text
  const properties = typeOf(app.model, type)?.properties ?? []
  return properties
    .flatMap(({ name, type: own }) =>
      value[name] === null || value[name] === undefined ? [] : [shortText(app, value[name], own)],
    )
    .filter((text) => text !== '')
    .join(', ')
}

function complexView(app: App, value: Readonly<Record<string, unknown>>, typeName: string): Node {
  const properties = typeOf(app.model, typeName)?.properties ?? []
  const items = properties.flatMap((member) =>
    member.name in value
      ? [el('div', {}, el('dt', {}, member.name), el('dd', {}, valueView(app, value[member.name], member)))]
      : [],
  )
  return el('dl', { class: 'complex' }, ...items)
}

/** Small pictures may stand in the data itself. */
function pictureOf(value: unknown, { type, mimeType, name }: Property): Node | undefined {
  if (
    type !== 'Edm.Binary' ||
    typeof value !== 'string' ||
    !/^image\/(?:png|jpeg|gif|webp|bmp)$/.test(mimeType)
  ) {
    return undefined
  }
  return value === ''
    ? undefined
    : el('img', { class: 'inline', src: `data:${mimeType};base64,${value}`, alt: name })
}

/** What a navigation property leads to: a link, or what was expanded. */
export function navigationView(app: App, value: unknown, name: string, owner: string): Node | undefined {
  if (value === undefined) return undefined
  const deferred = app.client.relative(deferredAddress(value))
  const address = deferred ?? `${owner}/${name}`
  if (deferred !== undefined) return el('a', { href: resourceHash(address) }, name)
  if (value === null) return el('span', { class: 'value null' }, `${name}: none`)
  const page = pageOf(value)
  if (page !== undefined) {
    return el('a', { href: resourceHash(address) }, `${name}: ${String(page.entities.length)}`)
  }
  const expanded = isEntity(value) ? app.client.relative(metadataOf(value).uri) : undefined
  return el('a', { href: resourceHash(expanded ?? address) }, `${name}: ${keyText(expanded ?? name)}`)
}

/** `1` of `Products(1)`, `1, 2` of `Lines(Order=1,No=2)` */
export function keyText(address: string): string {
  const key = /\((.*)\)$/.exec(decoded(address))?.[1]
  if (key === undefined || key === '') return address
  return /^\w+=/.test(key)
    ? key.replace(/(^|,)\w+=/g, (_, comma: string) => (comma === '' ? '' : ', '))
    : key.replace(/^'([^]*)'$/, '$1')
}
