import type { CompletedOption } from '../../../../lib/tools/explorer/page/completion.js'
import { complete } from '../../../../lib/tools/explorer/page/completion.js'
import { product, shopModel } from './shop-model.js'

function texts(option: CompletedOption, text: string): string[] {
  return complete(option, text, product, shopModel).suggestions.map((one) => one.text)
}

describe('What can be written in a query option', () => {
  it('MUST be properties, navigation to one entity, and functions at the start of $filter', () => {
    expect(texts('$filter', '')).toEqual(
      expect.arrayContaining(['ID', 'Name', 'Dims/', 'Category/', "substringof('',)", 'not ']),
    )
    expect(texts('$filter', '')).not.toContain('Lines/')
  })

  it('MUST be what starts like the word at the caret, whatever its case, before what contains it', () => {
    expect(texts('$filter', 'na').slice(0, 1)).toEqual(['Name'])
    expect(texts('$filter', 'ID eq 1 and re').slice(0, 1)).toEqual(['Released'])
  })

  it.each([
    ['ID ', 'eq '],
    ['ID eq 1 ', 'and '],
    ["startswith(Name,'A') ", 'and '],
  ])('MUST be operators behind an operand: %s', (text, first) => {
    expect(texts('$filter', text)[0]).toBe(first)
  })

  it.each([
    ['Name eq ', "''"],
    ['Released gt ', "datetime'2026-01-01T00:00:00'"],
    ['Dims/Width eq ', 'null'],
  ])('MUST be literals of the type that is compared with: %s', (text, first) => {
    expect(texts('$filter', text)[0]).toBe(first)
  })

  it('MUST follow paths over navigation and complex properties', () => {
    expect(texts('$filter', 'Category/')).toEqual(['Category/ID', 'Category/Title'])
    expect(texts('$orderby', 'Dims/W')).toEqual(['Dims/Width'])
    expect(texts('$expand', 'Category/')).toEqual(['Category/Products'])
    expect(texts('$select', 'Category/T')).toEqual(['Category/Title'])
  })

  it('MUST be nothing within a text', () => {
    expect(texts('$filter', "Name eq 'Na")).toEqual([])
    expect(texts('$filter', "Name eq 'Na' ")).toContain('and ')
  })

  it('MUST be directions behind a property of $orderby', () => {
    expect(texts('$orderby', 'Name ')).toEqual(['asc', 'desc'])
    expect(texts('$orderby', 'Name desc,')).toContain('ID')
  })

  it('MUST replace the word at the caret alone', () => {
    expect(complete('$filter', 'ID eq 1 and Na', product, shopModel).from).toBe(12)
  })
})
