import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'

interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A client with one connection of its own, which it keeps. */
class Writer {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(private readonly port: number) {}

  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<TestResponse> {
    const { port, agent } = this
    return new Promise((resolve, reject) => {
      const length = method === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const all = { ...headers, ...length }
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers: all }, (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk: string) => (text += chunk))
        res.on('error', reject)
        res.on('end', () => {
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

/** How often there was each status. */
export type Statuses = Readonly<Record<number, number>>

class Tally {
  readonly statuses: Record<number, number> = {}

  add(status: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
  }
}

/**
 * Lets several concurrent clients add 1 to the same value: each reads it and writes it with If-Match, until that
 * succeeds.
 *
 * @returns the statuses of the writes
 */
export async function countTogether(port: number, entity: string, clients: number): Promise<Statuses> {
  const tally = new Tally()
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const addOne = async (): Promise<void> => {
    const writer = new Writer(port)
    for (let status = 0; status !== 204;) {
      const { text } = await writer.send('GET', entity, json)
      const { d } = JSON.parse(text) as { d: { Value: number; __metadata: { etag: string } } }
      const headers = { ...json, 'If-Match': d.__metadata.etag }
      const response = await writer.send('MERGE', entity, headers, `{"Value":${d.Value + 1}}`)
      status = response.status
      tally.add(status)
      if (status !== 204 && status !== 412) break
    }
    writer.close()
  }
  await Promise.all(Array.from({ length: clients }, addOne))
  return tally.statuses
}

/** An upload that succeeded. */
interface Upload {
  readonly bytes: string
  /** ETags of the content that was replaced and of the new content. */
  readonly replaced: string
  readonly etag: string
}

/**
 * Lets several concurrent clients replace the same media resource several times: each reads its ETag and writes with
 * If-Match; half of them retry until that succeeds.
 */
export async function uploadTogether(
  port: number,
  value: string,
  clients: number,
): Promise<{ readonly statuses: Statuses; readonly uploads: readonly Upload[] }> {
  const tally = new Tally()
  const uploads: Upload[] = []
  const upload = async (index: number): Promise<void> => {
    const writer = new Writer(port)
    // All contents have the same length, so that the length does not identify them.
    const bytes = `${String(index).padStart(4, '0')} `.repeat(2_000)
    for (let status = 0; status !== 204;) {
      const replaced = (await writer.send('GET', value, { Range: 'bytes=0-0' })).headers.etag ?? ''
      const response = await writer.send('PUT', value, { 'If-Match': replaced }, bytes)
      status = response.status
      tally.add(status)
      if (status === 204) uploads.push({ bytes, replaced, etag: response.headers.etag ?? '' })
      if (index % 2 === 0 || (status !== 204 && status !== 412)) break
    }
    writer.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => upload(index)))
  return { statuses: tally.statuses, uploads }
}

/**
 * The uploads in the order in which they replaced each other.
 *
 * @param first the ETag before all of them
 * @throws Error when two replaced the same, or one what never was
 */
export function inOrder(uploads: readonly Upload[], first: string): readonly Upload[] {
  const byReplaced = new Map(uploads.map((upload) => [upload.replaced, upload]))
  if (byReplaced.size !== uploads.length) throw new Error('Two uploads replaced the same.')
  const order: Upload[] = []
  for (let next = byReplaced.get(first); next !== undefined; next = byReplaced.get(next.etag)) {
    order.push(next)
    if (order.length > uploads.length) throw new Error('A version came twice.')
  }
  if (order.length !== uploads.length)
    throw new Error(`Only ${order.length} of ${uploads.length} hang together.`)
  return order
}
