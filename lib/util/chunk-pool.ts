import type { Readable } from 'node:stream'

/**
 * A pool of buffers of one size, which are reused after their bytes have been sent. Every few dozen megabytes of new
 * buffers cause a garbage collection, which costs more than reading and sending a large file.
 */
export class ChunkPool {
  private readonly free: Buffer[] = []
  private readonly lent = new WeakSet<ArrayBufferLike>()

  /**
   * @param chunkSize in bytes
   * @param maxFree the maximum number of unused buffers
   */
  constructor(
    readonly chunkSize: number,
    private readonly maxFree: number,
  ) {}

  take(): Buffer {
    const chunk = this.free.pop() ?? Buffer.allocUnsafeSlow(this.chunkSize)
    this.lent.add(chunk.buffer)
    return chunk
  }

  /** Returns a chunk to the pool, or a view of one, that is no longer read. Doing so is optional. */
  giveBack({ buffer }: Uint8Array): void {
    // A chunk that is returned twice would be lent to two clients.
    if (this.lent.delete(buffer) && this.free.length < this.maxFree) this.free.push(Buffer.from(buffer))
  }
}

const pools = new WeakMap<Readable, ChunkPool>()

/** Sets the pool to which the only reader of a stream may return chunks. */
export function setPool(stream: Readable, pool: ChunkPool): void {
  pools.set(stream, pool)
}

/** Returns the pool of a stream, or undefined if its chunks are not reused. */
export function poolOf(stream: Readable): ChunkPool | undefined {
  return pools.get(stream)
}
