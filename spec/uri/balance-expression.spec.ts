import { balanceExpression, heightOf } from '../../lib/uri/balance-expression.js'
import { parseFilter } from '../../lib/uri/parse-expression.js'
import type { ExpressionSyntax } from '../../lib/uri/syntax-tree.js'

/** The paths of a condition from left to right, with the operators between them. */
function textOf(expression: ExpressionSyntax): string {
  if (expression.kind === 'Path') return expression.names.join('/')
  if (expression.kind !== 'Binary') throw new Error(expression.kind)
  return `${textOf(expression.left)} ${expression.operator} ${textOf(expression.right)}`
}

const chain = (count: number, operator: string): string =>
  Array.from({ length: count }, (_, index) => `p${index}`).join(` ${operator} `)

describe('A chain of operators', () => {
  it.each(['and', 'or'])('MUST preserve the order of its operands when it is balanced: %s', (operator) => {
    for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 100]) {
      const text = chain(count, operator)
      const balanced = balanceExpression(parseFilter(text))
      expect(textOf(balanced)).toBe(text)
      expect(heightOf(balanced)).toBe(Math.ceil(Math.log2(count)))
    }
  })

  it('MUST preserve the position of each operator', () => {
    const places = (expression: ExpressionSyntax): number[] =>
      expression.kind === 'Binary'
        ? [...places(expression.left), expression.position, ...places(expression.right)]
        : []
    const text = 'a or b or c or d or e'
    expect(places(balanceExpression(parseFilter(text)))).toEqual([2, 7, 12, 17])
  })

  it('MUST NOT mix operators', () => {
    const text = 'a and b and c or d and e or f'
    const balanced = balanceExpression(parseFilter(text))
    expect(textOf(balanced)).toBe(text)
    expect(balanced).toMatchObject({ operator: 'or', left: { operator: 'or', left: { operator: 'and' } } })
  })

  it('MUST be balanced within calls, signs and parentheses', () => {
    const text = chain(64, 'or')
    expect(heightOf(balanceExpression(parseFilter(`not (f(${text}) eq (-(${text})))`)))).toBe(9)
  })

  it.each(['sub', 'eq'])('MUST be unchanged where its order matters: %s', (operator) => {
    const expression = parseFilter(chain(10, operator))
    expect(balanceExpression(expression)).toEqual(expression)
    expect(heightOf(expression)).toBe(9)
  })

  it.each([
    [500, undefined],
    [501, 'expressionDepth'],
  ])('MUST have at most 500 nested operators: %i', (operators, limit) => {
    const limits = { expressionDepth: 100, expressionNodes: 5_000 }
    const parse = (): unknown => parseFilter(chain(operators + 1, 'sub'), { limits })
    if (limit === undefined) expect(parse).not.toThrow()
    else
      expect(parse).toThrow(
        expect.objectContaining({ code: 'LimitExceeded', details: expect.objectContaining({ limit }) }),
      )
  })
})
