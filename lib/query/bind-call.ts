import { didYouMean } from '../errors/suggestions.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { CallSyntax } from '../uri/syntax-tree.js'
import type { Binder } from './binder.js'
import type { CanonicalFunction, Signature } from './canonical-functions/canonical-function.js'
import { canonicalFunctions, isCanonicalFunctionName } from './canonical-functions/canonical-functions.js'
import type { Call, Expression } from './expression.js'
import { fitsParameter } from './operator-types.js'

const names = [...Object.keys(canonicalFunctions), 'isof', 'cast']

/** Finds the signature of a canonical function that the arguments fit. @spec MS-ODATA 2.2.3.6.1.1.5 */
export function bindCall(syntax: CallSyntax, binder: Binder): Call {
  const { name } = syntax
  if (!isCanonicalFunctionName(name)) {
    throw binder.error(`there is no function '${name}'.${didYouMean(name, names)}`, syntax)
  }
  const signatures: CanonicalFunction = canonicalFunctions[name]
  const fitting = signatures.filter((one) => acceptsCount(one, syntax.arguments.length))
  if (fitting.length === 0) {
    throw binder.error(`'${name}' takes ${countsOf(signatures)}, not ${syntax.arguments.length}`, syntax)
  }
  for (const signature of fitting) {
    const call = tryCall(syntax, signature, binder)
    if (call !== undefined) return { ...call, name }
  }
  const given = syntax.arguments.map((argument) => typeName(binder.bind(argument)))
  const wanted = fitting.map(({ parameters }) => `${name}(${parameters.join(',')})`)
  throw binder.error(`'${name}' cannot take (${given.join(',')}); it is ${wanted.join(' or ')}`, syntax)
}

function tryCall(syntax: CallSyntax, signature: Signature, binder: Binder): Omit<Call, 'name'> | undefined {
  const parameterTypes = syntax.arguments.map((_, index) => parameterAt(signature, index))
  const bound = syntax.arguments.map((argument, index) =>
    binder.bindFor(argument, parameterAt(signature, index)),
  )
  const fits = bound.every(({ type }, index) =>
    type === null ? true : typeof type === 'string' && fitsParameter(type, parameterAt(signature, index)),
  )
  return fits ? { kind: 'Call', arguments: bound, parameterTypes, type: signature.result } : undefined
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
