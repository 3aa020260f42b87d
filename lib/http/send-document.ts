import type { ServerResponse } from 'node:http'
import { isPromiseLike } from '../util/maybe-promise.js'
import { nextTurn } from '../util/next-turn.js'
import type { ChunkSource, ODataResponse } from './odata-response.js'

/** Others get a turn after so many milliseconds of writing. */
const longestTurn = 5

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
    const second = isHead ? undefined : await source.next()
    if (second === undefined && !isHead) {
      res.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(first)) }).end(first)
      return
    }
    res.writeHead(status, headers)
    if (isHead) {
      res.end()
      return
    }
    await write(res, first)
    await writeAll(res, second ?? '', source)
    res.end()
  } finally {
    await source.close()
  }
}

async function writeAll(res: ServerResponse, start: string, source: ChunkSource): Promise<void> {
  let turnStart = performance.now()
  for (let chunk: string | undefined = start; chunk !== undefined && !res.destroyed;) {
    const ready = write(res, chunk)
    if (ready !== undefined) {
      await ready
      turnStart = performance.now()
    } else if (performance.now() - turnStart > longestTurn) {
      await nextTurn()
      turnStart = performance.now()
    }
    const next = source.next()
    chunk = isPromiseLike(next) ? await next : next
  }
}

/** @returns a promise when the client has to catch up first */
function write(res: ServerResponse, chunk: string): Promise<void> | undefined {
  const accepted = res.write(chunk)
  // A compressing middleware holds everything back until it is told not to.
  if ('flush' in res && typeof res.flush === 'function') (res.flush as () => void)()
  return accepted ? undefined : drained(res)
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
    if (res.destroyed) done()
  })
}
