import type { BatchReader } from '../../lib/util/batch-reader.js'
import { readArray, readIterable } from '../../lib/util/batch-reader.js'
import { isPromiseLike } from '../../lib/util/maybe-promise.js'

async function all<T>(reader: BatchReader<T>): Promise<(readonly T[])[]> {
  const batches: (readonly T[])[] = []
  for (;;) {
    const batch = await reader.next()
    if (batch === undefined) return batches
    batches.push(batch)
  }
}

describe('readArray', () => {
  it('gives the array itself, once, and without a promise', () => {
    const items = [1, 2, 3]
    const reader = readArray(items)
    expect(reader.next()).toBe(items)
    expect(reader.next()).toBeUndefined()
    expect(reader.next()).toBeUndefined()
  })

  it('gives no empty batch', () => {
    expect(readArray([]).next()).toBeUndefined()
  })

  it('gives nothing after it was closed', () => {
    const reader = readArray([1])
    expect(isPromiseLike(reader.close())).toBe(false)
    expect(reader.next()).toBeUndefined()
  })
})

describe('readIterable', () => {
  it('gives the arrays of a generator in order and leaves out empty ones', async () => {
    function* source(): Generator<number[]> {
      yield []
      yield [1, 2]
      yield []
      yield [3]
      yield []
    }
    await expect(all(readIterable(source()))).resolves.toEqual([[1, 2], [3]])
  })

  it('gives the arrays of an asynchronous generator', async () => {
    async function* source(): AsyncGenerator<string[]> {
      yield ['a']
      await Promise.resolve()
      yield ['b', 'c']
    }
    await expect(all(readIterable(source()))).resolves.toEqual([['a'], ['b', 'c']])
  })

  it('gives the arrays of an array of arrays', async () => {
    await expect(all(readIterable([[1], [], [2]]))).resolves.toEqual([[1], [2]])
  })

  it('lets the source clean up when it is closed early, and only once', async () => {
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

  it('does not ask a source to clean up that has come to its end', async () => {
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

  it('hands on what the source throws', async () => {
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
