import type { Duplex } from 'node:stream'
import { BYTES_AFTER_SOURCE, ByteSource, padded } from '../../../../../util/byte-source.js'
import type { WireRows } from '../../../wire/wire-rows.js'

/** Receives the rows of statements. The driver gets the message that ends a statement before the rows of the next. */
export type WireRowSink = Pick<WireRows, 'add'>

/** A message is a byte for its type, its length in four bytes, which counts these four, and its content. */
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
const DATA_ROW = 0x44
const READY_FOR_QUERY = 0x5a

type DataStream = Pick<Duplex, 'on' | 'rawListeners' | 'removeAllListeners' | 'removeListener'>
type DataListener = (this: DataStream, chunk: Buffer) => void

/**
 * Takes the rows of statements from a connection of `pg`, and hands all other messages to the driver: the driver
 * would decode each cell by itself, which costs more than everything else that is done with it.
 */
export class MessageSplitter {
  private readonly listeners: readonly DataListener[]
  /** The start of a message whose end has not arrived. */
  private pending: Buffer[] = []
  private pendingBytes = 0
  private neededBytes = 0
  private isDetached = false

  private constructor(
    private readonly stream: DataStream,
    private readonly rows: WireRowSink,
  ) {
    this.listeners = stream.rawListeners('data') as DataListener[]
    stream.removeAllListeners('data')
    stream.on('data', this.receive)
  }

  /** Splits the messages of a stream from now until the server is ready for the next statement. */
  static attach(stream: DataStream, rows: WireRowSink): void {
    new MessageSplitter(stream, rows)
  }

  private readonly receive = (chunk: Buffer): void => {
    let rest = chunk
    // Copies only the message that is split: V8 marks the whole heap after some megabytes of new buffers.
    while (this.pendingBytes > 0 && rest.length > 0) {
      const missing = this.neededBytes - this.pendingBytes
      this.keep(rest.subarray(0, missing))
      if (rest.length < missing) return
      rest = rest.subarray(missing)
      this.splitPending()
    }
    if (this.isDetached) this.toDriver(rest, 0, rest.length)
    else this.split(rest)
  }

  /** Keeps the start of a message, or more of it. */
  private keep(bytes: Buffer): void {
    this.pending.push(bytes)
    this.pendingBytes += bytes.length
  }

  /** Splits a message that is complete, or its header. */
  private splitPending(): void {
    const { pending, pendingBytes } = this
    const bytes = Buffer.allocUnsafe(pendingBytes + BYTES_AFTER_SOURCE)
    let at = 0
    for (const part of pending) at += part.copy(bytes, at)
    this.pending = []
    this.pendingBytes = 0
    this.split(bytes.subarray(0, pendingBytes))
  }

  private split(bytes: Buffer): void {
    const source = new ByteSource(bytes)
    const { view } = source
    let driverFrom = 0
    let at = 0
    while (at + HEADER_BYTES <= bytes.length) {
      const length = view.getInt32(at + 1)
      const end = at + 1 + length
      const type = view.getUint8(at)
      // The driver also reports bytes that are not a message.
      if (type === READY_FOR_QUERY || length < LENGTH_BYTES) {
        this.detach()
        this.toDriver(bytes, driverFrom, bytes.length)
        return
      }
      if (end > bytes.length) break
      if (type === DATA_ROW) {
        this.toDriver(bytes, driverFrom, at)
        this.addRow(source, bytes, at + HEADER_BYTES, end)
        driverFrom = end
      }
      at = end
    }
    this.toDriver(bytes, driverFrom, at)
    if (at === bytes.length) return
    this.neededBytes = bytes.length - at < HEADER_BYTES ? HEADER_BYTES : 1 + view.getInt32(at + 1)
    this.keep(bytes.subarray(at))
  }

  private addRow(source: ByteSource, bytes: Buffer, start: number, end: number): void {
    if (end + BYTES_AFTER_SOURCE <= source.view.byteLength) this.rows.add(source, start)
    else this.rows.add(new ByteSource(padded(bytes.subarray(start, end))), 0)
  }

  private toDriver(bytes: Buffer, from: number, to: number): void {
    if (from === to) return
    const messages = bytes.subarray(from, to)
    for (const listener of this.listeners) listener.call(this.stream, messages)
  }

  private detach(): void {
    const { stream } = this
    this.isDetached = true
    stream.removeListener('data', this.receive)
    for (const listener of this.listeners) stream.on('data', listener)
  }
}
