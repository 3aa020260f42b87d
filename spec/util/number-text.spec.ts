import { fc, runs } from '../support/random.js'
import { integerText, numberText } from '../../lib/util/number-text.js'

describe('integerText and numberText', () => {
  it('MUST format integers as JavaScript does', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(integerText(value)).toBe(String(value))
      }),
      { numRuns: runs(2000) },
    )
    for (const edge of [
      0,
      0x3fffffff,
      0x40000000,
      999_999,
      1_000_000,
      1e9,
      1e12,
      1e15,
      Number.MAX_SAFE_INTEGER,
    ]) {
      expect(integerText(edge)).toBe(String(edge))
      expect(integerText(-edge)).toBe(String(0 - edge))
    }
  })

  it('MUST format arbitrary numbers as JavaScript does', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(numberText(value)).toBe(String(value))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST format numbers with few decimals as JavaScript does', () => {
    const decimals = fc.tuple(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.constantFrom(1, 2, 4, 8, 10, 16, 100, 1000, 1e4),
    )
    fc.assert(
      fc.property(decimals, ([numerator, divisor]) => {
        expect(numberText(numerator / divisor)).toBe(String(numerator / divisor))
      }),
      { numRuns: runs(5000) },
    )
    for (const value of [
      0,
      -0,
      0.001,
      -0.001,
      0.0001,
      1e-7,
      1e21,
      NaN,
      Infinity,
      -Infinity,
      1073741.823,
      1073741.824,
    ]) {
      expect(numberText(value)).toBe(String(value))
    }
  })
})
