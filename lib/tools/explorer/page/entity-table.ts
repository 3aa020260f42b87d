import type { RelativeAddress } from './address.js'
import { formatAddress, resourceHash } from './address.js'
import type { App } from './app.js'
import { link, table } from './components.js'
import { el, fill } from './dom.js'
import { loadInto } from './download.js'
import { formatValue, isBitmap, isNumberType } from './format.js'
import type { NavigationProperty, Property, StructuralType } from './model.js'
import { resourceOf, typeOf } from './model.js'
import type { Entity } from './payload.js'
import { contentTypeOf, deferredUri, isEntity, metadataOf, pageOf } from './payload.js'
import { referenceLinks, referencesOf } from './references.js'
import { keyText, navigationLink, shortText, valueView } from './value-view.js'

/**
 * Creates a table of entities: the headings sort, the first column links to the entity, the last one to related
 * entities.
 */
export function entityTable(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
  entities: readonly Entity[],
): HTMLElement {
  const typeNames = new Set(entities.map((entity) => metadataOf(entity).type))
  const derived = [...app.model.types.values()].filter(({ qualifiedName }) => typeNames.has(qualifiedName))
  const types = [type, ...derived]
  const properties = presentMembers(
    types.flatMap((one) => one.properties),
    entities,
  )
  const navigation = presentMembers(
    types.flatMap((one) => one.navigation),
    entities,
  )
  // The link of a row shows a single key property, which needs no column then.
  const key = type.keys.length === 1 ? properties.find(({ isKey }) => isKey) : undefined
  const order = address.options.get('$select')?.split(',') ?? []
  const others = properties
    .filter((property) => property !== key)
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const references = referencesOf(app.model, type, resourceOf(app.model, address.path).set)
  const cells = others.map((property) => {
    const reference = references.get(property.name)
    const linked = reference && referenceLinks(app, property, reference, entities)
    return (entity: Entity) => cell(app, entity, property, linked?.(entity))
  })
  const columns = [
    key === undefined ? 'Entity' : heading(address, key, { isDeclared: true, isNumber: false }),
    ...others.map((property) =>
      heading(address, property, {
        isDeclared: type.properties.includes(property),
        isNumber: isNumberType(property.type) && !property.isKey && !references.has(property.name),
      }),
    ),
    ...(navigation.length > 0 ? ['Links'] : []),
  ]
  const rows = entities.flatMap((entity) =>
    rowsOf(app, entity, { key, cells, navigation, width: columns.length }),
  )
  return table(address.path, columns, rows, { class: 'entities' })
}

/**
 * Returns the members that any of the entities has; each name once, since derived types repeat those of their base
 * type.
 */
function presentMembers<Member extends { readonly name: string }>(
  members: readonly Member[],
  entities: readonly Entity[],
): readonly Member[] {
  const present = members.filter(({ name }) => entities.some((entity) => name in entity))
  return present.filter(({ name }, index) => present.findIndex((one) => one.name === name) === index)
}

/** @param isDeclared whether the type of the set has the property; only such properties can be sorted by */
function heading(
  { path, options }: RelativeAddress,
  property: Property,
  { isDeclared, isNumber }: { readonly isDeclared: boolean; readonly isNumber: boolean },
): HTMLElement {
  const { name, label, type, annotations } = property
  const order = options.get('$orderby')
  const isAscending = order === name || order === `${name} asc`
  const isDescending = order === `${name} desc`
  const sorted = new Map(options).set('$orderby', isAscending ? `${name} desc` : name)
  sorted.delete('$skiptoken')
  sorted.delete('$skip')
  const isForbidden = annotations.some(([option, value]) => option === 'sap:sortable' && value === 'false')
  const isSortable = isDeclared && !isForbidden && type.startsWith('Edm.') && type !== 'Edm.Binary'
  const text = el('span', {}, name)
  return el(
    'th',
    {
      scope: 'col',
      'aria-sort': isAscending ? 'ascending' : isDescending ? 'descending' : undefined,
      title: label === '' || label === name ? name : `${label} (${name})`,
      class: isNumber ? 'number' : undefined,
    },
    isSortable ? link(resourceHash(formatAddress(path, sorted)), text) : text,
  )
}

interface Columns {
  readonly key: Property | undefined
  /** Functions that create the cells after the first one. */
  readonly cells: readonly ((entity: Entity) => HTMLElement)[]
  readonly navigation: readonly NavigationProperty[]
  readonly width: number
}

/** Creates the row of an entity, and a hidden row for its expanded entities. */
function rowsOf(
  app: App,
  entity: Entity,
  { key, cells, navigation, width }: Columns,
): readonly HTMLTableRowElement[] {
  const address = app.client.relative(metadataOf(entity).uri)
  const keyValue = key === undefined ? '' : formatValue(entity[key.name], key.type).text
  const links = navigation.map(({ name }) => navigationLink(app, entity[name], name, address ?? ''))
  const expanded = navigation.flatMap((one) => expandedTable(app, entity, one, address ?? ''))
  const place = el('td', { colspan: width })
  const details = el('tr', { class: 'expanded', hidden: true }, place)
  const toggle = el('button', { type: 'button', 'aria-expanded': 'false', onclick: showDetails }, 'Show')

  function showDetails(): void {
    details.hidden = !details.hidden
    if (place.childElementCount === 0) fill(place, ...expanded.map((create) => create()))
    toggle.setAttribute('aria-expanded', String(!details.hidden))
    toggle.textContent = details.hidden ? 'Show' : 'Hide'
  }

  const row = el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      address === undefined ? keyValue : link(resourceHash(address), keyText(address)),
      thumbnail(app, entity),
      app.changes.of(address) === undefined ? undefined : el('small', {}, ' changed'),
    ),
    ...cells.map((create) => create(entity)),
    links.length > 0
      ? el('td', { class: 'links' }, ...links, expanded.length > 0 ? toggle : undefined)
      : undefined,
  )
  return expanded.length > 0 ? [row, details] : [row]
}

/** Creates a small view of an entity whose media resource is a bitmap image. */
function thumbnail(app: App, entity: Entity): HTMLElement | undefined {
  const address = app.client.relative(metadataOf(entity).media_src)
  if (address === undefined || !isBitmap(contentTypeOf(entity))) return undefined
  const image = el('img', { class: 'inline thumbnail', alt: '', loading: 'lazy' })
  loadInto(app, image, address)
  return image
}

/** Returns a function that creates a table of expanded entities; none without entities. */
function expandedTable(
  app: App,
  entity: Entity,
  { name, target }: NavigationProperty,
  owner: string,
): readonly (() => HTMLElement)[] {
  const value = entity[name]
  const single = isEntity(value) && deferredUri(value) === undefined ? [value] : []
  const entities = pageOf(value)?.entities ?? single
  const type = typeOf(app.model, target)
  if (entities.length === 0 || type === undefined) return []
  const address = { path: `${owner}/${name}`, options: new Map<string, string>() }
  return [() => el('section', {}, el('h3', {}, name), entityTable(app, address, type, entities))]
}

/** @param reference a link to the entity to which the property refers */
function cell(app: App, entity: Entity, property: Property, reference?: HTMLElement): HTMLElement {
  const { name, type } = property
  if (!(name in entity)) return el('td')
  if (reference !== undefined) return el('td', { class: 'short' }, reference)
  const value = entity[name]
  const text = shortText(app, value, type)
  const kind = isNumberType(type) ? 'number' : formatValue(value, type).kind
  const isLong = text.length > 36
  return el(
    'td',
    { class: isLong ? kind : `${kind} short`, title: isLong ? text.slice(0, 500) : undefined },
    isEntity(value) ? el('span', { class: 'value' }, text) : valueView(app, value, property),
  )
}
