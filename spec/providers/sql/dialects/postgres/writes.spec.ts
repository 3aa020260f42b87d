import type { Column, ColumnFacts } from '../../../../../lib/providers/sql/column.js'
import { postgresMisfit } from '../../../../../lib/providers/sql/dialects/postgres/writes.js'

const misfit = (facts: Partial<ColumnFacts>, value: string): string | undefined =>
  postgresMisfit({ facts: { typeArguments: [], ...facts } } as unknown as Column, value)

describe('A string for a column of PostgreSQL', () => {
  it.each<[digits: number, value: string, lost: number | undefined]>([
    [0, 'PT0.5502H', 2],
    [0, 'PT1.5H', undefined],
    [0, '0.01 min', 1],
    [0, '1500 ms', 1],
    [3, '1500 microseconds', 4],
    [0, '2000 milliseconds', undefined],
    [0, '1.1 weeks 0.5 days 0.3 mons', undefined],
    [6, '1.0000000001 weeks', 8],
    [0, '1.5 years 1.5 decades 1 mil', undefined],
    [0, 'P1MT1.5M', undefined],
    [0, 'P1.25MT0.001M', 2],
    [0, 'P0.57MT1M', undefined],
    [0, 'P0.57M', undefined],
    [0, 'PT0.57M', 1],
    [0, '1 day 04:05:06', undefined],
    [0, '1 day 04:05:06.5', 1],
  ])('MUST not lose digits of seconds: interval(%i) %s', (fractionDigits, value, lost) => {
    const expected =
      lost === undefined
        ? undefined
        : `the database stores ${String(fractionDigits)} digits after the decimal point, not ${String(lost)}`
    expect(misfit({ dataType: 'interval', fractionDigits }, value)).toBe(expected)
  })

  it('MUST not contain fractions of years that are not whole months', () => {
    const year = { dataType: 'interval', fractionDigits: 6 }
    expect(misfit(year, '0.3 years')).toBe('the database stores whole months')
    expect(misfit(year, '0.01 centuries 0.01 quarters')).toBe('the database stores whole months')
  })

  it('MUST have numbers of at most 100 characters', () => {
    const second = { dataType: 'interval', fractionDigits: 6 }
    expect(misfit(second, `1.${'0'.repeat(98)} days`)).toBeUndefined()
    expect(misfit(second, `1.${'0'.repeat(99)} days`)).toBe('its numbers must have at most 100 characters')
    expect(misfit(second, `P${'9'.repeat(1_000_000)}D`)).toBe('its numbers must have at most 100 characters')
  })

  it('MUST not lose digits of members of composite types and of their arrays', () => {
    const parts = [
      { dataType: 'text', fractionDigits: undefined },
      { dataType: 'numeric', fractionDigits: 1 },
      { dataType: '_interval', fractionDigits: 0 },
    ]
    const lost = (digits: number, given: number): string =>
      `the database stores ${String(digits)} digits after the decimal point, not ${String(given)}`
    const one = { dataType: 'measure', parts }
    expect(misfit(one, '(1.25,1.5,)')).toBeUndefined()
    expect(misfit(one, '("a, ""b"" 1.25",1.25,)')).toBe(lost(1, 2))
    expect(misfit(one, '(,," {1 s,""1.5 s""}")')).toBe(lost(0, 1))
    expect(misfit(one, '(1.25)')).toBeUndefined()
    expect(misfit(one, '("""x"",1.25,""y""",1.5,)')).toBeUndefined()
    expect(misfit(one, '("""a,b""",1.25,)')).toBe(lost(1, 2))
    expect(misfit(one, '("",1.25,"")')).toBe(lost(1, 2))
    const several = { dataType: '_measure', parts }
    expect(misfit(several, '{"(1.25,1.5,)",NULL}')).toBeUndefined()
    expect(misfit(several, '{NULL,"(\\"a, b\\",1.25,)"}')).toBe(lost(1, 2))
  })
})
