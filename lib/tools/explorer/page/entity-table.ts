import type { App } from './app.js'
import { el } from './dom.js'
import type { NavigationProperty, Property, StructuralType } from './model.js'
import type { Entity } from './payload.js'
import { isEntity, metadataOf } from './payload.js'
import type { RelativeAddress } from './query-options.js'
import { writeAddress } from './query-options.js'
import { resourceHash } from './router.js'
import { keyText, navigationView, shortText, valueView } from './value-view.js'
import { isNumberType, showValue } from './values.js'
import { scrolled, tableOf } from './pieces.js'

/** Entities as rows. The headings sort, the first column leads to the entity, the last to what is linked. */
export function entityTable(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
  entities: readonly Entity[],
): HTMLElement {
  const types = typesOf(app, type, entities)
  const isThere = ({ name }: { readonly name: string }): boolean => entities.some((entity) => name in entity)
  const shown = withoutTwins(types.flatMap(({ properties }) => properties)).filter(isThere)
  const links = withoutTwins(types.flatMap(({ navigation }) => navigation)).filter(isThere)
  // A single key says which entity it is; several together get a column of their own.
  const key = type.keys.length === 1 ? shown.find(({ isKey }) => isKey) : undefined
  const others = shown.filter((property) => property !== key)
  const columns = [
    key === undefined ? 'Entity' : heading(address, key, true),
    ...others.map((property) => heading(address, property, type.properties.includes(property))),
    ...(links.length > 0 ? ['Links'] : []),
  ]
  const rows = entities.map((entity) => row(app, entity, key, others, links))
  const table = tableOf(columns, el('tbody', {}, ...rows), 'entities')
  table.prepend(el('caption', { class: 'unseen' }, address.path))
  return scrolled('Entities', table)
}

/** The type of the set, and those derived from it that are among its entities. */
function typesOf(app: App, type: StructuralType, entities: readonly Entity[]): readonly StructuralType[] {
  const names = new Set(entities.map((entity) => metadataOf(entity).type))
  return [type, ...[...app.model.types.values()].filter(({ qualifiedName }) => names.has(qualifiedName))]
}

/** Derived types have the properties of their base type, too. */
function withoutTwins<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index)
}

/** @param isOfSet false for properties of derived types, by which nobody can sort */
function heading({ path, options }: RelativeAddress, property: Property, isOfSet: boolean): HTMLElement {
  const { name, label, type, isKey, annotations } = property
  const order = options.get('$orderby') ?? ''
  const isUp = order === name || order === `${name} asc`
  const isDown = order === `${name} desc`
  const changed = new Map(options).set('$orderby', isUp ? `${name} desc` : name)
  changed.delete('$skiptoken')
  changed.delete('$skip')
  const title = label === '' || label === name ? name : `${label} (${name})`
  const isRefused = annotations.some(([option, value]) => option === 'sap:sortable' && value === 'false')
  const isSortable = isOfSet && !isRefused && type.startsWith('Edm.') && type !== 'Edm.Binary'
  const sort = isUp ? 'ascending' : isDown ? 'descending' : undefined
  const text = el('span', {}, name)
  return el(
    'th',
    {
      scope: 'col',
      'aria-sort': sort,
      title,
      class: isNumberType(type) && !isKey ? 'number' : undefined,
    },
    isSortable ? el('a', { href: resourceHash(writeAddress(path, changed)) }, text) : text,
  )
}

function row(
  app: App,
  entity: Entity,
  key: Property | undefined,
  others: readonly Property[],
  links: readonly NavigationProperty[],
): HTMLElement {
  const address = app.client.relative(metadataOf(entity).uri)
  const cells = others.map((property) =>
    property.name in entity ? cell(app, entity[property.name], property) : el('td'),
  )
  const text = key === undefined ? '' : showValue(entity[key.name], key.type).text
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      address === undefined ? text : el('a', { href: resourceHash(address) }, keyText(address)),
    ),
    ...cells,
    links.length > 0
      ? el('td', { class: 'links' }, ...linksOf(app, entity, links, address ?? ''))
      : undefined,
  )
}

function cell(app: App, value: unknown, property: Property): HTMLElement {
  const { type } = property
  const text = shortText(app, value, type)
  const kind = isNumberType(type) ? 'number' : showValue(value, type).kind
  const isLong = text.length > 36
  const content = isEntity(value) ? el('span', { class: 'value' }, text) : valueView(app, value, property)
  return el(
    'td',
    { class: isLong ? kind : `${kind} short`, title: isLong ? text.slice(0, 500) : undefined },
    content,
  )
}

function linksOf(app: App, entity: Entity, links: readonly NavigationProperty[], address: string): Node[] {
  return links.flatMap(({ name }) => navigationView(app, entity[name], name, address) ?? [])
}
