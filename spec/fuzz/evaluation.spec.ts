import { fc, runs } from '../support/random.js'
import { Decimal } from '../../lib/edm/decimal.js'
import type { Operand } from '../../lib/edm/primitive-types/primitive-type.js'
import { ExpressionCompiler } from '../../lib/evaluation/compile-expression.js'
import { embeddedNavigation, expressionOn, filterOn, outcomeOf } from '../support/expressions.js'
import { setNamed } from '../support/protocol-model.js'
import { randomCondition, randomNumber } from '../support/random-expressions.js'
import { randomProduct, referenceProduct } from '../support/random-rows.js'
import { evaluateReference } from '../support/reference-evaluator.js'
import type { ReferenceValue } from '../support/reference-values.js'

const rows = fc.array(randomProduct, { minLength: 1, maxLength: 6 })

function referenceOutcome(value: ReferenceValue): boolean | null {
  if (value === null) return null
  if (value.t !== 'Boolean') throw new Error('This is no condition.')
  return value.v
}

/** A number as text that is the same for equal numbers of either side. */
function referenceNumber(value: ReferenceValue): string {
  if (value === null) return 'null'
  if (value.t === 'Decimal') return ratio(value.n, value.d)
  if (!('v' in value)) throw new Error('This is no number.')
  return typeof value.v === 'number' ? `double ${value.v + 0}` : ratio(value.v as bigint, 1n)
}

function operandNumber(operand: Operand | null, type: unknown): string {
  if (operand === null) return 'null'
  if (operand instanceof Decimal) return ratio(operand.coefficient, 10n ** BigInt(operand.scale))
  if (type === 'Edm.Double' || type === 'Edm.Single') return `double ${Number(operand) + 0}`
  return ratio(BigInt(operand as number | bigint), 1n)
}

function ratio(n: bigint, d: bigint): string {
  let [a, b] = [n < 0n ? -n : n, d]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? '0/1' : `${n / a}/${d / a}`
}

describe('Random expressions, compared with an independent evaluator', () => {
  it('MUST evaluate to the same true, false or null for the same rows', () => {
    fc.assert(
      fc.property(randomCondition, rows, (text, given) => {
        const condition = filterOn('Products', text)
        for (const row of given) {
          expect(outcomeOf(condition, row)).toBe(
            referenceOutcome(evaluateReference(text, row, referenceProduct)),
          )
        }
      }),
      { numRuns: runs(600) },
    )
  })

  it('MUST evaluate to the same numbers', () => {
    fc.assert(
      fc.property(randomNumber, rows, (text, given) => {
        const expression = expressionOn('Products', text)
        const read = new ExpressionCompiler(setNamed('Products').entityType, embeddedNavigation).operand(
          expression,
        )
        for (const row of given) {
          const expected = referenceNumber(evaluateReference(text, row, referenceProduct))
          expect(operandNumber(read(row), expression.type)).toBe(expected)
        }
      }),
      { numRuns: runs(600) },
    )
  })
})
