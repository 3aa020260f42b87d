import type { ProviderCall } from '../../../lib/index.js'
import type { QueryPart } from '../../../lib/providers/upstream/refused-parts.js'
import { RefusedParts, searchPart } from '../../../lib/providers/upstream/refused-parts.js'

const part = (text: string, ...forms: readonly string[]): QueryPart => ({ text, forms: new Set(forms) })
const call = (): ProviderCall => ({}) as ProviderCall

const byName = part("Items?$filter=contains(Name,'a')", 'contains')
const byOtherName = part("Items?$filter=contains(Name,'b')", 'contains')
const byKey = part('Items?$filter=ID gt 5', 'gt Edm.Int32')
const order = part('Items?$orderby=Name,ID', 'order Edm.String', 'order Edm.Int32')

describe('Parts of queries that an upstream service has refused', () => {
  let refused: RefusedParts

  beforeEach(() => {
    jest.useFakeTimers()
    refused = new RefusedParts()
  })
  afterEach(() => jest.useRealTimers())

  it('MUST be the least common ones of a query', () => {
    expect(refused.refuse('Items', [byKey, order, byName], call())).toBe(true)
    expect([byKey, order, byName].map((one) => refused.accepts(one))).toEqual([true, true, false])
  })

  it('MUST affect other queries only once the query has succeeded without them', () => {
    const one = call()
    refused.refuse('Items', [byName, order], one)
    expect(refused.accepts(byOtherName)).toBe(true)
    refused.succeeded('Items', [order], one)
    expect([byName, byOtherName, order].map((each) => refused.accepts(each))).toEqual([false, false, true])
  })

  it('MUST affect only the same query if other values of their forms have succeeded', () => {
    refused.succeeded('Items', [byOtherName], call())
    const one = call()
    refused.refuse('Items', [byName], one)
    refused.succeeded('Items', [], one)
    expect([byName, byOtherName].map((each) => refused.accepts(each))).toEqual([false, true])
  })

  it('MUST be forgotten if the query fails without them', () => {
    const one = call()
    expect(refused.refuse('Items', [byName, byKey], one)).toBe(true)
    expect(refused.refuse('Items', [byKey], one)).toBe(true)
    expect(refused.refuse('Items', [], one)).toBe(false)
    expect([byName, byKey].map((each) => refused.accepts(each))).toEqual([true, true])
  })

  it('MUST be only the last omitted part', () => {
    const one = call()
    refused.refuse('Items', [byName, byKey], one)
    refused.refuse('Items', [byKey], one)
    refused.succeeded('Items', [], one)
    expect([byName, byKey].map((each) => refused.accepts(each))).toEqual([true, false])
  })

  it('MUST differ by the path and the depth of an expansion', () => {
    const items = part('Orders?$expand=items', 'expand Orders/items')
    const products = part(
      'Orders?$expand=items($expand=product)',
      'expand Orders/items',
      'expand Orders/items/product',
    )
    refused.succeeded('Orders', [items], call())
    const one = call()
    refused.refuse('Orders', [products], one)
    refused.succeeded('Orders', [items], one)
    expect([items, products].map((each) => refused.accepts(each))).toEqual([true, false])
    expect(refused.accepts(part('Orders?$expand=customer', 'expand Orders/customer'))).toBe(true)
  })

  it('MUST include no other part of a query if its search is refused', () => {
    const one = call()
    const search = searchPart('Items')
    expect(refused.refuse('Items', [byName, search], one)).toBe(true)
    expect(refused.refuse('Items', [search], one)).toBe(false)
    expect([byName, byOtherName].map((each) => refused.accepts(each))).toEqual([true, true])
    expect(refused.refuse('Items', [byName, search], call())).toBe(false)
  })

  it('MUST be sent again after ten minutes', () => {
    const one = call()
    refused.refuse('Items', [byName], one)
    refused.succeeded('Items', [], one)
    jest.advanceTimersByTime(599_000)
    expect(refused.accepts(byOtherName)).toBe(false)
    jest.advanceTimersByTime(1_001)
    expect([byName, byOtherName].map((each) => refused.accepts(each))).toEqual([true, true])
  })
})
