import { filterOutcome, valueOf } from '../support/expressions.js'
import { errorOf } from '../support/error-of.js'

describe('Arithmetic (MS-ODATA 2.2.3.6.1.1.2)', () => {
  describe('Whole numbers', () => {
    it.each([
      ['5 add 3', 8],
      ['5 sub 8', -3],
      ['5 mul -3', -15],
      ['7 div 2', 3],
      ['-7 div 2', -3],
      ['7 div -2', -3],
      ['-7 div -2', 3],
      ['7 mod 3', 1],
      ['-7 mod 3', -1],
      ['7 mod -3', 1],
      ['-7 mod -3', -1],
      ['1 div 3', 0],
      ['-1 div 3', 0],
      ['-3 mod 3', 0],
      ['- ID', -5],
      ['-(0)', 0],
      ['-Small', -200],
      ['Small add Small', 400],
      ['Tiny sub Small', -300],
      ['Rating mul Rating', 1_073_741_824],
    ])('MUST evaluate %s to %d', (text, value) => {
      expect(valueOf(text, { ID: 5, Small: 200, Tiny: -100, Rating: -32_768 })).toBe(value)
    })

    it.each([
      ['2147483647 add 1', 2147483648],
      ['-2147483648 sub 1', -2147483649],
      ['2147483647 mul 2147483647', 4611686014132420609n],
      ['ID add ID', 4294967294],
      ['-(ID) sub 2', -2147483649],
    ])('MUST return a result of %s beyond 32 bits without overflow', (text, value) => {
      expect(valueOf(text, { ID: 2147483647 })).toBe(value)
    })

    it.each([
      ['Stock add 1', 9007199254740994n],
      ['Stock sub 1', 9007199254740992n],
      ['Stock mul 3', 27021597764222979n],
      ['Stock div 2', 4503599627370496n],
      ['Stock mod 10', 3n],
      ['-Stock', -9007199254740993n],
      ['9223372036854775807L add 1', 9223372036854775808n],
      ['-9223372036854775808L sub 1', -9223372036854775809n],
      ['9223372036854775807 mul 9223372036854775807', 85070591730234615847396907784232501249n],
      ['-(-9223372036854775808L)', 9223372036854775808n],
    ])('MUST compute %s exactly', (text, value) => {
      for (const Stock of [9007199254740993n, '9007199254740993'])
        expect(valueOf(text, { Stock })).toBe(value)
    })

    it('MUST compare results beyond 32 bits exactly', () => {
      const row = { ID: 2147483647, Stock: 9223372036854775807n }
      expect(filterOutcome('ID add 1 gt ID', row)).toBe(true)
      expect(filterOutcome('Stock add 1 gt Stock', row)).toBe(true)
      expect(filterOutcome('Stock add 1 eq 9223372036854775808', row)).toBe(true)
      expect(filterOutcome('Stock add 1 eq 9223372036854775809', row)).toBe(false)
      expect(filterOutcome('Stock mul Stock eq 85070591730234615847396907784232501249M', row)).toBe(true)
      expect(filterOutcome('Stock sub 1 lt 9223372036854775807L', row)).toBe(true)
    })

    it.each(['ID div Small', 'ID mod Small', 'Stock div Small', 'Price div Small', 'Price mod (1 sub 1)'])(
      'MUST return null for %s for a row with a division by zero',
      (text) => {
        const row = { ID: 5, Small: 0, Stock: 5n, Price: '5' }
        expect(valueOf(text, row)).toBeNull()
        expect(filterOutcome(`${text} eq null`, row)).toBe(true)
        expect(filterOutcome(`${text} gt 0`, row)).toBe(false)
      },
    )
  })

  describe('Decimals', () => {
    it.each([
      ['Price add 0.2', '0.3'],
      ['Price mul 3', '0.3'],
      ['Price sub 0.1', '0.0'],
      ['Price add ID', '5.1'],
      ['Price add Stock', '9007199254740993.1'],
      ['1M div 8M', '0.125'],
      ['1M div 3M', '0.3333333333333333333333333333'],
      ['-2M div 3M', '-0.6666666666666666666666666667'],
      ['7.5M mod 2M', '1.5'],
      ['-7.5M mod 2M', '-1.5'],
      ['7.5M mod -2M', '1.5'],
      ['12345678901234567890.12345678M mul 10M', '123456789012345678901.23456780'],
      ['-Price', '-0.1'],
      ['9223372036854775808 add 1', '9223372036854775809'],
    ])('MUST compute %s exactly: %s', (text, value) => {
      expect(filterOutcome(`${text} eq ${value}M`, { Price: '0.1', ID: 5, Stock: 9007199254740993n })).toBe(
        true,
      )
    })

    it('MUST compute the product of any two numbers of 29 digits, and chains of quotients', () => {
      const longest = '7.9228162514264337593543950335M'
      const square = '62.77101735386680763835789423049210091073826769276946612225M'
      expect(filterOutcome(`${longest} mul ${longest} eq ${square}`, {})).toBe(true)
      expect(filterOutcome(`Price${' div 1.3M'.repeat(80)} gt 0`, { Price: '12345.67' })).toBe(true)
    })

    it('MUST compute numbers of 60 digits, before and after the decimal point', () => {
      const tenth30 = `0.${'0'.repeat(29)}1M`
      expect(filterOutcome(`${tenth30} mul ${tenth30} eq 0.${'0'.repeat(59)}1M`)).toBe(true)
      const [ten30, ten29] = [`1${'0'.repeat(30)}M`, `1${'0'.repeat(29)}M`]
      expect(filterOutcome(`${ten30} mul ${ten29} eq 1${'0'.repeat(59)}M`)).toBe(true)
      expect(filterOutcome(`-${ten30} mul ${ten29} eq -1${'0'.repeat(59)}M`)).toBe(true)
      expect(filterOutcome(`-${ten30} mul ${ten29} lt -1M`)).toBe(true)
    })

    it('MUST accept numbers, bigints and digits from a provider', () => {
      for (const Price of [0.1, '0.1', '0.10'])
        expect(filterOutcome('Price add 0.2 eq 0.3', { Price })).toBe(true)
      expect(filterOutcome('Price eq 5', { Price: 5n })).toBe(true)
    })

    it.each([
      `Price${' mul 1e400'.repeat(3)} gt 1`,
      `Price${' div 1e-400'.repeat(3)} gt 1`,
      `Price${' mul 1e-400'.repeat(3)} gt 1`,
      'Price add 1e-61 gt 1',
      '1e60 mul Price gt 1',
      '-1e60 mul Price lt 1',
      `Price mul 1e30 mul 1e31 gt 1`,
    ])('MUST respond with 400 to numbers that grow without limit, and name the limit: %s', (text) => {
      expect(errorOf(() => filterOutcome(text, { Price: '1' }))).toMatchObject({
        code: 'LimitExceeded',
        status: 400,
        message: 'An expression computes a number of more than 60 digits.',
        details: { limit: 'decimalDigits' },
      })
    })
  })

  describe('Floating-point numbers', () => {
    it.each([
      ['Weight add 0.2', 0.1 + 0.2],
      ['Weight mul 3', 0.1 * 3],
      ['1D div 0', Number.POSITIVE_INFINITY],
      ['-1D div 0', Number.NEGATIVE_INFINITY],
      ['0D div 0', Number.NaN],
      ['5D mod 0', Number.NaN],
      ['7D div 2', 3.5],
      ['-7.5D mod 2', -1.5],
      ['1e308 mul 10', Number.POSITIVE_INFINITY],
      ['-INF add INF', Number.NaN],
      ['Weight add Price', 0.2],
      ['Weight add Stock', 9007199254740992],
      ['Discount add Weight', Math.fround(0.1) + 0.1],
      ['-Discount', -Math.fround(0.1)],
      ['ID add 0.5', 5.5],
    ])('MUST compute %s according to IEEE 754', (text, value) => {
      const row = { Weight: 0.1, Discount: 0.1, Price: '0.1', Stock: 9007199254740993n, ID: 5 }
      expect(valueOf(text, row)).toEqual(value)
    })

    it.each([
      ['Discount add 0.2', Math.fround(Math.fround(0.1) + Math.fround(0.2))],
      ['Discount mul 3', Math.fround(Math.fround(0.1) * 3)],
      ['Discount mul Price', Math.fround(Math.fround(0.1) * Math.fround(0.7))],
      ['Discount add 16777217', 16777216],
      ['Discount add Stock', 9007199254740992],
      ['3e38F mul 10', Number.POSITIVE_INFINITY],
    ])('MUST compute %s in 32 bits', (text, value) => {
      const row = { Discount: 0.1, Price: '0.7', Stock: 9007199254740993n }
      expect(valueOf(text, row)).toBe(value)
    })

    it('MUST treat NaN as equal to no value and without order', () => {
      const row = { Weight: Number.NaN }
      expect(filterOutcome('Weight eq Weight', row)).toBe(false)
      expect(filterOutcome('Weight ne Weight', row)).toBe(true)
      expect(filterOutcome('Weight eq NaN', row)).toBe(false)
      expect(filterOutcome('Weight lt 1', row)).toBe(false)
      expect(filterOutcome('Weight ge 1', row)).toBe(false)
      expect(filterOutcome('not (Weight ge 1)', row)).toBe(true)
      expect(filterOutcome('Weight eq null', row)).toBe(false)
    })
  })

  it('MUST NOT accept values other than numbers from a provider', () => {
    expect(() => valueOf('ID add 1', { ID: '5' })).toThrow(TypeError)
    expect(() => valueOf('Price add 1', { Price: 'x' })).toThrow(
      "'Price' of NW.Product holds string 'x', not Edm.Decimal.",
    )
  })
})
