import { literalOf, resourceHash } from './address.js'
import type { App } from './app.js'
import { link } from './components.js'
import { el, fill } from './dom.js'
import { formatValue } from './format.js'
import type { EntitySet, ListParameter, Model, Property, StructuralType } from './model.js'
import { setOf, typeOf } from './model.js'
import type { Entity } from './payload.js'
import { isEntity } from './payload.js'
import { readEntities } from './read-entities.js'

/** The entities of a set whose key, or another property, is the value of a property: a foreign key or a value list. */
export interface Reference {
  readonly set: EntitySet
  readonly type: StructuralType
  /** The property from which the value is taken. */
  readonly key: Property
  /** The property that describes a referenced entity. */
  readonly label: Property | undefined
  /** The navigation property to the referenced entity. */
  readonly navigation: string | undefined
  /** The properties that identify the referenced entity: its whole key, or `key` only. */
  readonly identity: readonly { readonly own: string; readonly listed: Property }[]
  /** Other properties that restrict the list, or are taken from the chosen entity. */
  readonly parameters: readonly ListParameter[]
}

/** Returns the references of the properties of a type by the name of the property. */
export function referencesOf(
  model: Model,
  type: StructuralType,
  set: EntitySet | undefined,
): ReadonlyMap<string, Reference> {
  const references = new Map<string, Reference>()
  const add = (own: Property, path: string, all: readonly ListParameter[], navigation?: string): void => {
    const reference = referenceOf(model, own, path, all, navigation)
    if (reference !== undefined) references.set(own.name, reference)
  }
  for (const own of type.properties) {
    if (own.valueList !== undefined) add(own, own.valueList.set, own.valueList.parameters)
  }
  const links = type.navigation.flatMap(({ name, association, fromRole, multiplicity }) => {
    const found = model.associations.find((one) => one.qualifiedName === association)
    const pairs = found?.dependent === fromRole && multiplicity !== '*' ? found.foreignKey : []
    return [{ name, pairs: pairs.map(([own, listed]) => ({ own, listed, isIn: true, isOut: true })) }]
  })
  // The last property of a foreign key is the most specific one, unless it refers to an entity by itself.
  for (const { name, pairs } of links.sort((one, other) => one.pairs.length - other.pairs.length)) {
    const free = pairs.length > 1 ? pairs.filter((pair) => !references.has(pair.own)) : pairs
    const own = type.properties.find((one) => one.name === free.at(-1)?.own)
    if (own !== undefined) add(own, set?.targets.get(name) ?? '', pairs, name)
  }
  return references
}

function referenceOf(
  model: Model,
  own: Property,
  path: string,
  all: readonly ListParameter[],
  navigation: string | undefined,
): Reference | undefined {
  const set = setOf(model, path)
  const type = typeOf(model, set?.type)
  const listedProperty = (name: string | undefined): Property | undefined =>
    type?.properties.find((one) => one.name === name)
  const key = listedProperty(all.find((one) => one.own === own.name && one.isOut)?.listed)
  if (set === undefined || type === undefined || key === undefined) return undefined
  const [text = ''] = [own.text, key.text].map((path) => path.split('/').at(-1))
  const whole = type.keys.flatMap((name) => {
    const found = all.find(({ listed, isIn, own: local }) => listed === name && (isIn || local === own.name))
    const listed = listedProperty(found?.listed)
    return found === undefined || listed === undefined ? [] : [{ own: found.own, listed }]
  })
  const isWhole = whole.length === type.keys.length && whole.some((one) => one.own === own.name)
  return {
    set,
    type,
    key,
    label: labelOf(type, [text, key.text]),
    navigation,
    identity: isWhole ? whole : [{ own: own.name, listed: key }],
    parameters: all.filter((one) => one.own !== own.name),
  }
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

/**
 * Returns the condition that selects a referenced entity; undefined without a value.
 *
 * @param valueOf returns the values of the properties of `identity`
 */
export function conditionOf(
  { identity }: Reference,
  valueOf: (property: Reference['identity'][number]) => unknown,
): string | undefined {
  const parts = identity.flatMap((one) => {
    const literal = literalOf(one.listed.type, valueOf(one))
    return literal === undefined ? [] : [`${one.listed.name} eq ${literal}`]
  })
  return parts.length < identity.length ? undefined : parts.join(' and ')
}

/** Reads the labels of entities together. @returns labels by the conditions that select the entities */
export async function readLabels(
  app: App,
  reference: Reference,
  conditions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { set, label, identity } = reference
  if (label === undefined) return new Map()
  const size = Math.ceil(MAX_CONDITIONS / identity.length)
  const parts = Array.from({ length: Math.ceil(conditions.length / size) }, (_, index) =>
    conditions.slice(index * size, (index + 1) * size),
  )
  const path = encodeURIComponent(set.path)
  const names = [...identity.map(({ listed }) => listed.name), label.name]
  const pages = await Promise.all(
    parts.map((part) => {
      const options = new Map([['$filter', part.join(' or ')]])
      // Without labels, the values are shown: users may not be allowed to read the other set.
      return readEntities(app, { path, options }, names, part.length).catch(() => [])
    }),
  )
  return new Map(
    pages
      .flat()
      .map(
        (entity) =>
          [
            conditionOf(reference, ({ listed }) => entity[listed.name]) ?? '',
            labelText(entity, label),
          ] as const,
      ),
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
  const { label, navigation } = reference
  const expandedIn = (entity: Entity): string => {
    const expanded = navigation === undefined ? undefined : entity[navigation]
    return isEntity(expanded) ? labelText(expanded, label) : ''
  }
  const conditionIn = (entity: Entity): string | undefined => conditionOf(reference, ({ own }) => entity[own])
  const unknown = entities.filter((entity) => expandedIn(entity) === '')
  const conditions = unknown.map(conditionIn).filter((one) => one !== undefined)
  const labels = readLabels(app, reference, [...new Set(conditions)])
  return (entity) => {
    const condition = conditionIn(entity)
    if (condition === undefined) return undefined
    const value = formatValue(entity[name], type).text
    const path = referencedPath(reference, entity)
    const text = path === undefined ? el('span', {}, value) : link(resourceHash(path), value)
    const element = el('span', { class: 'reference' }, text)
    const show = (label: string): void => {
      if (label === '' || label === value) return
      fill(text, label)
      element.append(' ', el('small', {}, value))
    }
    const own = expandedIn(entity)
    if (own === '') void labels.then((all) => show(all.get(condition) ?? ''))
    else show(own)
    return element
  }
}

/** Returns the address of a referenced entity; undefined if its key is not known. */
function referencedPath({ set, type, identity }: Reference, entity: Entity): string | undefined {
  if (identity.length < type.keys.length || !identity.every(({ listed }) => listed.isKey)) return undefined
  const literals = identity.map(
    ({ own, listed }) =>
      [listed.name, encodeURIComponent(literalOf(listed.type, entity[own]) ?? '')] as const,
  )
  const key =
    literals.length === 1 ? literals[0]?.[1] : literals.map(([name, literal]) => `${name}=${literal}`).join()
  return `${encodeURIComponent(set.path)}(${key ?? ''})`
}
