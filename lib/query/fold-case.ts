import type { Binary, Call, Expression } from './expression.js'

/** The functions and operators that ignore case: `all` includes `eq` and `ne`. */
export type CaseFolding = boolean | 'all'

const foldedFunctions: ReadonlySet<string> = new Set(['substringof', 'startswith', 'endswith', 'indexof'])

/**
 * Returns a filter that ignores case: strings are converted to upper case as in JavaScript. Relational comparisons stay
 * case-sensitive, like `$orderby`.
 */
export function foldCase(expression: Expression, folding: CaseFolding): Expression {
  switch (expression.kind) {
    case 'Unary':
    case 'Cast':
      return { ...expression, operand: foldCase(expression.operand, folding) }
    case 'Binary':
      return foldBinary(expression, folding)
    case 'Call': {
      const given = expression.arguments.map((one) => foldCase(one, folding))
      return { ...expression, arguments: foldedFunctions.has(expression.name) ? given.map(upperCase) : given }
    }
    default:
      return expression
  }
}

function foldBinary(expression: Binary, folding: CaseFolding): Binary {
  const { operator, operandType } = expression
  const left = foldCase(expression.left, folding)
  const right = foldCase(expression.right, folding)
  const isFolded =
    folding === 'all' && operandType === 'Edm.String' && (operator === 'eq' || operator === 'ne')
  return {
    ...expression,
    left: isFolded ? upperCase(left) : left,
    right: isFolded ? upperCase(right) : right,
  }
}

/** Returns the upper case of a string expression. */
export function upperCase(text: Expression): Expression {
  if (text.kind === 'Literal') {
    return typeof text.value === 'string' ? { ...text, value: text.value.toUpperCase() } : text
  }
  if (text.kind === 'Call' && text.name === 'toupper') return text
  return {
    kind: 'Call',
    name: 'toupper',
    arguments: [text],
    parameterTypes: ['Edm.String'],
    type: 'Edm.String',
  } satisfies Call
}
