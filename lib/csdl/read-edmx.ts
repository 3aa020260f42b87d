import { buildModel } from '../edm/build/build-model.js'
import { ModelError, ModelErrors } from '../edm/build/model-error.js'
import type { EdmModel } from '../edm/edm-model.js'
import { multiplicities } from '../edm/edm-model.js'
import type {
  AssociationDefinition,
  AssociationEndDefinition,
  AssociationSetDefinition,
  ComplexTypeDefinition,
  ConstraintRoleDefinition,
  EntityContainerDefinition,
  EntityTypeDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
  ModelDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
  SchemaDefinition,
} from '../edm/model-definition.js'
import {
  annotationNamespace,
  computedDefaultValueTerm,
  csdl2Namespace,
  edmNamespaces,
  edmxNamespace,
  metadataNamespace,
} from '../xml/namespaces.js'
import { parseXml } from '../xml/parse-xml.js'
import type { XmlElement } from '../xml/xml-element.js'
import { attributeOf, childElements } from '../xml/xml-element.js'
import type { Defined } from './csdl-reader.js'
import { CsdlReader, defined } from './csdl-reader.js'
import { readFeedMappings } from './feed-mapping-attributes.js'
import { restoreInheritance } from './restore-inheritance.js'

/**
 * Reads a model from the metadata document of a service. {@link writeEdmx} writes an equal document: attributes and
 * elements of other namespaces, such as `sap:label`, are preserved. Types without `BaseType` that repeat all members of
 * another type, and are used in its place, are read as derived from it, because some services flatten inheritance.
 *
 * @param xml the whole document
 * @param options `onNotice` is called for skipped elements, such as properties of type `Collection(...)`, and for types
 * without `BaseType` that are read as derived; `generateEtags` as in {@link ModelDefinition}
 * @returns the frozen model; its rows have no static types
 * @throws XmlError for malformed XML, ModelError with all errors of the model, TypeError for a value that is not a
 * string, or is the name of a file
 * @example
 * const model = readEdmx(await readFile('northwind.edmx', 'utf8'))
 * @spec MC-EDMX, MC-CSDL
 */
export function readEdmx(
  xml: string,
  {
    onNotice,
    generateEtags = false,
  }: { readonly onNotice?: (notice: string) => void; readonly generateEtags?: boolean } = {},
): EdmModel {
  if (typeof xml !== 'string') {
    throw new TypeError("readEdmx: the document must be a string: readFileSync('model.edmx', 'utf8').")
  }
  if (!xml.includes('<') && fileName.test(xml)) {
    throw new TypeError(
      `readEdmx requires the content of the document, not its path: readFileSync('${xml}', 'utf8').`,
    )
  }
  const errors = new ModelErrors()
  const definition = { ...readDefinition(parseXml(xml), errors), generateEtags }
  const model = buildWithInheritance(definition, errors)
  if (onNotice !== undefined) for (const notice of errors.notices) onNotice(notice)
  return model
}

/** Builds a model. Types that repeat the members of another one are only derived from it if the model is invalid otherwise. */
function buildWithInheritance(definition: ModelDefinition, errors: ModelErrors): EdmModel {
  try {
    return buildModel(definition, new ModelErrors(errors))
  } catch (error) {
    const restored = restoreInheritance(definition, errors)
    if (restored === definition) throw error
    return buildModel(restored, errors)
  }
}

/** Matches a file name that was passed instead of a document. */
const fileName = /^[^\r\n']{1,500}\.(?:edmx|xml|csdl|edmx\.xml)$/i

/** Reads the model definition of a metadata document. */
function readDefinition(root: XmlElement, errors: ModelErrors): ModelDefinition {
  if (root.name !== 'Edmx' || root.namespace !== edmxNamespace) throw new ModelError([notEdmx(root)])
  const edmx = new CsdlReader(root, 'edmx:Edmx', errors)
  edmx.attribute('Version')
  const services = edmx.child('DataServices')
  if (services === undefined) throw new ModelError(['edmx:Edmx: the element <edmx:DataServices> is missing.'])
  checkSchemaNamespaces(services)
  const version = services.oneOf('DataServiceVersion', ['1.0', '2.0', '3.0'], metadataNamespace)
  const schemas = services.children('Schema', edmNamespaces).map(readSchema)
  if (schemas.length === 0) {
    if (errors.isEmpty) errors.add('edmx:DataServices', 'the element <Schema> is missing.')
    errors.check()
  }
  return {
    dataServiceVersion: version ?? '1.0',
    schemas,
    dataServices: services.rest(),
    edmx: edmx.rest(),
  }
}

/** Reports schemas of other versions, which would otherwise be preserved as unknown elements. */
function checkSchemaNamespaces({ element, errors }: CsdlReader): void {
  for (const { name, namespace } of childElements(element)) {
    if (name !== 'Schema' || edmNamespaces.has(namespace)) continue
    errors.add(
      'edmx:DataServices',
      `the namespace '${namespace}' of a <Schema> is not one of CSDL 1.0 to 3.0, for example '${csdl2Namespace}'.`,
    )
  }
}

/** @spec MC-CSDL 2.1.1 */
function readSchema(outer: CsdlReader): SchemaDefinition {
  const namespace = outer.required('Namespace')
  const reader = new CsdlReader(outer.element, namespace, outer.errors)
  reader.attribute('Namespace')
  return withUndefined({
    namespace,
    alias: reader.attribute('Alias'),
    xmlNamespace: reader.element.namespace,
    usings: readUsings(reader),
    entityTypes: reader.named('EntityType', readEntityType),
    // Some documents of SAP systems repeat complex types.
    complexTypes: reader.named('ComplexType', readComplexType, { mayRepeat: true }),
    associations: reader.named('Association', readAssociation),
    entityContainers: reader.named('EntityContainer', readEntityContainer),
    ...reader.rest(),
  })
}

function readUsings(reader: CsdlReader): SchemaDefinition['usings'] {
  const usings = reader.children('Using').map((using) => ({
    namespace: using.required('Namespace'),
    alias: using.required('Alias'),
    ...using.rest(),
  }))
  return usings.length === 0 ? undefined : usings
}

function notEdmx(root: XmlElement): string {
  if (root.name === 'Edmx' && root.namespace.includes('oasis-open.org')) {
    return 'document: this is a metadata document of OData V4, but one of version 1 or 2 is required.'
  }
  return `document: the root element is <${root.name}>, but a metadata document starts with <edmx:Edmx xmlns:edmx="${edmxNamespace}">.`
}

/** @spec MC-CSDL 2.1.8 */
function readAssociation(reader: CsdlReader): AssociationDefinition {
  const ends: Record<string, AssociationEndDefinition> = {}
  for (const end of reader.children('End')) {
    const type = end.required('Type')
    // The default role is the name of the type.
    const role = end.attribute('Role') ?? type.slice(type.lastIndexOf('.') + 1)
    if (Object.hasOwn(ends, role)) reader.errors.add(reader.place, `both ends have the role '${role}'.`)
    ends[role] = readEnd(end, type)
  }
  const constraint = reader.child('ReferentialConstraint')
  return withUndefined({
    ends,
    referentialConstraint: constraint === undefined ? undefined : readConstraint(constraint),
    ...reader.rest(),
  })
}

function readEnd(reader: CsdlReader, type: string): AssociationEndDefinition {
  reader.required('Multiplicity')
  const onDelete = reader.child('OnDelete')
  onDelete?.required('Action')
  const action = onDelete?.oneOf('Action', ['None', 'Cascade'])
  if (onDelete !== undefined) reader.preserve('OnDelete', onDelete)
  return withUndefined({
    type,
    // Other values have been reported.
    multiplicity: reader.oneOf('Multiplicity', multiplicities) ?? '*',
    onDelete: action,
    ...reader.rest(),
  })
}

function readConstraint(reader: CsdlReader): NonNullable<AssociationDefinition['referentialConstraint']> {
  const principal = readConstraintRole(reader, 'Principal')
  const dependent = readConstraintRole(reader, 'Dependent')
  return { principal, dependent, ...reader.rest() }
}

function readConstraintRole(reader: CsdlReader, name: 'Principal' | 'Dependent'): ConstraintRoleDefinition {
  const part = reader.child(name)
  if (part === undefined) {
    reader.errors.add(reader.place, `the element <${name}> of the referential constraint is missing.`)
    return { role: '', properties: [] }
  }
  const role = part.required('Role')
  const properties = readPropertyReferences(part)
  reader.preserve(name, part)
  return { role, properties }
}

/** @spec MC-CSDL 2.1.14 */
function readEntityContainer(reader: CsdlReader): EntityContainerDefinition {
  return withUndefined({
    default: reader.boolean('IsDefaultEntityContainer', metadataNamespace),
    extends: reader.attribute('Extends'),
    entitySets: reader.named('EntitySet', (set) => ({
      entityType: set.required('EntityType'),
      ...set.rest(),
    })),
    associationSets: reader.named('AssociationSet', readAssociationSet),
    functionImports: reader.named('FunctionImport', readFunctionImport, { skip: otherMethod }),
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.19 */
function readAssociationSet(reader: CsdlReader): AssociationSetDefinition {
  const ends: Record<string, AssociationSetDefinition['ends'][string]> = {}
  for (const end of reader.children('End')) {
    const entitySet = end.required('EntitySet')
    // The role is optional: the model is built with the end that has the type of the set.
    const role = end.attribute('Role') ?? entitySet
    if (Object.hasOwn(ends, role)) reader.errors.add(reader.place, `both ends have the role '${role}'.`)
    const rest = end.rest()
    ends[role] = Object.keys(rest).length === 0 ? entitySet : { entitySet, ...rest }
  }
  return { association: reader.required('Association'), ends, ...reader.rest() }
}

const otherMethods: readonly string[] = ['PUT', 'MERGE', 'PATCH', 'DELETE']

/** Returns why a function import is skipped: documents of SAP systems have functions with methods of entities. */
function otherMethod(reader: CsdlReader): string | undefined {
  const method = attributeOf(reader.element, 'HttpMethod', metadataNamespace)?.toUpperCase() ?? ''
  return otherMethods.includes(method)
    ? `function imports of OData V2 have GET or POST, not ${method}`
    : undefined
}

/** @spec MC-CSDL 2.1.21 */
function readFunctionImport(reader: CsdlReader): FunctionImportDefinition {
  return withUndefined({
    returnType: reader.attribute('ReturnType'),
    entitySet: reader.attribute('EntitySet'),
    // Some documents have `Get` and `Post`.
    httpMethod: reader.oneOf('HttpMethod', ['GET', 'POST'], metadataNamespace, true),
    parameters: reader.named('Parameter', readParameter),
    ...reader.rest(),
  })
}

function readParameter(reader: CsdlReader): FunctionParameterDefinition {
  return defined({
    type: reader.required('Type', 'Edm.String'),
    nullable: reader.boolean('Nullable'),
    mode: reader.oneOf('Mode', ['In', 'Out', 'InOut']),
    maxLength: readMaxLength(reader),
    precision: reader.number('Precision'),
    scale: reader.number('Scale'),
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.2 */
function readEntityType(reader: CsdlReader): EntityTypeDefinition {
  const feedMappings = readFeedMappings(reader).map((mapping) => ({ sourcePath: '', ...mapping }))
  for (const { sourcePath } of feedMappings) {
    if (sourcePath === '') reader.errors.add(reader.place, 'a feed mapping of a type needs FC_SourcePath.')
  }
  return withUndefined({
    key: readKey(reader),
    baseType: reader.attribute('BaseType'),
    abstract: reader.boolean('Abstract'),
    openType: reader.boolean('OpenType'),
    hasStream: reader.boolean('HasStream', metadataNamespace),
    properties: reader.named('Property', readProperty),
    navigationProperties: reader.named('NavigationProperty', readNavigationProperty),
    feedMappings: feedMappings.length === 0 ? undefined : feedMappings,
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.7 */
function readComplexType(reader: CsdlReader): ComplexTypeDefinition {
  return withUndefined({
    baseType: reader.attribute('BaseType'),
    properties: reader.named('Property', readProperty),
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.5 */
function readKey(reader: CsdlReader): readonly string[] | undefined {
  const key = reader.child('Key')
  if (key === undefined) return undefined
  const names = readPropertyReferences(key)
  reader.preserve('Key', key)
  return names
}

/** Reads the names of the referenced properties. @spec MC-CSDL 2.1.6 */
function readPropertyReferences(reader: CsdlReader): readonly string[] {
  return reader.children('PropertyRef').map((reference) => {
    const name = reference.required('Name')
    reader.preserve(name, reference)
    return name
  })
}

/** @spec MC-CSDL 2.1.3 */
function readProperty(reader: CsdlReader): PropertyDefinition {
  const mappings = readFeedMappings(reader)
  return withUndefined({
    type: reader.required('Type', 'Edm.String'),
    nullable: reader.boolean('Nullable'),
    defaultValue: reader.attribute('DefaultValue'),
    maxLength: readMaxLength(reader),
    fixedLength: reader.boolean('FixedLength'),
    unicode: reader.boolean('Unicode'),
    precision: reader.number('Precision'),
    scale: reader.number('Scale'),
    collation: reader.attribute('Collation'),
    concurrencyMode: reader.oneOf('ConcurrencyMode', ['None', 'Fixed']),
    mimeType: reader.attribute('MimeType', metadataNamespace),
    storeGeneratedPattern: reader.oneOf(
      'StoreGeneratedPattern',
      ['None', 'Identity', 'Computed'],
      annotationNamespace,
    ),
    computedDefaultValue: reader.booleanTerm(computedDefaultValueTerm),
    syndication: mappings.length === 0 ? undefined : mappings,
    ...reader.rest(),
  })
}

/**
 * Declares that members that are undefined are absent. Omitting them takes a fifth of the time to read a document, and
 * models do not get them.
 */
function withUndefined<T extends object>(members: T): Defined<T> {
  return members as Defined<T>
}

/** Reads a number or `Max`, in upper or lower case. */
function readMaxLength(reader: CsdlReader): number | 'Max' | undefined {
  const attribute = reader.element.attributes.find((one) => one.name === 'MaxLength' && one.namespace === '')
  if (attribute?.value.toLowerCase() !== 'max') return reader.number('MaxLength')
  reader.attribute('MaxLength')
  return 'Max'
}

/** @spec MC-CSDL 2.1.4 */
function readNavigationProperty(reader: CsdlReader): NavigationPropertyDefinition {
  return {
    relationship: reader.required('Relationship'),
    fromRole: reader.required('FromRole'),
    toRole: reader.required('ToRole'),
    ...reader.rest(),
  }
}
