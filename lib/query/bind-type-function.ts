import type { EntityType } from '../edm/edm-model.js'
import { didYouMean } from '../errors/suggestions.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isPrimitiveTypeName, primitiveTypeNames } from '../edm/primitive-types/primitive-type-name.js'
import type { CallSyntax, ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Binder } from './binder.js'
import type { Cast, Expression, IsOf } from './expression.js'
import { widens } from './operator-types.js'

export function isTypeFunction(name: string): boolean {
  return name === 'isof' || name === 'cast'
}

/**
 * `isof` and `cast`, whose last argument is the name of a type in quotes and whose first may be left out: then the
 * entity itself is meant.
 *
 * @spec MS-ODATA 2.2.3.6.1.1.5 (isofExpression, castExpression)
 */
export function bindTypeFunction(syntax: CallSyntax, binder: Binder): Expression {
  const { name } = syntax
  const count = syntax.arguments.length
  const typeArgument = syntax.arguments.at(-1)
  if (count < 1 || count > 2 || typeArgument === undefined) {
    throw binder.error(`'${name}' takes a type in quotes, and before it perhaps what it is asked of`, syntax)
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
    throw binder.error('an entity type is asked of an entity, a simple type of a value', syntax)
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

function castEntity(operand: Expression, type: EntityType, syntax: CallSyntax, binder: Binder): Expression {
  if (
    operand.kind !== 'EntityPath' ||
    !(type.isOrInherits(operand.type) || operand.type.isOrInherits(type))
  ) {
    throw binder.error(`this can never be a '${type.qualifiedName}'`, syntax)
  }
  // An upcast changes nothing, and names of the derived type stay known.
  if (operand.type.isOrInherits(type)) return operand
  return { ...operand, steps: [...operand.steps, { kind: 'TypeCast', type }], type }
}
