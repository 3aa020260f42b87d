import type { BatchReader } from '../../lib/util/batch-reader.js'
import { readArray, readIterable } from '../../lib/util/batch-reader.js'
import { isPromiseLike } from '../../lib/util/promise-or-value.js'

async function all<T>(reader: BatchReader<T>): Promise<(readonly T[])[]> {
  const batches: (readonly T[])[] = []
  for (;;) {
    const batch = await reader.next()
    if (batch === undefined) return batches
    batches.push(batch)
  }
}

describe('readArray', () => {
  it('returns the array itself, once, and without a promise', () => {
    const items = [1, 2, 3]
    const reader = readArray(items)
    expect(reader.next()).toBe(items)
    expect(reader.next()).toBeUndefined()
    expect(reader.next()).toBeUndefined()
  })

  it('returns no empty batch', () => {
    expect(readArray([]).next()).toBeUndefined()
  })

  it('returns nothing after it was closed', () => {
    const reader = readArray([1])
    expect(isPromiseLike(reader.close())).toBe(false)
    expect(reader.next()).toBeUndefined()
  })
})

describe('readIterable', () => {
  it('returns the arrays of a generator in order, without empty ones', async () => {
    function* source(): Generator<number[]> {
      yield []
      yield [1, 2]
      yield []
      yield [3]
      yield []
    }
    await expect(all(readIterable(source()))).resolves.toEqual([[1, 2], [3]])
  })

  it('returns the arrays of an asynchronous generator', async () => {
    async function* source(): AsyncGenerator<string[]> {
      yield ['a']
      await Promise.resolve()
      yield ['b', 'c']
    }
    await expect(all(readIterable(source()))).resolves.toEqual([['a'], ['b', 'c']])
  })

  it('returns the arrays of an array of arrays', async () => {
    await expect(all(readIterable([[1], [], [2]]))).resolves.toEqual([[1], [2]])
  })

  it('closes the source when it is closed early, and only once', async () => {
    let cleaned = 0
    async function* source(): AsyncGenerator<number[]> {
      try {
        yield [1]
        yield [2]
      } finally {
        cleaned++
      }
    }
    const reader = readIterable(source())
    expect(await reader.next()).toEqual([1])
    await reader.close()
    await reader.close()
    expect(cleaned).toBe(1)
    expect(await reader.next()).toBeUndefined()
  })

  it('does not close a source that has ended', async () => {
    let returned = 0
    const source = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: true, value: undefined }) as const,
        return: () => {
          returned++
          return { done: true, value: undefined } as const
        },
      }),
    }
    const reader = readIterable<number>(source)
    expect(await reader.next()).toBeUndefined()
    await reader.close()
    expect(returned).toBe(0)
  })

  it('rethrows errors of the source', async () => {
    async function* source(): AsyncGenerator<number[]> {
      yield [1]
      throw new Error('the database has gone')
    }
    const reader = readIterable(source())
    await reader.next()
    await expect(reader.next()).rejects.toThrow('the database has gone')
    await expect(reader.close()).resolves.toBeUndefined()
  })
})
