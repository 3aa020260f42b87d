import { didYouMean } from '../errors/suggestions.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { withoutLambda } from '../uri/parse-expression.js'
import type { CallSyntax, ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Binder } from './bind-path.js'
import type {
  CanonicalFunction,
  CanonicalFunctionName,
  Signature,
} from './canonical-functions/canonical-functions.js'
import { canonicalFunctions, isCanonicalFunctionName } from './canonical-functions/canonical-functions.js'
import type { Call, Expression, Cast, IsOf } from './expression.js'
import { fitsParameter, widens } from './operator-types.js'
import type { EntityType } from '../edm/edm-model.js'
import { isPrimitiveTypeName, primitiveTypeNames } from '../edm/primitive-types/primitive-type-name.js'

const names = [...Object.keys(canonicalFunctions), 'isof', 'cast', 'not']

/** Suggests `substringof` for the `contains` of OData V4, whose operands have the opposite order. */
function hint(name: string): string {
  if (name === 'any' || name === 'all') return ` ${withoutLambda(name)}.`
  return name.toLowerCase() === 'contains' ? " V2 has substringof('x',Name)." : didYouMean(name, names)
}

/** Binds a call of a canonical function to the signature that matches its arguments. @spec MS-ODATA 2.2.3.6.1.1.5 */
export function bindCall(syntax: CallSyntax, binder: Binder): Call {
  const { name } = syntax
  if (!isCanonicalFunctionName(name)) {
    throw binder.error(`there is no function '${name}'.${hint(name)}`, syntax)
  }
  const signatures: CanonicalFunction = canonicalFunctions[name]
  const fitting = signatures.filter((one) => acceptsCount(one, syntax.arguments.length))
  if (fitting.length === 0) {
    throw binder.error(`'${name}' takes ${countsOf(signatures)}, not ${syntax.arguments.length}`, syntax)
  }
  // Arguments are bound once, not for each signature: otherwise each level of nesting would double the work.
  const given = syntax.arguments.map((argument) => ({ syntax: argument, bound: binder.bind(argument) }))
  const signature =
    fitting.find((one) => given.every(({ bound }, index) => fits(bound, parameterAt(one, index)))) ??
    fitting.find((one) => given.every((argument, index) => mayFit(argument, parameterAt(one, index), binder)))
  if (signature !== undefined) return callOf(name, signature, given, binder)
  const types = given.map(({ bound }) => typeName(bound))
  const wanted = fitting.map(({ parameters }) => `${name}(${parameters.join(',')})`)
  throw binder.error(`'${name}' cannot take (${types.join(',')}); it is ${wanted.join(' or ')}`, syntax)
}

interface Argument {
  readonly syntax: ExpressionSyntax
  readonly bound: Expression
}

function callOf(
  name: CanonicalFunctionName,
  signature: Signature,
  given: readonly Argument[],
  binder: Binder,
): Call {
  const parameterTypes = given.map((_, index) => parameterAt(signature, index))
  const bound = given.map(
    (argument, index) => binder.literalFor(argument.syntax, parameterAt(signature, index)) ?? argument.bound,
  )
  return { kind: 'Call', name, arguments: bound, parameterTypes, type: signature.result }
}

function fits({ type }: Expression, parameter: PrimitiveTypeName): boolean {
  return type === null || (typeof type === 'string' && fitsParameter(type, parameter))
}

function mayFit({ syntax, bound }: Argument, parameter: PrimitiveTypeName, binder: Binder): boolean {
  return fits(bound, parameter) || binder.literalFor(syntax, parameter) !== undefined
}

function acceptsCount({ parameters, variadic = false }: Signature, count: number): boolean {
  return count === parameters.length || (variadic && count > parameters.length)
}

function parameterAt({ parameters }: Signature, index: number): PrimitiveTypeName {
  return parameters[index] ?? parameters.at(-1) ?? 'Edm.String'
}

function countsOf(signatures: CanonicalFunction): string {
  const counts = [...new Set(signatures.map(({ parameters }) => parameters.length))]
  return counts.map((count) => (count === 1 ? '1 argument' : `${count} arguments`)).join(' or ')
}

function typeName(expression: Expression): string {
  const { type } = expression
  return type === null ? 'null' : typeof type === 'string' ? type : type.qualifiedName
}

export function isTypeFunction(name: string): boolean {
  return name === 'isof' || name === 'cast'
}

/**
 * Binds `isof` and `cast`. The last argument is the name of a type in quotes. The first one can be omitted, and is then
 * the entity itself.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (isofExpression, castExpression)
 */
export function bindTypeFunction(syntax: CallSyntax, binder: Binder): Expression {
  const { name } = syntax
  const count = syntax.arguments.length
  const typeArgument = syntax.arguments.at(-1)
  if (count < 1 || count > 2 || typeArgument === undefined) {
    throw binder.error(`'${name}' takes a type in quotes, optionally after an expression`, syntax)
  }
  const type = typeNamed(typeArgument, binder)
  const [first] = syntax.arguments
  const operand = count === 2 && first !== undefined ? binder.bind(first) : itself(binder)
  if (name === 'isof') {
    checkComparable(operand, type, syntax, binder)
    return { kind: 'IsOf', operand, testedType: type, type: 'Edm.Boolean' } satisfies IsOf
  }
  return typeof type === 'string'
    ? castValue(operand, type, syntax, binder)
    : castEntity(operand, type, syntax, binder)
}

function itself({ scope }: Binder): Expression {
  return { kind: 'EntityPath', steps: [], type: scope.entityType, set: scope.entitySet }
}

function typeNamed(syntax: ExpressionSyntax, binder: Binder): PrimitiveTypeName | EntityType {
  if (syntax.kind !== 'Literal' || syntax.form !== 'String') {
    throw binder.error(`expected the name of a type in quotes, such as 'Edm.Int32'`, syntax)
  }
  if (isPrimitiveTypeName(syntax.text)) return syntax.text
  const { entityTypes } = binder.scope.model
  const type = entityTypes.get(syntax.text)
  if (type === undefined) {
    const hint = didYouMean(syntax.text, [...entityTypes.keys(), ...primitiveTypeNames])
    throw binder.error(`there is no type '${syntax.text}'.${hint}`, syntax)
  }
  return type
}

function checkComparable(
  operand: Expression,
  type: PrimitiveTypeName | EntityType,
  syntax: CallSyntax,
  binder: Binder,
): void {
  const isEntity = operand.kind === 'EntityPath'
  if (isEntity === (typeof type === 'string')) {
    throw binder.error('use an entity type for an entity, and a simple type for a value', syntax)
  }
}

function castValue(operand: Expression, type: PrimitiveTypeName, syntax: CallSyntax, binder: Binder): Cast {
  const from = operand.type
  const legal =
    from === null ||
    from === type ||
    (typeof from === 'string' && (type === 'Edm.String' ? from !== 'Edm.Binary' : widens(from, type)))
  if (!legal) {
    const source = typeof from === 'string' ? from : 'an entity'
    throw binder.error(`${source} cannot be cast to ${type}`, syntax)
  }
  return { kind: 'Cast', operand, type }
}

function castEntity(operand: Expression, named: EntityType, syntax: CallSyntax, binder: Binder): Expression {
  const types = operand.kind === 'EntityPath' ? [operand.type, ...operand.type.derivedTypes] : []
  // The types of an operand may lack hidden properties.
  const type = types.find(({ qualifiedName }) => qualifiedName === named.qualifiedName) ?? named
  if (
    operand.kind !== 'EntityPath' ||
    !(type.isOrInherits(operand.type) || operand.type.isOrInherits(type))
  ) {
    throw binder.error(`this expression cannot have the type '${type.qualifiedName}'`, syntax)
  }
  // An upcast has no effect, so that names of the derived type remain known.
  if (operand.type.isOrInherits(type)) return operand
  return { ...operand, steps: [...operand.steps, { kind: 'TypeCast', type }], type }
}
