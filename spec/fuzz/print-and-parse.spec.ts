import { fc, runs } from '../support/random.js'
import { parseFilter, parseOrderBy } from '../../lib/uri/parse-expression.js'
import { printExpression } from '../support/print-expression.js'
import { randomCondition } from '../support/random-expressions.js'
import { randomTree, withoutPositions } from '../support/random-syntax-trees.js'

describe('Printing and parsing', () => {
  it('MUST preserve every syntax tree', () => {
    fc.assert(
      fc.property(randomTree, (tree) => {
        expect(withoutPositions(parseFilter(printExpression(tree)))).toEqual(tree)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST preserve every term of an order', () => {
    fc.assert(
      fc.property(randomTree, fc.boolean(), (tree, descending) => {
        const [term, ...others] = parseOrderBy(`${printExpression(tree)} ${descending ? 'desc' : 'asc'}`)
        expect(others).toEqual([])
        expect(term === undefined ? undefined : withoutPositions(term.expression)).toEqual(tree)
        expect(term?.descending).toBe(descending)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST be stable after the first time', () => {
    fc.assert(
      fc.property(randomCondition, (text) => {
        const tree = parseFilter(text)
        const printed = printExpression(tree)
        expect(withoutPositions(parseFilter(printed))).toEqual(withoutPositions(tree))
        expect(printExpression(parseFilter(printed))).toBe(printed)
      }),
      { numRuns: runs(1000) },
    )
  })
})
