import type { Annotatable } from '../edm/annotations.js'
import { annotatedPart } from '../edm/annotations.js'
import type {
  Association,
  AssociationEnd,
  AssociationSet,
  ComplexType,
  EdmModel,
  EntityContainer,
  EntityType,
  FunctionImport,
  FunctionParameter,
  FunctionReturnType,
  NavigationProperty,
  Property,
  ReferentialConstraint,
  Schema,
} from '../edm/edm-model.js'
import { nameOfType } from '../edm/edm-model.js'
import { computedDefaultValueTerm, csdl4Namespace, edmxNamespace } from '../xml/namespaces.js'
import type { WritableElement } from '../xml/write-xml.js'
import { writeXml, xmlChunks } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'
import { createCsdlWriter } from './csdl-writer.js'
import { writeFeedMappings } from './feed-mapping-attributes.js'
import { flattenedModel } from './flattened-model.js'

/**
 * Options of {@link writeEdmx}.
 *
 * @example
 * const options: WriteEdmxOptions = { flattenInheritance: true }
 */
export interface WriteEdmxOptions {
  /**
   * If true, derived types repeat the key and the members of their base types instead of naming them in `BaseType`,
   * which OpenUI5 and SAP Cloud SDK ignore. Default: false.
   */
  readonly flattenInheritance?: boolean | undefined
}

/**
 * Serializes a model as a metadata document, as services return it for `$metadata`. {@link readEdmx} reads an equal model
 * from it, including annotations.
 *
 * @param model any model
 * @param options how to write derived types
 * @returns one line of XML in UTF-8
 * @example
 * await writeFile('shop.edmx', writeEdmx(model))
 * @spec MC-EDMX, MC-CSDL, MS-ODATA 2.2.3.7.2
 */
export function writeEdmx(model: EdmModel, options: WriteEdmxOptions = {}): string {
  return writeXml(edmxElement(model, options))
}

/** Serializes a metadata document in chunks, one for each type: that of a large model takes long. */
export function edmxChunks(model: EdmModel, options: WriteEdmxOptions = {}): Iterator<string, undefined> {
  return xmlChunks(edmxElement(model, options))
}

function edmxElement(model: EdmModel, { flattenInheritance }: WriteEdmxOptions): WritableElement {
  if (flattenInheritance === true) return edmxElement(flattenedModel(model), {})
  const writer = createCsdlWriter(model)
  const services = (): WritableElement =>
    writer.element('edmx:DataServices', model.dataServices, {
      attributes: { [`${writer.metadata}:DataServiceVersion`]: model.dataServiceVersion },
      children: model.schemas.map((schema) => () => writeSchema(schema, writer)),
    })
  const { children = [], ...root } = writer.element('edmx:Edmx', model, {
    attributes: { Version: '1.0', 'xmlns:edmx': edmxNamespace, ...writer.declarations },
  })
  // References precede the services in documents of SAP systems.
  return { ...root, children: [...children, services] }
}

function writeSchema(schema: Schema, outer: CsdlWriter): WritableElement {
  const writer = outer.inSchema(schema.xmlNamespace)
  return writer.element('Schema', schema, {
    attributes: { Namespace: schema.namespace, Alias: schema.alias, xmlns: schema.xmlNamespace },
    children: [
      ...schema.usings.map((using) =>
        writer.element('Using', using, { attributes: { Namespace: using.namespace, Alias: using.alias } }),
      ),
      ...schema.entityTypes.map((type) => () => writeEntityType(type, writer)),
      ...schema.complexTypes.map((type) => () => writeComplexType(type, writer)),
      ...schema.associations.map((association) => () => writeAssociation(association, writer)),
      ...schema.entityContainers.map((container) => () => writeEntityContainer(container, writer)),
    ],
  })
}

/** @spec MC-CSDL 2.1.8 */
function writeAssociation(association: Association, writer: CsdlWriter): WritableElement {
  const constraint = association.referentialConstraint
  return writer.element('Association', association, {
    attributes: { Name: association.name },
    children: [
      ...association.ends.map((end) => writeEnd(end, writer)),
      ...(constraint === undefined || constraint.isInferred ? [] : [writeConstraint(constraint, writer)]),
    ],
  })
}

function writeEnd(end: AssociationEnd, writer: CsdlWriter): WritableElement {
  return writer.element('End', end, {
    attributes: { Role: end.role, Type: end.type.qualifiedName, Multiplicity: end.multiplicity },
    children:
      end.onDelete === undefined
        ? []
        : [
            writer.element('OnDelete', annotatedPart(end, 'OnDelete'), {
              attributes: { Action: end.onDelete },
            }),
          ],
  })
}

/** @spec MC-CSDL 2.1.11 */
function writeConstraint(constraint: ReferentialConstraint, writer: CsdlWriter): WritableElement {
  return writer.element('ReferentialConstraint', constraint, {
    children: [
      writeRole('Principal', constraint, constraint.principal, constraint.principalProperties, writer),
      writeRole('Dependent', constraint, constraint.dependent, constraint.dependentProperties, writer),
    ],
  })
}

function writeRole(
  name: 'Principal' | 'Dependent',
  constraint: ReferentialConstraint,
  { role }: AssociationEnd,
  properties: readonly Property[],
  writer: CsdlWriter,
): WritableElement {
  const part = annotatedPart(constraint, name)
  return writer.element(name, part, {
    attributes: { Role: role },
    children: writePropertyReferences(properties, part, writer),
  })
}

/** @spec MC-CSDL 2.1.14 */
function writeEntityContainer(container: EntityContainer, writer: CsdlWriter): WritableElement {
  return writer.element('EntityContainer', container, {
    attributes: {
      Name: container.name,
      Extends: container.extends,
      [`${writer.metadata}:IsDefaultEntityContainer`]: container.isDefault ? 'true' : undefined,
    },
    children: [
      ...container.entitySets.map(
        (set) => () =>
          writer.element('EntitySet', set, {
            attributes: { Name: set.name, EntityType: set.entityType.qualifiedName },
          }),
      ),
      ...container.associationSets.map((set) => () => writeAssociationSet(set, writer)),
      ...container.functionImports.map((one) => writeFunctionImport(one, writer)),
    ],
  })
}

/** @spec MC-CSDL 2.1.19 */
function writeAssociationSet(set: AssociationSet, writer: CsdlWriter): WritableElement {
  return writer.element('AssociationSet', set, {
    attributes: { Name: set.name, Association: set.association.qualifiedName },
    children: set.ends.map((end) =>
      writer.element('End', end, { attributes: { Role: end.role, EntitySet: end.entitySet.name } }),
    ),
  })
}

/** @spec MC-CSDL 2.1.21 */
function writeFunctionImport(one: FunctionImport, writer: CsdlWriter): WritableElement {
  return writer.element('FunctionImport', one, {
    attributes: {
      Name: one.name,
      EntitySet: one.entitySet?.name,
      ReturnType: one.returnType === undefined ? undefined : typeText(one.returnType),
      [`${writer.metadata}:HttpMethod`]: one.httpMethod,
    },
    children: one.parameters.map((parameter) => writeParameter(parameter, writer)),
  })
}

function typeText({ type, isCollection }: FunctionReturnType): string {
  return isCollection ? `Collection(${nameOfType(type)})` : nameOfType(type)
}

function writeParameter(parameter: FunctionParameter, writer: CsdlWriter): WritableElement {
  return writer.element('Parameter', parameter, {
    attributes: {
      Name: parameter.name,
      Type: parameter.type,
      Mode: parameter.mode,
      Nullable: parameter.nullable ? undefined : 'false',
      MaxLength: parameter.maxLength?.toString(),
      Precision: parameter.precision?.toString(),
      Scale: parameter.scale?.toString(),
    },
  })
}

/** @spec MC-CSDL 2.1.2 */
function writeEntityType(type: EntityType, writer: CsdlWriter): WritableElement {
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
function writeComplexType(type: ComplexType, writer: CsdlWriter): WritableElement {
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
 * Serializes references to properties.
 *
 * @param part has the annotations of each reference as a part
 * @spec MC-CSDL 2.1.6
 */
function writePropertyReferences(
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
      Type: nameOfType(property.type),
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
    children:
      property.computedDefaultValue === undefined ? [] : [computedDefault(property.computedDefaultValue)],
  })
}

function computedDefault(value: boolean): WritableElement {
  const attributes = { xmlns: csdl4Namespace, Term: computedDefaultValueTerm, Bool: String(value) }
  return { name: 'Annotation', attributes }
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
