import type { CachedPage } from '../../lib/resources/page-cache.js'
import { PageCache } from '../../lib/resources/page-cache.js'
import { fc, runs } from '../support/random.js'

const pageOf = (byteLength: number): CachedPage => ({
  status: 200,
  headers: {},
  chunks: [Buffer.alloc(byteLength)],
  byteLength,
  time: '',
  timePositions: new Uint32Array(),
})

describe('The page cache', () => {
  it('MUST recognize an address when it is requested for the second time', () => {
    const cache = new PageCache(100_000)
    expect(['a', 'b', 'a', 'a'].map((address) => cache.knows(address))).toEqual([false, false, true, true])
  })

  it('MUST admit a page whose data did not change since the last request', () => {
    const cache = new PageCache(100_000)
    cache.knows('a')
    expect([1, 1, 2, 3, 3, 1].map((version) => cache.admits('a', `number ${String(version)}`))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('MUST return the page of a key, and nothing for other keys', () => {
    const cache = new PageCache(100_000)
    const page = pageOf(10)
    cache.set('a', page)
    expect(cache.get('a')).toBe(page)
    expect(cache.get('b')).toBeUndefined()
  })

  it('MUST evict the page that was not used for longest', () => {
    const cache = new PageCache(10_000)
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, pageOf(1200))
    cache.get('a')
    cache.set('e', pageOf(1200))
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => cache.get(key) !== undefined)).toEqual([
      'a',
      'c',
      'd',
      'e',
    ])
  })

  it('MUST not keep a page of more than a quarter of its bytes', () => {
    const cache = new PageCache(40_000)
    cache.set('a', pageOf(8000))
    cache.set('b', pageOf(10_000))
    expect(cache.get('a')).toBeDefined()
    expect(cache.get('b')).toBeUndefined()
    expect(cache.maxBytesOf('a')).toBeLessThan(10_000)
  })

  it('MUST replace the page of a key', () => {
    const cache = new PageCache(10_000)
    cache.set('a', pageOf(1000))
    const used = cache.usedBytes
    const page = pageOf(1000)
    cache.set('a', page)
    expect(cache.get('a')).toBe(page)
    expect(cache.usedBytes).toBe(used)
  })

  it('MUST recognize nothing without bytes, and no very long address', () => {
    const off = new PageCache(0)
    const long = 'x'.repeat(20_000)
    const cache = new PageCache(1_000_000)
    for (let time = 0; time < 3; time++) {
      expect(off.knows('a')).toBe(false)
      expect(cache.knows(long)).toBe(false)
    }
    expect([off.isEnabled, cache.isEnabled]).toEqual([false, true])
  })

  it('MUST remember thousands of addresses, and not all of them', () => {
    const cache = new PageCache(1_000_000)
    for (let number = 0; number < 4000; number++) cache.knows(`address ${String(number)}`)
    expect(cache.knows('address 0')).toBe(true)
    for (let number = 0; number < 20_000; number++) cache.knows(`other ${String(number)}`)
    expect(cache.knows('address 0')).toBe(false)
  })

  it('MUST not evict frequent pages during a scan', () => {
    const cache = new PageCache(50_000)
    cache.set('often', pageOf(1000))
    for (let number = 0; number < 1000; number++) {
      expect(cache.knows(`scan ${String(number)}`)).toBe(false)
    }
    expect(cache.get('often')).toBeDefined()
  })

  it('MUST never take more bytes than it may', () => {
    const key = fc.string({ maxLength: 20 })
    const step = fc.oneof(fc.record({ key, bytes: fc.integer({ min: 0, max: 20_000 }) }), fc.record({ key }))
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.integer({ min: 0, max: 60_000 }),
        (steps, maxBytes) => {
          const cache = new PageCache(maxBytes)
          const last = new Map<string, CachedPage>()
          for (const one of steps) {
            if ('bytes' in one) {
              const page = pageOf(one.bytes)
              cache.set(one.key, page)
              if (one.bytes <= cache.maxBytesOf(one.key)) last.set(one.key, page)
            } else {
              const found = cache.get(one.key)
              expect(found === undefined || found === last.get(one.key)).toBe(true)
            }
            expect(cache.usedBytes).toBeLessThanOrEqual(maxBytes)
          }
        },
      ),
      { numRuns: runs(200) },
    )
  })
})
