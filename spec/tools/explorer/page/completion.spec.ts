import type { CompletedOption } from '../../../../lib/tools/explorer/page/completion.js'
import { complete } from '../../../../lib/tools/explorer/page/completion.js'
import { product, shopModel } from './shop-model.js'

function texts(option: CompletedOption, text: string): string[] {
  return complete(option, text, product, shopModel).suggestions.map((one) => one.text)
}

describe('complete', () => {
  it('MUST suggest properties, single-valued navigation properties and functions at the start of $filter', () => {
    expect(texts('$filter', '')).toEqual(
      expect.arrayContaining(['ID', 'Name', 'Dims/', 'Category/', "substringof('',)", 'not ']),
    )
    expect(texts('$filter', '')).not.toContain('Lines/')
  })

  it('MUST suggest names that start with the word at the caret, in any case, before those that contain it', () => {
    expect(texts('$filter', 'na').slice(0, 1)).toEqual(['Name'])
    expect(texts('$filter', 'ID eq 1 and re').slice(0, 1)).toEqual(['Released'])
  })

  it.each([
    ['ID ', 'eq '],
    ['ID eq 1 ', 'and '],
    ["startswith(Name,'A') ", 'and '],
  ])('MUST suggest operators after an operand: %s', (text, first) => {
    expect(texts('$filter', text)[0]).toBe(first)
  })

  it.each([
    ['Name eq ', "''"],
    ['Released gt ', "datetime'2026-01-01T00:00:00'"],
    ['Dims/Width eq ', 'null'],
  ])('MUST suggest literals of the type of the other operand: %s', (text, first) => {
    expect(texts('$filter', text)[0]).toBe(first)
  })

  it('MUST follow paths over navigation and complex properties', () => {
    expect(texts('$filter', 'Category/')).toEqual(['Category/ID', 'Category/Title'])
    expect(texts('$orderby', 'Dims/W')).toEqual(['Dims/Width'])
    expect(texts('$expand', 'Category/')).toEqual(['Category/Products'])
    expect(texts('$select', 'Category/T')).toEqual(['Category/Title'])
  })

  it('MUST suggest nothing in a string literal', () => {
    expect(texts('$filter', "Name eq 'Na")).toEqual([])
    expect(texts('$filter', "Name eq 'Na' ")).toContain('and ')
  })

  it('MUST suggest directions after a property of $orderby', () => {
    expect(texts('$orderby', 'Name ')).toEqual(['asc', 'desc'])
    expect(texts('$orderby', 'Name desc,')).toContain('ID')
  })

  it('MUST replace only the word at the caret', () => {
    expect(complete('$filter', 'ID eq 1 and Na', product, shopModel).from).toBe(12)
  })
})
