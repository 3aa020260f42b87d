import { fc } from '../support/random.js'
import { BoundedCache } from '../../lib/util/bounded-cache.js'

describe('BoundedCache', () => {
  it('has at most as many entries as its capacity', () => {
    const cache = new BoundedCache<number, string>(3)
    for (let key = 0; key < 1000; key++) cache.set(key, String(key))
    expect(cache.size).toBe(3)
    expect([997, 998, 999].map((key) => cache.get(key))).toEqual(['997', '998', '999'])
    expect(cache.get(996)).toBeUndefined()
  })

  it('evicts the least recently read entry', () => {
    const cache = new BoundedCache<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.get('a')
    cache.set('c', 3)
    expect(cache.get('a')).toBe(1)
    expect(cache.get('b')).toBeUndefined()
    expect(cache.get('c')).toBe(3)
  })

  it('counts setting a key again as a use', () => {
    const cache = new BoundedCache<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('a', 3)
    cache.set('c', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4])
    expect(cache.size).toBe(2)
  })

  it('caches nothing when its capacity is 0', () => {
    const cache = new BoundedCache<string, number>(0)
    cache.set('a', 1)
    expect([cache.size, cache.get('a')]).toEqual([0, undefined])
  })

  it('behaves like a list of the most recently used keys', () => {
    const step = fc.record({ write: fc.boolean(), key: fc.nat(5) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, capacity) => {
        const cache = new BoundedCache<number, number>(capacity)
        let recent: number[] = []
        for (const { write, key } of steps) {
          const expected = recent.includes(key) ? key * 10 : undefined
          if (write) cache.set(key, key * 10)
          else expect(cache.get(key)).toBe(expected)
          if (write || expected !== undefined) {
            recent = [key, ...recent.filter((one) => one !== key)].slice(0, capacity)
          }
          expect(cache.size).toBe(recent.length)
        }
      }),
    )
  })
})
