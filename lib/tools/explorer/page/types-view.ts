import type { App, View } from './app.js'
import { el } from './dom.js'
import type { Described, Model, NavigationProperty, Property, StructuralType } from './model.js'
import { shortName } from './model.js'
import { typeHash } from './router.js'
import { setHash } from './start-view.js'
import { note, scrolled, tableOf, title } from './pieces.js'

/** All types of the model as a list. */
export function typesView({ model }: App): View {
  const types = [...model.types.values()]
  const rows = types.map((type) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('a', { href: typeHash(type.qualifiedName) }, type.name)),
      el('td', {}, kindOf(type)),
      el('td', {}, type.keys.join(', ')),
      el('td', { class: 'number' }, String(type.properties.length)),
      el('td', { class: 'links' }, ...setsOf(model, type)),
      el('td', { class: 'wide' }, type.documentation),
    ),
  )
  return {
    title: 'Types',
    content: [
      title('Types'),
      table('Types', ['Type', 'Kind', 'Key', 'Properties', 'Entity sets', 'About'], rows),
    ],
  }
}

/** One type with its properties and where they lead. */
export function typeView({ model }: App, name: string): View {
  const type = model.types.get(name)
  if (type === undefined) {
    return { title: name, content: [title(name), note('There is no such type.')] }
  }
  const base = model.types.get(type.baseType)
  const derived = [...model.types.values()].filter(({ baseType }) => baseType === name)
  return {
    title: type.name,
    content: [
      title(type.name, el('span', { class: 'badge' }, kindOf(type))),
      note(type.qualifiedName),
      ...(type.documentation === '' ? [] : [el('p', { class: 'about' }, type.documentation)]),
      ...related('Entity sets', setsOf(model, type)),
      ...related('Base type', base === undefined ? [] : [typeLink(base.qualifiedName)]),
      ...related(
        'Derived types',
        derived.map(({ qualifiedName }) => typeLink(qualifiedName)),
      ),
      ...annotationList(type),
      el('h2', {}, 'Properties'),
      table(
        'Properties',
        ['Name', 'Type', 'Null', 'Facets', 'Label', 'Annotations'],
        type.properties.map((one) => propertyRow(model, one)),
      ),
      ...(type.navigation.length === 0
        ? []
        : [
            el('h2', {}, 'Navigation'),
            table(
              'Navigation',
              ['Name', 'Leads to', 'Multiplicity', 'Association'],
              type.navigation.map(navigationRow),
            ),
          ]),
    ],
  }
}

function propertyRow(model: Model, property: Property): HTMLElement {
  const { name, type, isKey, isNullable, facets, label, documentation } = property
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row', title: documentation === '' ? undefined : documentation },
      name,
      isKey ? el('small', {}, ' key') : undefined,
    ),
    el('td', {}, model.types.has(type) ? typeLink(type) : type),
    el('td', {}, isNullable ? 'yes' : 'no'),
    el('td', {}, facets.join(', ')),
    el('td', {}, label),
    el('td', { class: 'wide' }, annotationText(property)),
  )
}

function navigationRow({ name, target, multiplicity, association }: NavigationProperty): HTMLElement {
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, name),
    el('td', {}, typeLink(target)),
    el('td', {}, multiplicity),
    el('td', {}, shortName(association)),
  )
}

function table(label: string, columns: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  return scrolled(label, tableOf(columns, el('tbody', {}, ...rows)))
}

function related(title: string, links: readonly Node[]): Node[] {
  return links.length === 0 ? [] : [el('p', { class: 'related' }, `${title}: `, ...links)]
}

function annotationList(described: Described): Node[] {
  const text = annotationText(described)
  return text === '' ? [] : [note(text)]
}

function annotationText({ annotations }: Described): string {
  return annotations.map(([name, value]) => `${name}=${value}`).join(' ')
}

function typeLink(qualifiedName: string): HTMLElement {
  return el('a', { href: typeHash(qualifiedName) }, shortName(qualifiedName))
}

function setsOf(model: Model, type: StructuralType): HTMLElement[] {
  const own = model.sets.filter((set) => set.type === type.qualifiedName)
  return own.map(({ path }) => el('a', { href: setHash(path) }, path))
}

function kindOf({ kind, isAbstract, isMedia }: StructuralType): string {
  const words = [
    isAbstract ? 'abstract' : '',
    kind === 'ComplexType' ? 'complex type' : 'entity type',
    isMedia ? 'with media' : '',
  ]
  return words.filter((word) => word !== '').join(' ')
}
