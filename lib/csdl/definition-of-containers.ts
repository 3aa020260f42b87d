import type {
  AssociationSet,
  EdmModel,
  EntityContainer,
  FunctionImport,
  FunctionParameter,
  Schema,
} from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type {
  AssociationSetDefinition,
  EntityContainerDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
  SchemaDefinition,
} from '../edm/model-definition.js'
import { annotatedDefinition, byName, nameIn, part } from './definition-parts.js'

/** The containers of a schema, in the short form where there is only one in the model. */
export function containersOf(
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
