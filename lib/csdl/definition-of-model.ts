import type { Annotatable } from '../edm/annotations.js'
import { minimumVersion } from '../edm/build/build-model.js'
import type {
  Association,
  AssociationEnd,
  AssociationSet,
  EdmModel,
  EntityContainer,
  EntityType,
  FunctionImport,
  FunctionParameter,
  Property,
  Schema,
} from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { FeedMapping } from '../edm/feed-mapping.js'
import type {
  AnnotatedDefinition,
  AssociationDefinition,
  AssociationEndDefinition,
  AssociationSetDefinition,
  EntityContainerDefinition,
  EntityTypeDefinition,
  FeedMappingDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
  ModelDefinition,
  PropertyDefinition,
  SchemaDefinition,
} from '../edm/model-definition.js'
import { facetsOfAttributes } from '../edm/sap-facets.js'
import { csdl2Namespace } from '../xml/namespaces.js'
import { defined } from './csdl-reader.js'

/** Returns the definition from which `defineModel` creates an equal model. */
export function definitionOf(model: EdmModel): ModelDefinition {
  const schemas = model.schemas.map((schema) => schemaDefinition(schema, model))
  const [only] = schemas
  const { dataServiceVersion } = model
  return {
    ...defined({
      dataServiceVersion:
        dataServiceVersion === minimumVersion(model.entityTypes) ? undefined : dataServiceVersion,
      generateEtags: model.generateEtags,
      edmx: nonEmpty(annotatedDefinition(model)),
      dataServices: nonEmpty(annotatedDefinition(model.dataServices)),
    }),
    ...(only !== undefined && schemas.length === 1 ? only : { schemas }),
  }
}

function schemaDefinition(schema: Schema, model: EdmModel): SchemaDefinition {
  const { namespace, alias, xmlNamespace, usings } = schema
  return defined({
    namespace,
    alias,
    xmlNamespace: xmlNamespace === csdl2Namespace ? undefined : xmlNamespace,
    ...annotatedDefinition(schema),
    usings: nonEmpty(
      usings.map((using) => ({
        namespace: using.namespace,
        alias: using.alias,
        ...annotatedDefinition(using),
      })),
    ),
    entityTypes: nonEmpty(byName(schema.entityTypes, (type) => entityTypeDefinition(type, namespace))),
    complexTypes: nonEmpty(
      byName(schema.complexTypes, (type) =>
        defined({
          ...annotatedDefinition(type),
          baseType: type.baseType && nameIn(namespace, type.baseType),
          properties: propertyDefinitions(type, namespace),
        }),
      ),
    ),
    associations: nonEmpty(byName(schema.associations, (one) => associationDefinition(one, namespace))),
    ...containersOf(schema, model),
  })
}

function associationDefinition(
  { ends, referentialConstraint: constraint, ...association }: Association,
  namespace: string,
): AssociationDefinition {
  const end = ({ type, multiplicity, onDelete, ...one }: AssociationEnd): AssociationEndDefinition =>
    defined({ type: nameIn(namespace, type), multiplicity, onDelete, ...annotatedDefinition(one) })
  const role = ({ role: name }: AssociationEnd, properties: readonly { readonly name: string }[]) => ({
    role: name,
    properties: properties.map((property) => property.name),
  })
  return defined({
    ...annotatedDefinition(association),
    ends: Object.fromEntries(ends.map((one) => [one.role, end(one)])),
    referentialConstraint: constraint && {
      ...annotatedDefinition(constraint),
      ...(constraint.isInferred && { isInferred: true }),
      principal: role(constraint.principal, constraint.principalProperties),
      dependent: role(constraint.dependent, constraint.dependentProperties),
    },
  })
}

/** Returns the containers of a schema, in the short form if the model has only one. */
function containersOf(
  { namespace, entityContainers }: Schema,
  model: EdmModel,
): Pick<SchemaDefinition, 'entityContainer' | 'entityContainers'> {
  const [only] = entityContainers
  if (only === undefined) return {}
  const isOnly = model.entityContainers.length === 1
  const define = (container: EntityContainer): EntityContainerDefinition => ({
    ...(container.isDefault && !isOnly ? { default: true } : {}),
    ...containerDefinition(container, namespace, model),
  })
  if (!isOnly) return { entityContainers: byName(entityContainers, define) }
  return { entityContainer: { ...(only.name === 'Container' ? {} : { name: only.name }), ...define(only) } }
}

function containerDefinition(
  container: EntityContainer,
  namespace: string,
  model: EdmModel,
): EntityContainerDefinition {
  const { entitySets, associationSets, functionImports } = container
  return defined({
    ...annotatedDefinition(container),
    extends: container.extends,
    entitySets: byName(entitySets, (set) => ({
      entityType: nameIn(namespace, set.entityType),
      ...annotatedDefinition(set),
    })),
    // Without this member, a definition gets the association sets that can be derived.
    associationSets:
      model.associations.size === 0
        ? undefined
        : byName(associationSets, (set) => associationSetDefinition(set, namespace)),
    functionImports: nonEmpty(byName(functionImports, (one) => functionImportDefinition(one, namespace))),
  })
}

function associationSetDefinition(set: AssociationSet, namespace: string): AssociationSetDefinition {
  const ends = set.ends.map((end) => {
    const annotated = annotatedDefinition(end)
    const { name } = end.entitySet
    return [end.role, Object.keys(annotated).length === 0 ? name : { entitySet: name, ...annotated }] as const
  })
  return {
    association: nameIn(namespace, set.association),
    ends: Object.fromEntries(ends),
    ...annotatedDefinition(set),
  }
}

function functionImportDefinition(one: FunctionImport, namespace: string): FunctionImportDefinition {
  const { returnType, entitySet, httpMethod } = one
  const typeName = returnType && typeNameIn(namespace, returnType.type)
  return defined({
    returnType: typeName && returnType?.isCollection === true ? `Collection(${typeName})` : typeName,
    entitySet: entitySet?.name,
    httpMethod,
    parameters: nonEmpty(byName(one.parameters, parameterDefinition)),
    ...annotatedDefinition(one),
  })
}

function parameterDefinition(parameter: FunctionParameter): FunctionParameterDefinition {
  const { type, nullable, mode, maxLength, precision, scale } = parameter
  return defined({
    type,
    nullable: nullable ? undefined : false,
    mode,
    maxLength,
    precision,
    scale,
    ...annotatedDefinition(parameter),
  })
}

function entityTypeDefinition(type: EntityType, namespace: string): EntityTypeDefinition {
  const { baseType, key, abstract, openType, declaresStream } = type
  const feedMappings = type.declaredFeedMappings.map((mapping) => ({
    sourcePath: mapping.sourcePath.join('/'),
    ...feedMappingDefinition(mapping),
  }))
  return defined({
    ...annotatedDefinition(type),
    ...(baseType === undefined
      ? { key: key.map(({ name }) => name) }
      : { baseType: nameIn(namespace, baseType) }),
    abstract: abstract || undefined,
    openType: openType || undefined,
    hasStream: declaresStream || undefined,
    properties: propertyDefinitions(type, namespace),
    navigationProperties: nonEmpty(
      byName(type.declaredNavigationProperties, (navigation) => ({
        relationship: nameIn(namespace, navigation.association),
        fromRole: navigation.fromEnd.role,
        toRole: navigation.toEnd.role,
        ...annotatedDefinition(navigation),
      })),
    ),
    feedMappings: nonEmpty(feedMappings),
  })
}

function propertyDefinitions(
  { declaredProperties }: Pick<EntityType, 'declaredProperties'>,
  namespace: string,
): Record<string, PropertyDefinition> {
  return byName(declaredProperties, (property) => propertyDefinition(property, namespace))
}

/** Facets have the same names in a property and in its definition. */
function propertyDefinition(property: Property, namespace: string): PropertyDefinition {
  const { kind, name, type, nullable, isKey, feedMappings, documentation, annotations, ...facets } = property
  const [only, ...others] = feedMappings.map((mapping) => {
    const sourcePath = mapping.sourcePath.slice(1).join('/')
    return defined({
      sourcePath: sourcePath === '' ? undefined : sourcePath,
      ...feedMappingDefinition(mapping),
    })
  })
  return defined({
    type: typeNameIn(namespace, type),
    nullable: nullable || isKey ? undefined : false,
    ...facets,
    syndication: others.length === 0 || only === undefined ? only : [only, ...others],
    ...annotatedDefinition(property),
  })
}

function feedMappingDefinition(mapping: FeedMapping): FeedMappingDefinition {
  const { targetPath, contentKind, keepInContent, namespaceUri, namespacePrefix } = mapping
  return defined({
    target: targetPath,
    contentKind: contentKind === 'text' ? undefined : contentKind,
    keepInContent: keepInContent ? undefined : false,
    namespaceUri,
    namespacePrefix,
  })
}

/** Returns the documentation and annotations of an element, if it has any. */
function annotatedDefinition({ documentation, annotations }: Annotatable): AnnotatedDefinition {
  const { elements, parts } = annotations
  const { attributes, sap } = facetsOfAttributes(annotations.attributes)
  const definition = defined({ attributes: nonEmpty(attributes), elements: nonEmpty(elements), parts })
  return defined({ documentation, sap: nonEmpty(sap), annotations: nonEmpty(definition) })
}

/** Replaces an empty object or array by undefined, which {@link defined} omits. */
function nonEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

function typeNameIn(namespace: string, type: Property['type'] | EntityType): string {
  return isPrimitive(type) ? type : nameIn(namespace, type)
}

/** Returns the name by which a schema refers to a type or association, qualified unless it is its own. */
function nameIn(
  namespace: string,
  one: { readonly name: string; readonly namespace: string; readonly qualifiedName: string },
): string {
  return one.namespace === namespace ? one.name : one.qualifiedName
}

function byName<T extends { readonly name: string }, Definition>(
  all: readonly T[],
  definitionOf: (one: T) => Definition,
): Record<string, Definition> {
  return Object.fromEntries(all.map((one) => [one.name, definitionOf(one)]))
}
