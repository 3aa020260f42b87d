import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { SqlValue } from '../sql-value.js'

const wholeTypes: ReadonlySet<string> = new Set([
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])

export function isWhole(type: PrimitiveTypeName | null): boolean {
  return type !== null && wholeTypes.has(type)
}

/** How many bits a whole number takes, without its sign. */
export function bitLength(value: bigint): number {
  return (value < 0n ? -value - 1n : value).toString(2).length
}

/**
 * How many bits the result of an operation takes at most; undefined when an operand is no whole number.
 */
export function bitsOfResult(
  operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
  left: SqlValue,
  right: SqlValue,
): number | undefined {
  if (left.bits === undefined || right.bits === undefined) return undefined
  switch (operator) {
    case 'add':
    case 'sub':
      return Math.max(left.bits, right.bits) + 1
    case 'mul':
      return left.bits + right.bits + 1
    case 'div':
      // The smallest number by minus one.
      return left.bits + 1
    case 'mod':
      return left.bits
  }
}
