import type { RelativeAddress } from './address.js'
import { formatAddress, resourceHash } from './address.js'
import type { App } from './app.js'
import type { EditableRow } from './cell-editor.js'
import { editCells } from './cell-editor.js'
import { allowedMethods } from './changes.js'
import { link, table } from './components.js'
import { el, fill } from './dom.js'
import { loadInto } from './download.js'
import { EntityChanges, isUpdatable } from './entity-changes.js'
import { formatValue, isBitmap, isNumberType } from './format.js'
import type { EntitySet, NavigationProperty, Property, StructuralType } from './model.js'
import { isAnalytical, resourceOf, typeOf } from './model.js'
import type { Entity } from './payload.js'
import { contentTypeOf, deferredUri, isEntity, metadataOf, pageOf } from './payload.js'
import type { Reference } from './references.js'
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
  const { set } = resourceOf(app.model, address.path)
  const references = referencesOf(app.model, type, set)
  const columns = others.map((property): Column => {
    const reference = references.get(property.name)
    const linked = reference && referenceLinks(app, property, reference, entities)
    return {
      property,
      create: (entity, changes) => columnCell(app, property, reference, entity, changes, linked),
    }
  })
  const headings = [
    key === undefined ? 'Entity' : heading(address, key, { isDeclared: true, isNumber: false }),
    ...others.map((property) =>
      heading(address, property, {
        isDeclared: type.properties.includes(property),
        isNumber: isNumberType(property.type) && !property.isKey && !references.has(property.name),
      }),
    ),
    ...(navigation.length > 0 ? ['Links'] : []),
  ]
  const rows = entities.map((entity) =>
    rowOf(app, entity, typeOfEntity(app, entity, type), { key, columns, navigation, width: headings.length }),
  )
  const view = table(
    address.path,
    headings,
    rows.flatMap((row) => row.elements),
    { class: 'entities' },
  )
  const content = el('div', {}, view)
  if (!isAnalytical(set)) {
    void editableRows(app, set, rows).then((editable) => {
      const element = view.querySelector('table')
      if (editable.length > 0 && element !== null)
        content.append(editCells(app, element, editable, references))
    })
  }
  return content
}

function typeOfEntity(app: App, entity: Entity, declared: StructuralType): StructuralType {
  const { type } = metadataOf(entity)
  return (typeof type === 'string' ? typeOf(app.model, type) : undefined) ?? declared
}

/** Returns the rows if the service allows changes of at least one of them. */
async function editableRows(
  app: App,
  set: EntitySet | undefined,
  rows: readonly Row[],
): Promise<readonly EditableRow[]> {
  const [, flag = ''] = set?.annotations.find(([name]) => name === 'sap:updatable-path') ?? []
  const all = rows.flatMap(({ entity, editable }) => {
    if (editable === undefined) return []
    return [entity[flag] === false ? { ...editable, properties: new Map<never, never>() } : editable]
  })
  const first = all.find(({ properties }) => properties.size > 0)
  if (first === undefined) return []
  const methods = await allowedMethods(app, first.changes.address)
  return methods.has('MERGE') ? all : []
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

interface Column {
  readonly property: Property
  readonly create: (entity: Entity, changes: EntityChanges | undefined) => HTMLTableCellElement
}

interface Columns {
  readonly key: Property | undefined
  /** The columns after the first one. */
  readonly columns: readonly Column[]
  readonly navigation: readonly NavigationProperty[]
  readonly width: number
}

interface Row {
  readonly entity: Entity
  readonly elements: readonly HTMLTableRowElement[]
  /** Undefined for entities without an address. */
  readonly editable: EditableRow | undefined
}

/** Creates the row of an entity, and a hidden row for its expanded entities. */
function rowOf(
  app: App,
  entity: Entity,
  type: StructuralType,
  { key, columns, navigation, width }: Columns,
): Row {
  const address = app.client.relative(metadataOf(entity).uri)
  const changes = address === undefined ? undefined : new EntityChanges(app, address, entity, type)
  const keyValue = key === undefined ? '' : formatValue(entity[key.name], key.type).text
  const links = navigation.map(({ name }) => navigationLink(app, entity[name], name, address ?? ''))
  const [toggle, details] = expansion(app, entity, navigation, width)
  const mark = el('small')
  const cells = columns.map(({ create }) => create(entity, changes))
  const row = el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      address === undefined ? keyValue : link(resourceHash(address), keyText(address)),
      thumbnail(app, entity),
      mark,
    ),
    ...cells,
    links.length > 0 ? el('td', { class: 'links' }, ...links, toggle) : undefined,
  )
  const showMark = (): void => {
    const method = changes?.pending?.operation.method
    mark.textContent = method === undefined ? '' : method === 'DELETE' ? ' deleted' : ' changed'
  }
  let shown = changes?.current ?? entity

  function update(edited: HTMLTableCellElement): void {
    const before = shown
    shown = changes?.current ?? entity
    for (const [index, { property, create }] of columns.entries()) {
      const cell = cells[index]
      if (cell === undefined || (cell !== edited && before[property.name] === shown[property.name])) continue
      const { className, title, childNodes } = create(entity, changes)
      Object.assign(cell, { className, title })
      fill(cell, ...childNodes)
    }
    showMark()
  }

  showMark()
  const properties = columns.flatMap(({ property }, index) => {
    const cell = cells[index]
    return cell === undefined || !isCellEditable(property, entity, type) ? [] : [[cell, property] as const]
  })
  return {
    entity,
    elements: details === undefined ? [row] : [row, details],
    editable: changes && { row, changes, properties: new Map(properties), update },
  }
}

/** Returns true for values that fit into a cell while they are edited. */
function isCellEditable(property: Property, entity: Entity, { properties }: StructuralType): boolean {
  const { name, type } = property
  const own = properties.find((one) => one.name === name)
  return own !== undefined && name in entity && isUpdatable(own) && /^Edm\.(?!Binary)/.test(type)
}

/** Creates a button and the row of expanded entities that it shows; neither without expanded entities. */
function expansion(
  app: App,
  entity: Entity,
  navigation: readonly NavigationProperty[],
  width: number,
): readonly [HTMLElement, HTMLTableRowElement] | readonly [] {
  const owner = app.client.relative(metadataOf(entity).uri) ?? ''
  const expanded = navigation.flatMap((one) => expandedTable(app, entity, one, owner))
  if (expanded.length === 0) return []
  const place = el('td', { colspan: width })
  const details = el('tr', { class: 'expanded', hidden: true }, place)
  const toggle = el('button', { type: 'button', 'aria-expanded': 'false', onclick: showDetails }, 'Show')

  function showDetails(): void {
    details.hidden = !details.hidden
    if (place.childElementCount === 0) fill(place, ...expanded.map((create) => create()))
    toggle.setAttribute('aria-expanded', String(!details.hidden))
    toggle.textContent = details.hidden ? 'Show' : 'Hide'
  }

  return [toggle, details]
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

/** Creates a cell, with the value that the user has entered if it is not sent yet. */
function columnCell(
  app: App,
  property: Property,
  reference: Reference | undefined,
  entity: Entity,
  changes: EntityChanges | undefined,
  linked: ((entity: Entity) => HTMLElement | undefined) | undefined,
): HTMLTableCellElement {
  const changed = changes?.pending?.values ?? {}
  if (!(property.name in changed)) return cell(app, entity, property, linked?.(entity))
  // An expanded entity is that of the stored value.
  const current = { ...entity, ...changed, [reference?.navigation ?? '']: undefined }
  const element = cell(
    app,
    current,
    property,
    reference && referenceLinks(app, property, reference, [current])(current),
  )
  element.classList.add('changed')
  element.append(el('span', { class: 'unseen' }, ' changed'))
  return element
}

/** @param reference a link to the entity to which the property refers */
function cell(app: App, entity: Entity, property: Property, reference?: HTMLElement): HTMLTableCellElement {
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
