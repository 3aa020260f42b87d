import { isArrayBuffer } from 'node:util/types'
import type { MessagePort } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'

/**
 * Bytes whose memory is freed as soon as they have been sent. Otherwise it waits for the garbage collector, which looks
 * through the whole heap for every few dozen megabytes of such memory: over feeds that a database has written, that
 * costs more than to send them.
 */
const toFree = new WeakSet<ArrayBufferLike>()

/** What is to be sent more than once stays: it may still be sent when it has been sent. */
const repeated = new WeakSet<ArrayBufferLike>()

/** Fewer bytes are cheaper to leave to the collector, and may share their memory with others. */
const fewest = 16_384

let closed: MessagePort | undefined

/** Says that nobody looks at bytes any more once they have been sent. Parts of a buffer are left as they are. */
export function freeOnceSent({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < fewest || byteLength !== buffer.byteLength) return
  if (toFree.delete(buffer)) repeated.add(buffer)
  else if (!repeated.has(buffer)) toFree.add(buffer)
}

/** Says that bytes will be looked at again, whatever becomes of them. */
export function neverFreed({ buffer }: Uint8Array): void {
  repeated.add(buffer)
}

/** Whether bytes are to be looked at again. */
export function isNeverFreed({ buffer }: Uint8Array): boolean {
  return repeated.has(buffer)
}

/** Whether bytes are to be freed. */
export function areFreedOnceSent({ buffer }: Uint8Array): boolean {
  return toFree.has(buffer)
}

/** Frees the memory of such bytes, which are none after that. */
export function free({ buffer }: Uint8Array): void {
  if (!toFree.delete(buffer) || !isArrayBuffer(buffer)) return
  try {
    closed ??= closedPort()
    // What is handed over to a port that nobody listens to is gone.
    closed.postMessage(undefined, [buffer])
  } catch {
    // Memory that cannot be handed over is left to the collector.
  }
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel()
  port1.close()
  return port1
}
