import { turnEventLoop } from './event-loop.js'
import { chunk, RawClient } from './raw-client.js'

/** Where uploads go that will not be complete: a line without version, and the headers that it needs. */
interface UploadTarget {
  readonly line: string
  readonly headers?: string
}

const half = 'h'.repeat(20_000)

/** The ways in which an upload can end early, by their names: what is sent before the connection is closed. */
const cuts = {
  'after the headers': ['Content-Length: 40000', ''],
  'in the middle': ['Content-Length: 40000', half],
  'one byte before the end': ['Content-Length: 40000', half + half.slice(1)],
  'in chunks, before the first': ['Transfer-Encoding: chunked', ''],
  'in a chunk': ['Transfer-Encoding: chunked', chunk(half) + chunk(half).slice(0, 9_000)],
  'before the last chunk': ['Transfer-Encoding: chunked', chunk(half) + chunk(half)],
  'with an invalid chunk': ['Transfer-Encoding: chunked', `${chunk(half)}nothing\r\n`],
  'behind too many bytes': ['Transfer-Encoding: chunked', `${chunk(half + half)}${chunk(half)}`],
  'when it announces too many bytes': ['Content-Length: 1000000000', half],
} as const

/** How the connection is closed. An end without a close makes the length that was announced a lie. */
const ways = ['leave', 'reset', 'finish'] as const

const CONCURRENT_UPLOADS = 25

/**
 * Starts uploads of all kinds and aborts them, a few at a time, and waits until their connections are closed.
 *
 * The services have the limit mediaBytes of 40000.
 * @returns the number of responses by status; connections without a response count as 0
 */
export async function abortUploads(
  port: number,
  targets: readonly UploadTarget[],
  count: number,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>()
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const status = await abortUpload(port, targets[index % targets.length], index)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, work))
  return statuses
}

async function abortUpload(port: number, target: UploadTarget | undefined, index: number): Promise<number> {
  const kinds = Object.values(cuts)
  const [length, sent] = kinds[index % kinds.length] ?? ['', '']
  const way = ways[Math.floor(index / kinds.length) % ways.length] ?? 'leave'
  const client = await RawClient.connect(port)
  await client.write(`${target?.line} HTTP/1.1\r\nHost: h\r\n${target?.headers ?? ''}${length}\r\n\r\n`)
  await client.write(sent)
  // Some clients abort immediately, others when the service has begun to write.
  await turnEventLoop(10 * (index % 4))
  await client[way]()
  return client.statuses[0] ?? 0
}
