import { sortCooperatively } from '../../lib/util/sort-cooperatively.js'
import { encodeInSlices, TimeSlice } from '../../lib/util/time-slice.js'
import { manualClock } from '../support/manual-clock.js'

const clock = manualClock()
const client = new AbortController()

describe('TimeSlice', () => {
  it('MUST end after some milliseconds, and start again after it has yielded', async () => {
    const slice = new TimeSlice(client)
    expect(slice.shouldYield()).toBe(false)
    clock.now += 15
    expect(slice.shouldYield()).toBe(true)
    await slice.yield()
    expect(slice.shouldYield()).toBe(false)
  })

  it('MUST read the clock more often the longer steps take', () => {
    const slice = new TimeSlice(client)
    for (let look = 0; look < 20; look++) slice.shouldYield()
    expect(slice.steps).toBe(64)
    for (let look = 0; look < 4; look++) {
      clock.now += 2
      slice.shouldYield()
    }
    expect(slice.steps).toBe(1)
  })

  it('MUST divide the work on a long document, whose bytes stay the same', async () => {
    let turns = 0
    let isWritten = false
    const count = (): void => {
      turns++
      if (!isWritten) setImmediate(count)
    }
    function* slowly(): Generator<string, undefined> {
      for (const chunk of ['<a>', 'é', '€', '</a>']) {
        clock.now += 15
        yield chunk
      }
    }
    setImmediate(count)
    const bytes = await encodeInSlices(slowly())
    isWritten = true
    expect(bytes.toString()).toBe('<a>é€</a>')
    expect(turns).toBeGreaterThanOrEqual(3)
    expect(encodeInSlices(['<a/>'].values() as Iterator<string, undefined>)).toEqual(Buffer.from('<a/>'))
  })

  it('MUST run pending callbacks when it yields', async () => {
    let turns = 0
    setImmediate(() => turns++)
    await new TimeSlice(client).yield()
    expect(turns).toBe(1)
  })

  it('MUST abort work whose signal is aborted', async () => {
    const gone = new AbortController()
    const slice = new TimeSlice(gone)
    gone.abort(new Error('gone'))
    await expect(slice.yield()).rejects.toThrow('gone')
  })

  it('MUST not read the signal before it yields', () => {
    const call = {
      get signal(): AbortSignal {
        throw new Error('called')
      },
    }
    expect(new TimeSlice(call).shouldYield()).toBe(false)
  })
})

describe('sortCooperatively', () => {
  it.each([0, 1, 2, 1024, 1025, 5000, 10_240])('MUST sort %d items stably', async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ index, rank: (index * 7919) % 101 }))
    const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank
    const expected = items.toSorted(byRank)
    expect(await sortCooperatively([...items], byRank, new TimeSlice(client))).toEqual(expected)
  })

  it('MUST sort few items synchronously', () => {
    expect(sortCooperatively([3, 1, 2], (a, b) => a - b, new TimeSlice(client))).toEqual([1, 2, 3])
  })

  it('MUST yield to the event loop', async () => {
    let turns = 0
    let done = false
    const others = (): void => {
      turns++
      if (!done) setImmediate(others)
    }
    setImmediate(others)
    const dear = (a: number, b: number): number => {
      clock.now += 0.002
      return a - b
    }
    const items = Array.from({ length: 4096 }, (_, index) => (index * 7919) % 4096)
    await sortCooperatively(items, dear, new TimeSlice(client))
    done = true
    expect(turns).toBeGreaterThan(4)
  })
})
