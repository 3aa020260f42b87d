import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { batchBody, get, written } from '../support/batch-exchange.js'
import { dictionaries } from '../fuzz/mutation/dictionaries.js'
import type { Material } from '../fuzz/mutation/mutate.js'
import { mutated } from '../fuzz/mutation/mutate.js'
import type { Random } from '../fuzz/mutation/random.js'
import { bigFile, requestTime } from './measurement.js'

/** Statuses of the responses by kind of request; `none` when the client or the server closed the connection. */
type Statuses = Map<string, Map<string, number>>

interface Way {
  /** The client disconnects after this number of bytes, by a reset or an end. */
  readonly leaveAfter?: number
  /** Milliseconds between two reads. */
  readonly pause?: number
  /** Milliseconds until anything is read at all. */
  readonly wait?: number
  /** Says that nothing more will come: what was promised may be missing. */
  readonly finish?: boolean
}

/** Clients of all kinds, each request by a connection of its own. */
export class Load {
  readonly statuses: Statuses = new Map()
  requests = 0
  /** Connections that the service left open for too long. */
  stuck = 0
  private inserted = 0

  constructor(
    private readonly port: number,
    private readonly corpus: Material['corpus'],
    private readonly seed: number,
  ) {}

  /** One request, or a few that belong together, of a random kind. */
  async one(random: Random): Promise<void> {
    const kind = random.oneOf(kinds)
    await this[kind](random)
  }

  private async exchange(kind: string, bytes: string | Buffer, way: Way = {}): Promise<void> {
    this.requests++
    const socket = connect(this.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').catch(() => undefined)
    if (typeof bytes === 'string') socket.write(bytes, 'latin1')
    else socket.write(bytes)
    const limit = delay(20_000, 'late', { ref: false })
    const head = await Promise.race([readAll(socket, way), limit])
    if (head === 'late') this.stuck++
    socket.destroy()
    await closed
    this.count(kind, /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 'none')
  }

  private count(kind: string, status: string): void {
    const counts = this.statuses.get(kind) ?? new Map<string, number>()
    counts.set(status, (counts.get(status) ?? 0) + 1)
    this.statuses.set(kind, counts)
  }

  private async read(random: Random): Promise<void> {
    await this.exchange('read', head('GET', `${random.oneOf(mounts)}${random.oneOf(reads)}`))
  }

  private async brokenFeed(random: Random): Promise<void> {
    const path = random.oneOf([
      '/Orders?$expand=Order_Details,Customer&$format=json',
      '/Order_Details?$expand=Product',
    ])
    await this.exchange('feed broken off', head('GET', random.oneOf(mounts) + path), { leaveAfter: 1 })
  }

  private async write(random: Random): Promise<void> {
    const path = `${random.oneOf(mounts)}/Categories(${1 + random.below(8)})`
    const body = JSON.stringify({ Description: 'x'.repeat(random.below(200)) })
    await this.exchange('merge', head('MERGE', path, body, ['If-Match: *']))
  }

  private async insertAndDelete(random: Random): Promise<void> {
    const [mount, id] = [random.oneOf(mounts), `T${this.inserted++}`]
    const body = JSON.stringify({ TerritoryID: id, TerritoryDescription: 't' })
    await this.exchange('insert', head('POST', `${mount}/Territories`, body))
    await this.exchange('delete', head('DELETE', `${mount}/Territories('${id}')`))
  }

  private async batch(random: Random): Promise<void> {
    const id = `B${this.inserted++}`
    const body = JSON.stringify({ TerritoryID: id, TerritoryDescription: 't' })
    const faulty = random.below(3) === 0 ? ['DELETE Categories(4711)'] : []
    const changes = ['POST Territories', `DELETE Territories('${id}')`, ...faulty]
    const requests = changes.map((line, index) => written(line, index === 0 ? body : ''))
    const text = batchBody(get('Products(1)?$expand=Category'), requests, get('Orders?$top=5'))
    const type = ['Content-Type: multipart/mixed; boundary=b']
    const way = random.below(4) === 0 ? { leaveAfter: 1 } : {}
    await this.exchange('batch', head('POST', `${random.oneOf(mounts)}/$batch`, text, type), way)
  }

  private async range(random: Random): Promise<void> {
    const from = random.below(bigFile.size)
    const headers = [`Range: bytes=${from}-${from + random.below(100_000)}`]
    await this.exchange('range', head('GET', `/files/Files('%2F${bigFile.name}')/$value`, '', headers))
  }

  private async upload(random: Random): Promise<void> {
    const path = `/files/Files('%2Ff${random.below(10)}.txt')`
    const body = 'y'.repeat(random.below(200_000))
    const request = head('PUT', `${path}/$value`, body, ['If-Match: *', 'Content-Type: text/plain'])
    if (random.below(3) === 0) {
      await this.exchange('upload broken off', request.slice(0, -body.length / 2 - 1), {
        wait: 20,
        leaveAfter: 0,
      })
    } else await this.exchange('upload', request)
    const slug = [`Slug: f${random.below(10)}.txt`, 'Content-Type: text/plain']
    if (random.below(5) === 0) await this.exchange('new file', head('POST', '/files/Files', 'new', slug))
    if (random.below(4) === 0) await this.exchange('delete file', head('DELETE', path))
  }

  private async slowReader(random: Random): Promise<void> {
    const leaveAfter = random.oneOf([100_000, bigFile.size / 2, Infinity])
    await this.exchange('slow reader', head('GET', `/files/Files('%2F${bigFile.name}')/$value`), {
      pause: 5,
      leaveAfter,
    })
  }

  private async readsNothing(random: Random): Promise<void> {
    const path = random.oneOf([
      `/files/Files('%2F${bigFile.name}')/$value`,
      '/memory/Orders?$expand=Order_Details',
    ])
    await this.exchange('reads nothing', head('GET', path), { wait: requestTime * 2 })
  }

  private async unfinishedBody(random: Random): Promise<void> {
    const targets = ['/memory/Territories', '/northwind/$batch', '/files/Files'] as const
    const type = 'Content-Type: multipart/mixed; boundary=b'
    const request = head('POST', random.oneOf(targets), 'z'.repeat(1000), [type])
    await this.exchange('body without end', request.slice(0, -900))
  }

  private async garbage(random: Random): Promise<void> {
    const material = { corpus: this.corpus, dictionary: dictionaries.request }
    const input = mutated(material, this.seed, random.below(1 << 30))
    await this.exchange('garbage', Buffer.from(input, 'latin1'), { finish: true })
  }
}

/** Those that take their time are rare: they hold a client for seconds. */
const kinds = [
  ...([
    'read',
    'read',
    'read',
    'read',
    'read',
    'read',
    'brokenFeed',
    'brokenFeed',
    'write',
    'write',
    'write',
  ] as const),
  ...([
    'insertAndDelete',
    'insertAndDelete',
    'batch',
    'batch',
    'batch',
    'range',
    'range',
    'upload',
    'upload',
  ] as const),
  ...([
    'garbage',
    'garbage',
    'garbage',
    'garbage',
    'read',
    'write',
    'batch',
    'range',
    'garbage',
    'upload',
  ] as const),
  ...(['slowReader', 'readsNothing', 'unfinishedBody'] as const),
] as const

const mounts = ['/memory', '/northwind'] as const

const reads = [
  '/',
  '/$metadata',
  '/Products?$format=json',
  '/Products(1)?$expand=Category,Supplier',
  '/Products?$filter=UnitPrice%20gt%2010M%20and%20substringof(%27a%27,ProductName)&$orderby=ProductName%20desc',
  '/Orders?$top=20&$skip=40&$expand=Order_Details&$inlinecount=allpages',
  '/Customers/$count',
  '/Categories(1)/Products?$select=ProductName',
  '/Employees(1)/$value',
  '/ProductsBelowStock?level=10',
  '/Nothing',
  '/Products?$filter=%27',
] as const

/** A request, after which the connection is to be closed. */
function head(method: string, path: string, body = '', headers: readonly string[] = []): string {
  const typed = body === '' || headers.some((line) => line.startsWith('Content-Type'))
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: h',
    'Connection: close',
    ...headers,
    ...(typed ? [] : ['Content-Type: application/json']),
    ...(method === 'GET' || method === 'DELETE' ? [] : [`Content-Length: ${body.length}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** @returns the first bytes of what has come until the connection was closed, or the client had enough */
async function readAll(socket: Socket, { leaveAfter = Infinity, pause, wait, finish }: Way): Promise<string> {
  if (wait !== undefined) await delay(wait)
  if (leaveAfter === 0) return leave(socket, '')
  if (finish === true) socket.end()
  let [first, length] = ['', 0]
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (first === '') first = chunk.toString('latin1', 0, 100)
      length += chunk.length
      if (length >= leaveAfter) return leave(socket, first)
      if (pause !== undefined) await delay(pause)
    }
  } catch {
    // A reset, after which there is nothing more to read.
  }
  return first
}

function leave(socket: Socket, first: string): string {
  socket.resetAndDestroy()
  return first
}
