import { keyOrder, totalOrder } from '../../lib/query/entity-query.js'
import { conjunction, conjunctsOf, forEachPath } from '../../lib/query/expression.js'
import { restrictNavigation } from '../../lib/data/navigation-steps.js'
import { filterOn, filterOutcome, orderOn, outcomeOf } from '../support/expressions.js'
import { setNamed } from '../support/protocol-model.js'

describe('Parts of a filter', () => {
  it('MUST split a filter at every top-level `and`', () => {
    const cut = (text: string): number => conjunctsOf(filterOn('Products', text)).length
    expect(cut('Active')).toBe(1)
    expect(cut('Active and ID eq 1')).toBe(2)
    expect(cut('Active and ID eq 1 and Name eq null and Price gt 5')).toBe(4)
    expect(cut('(Active and ID eq 1) and (Name eq null and Price gt 5)')).toBe(4)
    expect(cut('Active and (ID eq 1 or Name eq null and Price gt 5)')).toBe(2)
    expect(cut('not (Active and ID eq 1)')).toBe(1)
  })

  it('MUST preserve the order of the parts', () => {
    const parts = conjunctsOf(filterOn('Products', 'ID eq 1 and ID eq 2 and (ID eq 3 and ID eq 4)'))
    expect(parts).toMatchObject([1, 2, 3, 4].map((value) => ({ right: { value } })))
  })

  it('MUST split long chains without a stack overflow', () => {
    const text = `Active${' and Active'.repeat(20_000)}`
    expect(conjunctsOf(filterOn('Products', text))).toHaveLength(20_001)
  })

  it('MUST join the parts to an equivalent filter', () => {
    const text = 'Active and ID eq 1 and Name ne null'
    const joined = conjunction(conjunctsOf(filterOn('Products', text)))
    if (joined === undefined) throw new Error('There are parts.')
    for (const Active of [true, false, null]) {
      for (const ID of [1, 2]) {
        const row = { Active, ID, Name: 'x' }
        expect(outcomeOf(joined, row)).toBe(filterOutcome(text, row))
      }
    }
  })

  it('MUST join an empty list to undefined, and return a single part unchanged', () => {
    const one = filterOn('Products', 'Active')
    expect(conjunction([])).toBeUndefined()
    expect(conjunction([one])).toBe(one)
  })

  it('MUST visit every path of an expression', () => {
    const seen: string[] = []
    const text =
      "not (length(concat(Name,Dims/Unit)) add -ID gt 1 or Category/Parent ne null) and isof('NW.Product') and cast(Stock,'Edm.String') eq 'x'"
    forEachPath(filterOn('Products', text), (path) => {
      seen.push(path.kind === 'PropertyPath' ? path.property.name : `${path.steps.length} steps`)
    })
    expect(seen).toEqual(['Name', 'Unit', 'ID', '2 steps', '0 steps', 'Stock'])
  })

  it('MUST NOT visit the restrictions of a navigation step: they apply to the related entities', () => {
    const seen: string[] = []
    const restricted = restrictNavigation(filterOn('Products', "Category/Name eq 'x'"), () =>
      filterOn('Categories', 'ID gt 5'),
    )
    forEachPath(restricted, (path) => {
      if (path.kind === 'PropertyPath') seen.push(path.property.name)
    })
    expect(seen).toEqual(['Name'])
  })
})

describe('The total order', () => {
  const names = (set: string, orderBy: string): string[] =>
    totalOrder(orderBy === '' ? [] : orderOn(set, orderBy), setNamed(set).entityType).map(
      ({ expression, descending }) =>
        `${expression.kind === 'PropertyPath' ? expression.property.name : expression.kind}${descending ? ' desc' : ''}`,
    )

  it('MUST default to the ascending key', () => {
    expect(names('Products', '')).toEqual(['ID'])
    expect(names('Lines', '')).toEqual(['Order', 'No'])
    expect(names('Files', '')).toEqual(['path'])
  })

  it('MUST be the terms of $orderby followed by the key', () => {
    expect(names('Products', 'Name desc,length(Name)')).toEqual(['Name desc', 'Call', 'ID'])
    expect(names('Lines', 'No desc')).toEqual(['No desc', 'Order', 'No'])
  })

  it('MUST return the same object for the same type, so that objects derived from it can be cached', () => {
    const type = setNamed('Lines').entityType
    expect(totalOrder([], type)).toBe(keyOrder(type))
  })
})
