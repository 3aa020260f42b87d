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
import type { Shape } from './definition-shape.js'
import { multiplicities } from '../edm-model.js'
import {
  either,
  flag,
  lazy,
  listOf,
  matching,
  number,
  objectOf,
  oneOf,
  recordOf,
  text,
} from './definition-shape.js'
import type { ModelFaults } from './model-faults.js'

const xmlName = matching(/^[\p{L}_][\p{L}\p{N}\p{M}_.·-]*$/u, 'a name of XML')
const prefix = either((value) => value === '', text, xmlName)

const attribute = objectOf<AnnotationAttribute>(
  { namespace: text, prefix, name: xmlName, value: text },
  'namespace',
  'prefix',
  'name',
  'value',
)

const element: Shape = objectOf<AnnotationElement>(
  {
    namespace: text,
    prefix,
    name: xmlName,
    attributes: listOf(attribute),
    children: listOf(
      either(
        (one) => typeof one === 'string',
        text,
        lazy(() => element),
      ),
    ),
  },
  'namespace',
  'prefix',
  'name',
  'attributes',
  'children',
)

const annotated: { readonly [K in keyof Required<AnnotatedDefinition>]: Shape } = {
  documentation: objectOf<Documentation>({ summary: text, longDescription: text }),
  annotations: objectOf<Annotatable['annotations']>({
    attributes: listOf(attribute),
    elements: listOf(element),
    parts: recordOf(lazy(() => objectOf<Annotatable>(annotated, 'annotations'))),
  }),
}

const maxLength = either((value) => value === 'Max', text, number)

const feedMappingMembers: { readonly [K in keyof Required<FeedMappingDefinition>]: Shape } = {
  target: text,
  sourcePath: text,
  contentKind: oneOf('text', 'html', 'xhtml'),
  keepInContent: flag,
  namespaceUri: text,
  namespacePrefix: text,
}
const feedMapping = objectOf<FeedMappingDefinition>(feedMappingMembers, 'target')

const property = objectOf<PropertyDefinition>(
  {
    ...annotated,
    type: text,
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
    syndication: either((value) => Array.isArray(value), listOf(feedMapping), feedMapping),
  },
  'type',
)

const navigationProperty = objectOf<NavigationPropertyDefinition>(
  { ...annotated, relationship: text, fromRole: text, toRole: text },
  'relationship',
  'fromRole',
  'toRole',
)

const entityType = objectOf<EntityTypeDefinition>({
  ...annotated,
  key: listOf(text),
  baseType: text,
  abstract: flag,
  openType: flag,
  hasStream: flag,
  properties: recordOf(property),
  navigationProperties: recordOf(navigationProperty),
  feedMappings: listOf(objectOf<FeedMappingDefinition>(feedMappingMembers, 'target', 'sourcePath')),
})

const complexType = objectOf<ComplexTypeDefinition>(
  { ...annotated, baseType: text, properties: recordOf(property) },
  'properties',
)

const constraintRole = objectOf<ConstraintRoleDefinition>(
  { role: text, properties: listOf(text) },
  'role',
  'properties',
)

const association = objectOf<AssociationDefinition>(
  {
    ...annotated,
    ends: recordOf(
      objectOf<AssociationEndDefinition>(
        {
          ...annotated,
          type: text,
          multiplicity: oneOf(...multiplicities),
          onDelete: oneOf('None', 'Cascade'),
        },
        'type',
        'multiplicity',
      ),
    ),
    referentialConstraint: objectOf<NonNullable<AssociationDefinition['referentialConstraint']>>(
      { ...annotated, principal: constraintRole, dependent: constraintRole },
      'principal',
      'dependent',
    ),
  },
  'ends',
)

const entitySetOfEnd = objectOf<Exclude<AssociationSetDefinition['ends'][string], string>>(
  { ...annotated, entitySet: text },
  'entitySet',
)

const associationSet = objectOf<AssociationSetDefinition>(
  {
    ...annotated,
    association: text,
    ends: recordOf(either((value) => typeof value === 'string', text, entitySetOfEnd)),
  },
  'association',
  'ends',
)

const functionImport = objectOf<FunctionImportDefinition>({
  ...annotated,
  returnType: text,
  entitySet: text,
  httpMethod: oneOf('GET', 'POST'),
  parameters: recordOf(
    objectOf<FunctionParameterDefinition>(
      {
        ...annotated,
        type: text,
        nullable: flag,
        mode: oneOf('In', 'Out', 'InOut'),
        maxLength,
        precision: number,
        scale: number,
      },
      'type',
    ),
  ),
})

const containerMembers: { readonly [K in keyof Required<EntityContainerDefinition>]: Shape } = {
  ...annotated,
  default: flag,
  extends: text,
  entitySets: recordOf(objectOf<EntitySetDefinition>({ ...annotated, entityType: text }, 'entityType')),
  associationSets: recordOf(associationSet),
  functionImports: recordOf(functionImport),
}

const schemaMembers: { readonly [K in keyof Required<SchemaDefinition>]: Shape } = {
  ...annotated,
  namespace: text,
  alias: text,
  xmlNamespace: text,
  usings: listOf(
    objectOf<NonNullable<SchemaDefinition['usings']>[number]>(
      { ...annotated, namespace: text, alias: text },
      'namespace',
      'alias',
    ),
  ),
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
  schemas: listOf(objectOf<SchemaDefinition>(schemaMembers, 'namespace')),
  dataServices: objectOf<AnnotatedDefinition>(annotated),
  edmx: objectOf<AnnotatedDefinition>(annotated),
})

/**
 * Reports misspelt members of a definition, and values of the wrong kind. Types find them where a definition is
 * written in TypeScript, as far as they look at all: they overlook members too many.
 *
 * @returns true when the model can be built to find more faults
 */
export function checkDefinition(definition: unknown, faults: ModelFaults): boolean {
  const context = { faults, broken: false }
  model(definition, '', context)
  return !context.broken
}
