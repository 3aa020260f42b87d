import type { Expression } from '../../lib/query/expression.js'
import { expressionOn, filterOn } from '../support/expressions.js'
import { errorOf } from '../support/error-of.js'

/** Kind, steps and end of a path: `PropertyPath Category>Categories .Dims Unit`. */
function pathOf(set: string, text: string): string {
  const expression: Expression = expressionOn(set, text)
  if (expression.kind !== 'PropertyPath' && expression.kind !== 'EntityPath')
    throw new Error('This is no path.')
  const steps = expression.steps.map((step) => {
    if (step.kind === 'Navigation') return `${step.navigation.name}>${step.target.name}`
    return step.kind === 'Complex' ? `.${step.property.name}` : `(${step.type.name})`
  })
  const end = expression.kind === 'PropertyPath' ? `${expression.property.name} ${expression.type}` : ''
  return [expression.kind, ...steps, end].join(' ').trim()
}

describe('Paths in expressions (MS-ODATA 2.2.3.6.1.1)', () => {
  it.each([
    ['Products', 'Name', 'PropertyPath Name Edm.String'],
    ['Products', 'Dims/W', 'PropertyPath .Dims W Edm.Double'],
    ['Products', 'Dims/Box/Depth', 'PropertyPath .Dims .Box Depth Edm.Int32'],
    ['Products', 'Category/Name', 'PropertyPath Category>Categories Name Edm.String'],
    [
      'Products',
      'Category/Parent/Parent/Rank',
      'PropertyPath Category>Categories Parent>Categories Parent>Categories Rank Edm.Int16',
    ],
    ['Parties', 'Boss/Name', 'PropertyPath Boss>Parties Name Edm.String'],
    ['Parties', "cast('NW.Person')/Email", 'PropertyPath (Person) Email Edm.String'],
    ['Parties', "cast('NW.Person')/Portrait/Title", 'PropertyPath (Person) Portrait>Photos Title Edm.String'],
    ['Parties', "cast(Boss,'NW.Person')/Born", 'PropertyPath Boss>Parties (Person) Born Edm.DateTime'],
    ['Parties', "cast('NW.Party')/Name", 'PropertyPath Name Edm.String'],
    ['Parties', "cast(cast('NW.Person'),'NW.Party')/Email", 'PropertyPath (Person) Email Edm.String'],
    ['Words', 'Date', 'PropertyPath Date Edm.Int32'],
    ['Words', 'eq', 'PropertyPath eq Edm.Int32'],
    ['Words', 'not', 'PropertyPath not Edm.Boolean'],
    ['Words', 'datetime', 'PropertyPath datetime Edm.Int32'],
    ['Words', 'nullable', 'PropertyPath nullable Edm.Int32'],
    ['Words', 'INFO', 'PropertyPath INFO Edm.Int32'],
  ])('MUST resolve in %s the path %s', (set, text, path) => {
    expect(pathOf(set, text)).toBe(path)
  })

  it('MUST resolve a path that ends at an entity, for comparisons with null', () => {
    expect(filterOn('Products', 'Category/Parent eq null')).toMatchObject({
      left: { kind: 'EntityPath', type: { name: 'Category' }, set: { name: 'Categories' } },
    })
  })

  it.each([
    ['Products', 'Nam eq 1', 0, "'Product' has no property 'Nam'. Did you mean 'Name'?"],
    ['Products', 'name eq 1', 0, "'Product' has no property 'name'. Did you mean 'Name'?"],
    [
      'Products',
      'ID eq 1 and Category/Nme eq 1',
      21,
      "'Category' has no property 'Nme'. Did you mean 'Name'?",
    ],
    ['Products', 'Categorie/Name eq 1', 0, "'Product' has no property 'Categorie'. Did you mean 'Category'?"],
    ['Products', 'Dims/X eq 1', 5, "'Size' has no property 'X'."],
    ['Products', 'Dims/Category/Name eq 1', 5, "'Size' has no property 'Category'."],
    ['Products', 'Name/Length eq 1', 5, "'Name' is a simple property; nothing can follow it"],
    ['Products', 'Category/Name/Length eq 1', 14, "'Name' is a simple property; nothing can follow it"],
    [
      'Products',
      'Dims eq null',
      0,
      "'Dims' is a complex property, which cannot be compared; name one of its members",
    ],
    ['Products', 'Dims/Box eq null', 5, "'Box' is a complex property, which cannot be compared"],
    ['Products', 'length(Dims) eq 1', 7, "'Dims' is a complex property, which cannot be compared"],
    [
      'Categories',
      'Products/Name eq 1',
      0,
      "'Products' leads to many entities and cannot be part of an expression",
    ],
    [
      'Categories',
      'Products eq null',
      0,
      "'Products' leads to many entities and cannot be part of an expression",
    ],
    ['Products', 'Category/Products/ID eq 1', 9, "'Products' leads to many entities and cannot be part of"],
    ['Parties', 'Email eq null', 0, "'Email' belongs to the derived type: write cast('NW.Person')/Email"],
    [
      'Parties',
      'Boss/Portrait eq null',
      5,
      "'Portrait' belongs to the derived type: write cast('NW.Person')/Portrait",
    ],
    ['Products', '__proto__ eq null', 0, "'Product' has no property '__proto__'."],
    ['Products', 'constructor eq null', 0, "'Product' has no property 'constructor'."],
    ['Products', 'Total eq 1', 0, "'Product' has no property 'Total'."],
    ['Parties', "cast('NW.Person')/Emial eq 1", 0, "'Person' has no property 'Emial'. Did you mean 'Email'?"],
    ['Parties', 'tolower(Name)/x eq 1', 0, "only a cast to an entity type can be followed by '/'"],
    ['Parties', "cast(ID,'Edm.String')/x eq 1", 0, "only a cast to an entity type can be followed by '/'"],
  ])('MUST respond with 400 on %s to %s and point at %i', (set, text, position, message) => {
    const error = errorOf(() => filterOn(set, text))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: text },
    })
    expect(error.message).toContain(`$filter: ${message}`)
  })
})
