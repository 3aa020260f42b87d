import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Expression, OrderByTerm, PathStep } from './expression.js'

/** Returns an expression as `$filter` would contain it, for people. Computed properties have their names. */
export function describeExpression(expression: Expression): string {
  const { origin, search } = expression
  if (search !== undefined) return `search=${search.terms.join(' ')}`
  if (origin !== undefined) return describeExpression(origin)
  switch (expression.kind) {
    case 'Literal':
      return expression.type === null
        ? 'null'
        : primitiveTypes[expression.type].formatLiteral(expression.value)
    case 'PropertyPath':
      return describePath([...expression.steps, expression.property.name])
    case 'EntityPath':
      return describePath(expression.steps)
    case 'Unary':
      return `${expression.operator} ${grouped(expression.operand)}`
    case 'Binary': {
      const { left, operator, right } = expression
      return `${grouped(left, operator)} ${operator} ${grouped(right, operator)}`
    }
    case 'Call':
      return `${expression.name}(${expression.arguments.map(describeExpression).join(',')})`
    case 'Cast':
      return `cast(${describeExpression(expression.operand)},'${expression.type}')`
    case 'IsOf': {
      const { operand, testedType } = expression
      const type = typeof testedType === 'string' ? testedType : testedType.qualifiedName
      return `isof(${[describeExpression(operand), `'${type}'`].filter((one) => one !== '').join(',')})`
    }
  }
}

/** Returns the terms of an order as `$orderby` would contain them. */
export function describeOrder(terms: readonly OrderByTerm[]): string {
  return terms
    .map(({ expression, descending }) => describeExpression(expression) + (descending ? ' desc' : ''))
    .join(',')
}

/** @param operator around the operand; `and` and `or` need no parentheses within themselves */
function grouped(operand: Expression, operator?: string): string {
  const text = describeExpression(operand)
  const isAtom = operand.kind !== 'Binary' || operand.search !== undefined || operand.origin !== undefined
  const isSame = operand.kind === 'Binary' && operand.operator === operator && /^(?:and|or)$/.test(operator)
  const isComparison =
    operand.kind === 'Binary' && /^(?:and|or)$/.test(operator ?? '') && !/^(?:and|or)$/.test(operand.operator)
  return isAtom || isSame || isComparison ? text : `(${text})`
}

/** Describes a path: `Category/Name`, `cast('Shop.Person')/Age`, `cast(Owner,'Shop.Person')/Age`. */
function describePath(steps: readonly (PathStep | string)[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step !== 'string' && step.kind === 'TypeCast')
      return `cast(${path}${path === '' ? '' : ','}'${step.type.qualifiedName}')`
    return `${path}${path === '' ? '' : '/'}${nameOfStep(step)}`
  }, '')
}

function nameOfStep(step: Exclude<PathStep, { kind: 'TypeCast' }> | string): string {
  if (typeof step === 'string') return step
  return step.kind === 'Navigation' ? step.navigation.name : step.property.name
}
