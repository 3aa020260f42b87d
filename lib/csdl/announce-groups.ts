import type { AnalyticalSet } from '../edm/analytical-set.js'
import { annotationValue, sapNamespace } from '../edm/annotations.js'
import type { EdmModel, EntityType, Property } from '../edm/edm-model.js'

/**
 * Returns a model that announces what cannot be filtered and sorted in analytical sets, as `sap:filterable` and
 * `sap:sortable`, unless the model has these annotations already.
 *
 * @spec SAP annotations for OData version 2.0
 */
export function announceGroups(model: EdmModel, sets: Iterable<AnalyticalSet>): EdmModel {
  const analytical = new Map([...sets].map((one) => [one.set.entityType, one]))
  const announce = (type: EntityType): EntityType => {
    const set = analytical.get(type)
    if (set === undefined) return type
    const declaredProperties = type.declaredProperties.map((property) => {
      if (property === set.id) return withFalse(property, ['sortable', 'filterable'])
      return set.measures.has(property.name) ? withFalse(property, ['filterable']) : property
    })
    return { ...type, declaredProperties }
  }
  return {
    ...model,
    schemas: model.schemas.map((schema) => ({ ...schema, entityTypes: schema.entityTypes.map(announce) })),
  }
}

function withFalse(property: Property, names: readonly string[]): Property {
  const { annotations } = property
  const added = names
    .filter((name) => annotationValue(property, sapNamespace, name) === undefined)
    .map((name) => ({ namespace: sapNamespace, prefix: 'sap', name, value: 'false' }))
  return { ...property, annotations: { ...annotations, attributes: [...annotations.attributes, ...added] } }
}
