import type { ServerResponse } from 'node:http'
import { isPromiseLike } from '../util/promise-or-value.js'
import { yieldToEventLoop } from '../util/yield-to-event-loop.js'
import { noteWritten, isClosed, whenClosed } from './response-state.js'
import type { ChunkSource, ODataResponse } from './odata-response.js'

/** Others get a turn after so many milliseconds of writing: a piece is made by a statement of the database, maybe. */
const longestTurn = 2

/**
 * So many bytes are handed over before the client has taken any of them. To send several pieces in one go costs less
 * than one by one: each time the client is woken up.
 */
const mostAhead = 1_048_576
/** Strings take memory only until they have been sent, and count as so many times longer. */
const weightOfString = 8

/**
 * Sends a document while it is made. One that fits into a single piece is sent with its length; of a longer one some
 * pieces wait until the client has taken the ones before.
 */
export async function sendDocument(
  res: ServerResponse,
  { status, headers }: ODataResponse,
  source: ChunkSource,
  isHead: boolean,
): Promise<void> {
  try {
    // What goes wrong up to here is still answered as an error.
    const first = (await source.next()) ?? ''
    const second = await source.next()
    if (second === undefined) {
      res.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(first)) })
      res.end(isHead ? undefined : first)
      return
    }
    res.writeHead(status, headers)
    if (isHead) {
      res.end()
      return
    }
    await writeAll(res, first, second, source)
    res.end()
  } finally {
    await source.close()
  }
}

async function writeAll(
  res: ServerResponse,
  first: string | Uint8Array,
  second: string | Uint8Array,
  source: ChunkSource,
): Promise<void> {
  const client = new Client(res)
  await client.write(first)
  let turnStart = performance.now()
  for (let chunk: string | Uint8Array | undefined = second; chunk !== undefined && !isClosed(res);) {
    const ready = client.write(chunk)
    if (ready !== undefined) await ready
    // Also after waiting: a client that is fast enough has taken everything before the loop came round.
    if (performance.now() - turnStart > longestTurn) {
      await yieldToEventLoop()
      turnStart = performance.now()
    }
    const next = source.next()
    chunk = isPromiseLike(next) ? await next : next
  }
}

/** Node copies strings as latin1, but measures and converts them as UTF-8, which are the same bytes for ASCII. */
function encodingOf(text: string): BufferEncoding {
  return Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8'
}

/** A compressing middleware holds everything back until it is told not to. */
export function flush(res: ServerResponse): void {
  if ('flush' in res && typeof res.flush === 'function') (res.flush as () => void)()
}

/** Whoever reads the answer, at his own speed. */
class Client {
  private goOn: (() => void) | undefined
  /** What has been handed over since the client was found to be behind. */
  private ahead = 0

  constructor(private readonly res: ServerResponse) {
    // Once for all pieces, and not in one chain: middleware that compresses takes the listeners for a stream of its
    // own, from which they cannot be taken away again.
    res.on('drain', this.wake)
    whenClosed(res, this.wake)
  }

  /** @returns a promise when the client has to catch up first */
  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { res } = this
    const { length } = chunk
    const accepted = typeof chunk === 'string' ? res.write(chunk, encodingOf(chunk)) : res.write(chunk)
    noteWritten(res)
    flush(res)
    if (accepted || isClosed(res)) return undefined
    this.ahead += typeof chunk === 'string' ? weightOfString * length : length
    if (this.ahead < mostAhead) return undefined
    return new Promise((resolve) => {
      this.goOn = resolve
    })
  }

  private readonly wake = (): void => {
    this.ahead = 0
    this.goOn?.()
    this.goOn = undefined
  }
}
