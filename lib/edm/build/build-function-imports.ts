import { didYouMean } from '../../errors/suggestions.js'
import type {
  ComplexType,
  EntitySet,
  EntityType,
  FunctionImport,
  FunctionParameter,
  FunctionReturnType,
} from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type {
  FunctionImportDefinition,
  FunctionParameterDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import { isPrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { annotated } from './annotated.js'
import type { ModelErrors } from './model-error.js'
import { checkName, NameScope, suggestPrimitiveType } from './name-scope.js'

/** The elements to which function imports refer. */
interface FunctionContext {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly sets: ReadonlyMap<string, EntitySet>
  readonly schema: SchemaDefinition
  readonly errors: ModelErrors
  /** Qualified name of the container. */
  readonly place: string
  readonly addressOf: (member: string) => string
}

/** @spec MC-CSDL 2.1.21 */
export function buildFunctionImports(
  definitions: Readonly<Record<string, FunctionImportDefinition>>,
  context: FunctionContext,
): ReadonlyMap<string, FunctionImport> {
  const functions = new Map<string, FunctionImport>()
  for (const [name, definition] of Object.entries(definitions)) {
    const place = `${context.place}.${name}`
    checkName(name, place, context.errors)
    if (context.sets.has(name))
      context.errors.add(place, 'the container already has an entity set with this name.')
    const returnType = returnTypeOf(definition, place, context)
    functions.set(name, {
      kind: 'FunctionImport',
      name,
      path: context.addressOf(name),
      ...annotated(definition),
      returnType,
      entitySet: entitySetOf(definition, returnType, place, context),
      httpMethod: definition.httpMethod,
      parameters: parametersOf(definition, place, context),
    })
  }
  return functions
}

const collection = /^Collection\((.*)\)$/

function returnTypeOf(
  { returnType }: FunctionImportDefinition,
  place: string,
  { schema, entityTypes, complexTypes, errors }: FunctionContext,
): FunctionReturnType | undefined {
  if (returnType === undefined) return undefined
  const inner = collection.exec(returnType)?.[1]
  const name = inner ?? returnType
  const types = new Map<string, EntityType | ComplexType>([...complexTypes, ...entityTypes])
  const scope = new NameScope(schema, types, errors)
  const type = isPrimitiveTypeName(name) ? name : scope.find(name)
  if (type !== undefined) return { type, isCollection: inner !== undefined }
  const hint = scope.suggest(name) || suggestPrimitiveType(name)
  errors.add(place, `there is no type '${name}' to return.${hint}`)
  return undefined
}

function entitySetOf(
  { entitySet: name }: FunctionImportDefinition,
  returnType: FunctionReturnType | undefined,
  place: string,
  { sets, errors }: FunctionContext,
): EntitySet | undefined {
  const returned = returnType?.type
  const returnsEntities = returned !== undefined && !isPrimitive(returned) && returned.kind === 'EntityType'
  if (name === undefined) {
    if (!returnsEntities) return undefined
    const candidates = [...sets.values()].filter((set) => returned.isOrInherits(set.entityType))
    if (candidates.length !== 1) {
      errors.add(place, `the EntitySet of the returned '${returned.name}' is ambiguous or missing: name it.`)
    }
    return candidates[0]
  }
  const set = sets.get(name)
  if (set === undefined)
    errors.add(place, `there is no entity set '${name}'.${didYouMean(name, sets.keys())}`)
  else if (returnsEntities && !returned.isOrInherits(set.entityType)) {
    errors.add(
      place,
      `the function returns '${returned.name}', but '${name}' has the entity type '${set.entityType.name}'.`,
    )
  }
  return set
}

function parametersOf(
  { parameters = {} }: FunctionImportDefinition,
  place: string,
  { errors }: FunctionContext,
): FunctionParameter[] {
  const built: FunctionParameter[] = []
  for (const [name, definition] of Object.entries(parameters)) {
    checkName(name, `${place}.${name}`, errors)
    const parameter = parameterOf(name, definition, `${place}.${name}`, errors)
    if (parameter !== undefined) built.push(parameter)
  }
  return built
}

function parameterOf(
  name: string,
  definition: FunctionParameterDefinition,
  place: string,
  errors: ModelErrors,
): FunctionParameter | undefined {
  const { type, nullable = true, documentation, annotations, sap, ...rest } = definition
  if (!isPrimitiveTypeName(type)) {
    errors.add(place, `a parameter must be of a simple type, not '${type}'.${suggestPrimitiveType(type)}`)
    return undefined
  }
  return { name, ...annotated(definition), ...rest, type, nullable }
}
