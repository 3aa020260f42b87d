import { sortInTurns } from '../../lib/util/sort-in-turns.js'
import { TimeSlice } from '../../lib/util/time-slice.js'
import { manualClock } from '../support/manual-clock.js'

const clock = manualClock()
const client = new AbortController()

describe('A slice of time', () => {
  it('MUST be over after some milliseconds, and begin again behind a pause', async () => {
    const slice = new TimeSlice(client)
    expect(slice.isOver()).toBe(false)
    clock.now += 15
    expect(slice.isOver()).toBe(true)
    await slice.pause()
    expect(slice.isOver()).toBe(false)
  })

  it('MUST look at the clock more often where steps take long, and seldom where they do not', () => {
    const slice = new TimeSlice(client)
    for (let look = 0; look < 20; look++) slice.isOver()
    expect(slice.steps).toBe(64)
    for (let look = 0; look < 4; look++) {
      clock.now += 2
      slice.isOver()
    }
    expect(slice.steps).toBe(1)
  })

  it('MUST let others have their turn in a pause', async () => {
    let turns = 0
    setImmediate(() => turns++)
    await new TimeSlice(client).pause()
    expect(turns).toBe(1)
  })

  it('MUST end work for which nobody waits any more', async () => {
    const gone = new AbortController()
    const slice = new TimeSlice(gone)
    gone.abort(new Error('gone'))
    await expect(slice.pause()).rejects.toThrow('gone')
  })

  it('MUST not ask for the signal before there is a pause', () => {
    const call = {
      get signal(): AbortSignal {
        throw new Error('asked')
      },
    }
    expect(new TimeSlice(call).isOver()).toBe(false)
  })
})

describe('Sorting in turns', () => {
  it.each([0, 1, 2, 1024, 1025, 5000, 10_240])(
    'MUST sort %d items as a sort does that keeps equal ones',
    async (count) => {
      const items = Array.from({ length: count }, (_, index) => ({ index, rank: (index * 7919) % 101 }))
      const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank
      const expected = items.toSorted(byRank)
      expect(await sortInTurns([...items], byRank, new TimeSlice(client))).toEqual(expected)
    },
  )

  it('MUST sort few items at once', () => {
    expect(sortInTurns([3, 1, 2], (a, b) => a - b, new TimeSlice(client))).toEqual([1, 2, 3])
  })

  it('MUST let others have their turn', async () => {
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
    await sortInTurns(items, dear, new TimeSlice(client))
    done = true
    expect(turns).toBeGreaterThan(4)
  })
})
