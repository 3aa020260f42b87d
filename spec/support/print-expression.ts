import { isBinaryOperator, precedence } from '../../lib/uri/parse-expression.js'
import type { ExpressionSyntax, LiteralForm, LiteralSyntax, PathSyntax } from '../../lib/uri/syntax-tree.js'

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
    case 'Path':
      return { text: printPath(expression), binding: primary }
    case 'Call': {
      const parameters = expression.arguments.map((argument) => print(argument).text)
      return { text: `${expression.name}(${parameters.join(',')})`, binding: primary }
    }
    case 'Unary': {
      const operand = grouped(expression.operand, unary)
      if (expression.operator === 'not') {
        // `not eq` could go on as a comparison of a property that is called `not`.
        return { text: isBinaryOperator(operand) ? `not (${operand})` : `not ${operand}`, binding: unary }
      }
      // A minus before digits would become part of the number.
      return { text: `- ${operand}`, binding: unary }
    }
    case 'Binary': {
      const binding = precedence[expression.operator]
      const left = grouped(expression.left, binding)
      const right = grouped(expression.right, binding + 1)
      return { text: `${left} ${expression.operator} ${right}`, binding }
    }
  }
}

function printPath({ names, root }: PathSyntax): string {
  if (root !== undefined) return `${print(root).text}/${names.join('/')}`
  const text = names.join('/')
  return text === 'not' ? '(not)' : text
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
