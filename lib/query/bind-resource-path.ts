import type {
  ComplexType,
  EdmModel,
  EntitySet,
  FunctionImport,
  NavigationProperty,
  Property,
  FunctionParameter,
} from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { parsePathSegment } from '../uri/split-resource-path.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import type { PathSegmentSyntax } from '../uri/syntax-tree.js'
import { truncate } from '../util/describe-value.js'
import { bindKeyPredicate } from './bind-key-predicate.js'
import { namesOf } from './bind-path.js'
import type {
  CollectionSource,
  EntitySource,
  FunctionCall,
  LinksTarget,
  PropertyChain,
  RequestTarget,
  ValueOwner,
} from './request-target.js'
import { fractionViolation, valueViolation } from '../edm/check-value.js'
import { parseLiteral } from '../uri/parse-literal.js'
import { Scanner } from '../uri/scanner.js'
import { literalAs } from './bind-literal.js'

/**
 * Binds a resource path to its target.
 *
 *     path = [ "$metadata" / "$batch" / first *( "/" next ) ]
 *     first = [ container "." ] ( set [ "()" / key ] / functionImport [ "()" ] )
 *     next = nav [ "()" / key ] / property / "$links" / "$value" / "$count"
 *
 * @param segments the decoded segments
 * @param options where the parameters of functions are
 * @throws ODataError ResourceNotFound for unknown names, BadRequest for segments that are not allowed at their position
 * @spec MS-ODATA 2.2.3.4, 2.2.3.5
 */
export function bindResourcePath(
  segments: readonly string[],
  model: EdmModel,
  options: QueryOptions,
): RequestTarget {
  const [first, ...rest] = segments
  if (first === undefined) return { kind: 'ServiceDocument' }
  if (first === '$metadata' || first === '$batch') {
    if (rest.length > 0) throw malformed(`nothing can follow '${first}'`)
    return { kind: first === '$batch' ? 'Batch' : 'Metadata' }
  }
  const segment = parsePathSegment(first)
  const member = rootMember(segment.name, model)
  if (member === undefined) throw notFound(segment.name, [...rootNames(model), '$metadata', '$batch'])
  if (member.kind === 'EntitySet') return afterSet({ kind: 'EntitySet', set: member }, segment, rest)
  return afterFunction(member, segment, rest, options)
}

/**
 * Finds an entity set or function import. Outside of the default container, it must be qualified with the name of its
 * container.
 */
function rootMember(name: string, model: EdmModel): EntitySet | FunctionImport | undefined {
  const dot = name.lastIndexOf('.')
  const prefix = name.slice(0, Math.max(dot, 0))
  const container =
    dot < 0
      ? model.defaultContainer
      : model.entityContainers.find((one) => one.name === prefix || one.qualifiedName === prefix)
  const member = name.slice(dot + 1)
  return container?.entitySet(member) ?? container?.functionImport(member)
}

function rootNames(model: EdmModel): string[] {
  return model.entityContainers.flatMap(({ entitySets, functionImports }) =>
    [...entitySets, ...functionImports].map(({ path }) => path),
  )
}

/** Binds the path after a collection, which begins with an optional key. */
function afterSet(
  collection: CollectionSource,
  segment: PathSegmentSyntax,
  rest: readonly string[],
): RequestTarget {
  const { key } = segment
  if (key === undefined || key.values.length === 0) return afterCollection(collection, rest)
  const { set } = collection
  const entity = { kind: 'KeyedEntity', collection, key: bindKeyPredicate(key, set.entityType), set } as const
  return afterEntity(entity, rest)
}

function afterCollection(collection: CollectionSource, rest: readonly string[]): RequestTarget {
  const [next, ...others] = rest
  if (next === undefined) return { kind: 'EntitySet', collection }
  if (next !== '$count')
    throw malformed(`a key is required before '${next}': the path addresses many entities`)
  if (others.length > 0) throw malformed(`nothing can follow '$count'`)
  return { kind: 'EntityCount', of: collection }
}

function afterEntity(entity: EntitySource, rest: readonly string[]): RequestTarget {
  const [next, ...others] = rest
  if (next === undefined) return { kind: 'Entity', entity }
  if (next === '$links') return afterLinks(entity, others)
  if (next === '$value' || next === '$count') {
    if (others.length > 0) throw malformed(`nothing can follow '${next}'`)
    if (next === '$count') return { kind: 'EntityCount', of: entity }
    if (entity.set.entityType.hasStream) return { kind: 'MediaResource', entity }
    throw malformed(`entities of '${entity.set.name}' have no media resource`)
  }
  const segment = parsePathSegment(next)
  const type = entity.set.entityType
  const property = type.property(segment.name)
  if (property !== undefined) return afterProperty(entity, [propertyOf(property, segment)], others)
  const navigation = type.navigationProperty(segment.name)
  if (navigation === undefined) throw notFound(segment.name, namesOf(type, type))
  return afterNavigation(entity, navigation, segment, others)
}

function afterNavigation(
  source: EntitySource,
  navigation: NavigationProperty,
  segment: PathSegmentSyntax,
  rest: readonly string[],
): RequestTarget {
  const set = targetOf(source, navigation)
  if (navigation.isCollection)
    return afterSet({ kind: 'RelatedEntities', source, navigation, set }, segment, rest)
  if (segment.key !== undefined) throw malformed(`'${navigation.name}' leads to one entity and takes no key`)
  return afterEntity({ kind: 'RelatedEntity', source, navigation, set }, rest)
}

/** @spec MS-ODATA 2.2.3.5 (URI 7) */
function afterLinks(source: EntitySource, rest: readonly string[]): LinksTarget {
  const [next, ...others] = rest
  if (next === undefined) throw malformed(`'$links' requires a navigation property after it`)
  const { name, key } = parsePathSegment(next)
  const type = source.set.entityType
  const navigation = type.navigationProperty(name)
  if (navigation === undefined) {
    if (type.property(name) !== undefined) throw malformed(`'${name}' is not a navigation property`)
    throw notFound(
      name,
      type.navigationProperties.map((one) => one.name),
    )
  }
  const count = others[0] === '$count'
  if (others.length > (count ? 1 : 0)) throw malformed(`only '$count' can follow '$links/${name}'`)
  const linked = linkedEntities(source, navigation, key)
  return { kind: 'Links', source, navigation, linked, count }
}

function linkedEntities(
  source: EntitySource,
  navigation: NavigationProperty,
  key: PathSegmentSyntax['key'],
): LinksTarget['linked'] {
  const set = targetOf(source, navigation)
  if (!navigation.isCollection) {
    if (key !== undefined) throw malformed(`'${navigation.name}' leads to one entity and takes no key`)
    return { kind: 'RelatedEntity', source, navigation, set }
  }
  const collection = { kind: 'RelatedEntities', source, navigation, set } as const
  if (key === undefined || key.values.length === 0) return collection
  return { kind: 'KeyedEntity', collection, key: bindKeyPredicate(key, set.entityType), set }
}

function afterProperty(owner: ValueOwner, path: PropertyChain, rest: readonly string[]): RequestTarget {
  const property = path.at(-1)
  if (property === undefined || isPrimitive(property.type)) return afterSimple(owner, path, rest)
  return rest.length === 0
    ? { kind: 'ComplexProperty', owner, path }
    : afterComplex(owner, path, property.type, rest)
}

function afterComplex(
  owner: ValueOwner,
  path: PropertyChain,
  type: ComplexType,
  [next = '', ...others]: readonly string[],
): RequestTarget {
  if (next === '$count' || next === '$links') throw malformed(`'${next}' cannot follow a complex value`)
  const segment = parsePathSegment(next)
  const member = type.property(segment.name)
  // Complex values have no `$value`.
  if (member === undefined) throw notFound(segment.name, namesOf(type, undefined))
  return afterProperty(owner, [...path, propertyOf(member, segment)], others)
}

function afterSimple(owner: ValueOwner, path: PropertyChain, rest: readonly string[]): RequestTarget {
  const [next, ...others] = rest
  if (next === undefined) return { kind: 'SimpleProperty', owner, path }
  if (next !== '$value' || others.length > 0) throw malformed(`only '$value' can follow a simple property`)
  return { kind: 'PropertyValue', owner, path }
}

/** Binds the path after a function import, according to the kind of its result. */
function afterFunction(
  functionImport: FunctionImport,
  { key }: PathSegmentSyntax,
  rest: readonly string[],
  options: QueryOptions,
): RequestTarget {
  if (key !== undefined && key.values.length > 0) {
    throw malformed(`'${functionImport.name}' is a function: its parameters are query options`)
  }
  const call: FunctionCall = new BoundFunctionCall(functionImport, options)
  const { returnType, entitySet } = functionImport
  const type = returnType?.type
  if (returnType === undefined || type === undefined) return functionResult(call, rest)
  if (!isPrimitive(type) && type.kind === 'EntityType' && entitySet !== undefined) {
    return returnType.isCollection
      ? afterCollection({ kind: 'ReturnedEntities', call, set: entitySet }, rest)
      : afterEntity({ kind: 'ReturnedEntity', call, set: entitySet }, rest)
  }
  if (rest.length === 0 || returnType.isCollection) return functionResult(call, rest)
  const owner = { kind: 'ReturnedValue', call } as const
  if (isPrimitive(type)) return afterSimple(owner, [], rest)
  return type.kind === 'ComplexType' ? afterComplex(owner, [], type, rest) : functionResult(call, rest)
}

function functionResult(call: FunctionCall, rest: readonly string[]): RequestTarget {
  const [next] = rest
  if (next !== undefined)
    throw malformed(`'${next}' cannot follow what '${call.functionImport.name}' returns`)
  return { kind: 'FunctionImport', call }
}

function propertyOf(property: Property, { key }: PathSegmentSyntax): Property {
  if (key !== undefined) throw malformed(`'${property.name}' is a property and takes no key`)
  return property
}

function targetOf({ set }: EntitySource, navigation: NavigationProperty): EntitySet {
  const target = set.targetOf(navigation)
  if (target !== undefined) return target
  throw new ODataError('NotImplemented', {
    message: `The model does not define the entity set of '${navigation.name}'.`,
  })
}

function malformed(message: string): ODataError {
  return new ODataError('BadRequest', { message: `Resource path: ${message}.` })
}

function notFound(name: string, known: readonly string[]): ODataError {
  return new ODataError('ResourceNotFound', {
    message: `There is no resource '${truncate(name, 200)}'.${didYouMean(name, known)}`,
  })
}

/**
 * A call of a function import. Its parameters are bound lazily: OPTIONS does not need them, and a
 * request with the wrong method is rejected first.
 */
class BoundFunctionCall implements FunctionCall {
  private bound: FunctionCall['parameters'] | undefined

  constructor(
    readonly functionImport: FunctionImport,
    private readonly options: QueryOptions,
  ) {}

  /** @throws ODataError BadRequest, see {@link bindFunctionParameters} */
  get parameters(): FunctionCall['parameters'] {
    return (this.bound ??= bindFunctionParameters(this.functionImport, this.options))
  }
}

/**
 * Binds the parameters of a function import: literals in custom query options with the names of the parameters.
 *
 * @throws ODataError BadRequest for a literal of another type or against a facet, a parameter that is specified twice, a missing one that
 * cannot be null, and a name that is nearly the one of a missing parameter
 * @spec MS-ODATA 2.2.3.6.2 (service operation parameters)
 */
export function bindFunctionParameters(
  functionImport: FunctionImport,
  options: QueryOptions,
): Readonly<Record<string, unknown>> {
  const { parameters } = functionImport
  checkParameterNames(functionImport, options)
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, bindParameter(parameter, options)]),
  )
}

/**
 * Checks the names of custom query options. Others than parameters are allowed, except misspelled names of missing
 * parameters, which would be null without an error.
 */
function checkParameterNames({ path, parameters }: FunctionImport, { custom }: QueryOptions): void {
  const absent = parameters
    .map(({ name }) => name)
    .filter((name) => !custom.some(([given]) => given === name))
  if (absent.length === 0) return
  for (const [given] of custom) {
    if (parameters.some(({ name }) => name === given)) continue
    const suggestion = didYouMean(given, absent)
    if (suggestion === '') continue
    throw new ODataError('BadRequest', {
      message: `The function '${path}' has no parameter '${given}'.${suggestion}`,
    })
  }
}

function bindParameter(parameter: FunctionParameter, { custom }: QueryOptions): unknown {
  const [option, second] = custom.filter(([name]) => name === parameter.name)
  if (second !== undefined) throw invalid(parameter, 'is specified twice')
  if (option === undefined) {
    if (!parameter.nullable) throw invalid(parameter, 'is missing')
    return null
  }
  const value = literalValue(option[1], parameter)
  if (value === null && !parameter.nullable) throw invalid(parameter, 'cannot be null')
  const violation = valueViolation(parameter, value) ?? fractionViolation(parameter, value)
  if (violation !== undefined) throw invalid(parameter, violation)
  return value
}

function literalValue(text: string, parameter: FunctionParameter): unknown {
  const scanner = new Scanner(text, `Parameter '${parameter.name}'`, 'BadRequest')
  scanner.skipSpace()
  const literal = parseLiteral(scanner)
  scanner.skipSpace()
  const bound = literal === undefined || !scanner.atEnd ? undefined : literalAs(literal, parameter.type, true)
  if (bound === undefined) throw scanner.error(`expected a literal of ${parameter.type}`, 0)
  return bound.value
}

function invalid({ name }: FunctionParameter, what: string): ODataError {
  return new ODataError('BadRequest', { message: `The parameter '${name}' ${what}.` })
}
