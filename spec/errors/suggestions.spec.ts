import { didYouMean, nearest } from '../../lib/errors/suggestions.js'
import { inLinearTime } from '../support/linear-time.js'

const options = [
  'pageSize',
  'context',
  'authorize',
  'disabledQueryOptions',
  'serviceRoot',
  'limits',
  'onError',
]

describe('didYouMean', () => {
  it.each([
    ['pagesize', 'pageSize'],
    ['pageSise', 'pageSize'],
    ['page_size', 'pageSize'],
    ['apgeSize', 'pageSize'],
    ['contxt', 'context'],
    ['contexts', 'context'],
    ['authorise', 'authorize'],
    ['disableQueryOptions', 'disabledQueryOptions'],
    ['onerror', 'onError'],
  ])('MUST suggest for %s the name %s', (name, expected) => {
    expect(didYouMean(name, options)).toBe(` Did you mean '${expected}'?`)
  })

  it.each(['x', 'color', 'root', '', 'somethingElseAltogether'])(
    'MUST keep silent about %p, which is another word',
    (name) => {
      expect(didYouMean(name, options)).toBe('')
    },
  )

  it('MUST keep silent when nothing is known', () => {
    expect(didYouMean('Name', [])).toBe('')
  })
})

describe('nearest', () => {
  it('MUST prefer the name with the fewest edits, and the first of equals', () => {
    expect(nearest('Produkt', ['Products', 'Product', 'Produce'])).toBe('Product')
    expect(nearest('Nane', ['Name', 'Lane'])).toBe('Name')
  })

  it('MUST see a name in other letters as the nearest', () => {
    expect(nearest('id', ['I', 'ID'])).toBe('ID')
  })

  it('MUST count two neighbors swapped as one edit', () => {
    expect(nearest('Nmae', ['Nose', 'Name'])).toBe('Name')
  })

  it('MUST cost nothing for names that no one wrote by a slip', () => {
    const long = 'a'.repeat(1_000_000)
    const known = Array.from({ length: 2000 }, (_, index) => `${'a'.repeat(120)}${index}`)
    expect(inLinearTime(() => nearest(long, known))).toBeUndefined()
  })
})
