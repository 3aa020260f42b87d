import { filter, FilterTemplate } from '../../lib/provider/authorize.js'

/** How a template reads with its values in their places. */
function shown({ source, values }: FilterTemplate): string {
  return source.replace(/\0(\d+)\0/g, (_, index: string) => `<${String(values[Number(index)])}>`)
}

describe('The filter tag', () => {
  it('MUST separate values from the text', () => {
    const made = filter`Owner eq ${"x' or true"} and Rating gt ${3}`
    expect(made.source).not.toContain('true')
    expect(made.values).toEqual(["x' or true", 3])
    expect(shown(made)).toBe("Owner eq <x' or true> and Rating gt <3>")
  })

  it('MUST put filters that are embedded in brackets, however deep', () => {
    const inner = filter`A eq ${1} or B eq ${2}`
    expect(shown(filter`${inner} and C eq ${3}`)).toBe('(A eq <1> or B eq <2>) and C eq <3>')
    expect(shown(filter`X eq ${0} and not ${filter`${inner} and ${inner}`}`)).toBe(
      'X eq <0> and not ((A eq <1> or B eq <2>) and (A eq <1> or B eq <2>))',
    )
  })

  it('MUST be a single text without values', () => {
    expect(filter`Public`).toMatchObject({ source: 'Public', values: [] })
  })

  it('MUST recognize filters of another copy of the package, and no similar objects', () => {
    const brand = Symbol.for('express-odata-v2.FilterTemplate')
    const other = Object.defineProperty({ source: 'A eq \u00000\u0000', values: [7] }, brand, { value: true })
    expect(other).toBeInstanceOf(FilterTemplate)
    expect(shown(filter`B eq ${8} and ${other}`)).toBe('B eq <8> and (A eq <7>)')
    expect({ source: 'true', values: [] }).not.toBeInstanceOf(FilterTemplate)
    expect(
      JSON.parse('{"source":"true","values":[],"express-odata-v2.FilterTemplate":true}'),
    ).not.toBeInstanceOf(FilterTemplate)
  })
})
