import { precedence } from './operators.js'
import type { ExpressionSyntax, LiteralForm, LiteralSyntax } from './syntax-tree.js'

const suffixes: Partial<Record<LiteralForm, string>> = { Int64: 'L', Decimal: 'M', Double: 'D', Single: 'F' }

const prefixes: Partial<Record<LiteralForm, string>> = {
  Guid: 'guid',
  Binary: 'binary',
  DateTime: 'datetime',
  DateTimeOffset: 'datetimeoffset',
  Time: 'time',
}

/** The tightest binding: operands that never need parentheses. */
const primary = 8
const unary = 7

/**
 * The text of an expression, with parentheses only where they are needed: parsing it gives the same tree.
 */
export function printExpression(expression: ExpressionSyntax): string {
  return print(expression).text
}

interface Printed {
  readonly text: string
  /** How tightly the outermost operator binds. */
  readonly binding: number
}

function print(expression: ExpressionSyntax): Printed {
  switch (expression.kind) {
    case 'Literal':
      return { text: printLiteral(expression), binding: primary }
    case 'Path': {
      const root = expression.root === undefined ? '' : `${print(expression.root).text}/`
      return { text: root + expression.names.join('/'), binding: primary }
    }
    case 'Call': {
      const parameters = expression.arguments.map((argument) => print(argument).text)
      return { text: `${expression.name}(${parameters.join(',')})`, binding: primary }
    }
    case 'Unary': {
      const operand = grouped(expression.operand, unary)
      // A minus before digits would become part of the number.
      const text = expression.operator === 'not' ? `not ${operand}` : `- ${operand}`
      return { text, binding: unary }
    }
    case 'Binary': {
      const binding = precedence[expression.operator]
      const left = grouped(expression.left, binding)
      const right = grouped(expression.right, binding + 1)
      return { text: `${left} ${expression.operator} ${right}`, binding }
    }
  }
}

function grouped(expression: ExpressionSyntax, minimum: number): string {
  const { text, binding } = print(expression)
  return binding < minimum ? `(${text})` : text
}

function printLiteral({ form, text }: LiteralSyntax): string {
  if (form === 'String') return `'${text.replaceAll("'", "''")}'`
  const prefix = prefixes[form]
  return prefix === undefined ? text + (suffixes[form] ?? '') : `${prefix}'${text}'`
}
