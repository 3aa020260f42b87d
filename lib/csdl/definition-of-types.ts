import type { ComplexType, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { FeedMapping } from '../edm/feed-mapping.js'
import type {
  ComplexTypeDefinition,
  EntityTypeDefinition,
  FeedMappingDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../edm/model-definition.js'
import { annotatedDefinition, byName, nameIn, part } from './definition-parts.js'

export function entityTypeDefinition(type: EntityType, namespace: string): EntityTypeDefinition {
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

export function complexTypeDefinition(type: ComplexType, namespace: string): ComplexTypeDefinition {
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
