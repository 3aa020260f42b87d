import { Readable } from 'node:stream'
import { ChunkPool, poolOf, setPool } from '../../lib/util/chunk-pool.js'

describe('ChunkPool', () => {
  it('MUST lend returned chunks before it allocates new ones', () => {
    const pool = new ChunkPool(1000, 2)
    const first = pool.take()
    expect(first).toHaveLength(1000)
    expect(pool.take().buffer).not.toBe(first.buffer)
    pool.giveBack(first)
    expect(pool.take().buffer).toBe(first.buffer)
  })

  it('MUST accept a view of a chunk for the whole chunk', () => {
    const pool = new ChunkPool(1000, 2)
    const chunk = pool.take()
    pool.giveBack(chunk.subarray(0, 10))
    const again = pool.take()
    expect(again.buffer).toBe(chunk.buffer)
    expect(again).toHaveLength(1000)
  })

  it('MUST not lend a chunk twice when it is returned twice', () => {
    const pool = new ChunkPool(1000, 5)
    const chunk = pool.take()
    pool.giveBack(chunk)
    pool.giveBack(chunk)
    expect(pool.take().buffer).not.toBe(pool.take().buffer)
  })

  it('MUST ignore buffers that it has not lent', () => {
    const pool = new ChunkPool(1000, 5)
    const foreign = Buffer.allocUnsafeSlow(1000)
    pool.giveBack(foreign)
    expect(pool.take().buffer).not.toBe(foreign.buffer)
  })

  it('MUST limit the number of unused chunks', () => {
    const pool = new ChunkPool(1000, 1)
    const [one, two] = [pool.take(), pool.take()]
    pool.giveBack(one)
    pool.giveBack(two)
    expect(pool.take().buffer).toBe(one.buffer)
    expect(pool.take().buffer).not.toBe(two.buffer)
  })

  it('MUST be found by its streams only', () => {
    const pool = new ChunkPool(1000, 1)
    const stream = Readable.from([])
    setPool(stream, pool)
    expect(poolOf(stream)).toBe(pool)
    expect(poolOf(Readable.from([]))).toBeUndefined()
  })
})
