import type { Association, AssociationEnd, EdmModel, Schema } from '../edm/edm-model.js'
import type {
  AssociationDefinition,
  AssociationEndDefinition,
  ModelDefinition,
  SchemaDefinition,
} from '../edm/model-definition.js'
import { csdl2Namespace } from '../xml/namespaces.js'
import { containersOf } from './definition-of-containers.js'
import { annotatedDefinition, byName, nameIn, part } from './definition-parts.js'
import { complexTypeDefinition, entityTypeDefinition } from './definition-of-types.js'

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
