import type { Annotatable } from '../edm/annotations.js'
import type { ComplexType, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { annotatedPart } from '../edm/annotations.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { WritableElement } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'
import { writeFeedMappings } from './feed-mapping-attributes.js'

/** @spec MC-CSDL 2.1.2 */
export function writeEntityType(type: EntityType, writer: CsdlWriter): WritableElement {
  return writer.element('EntityType', type, {
    attributes: {
      Name: type.name,
      BaseType: type.baseType?.qualifiedName,
      Abstract: flag(type.abstract),
      OpenType: flag(type.openType),
      [`${writer.metadata}:HasStream`]: flag(type.declaresStream),
      ...writeFeedMappings(type.declaredFeedMappings, writer.metadata, 0),
    },
    children: [
      ...(type.baseType === undefined ? [writeKey(type, writer)] : []),
      ...type.declaredProperties.map((property) => writeProperty(property, writer)),
      ...type.declaredNavigationProperties.map((navigation) => writeNavigationProperty(navigation, writer)),
    ],
  })
}

/** @spec MC-CSDL 2.1.7 */
export function writeComplexType(type: ComplexType, writer: CsdlWriter): WritableElement {
  return writer.element('ComplexType', type, {
    attributes: { Name: type.name, BaseType: type.baseType?.qualifiedName },
    children: type.declaredProperties.map((property) => writeProperty(property, writer)),
  })
}

/** @spec MC-CSDL 2.1.5 */
function writeKey(type: EntityType, writer: CsdlWriter): WritableElement {
  const part = annotatedPart(type, 'Key')
  return writer.element('Key', part, { children: writePropertyReferences(type.key, part, writer) })
}

/**
 * The references to some properties.
 *
 * @param part where the annotations of each reference are kept by the name of its property
 * @spec MC-CSDL 2.1.6
 */
export function writePropertyReferences(
  properties: readonly Property[],
  part: Annotatable,
  writer: CsdlWriter,
): WritableElement[] {
  return properties.map(({ name }) =>
    writer.element('PropertyRef', annotatedPart(part, name), { attributes: { Name: name } }),
  )
}

/** @spec MC-CSDL 2.1.3 */
function writeProperty(property: Property, writer: CsdlWriter): WritableElement {
  return writer.element('Property', property, {
    attributes: {
      Name: property.name,
      Type: isPrimitive(property.type) ? property.type : property.type.qualifiedName,
      Nullable: property.nullable ? undefined : 'false',
      DefaultValue: property.defaultValue,
      MaxLength: property.maxLength?.toString(),
      FixedLength: property.fixedLength?.toString(),
      Unicode: property.unicode?.toString(),
      Precision: property.precision?.toString(),
      Scale: property.scale?.toString(),
      Collation: property.collation,
      ConcurrencyMode: property.concurrencyMode,
      [`${writer.metadata}:MimeType`]: property.mimeType,
      [`${writer.annotation}:StoreGeneratedPattern`]: property.storeGeneratedPattern,
      ...writeFeedMappings(property.feedMappings, writer.metadata, 1),
    },
  })
}

/** @spec MC-CSDL 2.1.4 */
function writeNavigationProperty(navigation: NavigationProperty, writer: CsdlWriter): WritableElement {
  return writer.element('NavigationProperty', navigation, {
    attributes: {
      Name: navigation.name,
      Relationship: navigation.association.qualifiedName,
      FromRole: navigation.fromEnd.role,
      ToRole: navigation.toEnd.role,
    },
  })
}

function flag(value: boolean): string | undefined {
  return value ? 'true' : undefined
}
