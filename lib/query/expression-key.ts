import { randomUUID } from 'node:crypto'
import type { Expression, PathStep } from './expression.js'

let unknownObjects = 0
/** Keys of pages may be used by several processes. */
const ownId = randomUUID()

const keys = new WeakMap<Expression, string>()

/**
 * Returns a string that is the same for expressions with the same structure and values, and different for all others.
 * Names are those of the model, so it identifies expressions on one entity set of one model.
 */
export function expressionKey(expression: Expression): string {
  let key = keys.get(expression)
  if (key === undefined) {
    key = writeKey(expression)
    keys.set(expression, key)
  }
  return key
}

function writeKey(one: Expression): string {
  switch (one.kind) {
    case 'Literal':
      return `${one.type ?? ''}${valueKey(one.value)}`
    case 'PropertyPath':
      return `${stepsKey(one.steps)}${quoted(one.property.name)}`
    case 'EntityPath':
      return `${stepsKey(one.steps)}*`
    case 'Unary':
      return `(${one.operator} ${writeKey(one.operand)})`
    case 'Binary':
      return `(${one.operator} ${one.operandType ?? ''} ${writeKey(one.left)} ${writeKey(one.right)})`
    case 'Call':
      return `(${one.name} ${one.parameterTypes.join(',')} ${one.arguments.map(writeKey).join(' ')})`
    case 'Cast':
      return `(cast ${one.type} ${writeKey(one.operand)})`
    case 'IsOf': {
      const type = typeof one.testedType === 'string' ? one.testedType : one.testedType.qualifiedName
      return `(isof ${type} ${writeKey(one.operand)})`
    }
  }
}

function stepsKey(steps: readonly PathStep[]): string {
  return steps.map(stepKey).join('')
}

function stepKey(step: PathStep): string {
  switch (step.kind) {
    case 'Navigation': {
      const restriction = step.restriction === undefined ? '' : `[${expressionKey(step.restriction)}]`
      return `${quoted(step.navigation.name)}>${quoted(step.target.path)}${restriction}/`
    }
    case 'Complex':
      return `${quoted(step.property.name)}/`
    case 'TypeCast':
      return `<${step.type.qualifiedName}>/`
  }
}

/** Formats a value with its type: 1 and '1' are different values. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Date) return `@${String(value.getTime())}`
  if (value instanceof Uint8Array) return `#${Buffer.from(value).toString('base64')}`
  if (typeof value === 'bigint') return `${String(value)}n`
  if (Object.is(value, -0)) return '-0'
  // Objects of unknown classes are never equal.
  if (typeof value === 'object' && value !== null) return `{${ownId} ${String(unknownObjects++)}}`
  return `:${String(value)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
