import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'

/**
 * A connection whose chunks are parts of larger memory: the first half of what arrives is followed in memory by the second
 * half, which readers receive as a copy.
 */
export class SharingStream extends Duplex {
  private constructor(private readonly socket: Socket) {
    super()
    socket.on('data', (chunk: Buffer) => {
      const middle = chunk.length >> 1
      if (middle > 0) this.push(chunk.subarray(0, middle))
      this.push(Buffer.from(new Uint8Array(chunk.subarray(middle)).buffer))
    })
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
  }

  static connect(port: number): SharingStream {
    return new SharingStream(connect(port, '127.0.0.1'))
  }

  override _read(): void {
    // The socket flows.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy()
    done(error)
  }
}
