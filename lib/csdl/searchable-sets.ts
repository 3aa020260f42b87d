import { annotationValue, sapNamespace } from '../edm/annotations.js'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'

/**
 * Returns a model that announces sets as searchable, for `$metadata`.
 *
 * @param searched paths of the sets that clients can search
 * @spec SAP annotations for OData version 2.0
 */
export function withSearchableSets(model: EdmModel, searched: ReadonlyMap<string, unknown>): EdmModel {
  const announce = (set: EntitySet): EntitySet => {
    if (!searched.has(set.path) || annotationValue(set, sapNamespace, 'searchable') !== undefined) return set
    const added = { namespace: sapNamespace, prefix: 'sap', name: 'searchable', value: 'true' }
    const { annotations } = set
    return { ...set, annotations: { ...annotations, attributes: [...annotations.attributes, added] } }
  }
  return {
    ...model,
    schemas: model.schemas.map((schema) => ({
      ...schema,
      entityContainers: schema.entityContainers.map((container) => ({
        ...container,
        entitySets: container.entitySets.map(announce),
      })),
    })),
  }
}
