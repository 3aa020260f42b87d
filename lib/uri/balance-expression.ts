import type { BinaryOperator, BinarySyntax, ExpressionSyntax } from './syntax-tree.js'

/**
 * Balances long chains of `and` and `or`, such as a selection of a thousand values: databases limit the depth of
 * expressions, and recursive functions would exceed the stack. The operands stay in order, and both operators are
 * associative, so the result is the same.
 */
export function balanceExpression(expression: ExpressionSyntax): ExpressionSyntax {
  switch (expression.kind) {
    case 'Binary':
      return isLogical(expression.operator)
        ? balanceChain(expression)
        : {
            ...expression,
            left: balanceExpression(expression.left),
            right: balanceExpression(expression.right),
          }
    case 'Unary':
      return { ...expression, operand: balanceExpression(expression.operand) }
    case 'Call':
      return { ...expression, arguments: expression.arguments.map(balanceExpression) }
    default:
      return expression
  }
}

/** Returns the height of a tree: the maximum number of operators and calls between its root and an operand. */
export function heightOf(expression: ExpressionSyntax): number {
  switch (expression.kind) {
    case 'Binary':
      return 1 + Math.max(heightOf(expression.left), heightOf(expression.right))
    case 'Unary':
      return 1 + heightOf(expression.operand)
    case 'Call':
      return 1 + expression.arguments.reduce((height, argument) => Math.max(height, heightOf(argument)), 0)
    case 'Path':
      return expression.root === undefined ? 0 : heightOf(expression.root)
    default:
      return 0
  }
}

function isLogical(operator: BinaryOperator): boolean {
  return operator === 'and' || operator === 'or'
}

interface Operand {
  readonly expression: ExpressionSyntax
  /** The position of the operator before the operand. */
  readonly position: number
}

function balanceChain(chain: BinarySyntax): ExpressionSyntax {
  const { operator } = chain
  let operands = operandsOf(chain)
  while (operands.length > 1) operands = joinPairs(operator, operands)
  return operands[0]?.expression ?? chain
}

/** Returns the operands of a chain. Iterates, because a chain can have as many nodes as the limit allows. */
function operandsOf(chain: BinarySyntax): Operand[] {
  const operands: Operand[] = []
  const pending: Operand[] = [{ expression: chain, position: chain.position }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { expression, position } = next
    if (expression.kind === 'Binary' && expression.operator === chain.operator) {
      pending.push({ expression: expression.right, position: expression.position })
      pending.push({ expression: expression.left, position })
    } else operands.push({ expression: balanceExpression(expression), position })
  }
  return operands
}

function joinPairs(operator: BinaryOperator, operands: readonly Operand[]): Operand[] {
  const pairs: Operand[] = []
  let left: Operand | undefined
  for (const right of operands) {
    if (left === undefined) left = right
    else {
      const { position } = right
      const expression: BinarySyntax = {
        kind: 'Binary',
        operator,
        left: left.expression,
        right: right.expression,
        position,
      }
      pairs.push({ expression, position: left.position })
      left = undefined
    }
  }
  if (left !== undefined) pairs.push(left)
  return pairs
}
