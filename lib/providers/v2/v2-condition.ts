import { isPrimitive } from '../../edm/edm-model.js'
import { sapAnnotation } from '../../edm/annotations.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { describeExpression } from '../../query/describe-expression.js'
import type { Binary, Call, Expression, Literal, PropertyPath } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import type {
  SortKey,
  OrderTerm,
  QuerySyntax,
  SeekPlace,
  UpstreamCondition,
} from '../upstream/query-translator.js'
import { isComparisonOperator, swappedRelations } from '../upstream/query-translator.js'

/** A value to sort by. */
export interface V2SortKey extends SortKey {
  readonly expression: Expression
}

/** Returns the expressions of OData V2. @param isComplete whether the service evaluates all of them as specified */
export function v2QuerySyntax(isComplete: boolean): QuerySyntax<V2SortKey> {
  return {
    condition: (expression) => v2Condition(expression, isComplete),
    orderKey: (expression) => v2SortKey(expression, isComplete),
    seekPlace: placeOf,
  }
}

/**
 * Formats a condition for `$filter`.
 *
 * @param isComplete whether the service evaluates all expressions as the specification defines them
 * @returns undefined if it must be evaluated here
 * @spec MS-ODATA 2.2.3.6.1.4
 */
function v2Condition(expression: Expression, isComplete: boolean): UpstreamCondition | undefined {
  const forms = new Set<string>()
  const text = isComplete ? completeText(expression, forms) : conditionText(expression, forms)
  if (text === undefined) return undefined
  // Other conditions follow after `and`.
  const isGrouped = isComplete && expression.kind === 'Binary' && expression.operator === 'or'
  return { text: isGrouped ? `(${text})` : text, forms }
}

/**
 * Formats a term of `$orderby`.
 *
 * @returns undefined if it must be evaluated here
 */
function v2SortKey(expression: Expression, isComplete: boolean): V2SortKey | undefined {
  // Services place NaN first or last, and no condition selects the entities after it.
  if (expression.type === 'Edm.Double' || expression.type === 'Edm.Single') return undefined
  const forms = new Set<string>()
  if (isComplete) {
    const text = completeText(expression, forms)
    return text === undefined ? undefined : { text, forms, expression }
  }
  if (!isOwnPath(expression)) return undefined
  forms.add(`order ${expression.type}`)
  return { text: pathText(expression), forms, expression }
}

function completeText(expression: Expression, forms: Set<string>): string | undefined {
  let isKnown = true
  forEachPath(expression, (path) => {
    for (const step of path.steps)
      if (step.kind === 'Navigation' && (step.restriction !== undefined || step.isComputed === true))
        isKnown = false
    if (path.kind === 'PropertyPath' && path.property.computed !== undefined) isKnown = false
  })
  if (!isKnown) return undefined
  const text = describeExpression(withoutOrigins(expression))
  forms.add(text.slice(0, 200))
  return text
}

/** Returns the expression that the service evaluates: it does not know computed properties and searches. */
function withoutOrigins(expression: Expression): Expression {
  const { origin: _origin, search: _search, ...plain } = expression
  switch (plain.kind) {
    case 'Binary':
      return { ...plain, left: withoutOrigins(plain.left), right: withoutOrigins(plain.right) }
    case 'Unary':
    case 'Cast':
    case 'IsOf':
      return { ...plain, operand: withoutOrigins(plain.operand) }
    case 'Call':
      return { ...plain, arguments: plain.arguments.map(withoutOrigins) }
    default:
      return plain
  }
}

function conditionText(expression: Expression, forms: Set<string>): string | undefined {
  if (expression.kind === 'Binary') {
    const { operator, left, right } = expression
    if (operator !== 'and' && operator !== 'or') return comparisonText(expression, forms)
    const [a, b] = [conditionText(left, forms), conditionText(right, forms)]
    forms.add(operator)
    return a === undefined || b === undefined ? undefined : `(${a} ${operator} ${b})`
  }
  if (expression.kind !== 'Call' || expression.type !== 'Edm.Boolean') return undefined
  return callText(expression, forms)
}

function comparisonText({ operator, left, right }: Binary, forms: Set<string>): string | undefined {
  const isSwapped = left.kind === 'Literal'
  if (!isComparisonOperator(operator)) return undefined
  const direct = isSwapped ? swappedRelations[operator] : operator
  const [operand, literal] = isSwapped ? [right, left] : [left, right]
  if (literal.kind !== 'Literal') return undefined
  if (operand.kind === 'Call' && operand.type === 'Edm.Boolean')
    return direct === 'eq' && literal.value === true ? callText(operand, forms) : undefined
  const text = operandText(operand, forms)
  const value = text === undefined ? undefined : literalOf(literal, operand)
  if (text === undefined || value === undefined) return undefined
  forms.add(value === 'null' ? 'null' : `${direct} ${typeof operand.type === 'string' ? operand.type : ''}`)
  const comparison = `${text} ${direct} ${value}`
  // Some services have the null of SQL, which differs from nothing.
  if (direct !== 'ne' || value === 'null' || !isNullable(operand)) return comparison
  forms.add('null')
  return `(${comparison} or ${text} eq null)`
}

function isNullable(operand: Expression): boolean {
  return operand.kind !== 'PropertyPath' || (operand.property.nullable && !operand.property.isKey)
}

/** Formats a literal of the type of the other operand. @returns undefined if both are converted to another type */
function literalOf({ value, type }: Literal, operand: Expression): string | undefined {
  if (value === null || value === undefined) return operand.kind === 'PropertyPath' ? 'null' : undefined
  const name = operand.type
  if (type === null || typeof name !== 'string') return undefined
  if (type !== name && !(integers.has(type) && (integers.has(name) || name === 'Edm.Decimal')))
    return undefined
  const isNumber = typeof value === 'number' && !Number.isFinite(value)
  return isNumber ? undefined : primitiveTypes[type].formatLiteral(value)
}

const integers: ReadonlySet<string> = new Set([
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])

const searches: ReadonlySet<string> = new Set(['substringof', 'startswith', 'endswith'])
const cases: ReadonlySet<string> = new Set(['tolower', 'toupper'])

function callText(call: Call, forms: Set<string>): string | undefined {
  if (!searches.has(call.name)) return undefined
  forms.add(call.name)
  const texts = call.arguments.map((one) => argumentText(one, forms))
  return texts.includes(undefined) ? undefined : `${call.name}(${texts.join()})`
}

function argumentText(argument: Expression, forms: Set<string>): string | undefined {
  if (argument.kind !== 'Literal') return operandText(argument, forms)
  return typeof argument.value === 'string'
    ? primitiveTypes['Edm.String'].formatLiteral(argument.value)
    : undefined
}

function operandText(operand: Expression, forms: Set<string>): string | undefined {
  if (isOwnPath(operand)) return pathText(operand)
  if (operand.kind !== 'Call' || !cases.has(operand.name)) return undefined
  const [argument] = operand.arguments
  if (argument === undefined || !isOwnPath(argument)) return undefined
  forms.add(operand.name)
  return `${operand.name}(${pathText(argument)})`
}

/** Returns true for a property of the entity itself, or of a complex value in it. */
function isOwnPath(expression: Expression): expression is PropertyPath {
  return (
    expression.kind === 'PropertyPath' &&
    expression.property.computed === undefined &&
    isPrimitive(expression.type) &&
    expression.steps.every(({ kind }) => kind === 'Complex')
  )
}

function pathText(path: PropertyPath): string {
  const { origin: _origin, search: _search, ...plain } = path
  return describeExpression(plain)
}

function placeOf({ expression, descending, text }: OrderTerm<V2SortKey>, value: unknown): SeekPlace {
  if (value === null || value === undefined)
    return { after: descending ? undefined : `${text} ne null`, same: `${text} eq null` }
  const type = expression.type
  const format = (one: unknown): string =>
    typeof type === 'string' ? primitiveTypes[type].formatLiteral(one) : String(one)
  const orNull = (condition: string): string =>
    isNullable(expression) ? `(${condition} or ${text} eq null)` : condition
  const isMoment = type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset'
  const next = isMoment && !isWhole(expression) ? nextMillisecond(value) : undefined
  if (next === undefined) {
    const literal = format(value)
    const after = descending ? orNull(`${text} lt ${literal}`) : `${text} gt ${literal}`
    return { after, same: `${text} eq ${literal}` }
  }
  // The service may store more digits than JSON has.
  const [from, to] = [format(value), format(next)]
  const after = descending ? orNull(`${text} lt ${from}`) : `${text} ge ${to}`
  return { after, same: `${text} ge ${from} and ${text} lt ${to}` }
}

/** Returns true for dates, and for times without fractions: services may ignore the fractions of literals. */
function isWhole(expression: Expression): boolean {
  if (expression.kind !== 'PropertyPath') return false
  const { property } = expression
  return property.precision === 0 || sapAnnotation(property, 'display-format') === 'Date'
}

/** @returns undefined for the last one */
function nextMillisecond(value: unknown): string | undefined {
  const text = value instanceof Date ? value.toISOString() : String(value)
  const isUtc = text.endsWith('Z')
  const time = Date.parse(isUtc ? text : `${text}Z`)
  const next = new Date(time + 1)
  if (Number.isNaN(next.getTime()) || next.getUTCFullYear() > 9999) return undefined
  return isUtc ? next.toISOString() : next.toISOString().slice(0, -1)
}
