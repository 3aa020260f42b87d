import { sapAnnotation } from '../annotations.js'
import type { EdmModel, EntityType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import { wordsOf } from './derive-labels.js'
import { descriptionOf, foreignKeyOf } from './derive-value-helps.js'
import type { TargetAnnotations } from './terms.js'

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
