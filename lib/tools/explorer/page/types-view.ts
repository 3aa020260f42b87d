import { setHash } from './address.js'
import type { App, View } from './app.js'
import { about, link, note, table, title, typeLink } from './components.js'
import type { Child } from './dom.js'
import { el } from './dom.js'
import type { Model, NamedElement, StructuralType } from './model.js'
import { shortName } from './model.js'

/** Creates a list of all types. */
export function typesView({ model }: App): View {
  const rows = [...model.types.values()].map((type) => [
    typeLink(type.qualifiedName),
    kindOf(type),
    type.keys.join(', '),
    String(type.properties.length),
    el('span', { class: 'links' }, ...setLinks(model, type)),
    type.documentation,
  ])
  const columns = ['Type', 'Kind', 'Key', 'Properties', 'Entity sets', 'Description']
  return { title: 'Types', content: [title('Types'), table('Types', columns, rows, { class: 'types' })] }
}

/** Returns the properties and navigation properties of a type. */
export function typeView({ model }: App, name: string): View {
  const type = model.types.get(name)
  if (type === undefined) return { title: name, content: [title(name), note('Type not found.')] }
  const derived = [...model.types.values()].filter(({ baseType }) => baseType === name)
  const annotations = annotationText(type)
  return {
    title: type.name,
    content: [
      title(type.name, el('span', { class: 'badge' }, kindOf(type))),
      note(type.qualifiedName),
      about(type.documentation),
      related('Entity sets', setLinks(model, type)),
      related('Base type', model.types.has(type.baseType) ? [typeLink(type.baseType)] : []),
      related(
        'Derived types',
        derived.map(({ qualifiedName }) => typeLink(qualifiedName)),
      ),
      annotations === '' ? undefined : note(annotations),
      el('h2', {}, 'Properties'),
      propertyTable(model, type),
      ...navigationTable(type),
    ],
  }
}

function propertyTable(model: Model, { properties }: StructuralType): HTMLElement {
  const rows = properties.map((property) => {
    const { name, type, isKey, isNullable, facets, label, documentation } = property
    const title = documentation === '' ? undefined : documentation
    return [
      el('span', { title }, name, isKey ? el('small', {}, ' key') : undefined),
      model.types.has(type) ? typeLink(type) : type,
      isNullable ? 'yes' : 'no',
      facets.join(', '),
      label,
      annotationText(property),
    ]
  })
  const columns = ['Name', 'Type', 'Nullable', 'Facets', 'Label', 'Annotations']
  return table('Properties', columns, rows, { class: 'types' })
}

function navigationTable({ navigation }: StructuralType): readonly Child[] {
  if (navigation.length === 0) return []
  const rows = navigation.map(({ name, target, multiplicity, association }) => [
    name,
    typeLink(target),
    multiplicity,
    shortName(association),
  ])
  const columns = ['Name', 'Target type', 'Multiplicity', 'Association']
  return [el('h2', {}, 'Navigation properties'), table('Navigation properties', columns, rows)]
}

function related(title: string, links: readonly Node[]): Child {
  return links.length === 0 ? undefined : el('p', { class: 'related' }, `${title}: `, ...links)
}

function annotationText({ annotations }: NamedElement): string {
  return annotations.map(([name, value]) => `${name}=${value}`).join(' ')
}

function setLinks(model: Model, type: StructuralType): readonly HTMLElement[] {
  const sets = model.sets.filter((set) => set.type === type.qualifiedName)
  return sets.map(({ path }) => link(setHash(path), path))
}

function kindOf({ kind, isAbstract, isMedia }: StructuralType): string {
  const words = [
    isAbstract ? 'abstract' : '',
    kind === 'ComplexType' ? 'complex type' : 'entity type',
    isMedia ? 'with media resource' : '',
  ]
  return words.filter((word) => word !== '').join(' ')
}
