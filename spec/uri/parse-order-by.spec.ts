import { parseOrderBy } from '../../lib/uri/parse-expression.js'
import { errorOf } from '../support/error-of.js'
import { shapeOf } from '../support/tree-shape.js'

function termsOf(text: string): string[] {
  return parseOrderBy(text).map(
    ({ expression, descending }) => `${shapeOf(expression)}${descending ? ' ↓' : ''}`,
  )
}

describe('The grammar of $orderby (MS-ODATA 2.2.3.6.1.2)', () => {
  it.each([
    ['Name', ['Name']],
    ['Name asc', ['Name']],
    ['Name desc', ['Name ↓']],
    ['Name desc,ID', ['Name ↓', 'ID']],
    [' Name\tdesc , ID asc ,Category/Name ', ['Name ↓', 'ID', 'Category/Name']],
    ['Price mul 2 add 1 desc', ['(add (mul Price 2) 1) ↓']],
    ["substringof('a,b',Name) desc,length(Name)", ["(call substringof 'a,b' Name) ↓", '(call length Name)']],
    ['desc', ['desc']],
    ['desc desc,asc asc', ['desc ↓', 'asc']],
    ['(Name) desc', ['Name ↓']],
    ['(Name)desc', ['Name ↓']],
    ['not eq true desc', ['(eq not true) ↓']],
    ['Name,Name', ['Name', 'Name']],
  ])('MUST parse %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it.each([
    ['', 0, 'Expected an operand, but the expression ends'],
    [',', 0, 'Expected an operand'],
    ['Name,', 5, 'Expected an operand, but the expression ends'],
    ['Name,,ID', 5, 'Expected an operand'],
    ['Name up', 5, 'Expected an operator or the end of the expression'],
    ['Name DESC', 5, 'Expected an operator or the end of the expression'],
    ['Name descending', 5, 'Expected an operator or the end of the expression'],
    ['Name asc desc', 9, 'Expected an operator or the end of the expression'],
    ['Name;ID', 4, 'Expected an operator or the end of the expression'],
  ])('MUST respond with 400 to %j and point at %i', (text, position, message) => {
    const error = errorOf(() => parseOrderBy(text))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: text },
    })
    expect(error.message).toContain(`$orderby: ${message}.`)
  })

  it('MUST explain the notation of directions', () => {
    expect(errorOf(() => parseOrderBy('Name DESC')).message).toContain(
      "'DESC' is not an operator. Did you mean 'desc'?",
    )
    expect(errorOf(() => parseOrderBy('Name Asc,ID')).message).toContain("Did you mean 'asc'?")
    expect(errorOf(() => parseOrderBy('Name descending')).message).toContain(
      "'descending' is not an operator. Did you mean 'desc'?",
    )
    expect(errorOf(() => parseOrderBy('Name ascending,ID')).message).toContain("Did you mean 'asc'?")
    for (const other of ['Name xdescending', 'Name xascending', 'Name descendings']) {
      expect(errorOf(() => parseOrderBy(other)).message).not.toContain('Did you mean')
    }
  })

  it('MUST count the operators and operands of all terms together', () => {
    const limits = { expressionDepth: 10, expressionNodes: 3 }
    expect(parseOrderBy('a,b,c', { limits })).toHaveLength(3)
    expect(errorOf(() => parseOrderBy('a,b,c,d', { limits }))).toMatchObject({
      code: 'LimitExceeded',
      details: { limit: 'expressionNodes' },
    })
  })
})
