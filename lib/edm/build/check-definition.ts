import type { Annotatable, AnnotationAttribute, AnnotationElement, Documentation } from '../annotations.js'
import type {
  AnnotatedDefinition,
  AssociationDefinition,
  AssociationEndDefinition,
  AssociationSetDefinition,
  ComplexTypeDefinition,
  ConstraintRoleDefinition,
  EntityContainerDefinition,
  EntitySetDefinition,
  EntityTypeDefinition,
  FeedMappingDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
  ModelDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import { multiplicities } from '../edm-model.js'
import type { Shape, ShapesOf } from './definition-shape.js'
import {
  callable,
  either,
  flag,
  listOf,
  matching,
  number,
  objectOf,
  oneOf,
  recordOf,
  required,
  text,
} from './definition-shape.js'
import { aggregationMethods } from '../measure-option.js'
import type { ComputedDefinition } from '../edm-model.js'
import type { SapFacets } from '../sap-facets.js'
import { sapFacetTypes } from '../sap-facets.js'
import type { ModelErrors } from './model-error.js'

const xmlName = matching(/^[\p{L}_][\p{L}\p{N}\p{M}_.·-]*$/u, 'a name of XML')
const prefix = either((value) => value === '', text, xmlName)

const attribute = objectOf<AnnotationAttribute>({
  namespace: required(text),
  prefix: required(prefix),
  name: required(xmlName),
  value: required(text),
})

const element: Shape = objectOf<AnnotationElement>({
  namespace: required(text),
  prefix: required(prefix),
  name: required(xmlName),
  attributes: required(listOf(attribute)),
  children: required(listOf((one, ...rest) => (typeof one === 'string' ? text : element)(one, ...rest))),
})

const sapShapes = Object.fromEntries(
  Object.entries(sapFacetTypes).map(([name, type]) => [
    name,
    type === 'text' ? text : type === 'flag' ? flag : oneOf(...type),
  ]),
) as unknown as ShapesOf<SapFacets>

const annotated: ShapesOf<AnnotatedDefinition> = {
  documentation: objectOf<Documentation>({ summary: text, longDescription: text }),
  annotations: objectOf<Partial<Annotatable['annotations']>>({
    attributes: listOf(attribute),
    elements: listOf(element),
    parts: recordOf((...part) => {
      annotatedPart(...part)
    }),
  }),
  sap: objectOf<SapFacets>(sapShapes),
}
const { annotations, documentation } = annotated
const annotatedPart = objectOf<Annotatable>({ documentation, annotations: required(annotations) })

const maxLength = either((value) => value === 'Max', text, number)

const feedMappingMembers: ShapesOf<FeedMappingDefinition> = {
  target: required(text),
  sourcePath: text,
  contentKind: oneOf('text', 'html', 'xhtml'),
  keepInContent: flag,
  namespaceUri: text,
  namespacePrefix: text,
}
const feedMapping = objectOf<FeedMappingDefinition>(feedMappingMembers)

const property = objectOf<PropertyDefinition>({
  ...annotated,
  type: required(text),
  nullable: flag,
  defaultValue: text,
  maxLength,
  fixedLength: flag,
  unicode: flag,
  precision: number,
  scale: number,
  collation: text,
  concurrencyMode: oneOf('None', 'Fixed'),
  mimeType: text,
  storeGeneratedPattern: oneOf('None', 'Identity', 'Computed'),
  computedDefaultValue: flag,
  computed: objectOf<ComputedDefinition>({
    expression: text,
    needs: listOf(text),
    value: callable,
    values: callable,
    scan: flag,
  }),
  aggregate: either((value) => typeof value === 'object', recordOf(text), oneOf(...aggregationMethods)),
  syndication: either((value) => Array.isArray(value), listOf(feedMapping), feedMapping),
})

const navigationProperty = objectOf<NavigationPropertyDefinition>({
  ...annotated,
  relationship: required(text),
  fromRole: required(text),
  toRole: required(text),
})

const entityType = objectOf<EntityTypeDefinition>({
  ...annotated,
  key: listOf(text),
  baseType: text,
  abstract: flag,
  openType: flag,
  hasStream: flag,
  properties: recordOf(property),
  navigationProperties: recordOf(navigationProperty),
  feedMappings: listOf(
    objectOf<NonNullable<EntityTypeDefinition['feedMappings']>[number]>({
      ...feedMappingMembers,
      sourcePath: required(text),
    }),
  ),
})

const complexType = objectOf<ComplexTypeDefinition>({
  ...annotated,
  baseType: text,
  properties: required(recordOf(property)),
})

const associationEnd = objectOf<AssociationEndDefinition>({
  ...annotated,
  type: required(text),
  multiplicity: required(oneOf(...multiplicities)),
  onDelete: oneOf('None', 'Cascade'),
})

const constraintRole = objectOf<ConstraintRoleDefinition>({
  role: required(text),
  properties: required(listOf(text)),
})

const association = objectOf<AssociationDefinition>({
  ...annotated,
  ends: required(recordOf(associationEnd)),
  referentialConstraint: objectOf<NonNullable<AssociationDefinition['referentialConstraint']>>({
    ...annotated,
    principal: required(constraintRole),
    dependent: required(constraintRole),
    isInferred: flag,
  }),
})

const associationSetEnd = objectOf<Exclude<AssociationSetDefinition['ends'][string], string>>({
  ...annotated,
  entitySet: required(text),
})

const associationSet = objectOf<AssociationSetDefinition>({
  ...annotated,
  association: required(text),
  ends: required(recordOf(either((value) => typeof value === 'string', text, associationSetEnd))),
})

const parameter = objectOf<FunctionParameterDefinition>({
  ...annotated,
  type: required(text),
  nullable: flag,
  mode: oneOf('In', 'Out', 'InOut'),
  maxLength,
  precision: number,
  scale: number,
})

const functionImport = objectOf<FunctionImportDefinition>({
  ...annotated,
  returnType: text,
  entitySet: text,
  httpMethod: oneOf('GET', 'POST'),
  parameters: recordOf(parameter),
})

const containerMembers: ShapesOf<EntityContainerDefinition> = {
  ...annotated,
  default: flag,
  extends: text,
  entitySets: recordOf(objectOf<EntitySetDefinition>({ ...annotated, entityType: required(text) })),
  associationSets: recordOf(associationSet),
  functionImports: recordOf(functionImport),
}

const using = objectOf<NonNullable<SchemaDefinition['usings']>[number]>({
  ...annotated,
  namespace: required(text),
  alias: required(text),
})

const schemaMembers: ShapesOf<Partial<SchemaDefinition>> = {
  ...annotated,
  namespace: text,
  alias: text,
  xmlNamespace: text,
  usings: listOf(using),
  entityTypes: recordOf(entityType),
  complexTypes: recordOf(complexType),
  associations: recordOf(association),
  entityContainer: objectOf<NonNullable<SchemaDefinition['entityContainer']>>({
    ...containerMembers,
    name: text,
  }),
  entityContainers: recordOf(objectOf<EntityContainerDefinition>(containerMembers)),
}

const model = objectOf<ModelDefinition>({
  ...schemaMembers,
  dataServiceVersion: oneOf('1.0', '2.0', '3.0'),
  generateEtags: flag,
  schemas: listOf(objectOf<SchemaDefinition>({ ...schemaMembers, namespace: required(text) })),
  dataServices: objectOf<AnnotatedDefinition>(annotated),
  edmx: objectOf<AnnotatedDefinition>(annotated),
})

/**
 * Reports unknown members of a definition and values of the wrong type. The compiler finds some of them in TypeScript,
 * but accepts excess members.
 *
 * @returns true if the model can be built to find more errors
 */
export function checkDefinition(definition: unknown, errors: ModelErrors): boolean {
  const context = { errors, broken: false }
  model(definition, '', context)
  return !context.broken
}
