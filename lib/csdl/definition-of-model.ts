import type {
  Association,
  AssociationEnd,
  EdmModel,
  Schema,
  AssociationSet,
  EntityContainer,
  FunctionImport,
  FunctionParameter,
  ComplexType,
  EntityType,
  NavigationProperty,
  Property,
} from '../edm/edm-model.js'
import type {
  AssociationDefinition,
  AssociationEndDefinition,
  ModelDefinition,
  SchemaDefinition,
  AssociationSetDefinition,
  EntityContainerDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
  ComplexTypeDefinition,
  EntityTypeDefinition,
  FeedMappingDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
  AnnotatedDefinition,
} from '../edm/model-definition.js'
import { csdl2Namespace } from '../xml/namespaces.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { FeedMapping } from '../edm/feed-mapping.js'
import type { Annotatable } from '../edm/annotations.js'

/** The definition from which `defineModel` makes the same model again. */
export function definitionOf(model: EdmModel): ModelDefinition {
  const schemas = model.schemas.map((schema) => schemaDefinition(schema, model))
  const [only] = schemas
  return {
    ...(model.dataServiceVersion === versionByDefault(model)
      ? {}
      : { dataServiceVersion: model.dataServiceVersion }),
    ...part('edmx', annotatedDefinition(model)),
    ...part('dataServices', annotatedDefinition(model.dataServices)),
    ...(only !== undefined && schemas.length === 1 ? only : { schemas }),
  }
}

function versionByDefault({ entityTypes }: EdmModel): EdmModel['dataServiceVersion'] {
  const leaves = [...entityTypes.values()].some(({ feedMappings }) =>
    feedMappings.some(({ keepInContent }) => !keepInContent),
  )
  return leaves ? '2.0' : '1.0'
}

function schemaDefinition(schema: Schema, model: EdmModel): SchemaDefinition {
  const { namespace, alias, xmlNamespace, usings, associations } = schema
  return {
    namespace,
    ...(alias === undefined ? {} : { alias }),
    ...(xmlNamespace === csdl2Namespace ? {} : { xmlNamespace }),
    ...annotatedDefinition(schema),
    ...(usings.length === 0
      ? {}
      : {
          usings: usings.map((using) => ({
            namespace: using.namespace,
            alias: using.alias,
            ...annotatedDefinition(using),
          })),
        }),
    ...part(
      'entityTypes',
      byName(schema.entityTypes, (type) => entityTypeDefinition(type, namespace)),
    ),
    ...part(
      'complexTypes',
      byName(schema.complexTypes, (type) => complexTypeDefinition(type, namespace)),
    ),
    ...part(
      'associations',
      byName(associations, (association) => associationDefinition(association, namespace)),
    ),
    ...containersOf(schema, model),
  }
}

function associationDefinition(
  { ends, referentialConstraint: constraint, ...association }: Association,
  namespace: string,
): AssociationDefinition {
  const end = ({ type, multiplicity, onDelete, ...one }: AssociationEnd): AssociationEndDefinition => ({
    type: nameIn(namespace, type),
    multiplicity,
    ...(onDelete === undefined ? {} : { onDelete }),
    ...annotatedDefinition(one),
  })
  const role = ({ role: name }: AssociationEnd, properties: readonly { readonly name: string }[]) => ({
    role: name,
    properties: properties.map((property) => property.name),
  })
  return {
    ...annotatedDefinition(association),
    ends: Object.fromEntries(ends.map((one) => [one.role, end(one)])),
    ...(constraint === undefined
      ? {}
      : {
          referentialConstraint: {
            ...annotatedDefinition(constraint),
            principal: role(constraint.principal, constraint.principalProperties),
            dependent: role(constraint.dependent, constraint.dependentProperties),
          },
        }),
  }
}

/** The containers of a schema, in the short form where there is only one in the model. */
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
  return {
    ...annotatedDefinition(container),
    ...(container.extends === undefined ? {} : { extends: container.extends }),
    entitySets: byName(entitySets, (set) => ({
      entityType: nameIn(namespace, set.entityType),
      ...annotatedDefinition(set),
    })),
    // A definition without association sets gets those that are clear; here they are as they are.
    ...(model.associations.size === 0
      ? {}
      : { associationSets: byName(associationSets, (set) => associationSetDefinition(set, namespace)) }),
    ...part(
      'functionImports',
      byName(functionImports, (one) => functionImportDefinition(one, namespace)),
    ),
  }
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
  const typeName =
    returnType && (isPrimitive(returnType.type) ? returnType.type : nameIn(namespace, returnType.type))
  return {
    ...(typeName === undefined
      ? {}
      : { returnType: returnType?.isCollection === true ? `Collection(${typeName})` : typeName }),
    ...(entitySet === undefined ? {} : { entitySet: entitySet.name }),
    ...(httpMethod === undefined ? {} : { httpMethod }),
    ...part('parameters', byName(one.parameters, parameterDefinition)),
    ...annotatedDefinition(one),
  }
}

function parameterDefinition(parameter: FunctionParameter): FunctionParameterDefinition {
  const { type, nullable, mode, maxLength, precision, scale } = parameter
  return {
    type,
    ...(nullable ? {} : { nullable }),
    ...(mode === undefined ? {} : { mode }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    ...annotatedDefinition(parameter),
  }
}

function entityTypeDefinition(type: EntityType, namespace: string): EntityTypeDefinition {
  const { baseType, key, abstract, openType, declaresStream, declaredFeedMappings } = type
  return {
    ...annotatedDefinition(type),
    ...(baseType === undefined
      ? { key: key.map(({ name }) => name) }
      : { baseType: nameIn(namespace, baseType) }),
    ...(abstract ? { abstract } : {}),
    ...(openType ? { openType } : {}),
    ...(declaresStream ? { hasStream: true } : {}),
    properties: byName(type.declaredProperties, (property) => propertyDefinition(property, namespace)),
    ...part(
      'navigationProperties',
      byName(type.declaredNavigationProperties, (navigation) => navigationDefinition(navigation, namespace)),
    ),
    ...(declaredFeedMappings.length === 0
      ? {}
      : {
          feedMappings: declaredFeedMappings.map((mapping) => ({
            sourcePath: mapping.sourcePath.join('/'),
            ...feedMappingDefinition(mapping),
          })),
        }),
  }
}

function complexTypeDefinition(type: ComplexType, namespace: string): ComplexTypeDefinition {
  const { baseType } = type
  return {
    ...annotatedDefinition(type),
    ...(baseType === undefined ? {} : { baseType: nameIn(namespace, baseType) }),
    properties: byName(type.declaredProperties, (property) => propertyDefinition(property, namespace)),
  }
}

/** Every member of a property that is a facet stands in its definition as it is. */
function propertyDefinition(property: Property, namespace: string): PropertyDefinition {
  const { kind, name, type, nullable, isKey, feedMappings, documentation, annotations, ...facets } = property
  const [only, ...others] = feedMappings.map((mapping) => {
    const sourcePath = mapping.sourcePath.slice(1).join('/')
    return { ...(sourcePath === '' ? {} : { sourcePath }), ...feedMappingDefinition(mapping) }
  })
  return {
    type: isPrimitive(type) ? type : nameIn(namespace, type),
    ...(nullable || isKey ? {} : { nullable }),
    ...withoutUndefined(facets),
    ...(only === undefined ? {} : { syndication: others.length === 0 ? only : [only, ...others] }),
    ...annotatedDefinition(property),
  }
}

function withoutUndefined<T extends object>(facets: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const given = Object.entries(facets).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof T]: Exclude<T[Name], undefined> }
}

function feedMappingDefinition(mapping: FeedMapping): FeedMappingDefinition {
  const { targetPath, contentKind, keepInContent, namespaceUri, namespacePrefix } = mapping
  return {
    target: targetPath,
    ...(contentKind === 'text' ? {} : { contentKind }),
    ...(keepInContent ? {} : { keepInContent }),
    ...(namespaceUri === undefined ? {} : { namespaceUri }),
    ...(namespacePrefix === undefined ? {} : { namespacePrefix }),
  }
}

function navigationDefinition(
  navigation: NavigationProperty,
  namespace: string,
): NavigationPropertyDefinition {
  return {
    relationship: nameIn(namespace, navigation.association),
    fromRole: navigation.fromEnd.role,
    toRole: navigation.toEnd.role,
    ...annotatedDefinition(navigation),
  }
}

/** Documentation and annotations, as far as there are any. */
function annotatedDefinition({ documentation, annotations }: Annotatable): AnnotatedDefinition {
  const { attributes, elements, parts } = annotations
  const written = {
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(elements.length === 0 ? {} : { elements }),
    ...(parts === undefined ? {} : { parts }),
  }
  return {
    ...(documentation === undefined ? {} : { documentation }),
    ...part('annotations', written),
  }
}

/** A member that is left out when there is nothing in it. */
function part<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): Partial<Record<Name, Value>> {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as Record<Name, Value>)
}

/** The name of a type or association as it stands in a schema: alone in its own, else qualified. */
function nameIn(
  namespace: string,
  one: { readonly name: string; readonly namespace: string; readonly qualifiedName: string },
): string {
  return one.namespace === namespace ? one.name : one.qualifiedName
}

/** Definitions by the names of what they define. */
function byName<T extends { readonly name: string }, Definition>(
  all: readonly T[],
  definitionOf: (one: T) => Definition,
): Record<string, Definition> {
  return Object.fromEntries(all.map((one) => [one.name, definitionOf(one)]))
}
