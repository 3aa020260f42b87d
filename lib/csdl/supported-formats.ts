import { annotationValue, sapNamespace } from '../edm/annotations.js'
import type { EdmModel, EntityContainer } from '../edm/edm-model.js'

/**
 * Returns a model whose default container announces the formats of collections as `sap:supported-formats`, unless it
 * announces formats already.
 *
 * @param formats names of formats in addition to `atom` and `json`
 * @spec SAP annotations for OData version 2.0
 */
export function withSupportedFormats(model: EdmModel, formats: readonly string[]): EdmModel {
  const value = ['atom', 'json', ...formats].join(' ')
  const announce = (container: EntityContainer): EntityContainer => {
    const { annotations, isDefault } = container
    const isAnnounced = annotationValue(container, sapNamespace, 'supported-formats') !== undefined
    if (!isDefault || isAnnounced) return container
    const added = { namespace: sapNamespace, prefix: 'sap', name: 'supported-formats', value }
    return { ...container, annotations: { ...annotations, attributes: [...annotations.attributes, added] } }
  }
  return {
    ...model,
    schemas: model.schemas.map((schema) => ({
      ...schema,
      entityContainers: schema.entityContainers.map(announce),
    })),
  }
}
