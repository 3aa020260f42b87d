import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import {
  isInteger,
  isNumeric,
  primitiveTypeNames,
} from '../../lib/edm/primitive-types/primitive-type-name.js'
import { comparisonType, negated, promote, widens } from '../../lib/query/operator-types.js'

const numbers = ['Byte', 'SByte', 'Int16', 'Int32', 'Int64', 'Decimal', 'Single', 'Double'] as const
/** A row of the table: the type that results from each of the types above. */
const table: Readonly<Record<(typeof numbers)[number], string>> = {
  Byte: 'Int32 Int32 Int32 Int32 Int64 Decimal Single Double',
  SByte: 'Int32 Int32 Int32 Int32 Int64 Decimal Single Double',
  Int16: 'Int32 Int32 Int32 Int32 Int64 Decimal Single Double',
  Int32: 'Int32 Int32 Int32 Int32 Int64 Decimal Single Double',
  Int64: 'Int64 Int64 Int64 Int64 Int64 Decimal Single Double',
  Decimal: 'Decimal Decimal Decimal Decimal Decimal Decimal Single Double',
  Single: 'Single Single Single Single Single Single Single Double',
  Double: 'Double Double Double Double Double Double Double Double',
}

describe('Types of operators (MS-ODATA 2.2.3.6.1.1.2)', () => {
  it.each(numbers)('MUST promote Edm.%s with every other numeric type according to the table', (left) => {
    const results = numbers.map((right) => promote(`Edm.${left}`, `Edm.${right}`).slice('Edm.'.length))
    expect(results.join(' ')).toBe(table[left])
  })

  it.each([
    ['Edm.Byte', 'Edm.Int32'],
    ['Edm.SByte', 'Edm.Int32'],
    ['Edm.Int16', 'Edm.Int32'],
    ['Edm.Int32', 'Edm.Int32'],
    ['Edm.Int64', 'Edm.Int64'],
    ['Edm.Decimal', 'Edm.Decimal'],
    ['Edm.Single', 'Edm.Double'],
    ['Edm.Double', 'Edm.Double'],
  ] as const)('MUST type the negation of %s as %s', (type, result) => {
    expect(negated(type)).toBe(result)
  })

  it.each([
    ['Byte', 'Byte Int16 Int32 Int64 Decimal Single Double'],
    ['SByte', 'SByte Int16 Int32 Int64 Decimal Single Double'],
    ['Int16', 'Int16 Int32 Int64 Decimal Single Double'],
    ['Int32', 'Int32 Int64 Decimal Single Double'],
    ['Int64', 'Int64 Decimal Single Double'],
    ['Decimal', 'Decimal Single Double'],
    ['Single', 'Single Double'],
    ['Double', 'Double'],
  ] as const)('MUST widen Edm.%s only to %s', (from, to) => {
    const wider = primitiveTypeNames.filter((type) => from === type.slice(4) || widens(`Edm.${from}`, type))
    expect(wider.map((type) => type.slice('Edm.'.length)).sort()).toEqual(to.split(' ').sort())
  })

  it('MUST compare numbers with numbers, and all other types only with themselves', () => {
    for (const left of primitiveTypeNames) {
      for (const right of primitiveTypeNames) {
        const equality = comparisonType('equality', left, right)
        const relational = comparisonType('relational', left, right)
        if (isNumeric(left) && isNumeric(right)) {
          expect([equality, relational]).toEqual([promote(left, right), promote(left, right)])
        } else if (left === right) {
          expect(equality).toBe(left)
          expect(relational).toBe(left === 'Edm.Boolean' || left === 'Edm.Binary' ? undefined : left)
        } else {
          expect([equality, relational]).toEqual([undefined, undefined])
        }
      }
    }
  })

  it('MUST classify numeric and integer types', () => {
    const short = (test: (type: PrimitiveTypeName) => boolean): string[] =>
      primitiveTypeNames.filter(test).map((name) => name.slice('Edm.'.length))
    expect(short(isNumeric).sort()).toEqual([...numbers].sort())
    expect(short(isInteger).sort()).toEqual(['Byte', 'Int16', 'Int32', 'Int64', 'SByte'])
  })
})
