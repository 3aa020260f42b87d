import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** A client that writes what it likes over a connection of its own, and may close it at any time. */
export class RawClient {
  private received = ''
  private failure: NodeJS.ErrnoException | undefined
  private readonly closed: Promise<void>

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')))
    socket.on('error', (error) => (this.failure = error))
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve()
      })
    })
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** All that has come, one character for each byte. */
  get text(): string {
    return this.received
  }

  /** The statuses of the responses received so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  }

  /** The code of the error that broke the connection. */
  get error(): string | undefined {
    return this.failure?.code
  }

  /** Resolves when the system has taken it, or the connection is closed. */
  async write(bytes: string | Uint8Array): Promise<void> {
    await Promise.race([
      this.closed,
      new Promise<void>((resolve) => {
        this.socket.write(bytes, () => {
          resolve()
        })
      }),
    ])
  }

  /** Reads nothing while it writes, as simple clients do. */
  async writeWithoutReading(chunks: Iterable<string | Uint8Array>): Promise<void> {
    this.socket.pause()
    for (const part of chunks) await this.write(part)
    this.socket.resume()
  }

  /** Waits for a number of responses. */
  async responses(count: number): Promise<number[]> {
    while (this.statuses.length < count && !this.socket.destroyed) {
      await Promise.race([this.closed, once(this.socket, 'data').catch(() => undefined)])
    }
    return this.statuses
  }

  /** Waits until the server closes the connection. */
  async end(): Promise<string> {
    await this.closed
    return this.received
  }

  /** Destroys the connection. */
  async leave(): Promise<void> {
    this.socket.destroy()
    await this.closed
  }

  /** Says that nothing more will come, and waits until the server closes the connection. */
  async finish(): Promise<void> {
    this.socket.end()
    await this.closed
  }

  /** Closes the connection with a TCP reset. */
  async reset(): Promise<void> {
    this.socket.resetAndDestroy()
    await this.closed
  }
}

/** Formats one chunk of a body with chunked transfer encoding. */
export function chunk(bytes: string): string {
  return `${Buffer.byteLength(bytes, 'latin1').toString(16)}\r\n${bytes}\r\n`
}
