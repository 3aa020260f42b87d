import { valueOf } from '../../support/expressions.js'

describe('Canonical functions of numbers (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ['2.5M', '3', '2', '3'],
    ['-2.5M', '-3', '-3', '-2'],
    ['3.5M', '4', '3', '4'],
    ['0.49999999999999999999M', '0', '0', '1'],
    ['0.50M', '1', '0', '1'],
    ['-0.4M', '0', '-1', '0'],
    ['12345678901234567890.5M', '12345678901234567891', '12345678901234567890', '12345678901234567891'],
    ['7.00M', '7', '7', '7'],
    ['-7M', '-7', '-7', '-7'],
  ])(
    'MUST round the decimal %s half away from zero to %s, down to %s, up to %s',
    (text, round, floor, ceiling) => {
      expect(valueOf(`round(${text})`)).toBe(round)
      expect(valueOf(`floor(${text})`)).toBe(floor)
      expect(valueOf(`ceiling(${text})`)).toBe(ceiling)
    },
  )

  it.each([
    ['2.5D', 2, 2, 3],
    ['3.5D', 4, 3, 4],
    ['-2.5D', -2, -3, -2],
    ['-3.5D', -4, -4, -3],
    ['0.5D', 0, 0, 1],
    ['2.7D', 3, 2, 3],
    ['2.5000001D', 3, 2, 3],
    ['3.2D', 3, 3, 4],
    ['-1.3D', -1, -2, -1],
    ['-2.7D', -3, -3, -2],
    ['1.5', 2, 1, 2],
    ['2.4999999D', 2, 2, 3],
    ['1e300', 1e300, 1e300, 1e300],
    ['INF', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['NaN', Number.NaN, Number.NaN, Number.NaN],
    ['2.5F', 2, 2, 3],
  ])('MUST round the double %s half to even to %d, down to %d, up to %d', (text, round, floor, ceiling) => {
    expect(valueOf(`round(${text})`)).toEqual(round)
    expect(valueOf(`floor(${text})`)).toEqual(floor)
    expect(valueOf(`ceiling(${text})`)).toEqual(ceiling)
  })

  it('MUST take whole numbers for decimals, exactly', () => {
    expect(valueOf('round(ID)', { ID: 5 })).toBe('5')
    expect(valueOf('floor(Stock)', { Stock: 9007199254740993n })).toBe('9007199254740993')
    expect(valueOf('ceiling(9007199254740993)')).toBe('9007199254740993')
    expect(valueOf('round(Small) div 2', { Small: 5 })).toBe('2.5')
  })

  it.each(['round', 'floor', 'ceiling'])('MUST make null of %s(null)', (name) => {
    for (const argument of ['Price', 'Weight', 'ID', 'null']) {
      expect(valueOf(`${name}(${argument})`)).toBeNull()
    }
  })
})
