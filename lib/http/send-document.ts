import type { ServerResponse } from 'node:http'
import { areFreedOnceSent, free } from '../util/freed-bytes.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import { nextTurn } from '../util/next-turn.js'
import { noteWritten } from './answer-progress.js'
import { isClosed, whenClosed } from './closed-answers.js'
import type { ChunkSource, ODataResponse } from './odata-response.js'
import { isSentUnseen } from './sent-unseen.js'

/** Others get a turn after so many milliseconds of writing: a piece is made by a statement of the database, maybe. */
const longestTurn = 2

/**
 * Sends a document while it is made. One that fits into a single piece is sent with its length; of a longer one each
 * piece waits until the client has taken the ones before.
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
      await nextTurn()
      turnStart = performance.now()
    }
    const next = source.next()
    chunk = isPromiseLike(next) ? await next : next
  }
}

/** A compressing middleware holds everything back until it is told not to. */
export function flush(res: ServerResponse): void {
  if ('flush' in res && typeof res.flush === 'function') (res.flush as () => void)()
}

/** Whoever reads the answer, at his own speed. */
class Client {
  private goOn: (() => void) | undefined

  constructor(private readonly res: ServerResponse) {
    // Once for all pieces, and not in one chain: middleware that compresses takes the listeners for a stream of its
    // own, from which they cannot be taken away again.
    res.on('drain', this.wake)
    whenClosed(res, this.wake)
  }

  /** @returns a promise when the client has to catch up first */
  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { res } = this
    const accepted = this.mayFree(chunk) ? res.write(chunk, () => free(chunk)) : res.write(chunk)
    noteWritten(res)
    flush(res)
    if (accepted || isClosed(res)) return undefined
    return new Promise((resolve) => {
      this.goOn = resolve
    })
  }

  private mayFree(chunk: string | Uint8Array): chunk is Uint8Array {
    return typeof chunk !== 'string' && areFreedOnceSent(chunk) && isSentUnseen(this.res)
  }

  private readonly wake = (): void => {
    this.goOn?.()
    this.goOn = undefined
  }
}
