import { sapAnnotation } from '../annotations.js'
import type { EdmModel, EntitySet, EntityType, NavigationProperty, Property } from '../edm-model.js'
import { entitySetsOf, isPrimitive } from '../edm-model.js'
import type { TargetAnnotations, ValueListParameter } from './terms.js'

/** Names of properties that describe an entity, in the order of preference. */
const descriptiveNames = ['name', 'title', 'description', 'text']

/**
 * Returns a value help and a text for each foreign key: a property that a navigation property to one entity depends on by
 * a referential constraint. Foreign keys of several properties, and entities without entity set, have none.
 */
export function deriveValueHelps(model: EdmModel): Record<string, TargetAnnotations> {
  const targets: Record<string, TargetAnnotations> = {}
  for (const type of model.entityTypes.values()) {
    for (const navigation of type.declaredNavigationProperties) {
      const set = listedSet(navigation, type, model)
      const pair = set && foreignKeyOf(navigation)
      if (set === undefined || pair === undefined) continue
      targets[`${type.qualifiedName}/${pair.local.name}`] = valueHelp(navigation, set, pair)
    }
  }
  return targets
}

/** A property that refers to an entity, and the key of that entity. */
interface ForeignKey {
  readonly local: Property
  readonly listed: Property
}

function foreignKeyOf({ association, fromEnd, isCollection }: NavigationProperty): ForeignKey | undefined {
  const constraint = association.referentialConstraint
  if (isCollection || constraint?.dependent.role !== fromEnd.role) return undefined
  const [local, ...others] = constraint.dependentProperties
  const [listed] = constraint.principalProperties
  return local === undefined || listed === undefined || others.length > 0 ? undefined : { local, listed }
}

function listedSet(navigation: NavigationProperty, type: EntityType, model: EdmModel): EntitySet | undefined {
  const sets = entitySetsOf(model)
  const sources = sets.filter(({ entityType }) => entityType.isOrInherits(type))
  return sources.map((set) => set.targetOf(navigation)).find((set) => set !== undefined)
}

function valueHelp({ name }: NavigationProperty, set: EntitySet, key: ForeignKey): TargetAnnotations {
  const text = descriptionOf(set.entityType, key.listed)
  const parameters: ValueListParameter[] = [
    {
      $Type: 'Common.ValueListParameterInOut',
      LocalDataProperty: key.local.name,
      ValueListProperty: key.listed.name,
    },
  ]
  if (text !== undefined) {
    parameters.push({ $Type: 'Common.ValueListParameterDisplayOnly', ValueListProperty: text })
  }
  return {
    ...(text === undefined ? {} : { 'Common.Text': { $Path: `${name}/${text}` } }),
    'Common.ValueList': {
      CollectionPath: set.path,
      Parameters: parameters,
    },
  }
}

/** Returns the property that describes entities: that of `sap:text`, one with a usual name, or the first string. */
function descriptionOf(type: EntityType, key: Property | undefined): string | undefined {
  const declared = key && sapAnnotation(key, 'text')
  if (declared !== undefined && type.property(declared) !== undefined) return declared
  const strings = type.properties.filter((one) => one.type === 'Edm.String' && !one.isKey)
  const named = descriptiveNames.map((name) => strings.find((one) => one.name.toLowerCase() === name))
  return (named.find((one) => one !== undefined) ?? strings[0])?.name
}

/**
 * Returns a label for each type, property and entity set without `sap:label` whose name consists of several words. A
 * foreign key has the label of the entity that it refers to: `Category` for `CategoryID`.
 */
export function deriveLabels(model: EdmModel): Record<string, TargetAnnotations> {
  const targets: Record<string, TargetAnnotations> = {}
  const add = (element: Parameters<typeof sapAnnotation>[0], target: string, label: string): void => {
    if (sapAnnotation(element, 'label') !== undefined) return
    if (label !== '' && label !== target.slice(target.lastIndexOf('/') + 1))
      targets[target] = { 'Common.Label': label }
  }
  for (const type of [...model.entityTypes.values(), ...model.complexTypes.values()]) {
    const references = type.kind === 'EntityType' ? foreignKeys(type) : new Map<string, string>()
    for (const property of type.declaredProperties) {
      const label = wordsOf(references.get(property.name) ?? property.name)
      add(property, `${type.qualifiedName}/${property.name}`, label)
    }
  }
  for (const { qualifiedName, entitySets } of model.entityContainers) {
    for (const set of entitySets) add(set, `${qualifiedName}/${set.name}`, wordsOf(set.name))
  }
  return targets
}

/** Separates the words of a name: `UnitPrice` and `unit_price` become `Unit Price`, `VATRate` becomes `VAT Rate`. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{Nd})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/[\s_]+/u)
    .filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/** Returns the names of navigation properties by their foreign key. */
function foreignKeys({ declaredNavigationProperties }: EntityType): ReadonlyMap<string, string> {
  return new Map(
    declaredNavigationProperties.flatMap((navigation) => {
      const local = foreignKeyOf(navigation)?.local.name
      return local === undefined ? [] : [[local, navigation.name] as const]
    }),
  )
}

const MAX_COLUMNS = 10
const MAX_FILTERS = 5

/**
 * Returns a title, columns and filters for the entities of each entity set. Columns are the first properties, filters the
 * property that describes an entity, and its foreign keys.
 */
export function deriveLists(model: EdmModel): Record<string, TargetAnnotations> {
  const targets: Record<string, TargetAnnotations> = {}
  for (const { entitySets } of model.entityContainers) {
    for (const { entityType, name } of entitySets) {
      targets[entityType.qualifiedName] ??= listOf(entityType, name)
    }
  }
  return targets
}

function listOf(type: EntityType, setName: string): TargetAnnotations {
  const [key] = type.key
  const title = descriptionOf(type, key) ?? key?.name
  const columns = type.properties.filter(isColumn).slice(0, MAX_COLUMNS)
  const references = type.navigationProperties.flatMap((one) => foreignKeyOf(one)?.local.name ?? [])
  const names = new Set([...(title === undefined ? [] : [title]), ...references])
  const filters = [...names].filter((name) => isOn(type.property(name), 'filterable'))
  return {
    'UI.HeaderInfo': {
      TypeName: wordsOf(type.name),
      TypeNamePlural: wordsOf(setName),
      ...(title === undefined ? {} : { Title: { Value: { $Path: title } } }),
    },
    'UI.LineItem': columns.map(({ name }) => ({ $Type: 'UI.DataField' as const, Value: { $Path: name } })),
    'UI.SelectionFields': filters.slice(0, MAX_FILTERS),
  }
}

function isColumn(property: Property): boolean {
  const { type } = property
  if (!isPrimitive(type) || type === 'Edm.Binary') return false
  return isOn(property, 'visible')
}

function isOn(property: Property | undefined, annotation: string): boolean {
  return property === undefined || sapAnnotation(property, annotation) !== 'false'
}
