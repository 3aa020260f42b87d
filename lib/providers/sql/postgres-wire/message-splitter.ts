import type { Duplex } from 'node:stream'
import { BYTES_AFTER_SOURCE, ByteSource, padded } from '../../../util/byte-writer.js'
import type { WireRows } from '../wire/wire-rows.js'

/** A message is a byte for its type, its length in four bytes, which counts these four, and its content. */
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
const DATA_ROW = 0x44
const READY_FOR_QUERY = 0x5a

type DataStream = Pick<Duplex, 'on' | 'rawListeners' | 'removeAllListeners' | 'removeListener'>
type DataListener = (this: DataStream, chunk: Buffer) => void

/**
 * Takes the rows of one statement from a connection of `pg`, and hands all other messages to the driver: the driver
 * would decode each cell by itself, which costs more than everything else that is done with it.
 */
export class MessageSplitter {
  private readonly listeners: readonly DataListener[]
  /** The start of a message whose end has not arrived. */
  private pending: Buffer[] = []
  private pendingBytes = 0
  private neededBytes = 0

  private constructor(
    private readonly stream: DataStream,
    private readonly rows: WireRows,
  ) {
    this.listeners = stream.rawListeners('data') as DataListener[]
    stream.removeAllListeners('data')
    stream.on('data', this.receive)
  }

  /** Splits the messages of a stream from now until the server is ready for the next statement. */
  static attach(stream: DataStream, rows: WireRows): void {
    new MessageSplitter(stream, rows)
  }

  private readonly receive = (chunk: Buffer): void => {
    this.pending.push(chunk)
    this.pendingBytes += chunk.length
    if (this.pendingBytes < this.neededBytes) return
    const bytes = this.pending.length === 1 ? chunk : Buffer.concat(this.pending, this.pendingBytes)
    this.keep(bytes.subarray(this.split(bytes)))
  }

  private keep(rest: Buffer): void {
    this.pending = rest.length === 0 ? [] : [rest]
    this.pendingBytes = rest.length
    this.neededBytes = rest.length < HEADER_BYTES ? HEADER_BYTES : 1 + rest.readInt32BE(1)
  }

  /** Returns the position of the first message that is not complete. */
  private split(bytes: Buffer): number {
    let source: ByteSource | undefined
    let driverFrom = 0
    let at = 0
    while (at + HEADER_BYTES <= bytes.length) {
      const length = bytes.readInt32BE(at + 1)
      const end = at + 1 + length
      const type = bytes[at]
      // The driver also reports bytes that are not a message.
      if (type === READY_FOR_QUERY || length < LENGTH_BYTES) {
        this.detach()
        this.toDriver(bytes.subarray(driverFrom))
        return bytes.length
      }
      if (end > bytes.length) break
      if (type === DATA_ROW) {
        this.toDriver(bytes.subarray(driverFrom, at))
        source ??= new ByteSource(bytes)
        this.addRow(source, bytes, at + HEADER_BYTES, end)
        driverFrom = end
      }
      at = end
    }
    this.toDriver(bytes.subarray(driverFrom, at))
    return at
  }

  private addRow(source: ByteSource, bytes: Buffer, start: number, end: number): void {
    if (end + BYTES_AFTER_SOURCE <= source.view.byteLength) this.rows.add(source, start)
    else this.rows.add(new ByteSource(padded(bytes.subarray(start, end))), 0)
  }

  private toDriver(bytes: Buffer): void {
    if (bytes.length === 0) return
    for (const listener of this.listeners) listener.call(this.stream, bytes)
  }

  private detach(): void {
    const { stream } = this
    stream.removeListener('data', this.receive)
    for (const listener of this.listeners) stream.on('data', listener)
  }
}
