import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { Annotatable, AnnotationAttribute } from '../edm/annotations.js'
import { annotationValue, sapNamespace } from '../edm/annotations.js'
import type { EdmModel } from '../edm/edm-model.js'

/** Values of SAP's annotations by their names, without prefix. */
type SapAnnotations = Readonly<Record<string, string | undefined>>

/** Facts about a service that its metadata document announces as annotations of SAP. */
interface Announcements {
  /** Sets with groups, in which measures and the key cannot be filtered. */
  readonly analyticalSets?: Iterable<AnalyticalSet> | undefined
  /** The sets that clients can search, by their paths. */
  readonly searched?: ReadonlyMap<string, unknown> | undefined
  /** The formats of collections in addition to `atom` and `json`. */
  readonly formats?: readonly string[] | undefined
  /** The sets with delta links, by path, with the validity of the links in seconds. */
  readonly tracked?: ReadonlyMap<string, number | undefined> | undefined
}

/**
 * Returns a copy of a model, to serialize it, with further annotations of SAP. Elements keep those that they have.
 *
 * @spec SAP annotations for OData version 2.0
 */
export function announcedModel(model: EdmModel, announcements: Announcements): EdmModel {
  const { analyticalSets = [], searched, formats, tracked } = announcements
  const added = new Map<Annotatable, SapAnnotations>()
  for (const { set, id, measures } of analyticalSets) {
    for (const property of set.entityType.declaredProperties) {
      if (property === id) added.set(property, { sortable: 'false', filterable: 'false' })
      else if (measures.has(property.name)) added.set(property, { filterable: 'false' })
    }
  }
  for (const container of model.schemas.flatMap(({ entityContainers }) => entityContainers)) {
    if (container.isDefault && formats !== undefined)
      added.set(container, { 'supported-formats': ['atom', 'json', ...formats].join(' ') })
    for (const set of container.entitySets) {
      const searchable = searched?.has(set.path) === true ? 'true' : undefined
      const validity = tracked?.get(set.path)
      const changes = tracked?.has(set.path) === true && {
        'change-tracking': 'true',
        'delta-link-validity': validity === undefined ? undefined : String(validity),
      }
      if (searchable !== undefined || changes !== false) added.set(set, { searchable, ...changes })
    }
  }
  return withSapAnnotations(model, added)
}

/** Returns a copy of a model, to serialize it, with further annotations of SAP. Elements keep those that they have. */
export function withSapAnnotations(
  model: EdmModel,
  added: ReadonlyMap<Annotatable, SapAnnotations>,
): EdmModel {
  if (added.size === 0) return model
  return mapElements(model, (element) => {
    const attributes = sapAttributes(added.get(element) ?? {}).filter(
      ({ namespace, name }) => annotationValue(element, namespace, name) === undefined,
    )
    return withAttributes(element, [...element.annotations.attributes, ...attributes])
  })
}

/** Returns annotations of SAP as attributes, without those that are undefined. */
export function sapAttributes(annotations: SapAnnotations): readonly AnnotationAttribute[] {
  return Object.entries(annotations).flatMap(([name, value]) =>
    value === undefined ? [] : [{ namespace: sapNamespace, prefix: 'sap', name, value }],
  )
}

export function withAttributes<Element extends Annotatable>(
  element: Element,
  attributes: readonly AnnotationAttribute[],
): Element {
  return { ...element, annotations: { ...element.annotations, attributes } }
}

/** Returns a copy of a model, to serialize it, in which a function replaces elements: others refer to the original ones. */
export function mapElements(
  model: EdmModel,
  map: <Element extends Annotatable>(element: Element) => Element,
): EdmModel {
  return {
    ...model,
    schemas: model.schemas.map((schema) => ({
      ...map(schema),
      entityTypes: schema.entityTypes.map((type) => ({
        ...map(type),
        declaredProperties: type.declaredProperties.map(map),
        declaredNavigationProperties: type.declaredNavigationProperties.map(map),
      })),
      complexTypes: schema.complexTypes.map((type) => ({
        ...map(type),
        declaredProperties: type.declaredProperties.map(map),
      })),
      entityContainers: schema.entityContainers.map((container) => ({
        ...map(container),
        entitySets: container.entitySets.map(map),
        functionImports: container.functionImports.map((one) => ({
          ...map(one),
          parameters: one.parameters.map(map),
        })),
      })),
    })),
  }
}
