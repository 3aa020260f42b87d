import type { ServerResponse } from 'node:http'
import { isPromiseLike } from '../util/promise-or-value.js'
import { yieldToEventLoop } from '../util/time-slice.js'
import { trackProgress, isClosed, isUnwrappedResponse, onResponseClose } from './response-state.js'
import type { ChunkSource, ODataResponse } from './odata-response.js'

/** Milliseconds of writing without yielding to the event loop. */
const MAX_TURN_MS = 2

/** Bytes that are buffered for a slow client. Sending several chunks in one write costs less than single ones. */
const MAX_BUFFERED_BYTES = 1_048_576
/** A buffered string counts as this number of bytes per character. */
const STRING_WEIGHT = 8

/**
 * Sends a document while it is serialized, with backpressure. A document of a single chunk has a Content-Length.
 */
export async function sendDocument(
  res: ServerResponse,
  { status, headers }: ODataResponse,
  source: ChunkSource,
  isHead: boolean,
): Promise<void> {
  let isEnded = false
  try {
    // Errors before the second chunk still become error responses.
    const first = (await source.next()) ?? ''
    const second = await source.next()
    if (second === undefined) {
      isEnded = true
      res.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(first)) })
      res.end(isHead ? undefined : first)
      return
    }
    res.writeHead(status, headers)
    if (isHead) {
      res.end()
      return
    }
    isEnded = await writeAll(res, first, second, source)
    res.end()
  } finally {
    if (!isEnded) await source.close()
  }
}

/** @returns true at the end of the source, false when the client has disconnected before */
async function writeAll(
  res: ServerResponse,
  first: string | Uint8Array,
  second: string | Uint8Array,
  source: ChunkSource,
): Promise<boolean> {
  const client = new ClientWriter(res, source)
  await client.write(first)
  let turnStart = performance.now()
  for (let chunk: string | Uint8Array | undefined = second; chunk !== undefined;) {
    if (isClosed(res)) return false
    const ready = client.write(chunk)
    if (ready !== undefined) await ready
    // Also after waiting: a fast client drains the buffer within the same turn.
    if (performance.now() - turnStart > MAX_TURN_MS) {
      await yieldToEventLoop()
      turnStart = performance.now()
    }
    const next = source.next()
    chunk = isPromiseLike(next) ? await next : next
  }
  return true
}

/** Chooses `latin1` for ASCII strings, and `utf8` for others. Node copies latin1, but measures and converts UTF-8. */
function encodingOf(text: string): BufferEncoding {
  return Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8'
}

/** Flushes compressing middleware, which buffers otherwise. */
export function flush(res: ServerResponse): void {
  if ('flush' in res && typeof res.flush === 'function') (res.flush as () => void)()
}

/** Writes chunks, and waits for a slow client. */
class ClientWriter {
  private resume: (() => void) | undefined
  /** Weighted bytes since the buffer of the connection was full. */
  private buffered = 0

  constructor(
    private readonly res: ServerResponse,
    private readonly source: ChunkSource,
  ) {
    // Added once, and not chained: compressing middleware returns its own stream, and listeners that it has taken over
    // cannot be removed.
    res.on('drain', this.wake)
    onResponseClose(res, this.wake)
  }

  /** @returns a promise when the client has to drain the buffer first */
  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { res } = this
    const { length } = chunk
    const accepted = typeof chunk === 'string' ? res.write(chunk, encodingOf(chunk)) : this.writeBytes(chunk)
    trackProgress(res)
    flush(res)
    if (accepted || isClosed(res)) return undefined
    this.buffered += typeof chunk === 'string' ? STRING_WEIGHT * length : length
    if (this.buffered < MAX_BUFFERED_BYTES) return undefined
    return new Promise((resolve) => {
      this.resume = resolve
    })
  }

  private writeBytes(chunk: Uint8Array): boolean {
    const { res, source } = this
    return source.release !== undefined && isUnwrappedResponse(res)
      ? res.write(chunk, () => source.release?.(chunk))
      : res.write(chunk)
  }

  private readonly wake = (): void => {
    this.buffered = 0
    this.resume?.()
    this.resume = undefined
  }
}
