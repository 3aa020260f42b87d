import { decode, resourceHash } from './address.js'
import type { App } from './app.js'
import { link } from './components.js'
import { el } from './dom.js'
import { formatValue, isBitmap } from './format.js'
import type { Property } from './model.js'
import { typeOf } from './model.js'
import type { Entity } from './payload.js'
import { deferredUri, isEntity, metadataOf, pageOf } from './payload.js'

/** Returns the value of a property; a complex value with its members. */
export function valueView(app: App, value: unknown, property: Property): Node {
  if (isEntity(value)) return complexView(app, value, property.type)
  const { text, kind } = formatValue(value, property.type)
  return inlineImage(value, property) ?? el('span', { class: `value ${kind}` }, text)
}

/** Creates a value on one line, for tables. */
export function shortText(app: App, value: unknown, type: string): string {
  if (!isEntity(value)) return formatValue(value, type).text
  const members = typeOf(app.model, type)?.properties ?? []
  return members
    .filter(({ name }) => value[name] !== null && value[name] !== undefined)
    .map((member) => shortText(app, value[member.name], member.type))
    .filter((text) => text !== '')
    .join(', ')
}

function complexView(app: App, value: Entity, typeName: string): Node {
  const members = typeOf(app.model, typeName)?.properties.filter(({ name }) => name in value) ?? []
  const items = members.map((member) =>
    el('div', {}, el('dt', {}, member.name), el('dd', {}, valueView(app, value[member.name], member))),
  )
  return el('dl', { class: 'complex' }, ...items)
}

/** Returns the image in a binary property whose `MimeType` says that it is one. */
function inlineImage(value: unknown, { type, mimeType, name }: Property): Node | undefined {
  if (type !== 'Edm.Binary' || typeof value !== 'string' || value === '') return undefined
  if (!isBitmap(mimeType)) return undefined
  return el('img', { class: 'inline', src: `data:${mimeType};base64,${value}`, alt: name })
}

/** Creates a link to related entities, with the number of entities or the key if they are expanded. */
export function navigationLink(app: App, value: unknown, name: string, owner: string): Node | undefined {
  if (value === undefined) return undefined
  const deferred = app.client.relative(deferredUri(value))
  if (deferred !== undefined) return link(resourceHash(deferred), name)
  if (value === null) return el('span', { class: 'value null' }, `${name}: none`)
  const address = `${owner}/${name}`
  const page = pageOf(value)
  if (page !== undefined) return link(resourceHash(address), `${name}: ${String(page.entities.length)}`)
  const expanded = isEntity(value) ? app.client.relative(metadataOf(value).uri) : undefined
  return link(resourceHash(expanded ?? address), `${name}: ${keyText(expanded ?? name)}`)
}

/** Returns the key of an address as text: `1` for `Products(1)`, `1, 2` for `Lines(Order=1,No=2)`. */
export function keyText(address: string): string {
  const key = /\((.*)\)$/.exec(decode(address))?.[1]
  if (key === undefined || key === '') return address
  // Literals without their prefix and suffix: `1L` and `guid'…'`
  const values = /^\w+=/.test(key) ? key.replace(/^\w+=/, '').split(/,\w+=/) : [key]
  return values
    .map((value) => value.replace(/^[A-Za-z]*'([^]*)'$/, '$1').replace(/^(-?[\d.]+)(?:L|M|D|F)$/i, '$1'))
    .join(', ')
}
