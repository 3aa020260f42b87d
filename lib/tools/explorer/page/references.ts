import { literalOf, resourceHash } from './address.js'
import type { App } from './app.js'
import { link } from './components.js'
import { el, fill } from './dom.js'
import { formatValue } from './format.js'
import type { EntitySet, Model, Property, StructuralType } from './model.js'
import { setOf, typeOf } from './model.js'
import type { Entity } from './payload.js'
import { isEntity } from './payload.js'
import { readEntities } from './read-entities.js'

/** The entities of a set whose key, or another property, is the value of a property: a foreign key or a value list. */
export interface Reference {
  readonly set: EntitySet
  readonly type: StructuralType
  readonly key: Property
  /** The property that describes a referenced entity. */
  readonly label: Property | undefined
  /** The navigation property to the referenced entity. */
  readonly navigation: string | undefined
}

/** Returns the references of the properties of a type by the name of the property. */
export function referencesOf(
  model: Model,
  type: StructuralType,
  set: EntitySet | undefined,
): ReadonlyMap<string, Reference> {
  const references = new Map<string, Reference>()
  const add = (own: Property, path: string, keyName: string, navigation?: string): void => {
    const target = setOf(model, path)
    const listed = typeOf(model, target?.type)
    const key = listed?.properties.find(({ name }) => name === keyName)
    if (target === undefined || listed === undefined || key === undefined) return
    const [text = ''] = [own.text, key.text].map((path) => path.split('/').at(-1))
    references.set(own.name, {
      set: target,
      type: listed,
      key,
      label: labelOf(listed, [text, key.text]),
      navigation,
    })
  }
  for (const own of type.properties) {
    if (own.valueList !== undefined) add(own, own.valueList.set, own.valueList.property)
  }
  for (const { name, association, fromRole, multiplicity } of type.navigation) {
    const found = model.associations.find((one) => one.qualifiedName === association)
    const [pair, ...others] = found?.dependent === fromRole && multiplicity !== '*' ? found.foreignKey : []
    const own = type.properties.find((one) => one.name === pair?.[0])
    if (pair !== undefined && own !== undefined && others.length === 0)
      add(own, set?.targets.get(name) ?? '', pair[1], name)
  }
  return references
}

/** @param declared names of properties in annotations, the best one first */
function labelOf({ properties }: StructuralType, declared: readonly string[]): Property | undefined {
  const strings = properties.filter(({ type, isKey }) => type === 'Edm.String' && !isKey)
  const named = declared.map((name) => properties.find((one) => one.name === name))
  const usual = [/name$/i, /title$/i, /description$/i, /text$/i].map((name) =>
    strings.find((one) => name.test(one.name)),
  )
  return [...named, ...usual, strings[0]].find((one) => one !== undefined)
}

/** Conditions of a request, so that its URL stays short. */
const MAX_CONDITIONS = 40

/** Reads the labels of entities together. @returns labels by the literals of the values */
export async function readLabels(
  app: App,
  { set, key, label }: Reference,
  literals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (label === undefined) return new Map()
  const parts = Array.from({ length: Math.ceil(literals.length / MAX_CONDITIONS) }, (_, index) =>
    literals.slice(index * MAX_CONDITIONS, (index + 1) * MAX_CONDITIONS),
  )
  const path = encodeURIComponent(set.path)
  const pages = await Promise.all(
    parts.map((part) => {
      const options = new Map([['$filter', part.map((literal) => `${key.name} eq ${literal}`).join(' or ')]])
      // Without labels, the values are shown: users may not be allowed to read the other set.
      return readEntities(app, { path, options }, [key.name, label.name], part.length).catch(() => [])
    }),
  )
  return new Map(
    pages
      .flat()
      .map((entity) => [literalOf(key.type, entity[key.name]) ?? '', labelText(entity, label)] as const),
  )
}

export function labelText(entity: Entity, label: Property | undefined): string {
  const value = label === undefined ? undefined : entity[label.name]
  return value === undefined || value === null || label === undefined
    ? ''
    : formatValue(value, label.type).text
}

/**
 * Returns a function that creates links to the entities to which a property refers, with their labels. The labels of all
 * entities are read together.
 */
export function referenceLinks(
  app: App,
  { name, type }: Property,
  reference: Reference,
  entities: readonly Entity[],
): (entity: Entity) => HTMLElement | undefined {
  const { set, key, label, navigation } = reference
  const expandedIn = (entity: Entity): string => {
    const expanded = navigation === undefined ? undefined : entity[navigation]
    return isEntity(expanded) ? labelText(expanded, label) : ''
  }
  const unknown = entities.filter((entity) => expandedIn(entity) === '')
  const literals = unknown.map((entity) => literalOf(type, entity[name])).filter((one) => one !== undefined)
  const labels = readLabels(app, reference, [...new Set(literals)])
  const isKey = reference.type.keys.length === 1 && key.isKey
  return (entity) => {
    const literal = literalOf(type, entity[name])
    if (literal === undefined) return undefined
    const value = formatValue(entity[name], type).text
    const path = `${encodeURIComponent(set.path)}(${encodeURIComponent(literal)})`
    const text = isKey ? link(resourceHash(path), value) : el('span', {}, value)
    const element = el('span', { class: 'reference' }, text)
    const show = (label: string): void => {
      if (label === '' || label === value) return
      fill(text, label)
      element.append(' ', el('small', {}, value))
    }
    const own = expandedIn(entity)
    if (own === '') void labels.then((all) => show(all.get(literal) ?? ''))
    else show(own)
    return element
  }
}
