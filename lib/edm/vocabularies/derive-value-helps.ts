import { sapAnnotation } from '../annotations.js'
import type { EdmModel, EntitySet, EntityType, NavigationProperty, Property } from '../edm-model.js'
import { entitySetsOf } from '../edm-model.js'
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
export interface ForeignKey {
  readonly local: Property
  readonly listed: Property
}

export function foreignKeyOf({
  association,
  fromEnd,
  isCollection,
}: NavigationProperty): ForeignKey | undefined {
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
export function descriptionOf(type: EntityType, key: Property | undefined): string | undefined {
  const declared = key && sapAnnotation(key, 'text')
  if (declared !== undefined && type.property(declared) !== undefined) return declared
  const strings = type.properties.filter((one) => one.type === 'Edm.String' && !one.isKey)
  const named = descriptiveNames.map((name) => strings.find((one) => one.name.toLowerCase() === name))
  return (named.find((one) => one !== undefined) ?? strings[0])?.name
}
