import type { BatchSource } from '../../lib/data/abortable-batch-reader.js'
import { AbortableBatchReader } from '../../lib/data/abortable-batch-reader.js'

function check(batch: unknown): asserts batch is readonly number[] {
  if (!Array.isArray(batch)) throw new TypeError('no batch')
}

const reading = (source: BatchSource, signal = new AbortController().signal): AbortableBatchReader<number> =>
  new AbortableBatchReader<number>(source, check, signal)

/** A source that can be closed, and stays pending when it has no more batches. */
class Source implements AsyncIterable<unknown> {
  closed = 0

  constructor(private readonly batches: unknown[]) {}

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return {
      next: () =>
        this.batches.length > 0
          ? Promise.resolve({ value: this.batches.shift() })
          : new Promise(() => undefined),
      return: () => {
        this.closed++
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }
}

describe('Batches of a provider', () => {
  it('MUST be read in order, without the empty ones, to the end', async () => {
    const batches = reading([[1, 2], [], [3]])
    expect([await batches.next(), await batches.next(), await batches.next()]).toEqual([
      [1, 2],
      [3],
      undefined,
    ])
    await expect(batches.next()).resolves.toBeUndefined()
  })

  it('MUST be looked at one by one', async () => {
    const batches = reading([[1], 2])
    await expect(batches.next()).resolves.toEqual([1])
    await expect(batches.next()).rejects.toThrow('no batch')
  })

  it('MUST end a pending read when the client disconnects, and close the source', async () => {
    const controller = new AbortController()
    const source = new Source([[1]])
    const batches = reading(source, controller.signal)
    await batches.next()
    const waiting = batches.next()
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await expect(batches.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(source.closed).toBe(1)
    await batches.close()
    expect(source.closed).toBe(1)
  })

  it('MUST not be read for a client that had left before', async () => {
    const source = new Source([[1]])
    const batches = reading(source, AbortSignal.abort())
    await expect(batches.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(source.closed).toBe(1)
  })

  it('MUST remove listeners from the client after they were read or closed', async () => {
    const controller = new AbortController()
    const source = new Source([[1]])
    await reading(source, controller.signal).close()
    const whole = reading([[1]], controller.signal)
    await whole.next()
    await whole.next()
    controller.abort()
    expect(source.closed).toBe(1)
  })

  it('MUST pass on errors of the source', async () => {
    function* failing(): Generator<number[]> {
      yield [1]
      throw new Error('broken')
    }
    const batches = reading(failing())
    await batches.next()
    await expect(batches.next()).rejects.toThrow('broken')
  })
})
