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
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'
import { suggestPrimitiveType } from './suggest-primitive-type.js'

/** What function imports refer to. */
export interface FunctionContext {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly sets: ReadonlyMap<string, EntitySet>
  readonly schema: SchemaDefinition
  readonly faults: ModelFaults
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
    checkName(name, place, context.faults)
    if (context.sets.has(name))
      context.faults.add(place, 'the container has an entity set of this name already.')
    const returnType = returnTypeOf(definition, place, context)
    functions.set(
      name,
      Object.freeze({
        kind: 'FunctionImport',
        name,
        path: context.addressOf(name),
        ...annotated(definition),
        returnType,
        entitySet: entitySetOf(definition, returnType, place, context),
        httpMethod: definition.httpMethod,
        parameters: parametersOf(definition, place, context),
      } as const),
    )
  }
  return functions
}

const collection = /^Collection\((.*)\)$/

function returnTypeOf(
  { returnType }: FunctionImportDefinition,
  place: string,
  { schema, entityTypes, complexTypes, faults }: FunctionContext,
): FunctionReturnType | undefined {
  if (returnType === undefined) return undefined
  const inner = collection.exec(returnType)?.[1]
  const name = inner ?? returnType
  const entityScope = new NameScope(schema, entityTypes)
  const complexScope = new NameScope(schema, complexTypes)
  const type = isPrimitiveTypeName(name) ? name : (entityScope.find(name) ?? complexScope.find(name))
  if (type === undefined) {
    const all = new Map<string, unknown>([...entityTypes, ...complexTypes])
    const ownHint = new NameScope(schema, all).suggest(name)
    const hint = ownHint === '' ? suggestPrimitiveType(name) : ownHint
    faults.add(place, `there is no type '${name}' to return.${hint}`)
    return undefined
  }
  return Object.freeze({ type, isCollection: inner !== undefined })
}

function entitySetOf(
  { entitySet: name }: FunctionImportDefinition,
  returnType: FunctionReturnType | undefined,
  place: string,
  { sets, faults }: FunctionContext,
): EntitySet | undefined {
  const returned = returnType?.type
  const returnsEntities = returned !== undefined && !isPrimitive(returned) && returned.kind === 'EntityType'
  if (name === undefined) {
    if (!returnsEntities) return undefined
    const candidates = [...sets.values()].filter((set) => returned.isOrInherits(set.entityType))
    if (candidates.length !== 1) {
      faults.add(place, `name the EntitySet that the returned '${returned.name}' belong to.`)
    }
    return candidates[0]
  }
  const set = sets.get(name)
  if (set === undefined)
    faults.add(place, `there is no entity set '${name}'.${didYouMean(name, sets.keys())}`)
  else if (returnsEntities && !returned.isOrInherits(set.entityType)) {
    faults.add(
      place,
      `the function returns '${returned.name}', but '${name}' holds '${set.entityType.name}'.`,
    )
  }
  return set
}

function parametersOf(
  { parameters = {} }: FunctionImportDefinition,
  place: string,
  { faults }: FunctionContext,
): FunctionParameter[] {
  const built: FunctionParameter[] = []
  for (const [name, definition] of Object.entries(parameters)) {
    checkName(name, `${place}.${name}`, faults)
    const parameter = parameterOf(name, definition, `${place}.${name}`, faults)
    if (parameter !== undefined) built.push(parameter)
  }
  return built
}

function parameterOf(
  name: string,
  definition: FunctionParameterDefinition,
  place: string,
  faults: ModelFaults,
): FunctionParameter | undefined {
  const { type, nullable = true, documentation, annotations, ...rest } = definition
  if (!isPrimitiveTypeName(type)) {
    faults.add(place, `a parameter must be of a simple type, not '${type}'.${suggestPrimitiveType(type)}`)
    return undefined
  }
  return Object.freeze({ name, ...annotated(definition), ...rest, type, nullable })
}
