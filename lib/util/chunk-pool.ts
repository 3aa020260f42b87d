import type { Readable } from 'node:stream'

/**
 * Buffers of one size that are used again once their bytes have been sent. Each new one counts as memory outside of
 * the heap, and for every few dozen megabytes of that the garbage collector runs: over a large file it costs more than
 * to read and to send it.
 */
export class ChunkPool {
  private readonly free: Buffer[] = []
  private readonly lent = new WeakSet<ArrayBufferLike>()

  /**
   * @param chunkSize in bytes
   * @param kept how many buffers are kept at most while nobody needs them
   */
  constructor(
    readonly chunkSize: number,
    private readonly kept: number,
  ) {}

  take(): Buffer {
    const chunk = this.free.pop() ?? Buffer.allocUnsafeSlow(this.chunkSize)
    this.lent.add(chunk.buffer)
    return chunk
  }

  /** Takes back a chunk, or a part of one, that nobody looks at any more. One that is never given back is no loss. */
  giveBack({ buffer }: Uint8Array): void {
    // Given back twice it would hold the bytes of two clients.
    if (this.lent.delete(buffer) && this.free.length < this.kept) this.free.push(Buffer.from(buffer))
  }
}

const pools = new WeakMap<Readable, ChunkPool>()

/** Tells whoever reads a stream alone where its chunks can be given back. */
export function setPool(stream: Readable, pool: ChunkPool): void {
  pools.set(stream, pool)
}

/** Undefined for streams whose chunks are not used again. */
export function poolOf(stream: Readable): ChunkPool | undefined {
  return pools.get(stream)
}
