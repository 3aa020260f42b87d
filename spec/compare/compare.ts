/** Sends the same random requests to two builds, and prints where their responses or databases differ. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import process from 'node:process'
import { dictionaries } from '../fuzz/mutation/dictionaries.js'
import { mutated } from '../fuzz/mutation/mutate.js'
import type { Random } from '../fuzz/mutation/random.js'
import { batchBody, written } from '../support/batch-exchange.js'
import type { WorldRequest } from './random-changes.js'
import { RandomChanges } from './random-changes.js'
import type { ServiceMessage, StoreKind, Task, World } from './worlds.js'
import { createWorld, serviceRoot, users } from './worlds.js'

const task = JSON.parse(process.argv[2] ?? '') as Task
const agent = new Agent({ keepAlive: true })
const formats = 'application/json application/json application/atom+xml */* text/csv,*/*;q=0.5'.split(' ')
/** Headers that depend on the time, or on the way in which a body is sent. */
const ownHeaders = /^(?:date|keep-alive|connection|content-length|transfer-encoding|last-modified)$/

interface Response {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A process with a build, and with its databases. */
class Side {
  private readonly tags = new Map<string, string>()
  private port = 0

  private constructor(private readonly child: ChildProcess) {}

  static async start(folder: string, name: string): Promise<Side> {
    const script = new URL('service.mjs', import.meta.url)
    const child = fork(script, [JSON.stringify(task), name, folder], { serialization: 'advanced' })
    child.once('exit', (code) => {
      if (code !== null) throw new Error(`The process of the build ${name} ended with ${String(code)}.`)
    })
    const side = new Side(child)
    side.port = (await side.received()) as number
    return side
  }

  async open(kind: StoreKind, index: number): Promise<void> {
    this.tags.clear()
    await this.call({ kind, index })
  }

  /** @returns the rows of a table as strings */
  async contents(table: string): Promise<readonly string[]> {
    const rows = ((await this.call({ table })) ?? []) as readonly object[]
    const toText = (_name: string, value: unknown): unknown =>
      typeof value === 'bigint' ? String(value) : value
    return rows.map((row) => withoutTime(JSON.stringify(row, toText))).sort()
  }

  private call(message: ServiceMessage): Promise<unknown> {
    this.child.send(message)
    return this.received()
  }

  private async received(): Promise<unknown> {
    const [{ result }] = (await once(this.child, 'message')) as [{ readonly result: unknown }]
    return result
  }

  async send(variant: string, { method, path, headers, body = '' }: WorldRequest): Promise<Response> {
    const withTags = (text: string): string =>
      text.replace(/\{etag ([^}]+)\}/g, (_, entity: string) => this.tags.get(entity) ?? 'W/"0"')
    const sent = Object.entries(headers).map(([name, value]) => [name, withTags(value)])
    const outgoing = request({
      ...{ agent, method, port: this.port, host: '127.0.0.1', path: `/${variant}/${path}` },
      headers: Object.fromEntries(sent) as Record<string, string>,
    })
    outgoing.end(Buffer.from(withTags(body)))
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const bytes = await buffer(incoming)
    const isGzip = incoming.headers['content-encoding'] === 'gzip'
    const { etag } = incoming.headers
    if (method === 'GET' && etag !== undefined) this.tags.set(path, etag)
    return comparable(incoming, (isGzip ? gunzipSync(bytes) : bytes).toString('latin1'))
  }

  stop(): void {
    this.child.removeAllListeners('exit').kill()
  }
}

/** Removes what differs between any two responses: boundaries, and the time. */
function comparable({ statusCode = 0, headers }: IncomingMessage, text: string): Response {
  const own = Object.entries(headers).filter(([name]) => !ownHeaders.test(name))
  return {
    status: statusCode,
    text: withoutTime(text),
    headers: JSON.parse(withoutTime(JSON.stringify(own))) as never,
  }
}

const today = new Date().toISOString().slice(0, 10)

function withoutTime(text: string): string {
  const plain = text
    .replace(/<updated>[^<]*<\/updated>/g, '<updated/>')
    .replace(/((?:batch|changeset)response_)[-\w]+/g, '$1')
    .replace(/cccccccc-0000-4000-8000-\d{12}/g, 'GUID')
    .replace(new RegExp(`${today}[T ]\\d\\d(?::|%3A)\\d\\d(?::|%3A)[\\d.]+Z?`, 'g'), 'NOW')
    .replace(/\d{13}/g, (digits) => (Math.abs(Date.now() - Number(digits)) < 86_400_000 ? 'NOW' : digits))
  // The time has up to three fraction digits.
  return plain.includes('NOW') ? plain.replace(/Content-Length: \d+/g, 'Content-Length') : plain
}

/** A world on a kind of store, served by both builds. */
class Comparison {
  readonly differences: string[] = []
  readonly statuses = new Map<number, number>()
  private readonly random: Random
  private readonly world: World
  private readonly changes: RandomChanges

  constructor(
    private readonly sides: readonly [Side, Side],
    private readonly kind: StoreKind,
    private readonly index: number,
  ) {
    const { random, world } = createWorld(task.seed, kind, index)
    ;[this.random, this.world] = [random, world]
    this.changes = new RandomChanges(this.random, this.world)
  }

  async run(): Promise<void> {
    for (const side of this.sides) await side.open(this.kind, this.index)
    await this.compare('large', { method: 'GET', path: '$metadata', headers: { 'Accept-Encoding': 'gzip' } })
    for (let step = 0; step < task.steps && this.differences.length < task.most; step++) {
      const isSame = await this.step()
      // Their data may differ from now on.
      if (!isSame) return
    }
    await this.compareContents()
  }

  /** @returns false if the responses to changes differ */
  private async step(): Promise<boolean> {
    const { random } = this
    const variant = random.oneOf(['small', 'large', 'rights', 'rights'])
    const choice = random.below(20)
    if (choice < 6) await this.comparePages(variant, this.read())
    else if (choice < 8) {
      const reads = Array.from({ length: 2 + random.below(6) }, () => this.read())
      await Promise.all(reads.map((read) => this.compare(variant, read)))
    } else if (choice < 13) return this.compareBatch(variant)
    else if (this.world.otherRows !== undefined) return this.compareChange(variant)
    return true
  }

  private async comparePages(variant: string, first: WorldRequest): Promise<void> {
    let next: WorldRequest | undefined = first
    for (let page = 0; next !== undefined && page < 4; page++) {
      const { text } = await this.compare(variant, next)
      const [, json, atom] =
        /"__next":"([^"]*)"\}\}$|<link rel="next" href="([^"]*)"\/><\/feed>$/.exec(text) ?? []
      const uri = json ?? atom?.replaceAll('&amp;', '&')
      next = uri === undefined ? undefined : { ...first, path: uri.slice(serviceRoot.length) }
    }
  }

  private async compareChange(variant: string): Promise<boolean> {
    const change = this.changes.next()
    await this.readTags(variant, [change])
    const before = this.differences.length
    await this.compare(variant, { ...change, headers: { ...this.headers(), ...change.headers } })
    return this.differences.length === before
  }

  /** Reads the entities whose ETags are sent. */
  private async readTags(variant: string, changes: readonly WorldRequest[]): Promise<void> {
    for (const { headers } of changes) {
      const [, path] = /^\{etag (.+)\}$/.exec(headers['If-Match'] ?? '') ?? []
      if (path !== undefined) await this.compare(variant, { method: 'GET', path, headers: this.headers() })
    }
  }

  private async compareBatch(variant: string): Promise<boolean> {
    const { random } = this
    const part = ({ method, path, headers, body }: WorldRequest): string =>
      written(`${method} ${path}`, body, headers)
    const changes: WorldRequest[] = []
    const parts = Array.from({ length: 1 + random.below(12) }, (): string | string[] => {
      if (this.world.otherRows === undefined || random.below(5) > 0) return part(this.read())
      const set = Array.from({ length: random.oneOf([1, 1, 2, 3]) }, () => this.changes.next())
      changes.push(...set)
      return set.map(part)
    })
    // Tables of UI5 send the number of entities in front of the page.
    const { path, headers } = this.read()
    const [, set, filter] = /^(\w+)\?.*(\$filter=[^&]*)/.exec(path) ?? []
    if (set !== undefined) {
      parts.push(part({ method: 'GET', path: `${set}/$count?${filter ?? ''}`, headers: {} }))
      parts.push(
        part({ method: 'GET', path: `${set}?${filter ?? ''}&$inlinecount=allpages&$top=5`, headers }),
      )
    }
    await this.readTags(variant, changes)
    const before = this.differences.length
    const body = batchBody(...parts)
    const user = { 'X-User': this.user() }
    const type = { 'Content-Type': 'multipart/mixed; boundary=b' }
    await this.compare(variant, { method: 'POST', path: '$batch', headers: { ...type, ...user }, body })
    return changes.length === 0 || this.differences.length === before
  }

  /** Returns the name of a user, seldom of one without any rights. */
  private user(): string {
    return users[this.random.below(16) % (this.random.below(6) === 0 ? 4 : 3)] ?? ''
  }

  private headers(): Record<string, string> {
    const { random } = this
    const Accept = formats[random.below(formats.length)] ?? ''
    return { 'X-User': this.user(), ...(random.below(12) === 0 ? {} : { Accept }) }
  }

  /** Returns a read with random headers, sometimes an invalid one. */
  private read(): WorldRequest {
    const { random, world } = this
    const { entitySets } = world.model.defaultContainer
    const set = entitySets[random.below(entitySets.length)]
    let path =
      set !== undefined && random.below(4) === 0 ? `${set.name}(${world.requests.key(set)})` : world.read()
    const add = (option: string): void => {
      path += `${path.includes('?') ? '&' : '?'}${option}`
    }
    if (random.below(8) === 0)
      add(`search=${random.oneOf(['a', 'A', 'SS', '%C3%A9', 'gou', '1 0', '%22it%27s%22'])}`)
    if (random.below(8) === 0) add(`$format=${random.oneOf(['json', 'atom', 'xml', 'csv', 'xlsx', 'x'])}`)
    if (random.below(25) === 0) {
      const material = { corpus: [path] as const, dictionary: dictionaries.request }
      path = mutated(material, task.seed, random.below(2 ** 31))
    }
    const condition =
      random.below(10) === 0 ? { 'If-None-Match': random.oneOf([`{etag ${path}}`, '*', 'W/"1"']) } : {}
    const version = random.below(20) === 0 ? { MaxDataServiceVersion: random.oneOf(['1.0', '2.0', '9']) } : {}
    const method = random.oneOf(['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD'])
    return {
      ...{ method, path: path.replace(/[^!-~]|#/gu, encodeURIComponent) },
      headers: { ...this.headers(), ...condition, ...version },
    }
  }

  private async compare(variant: string, sent: WorldRequest): Promise<Response> {
    const [before, after] = await Promise.all([
      this.sides[0].send(variant, sent),
      this.sides[1].send(variant, sent),
    ])
    for (const status of [
      after.status,
      ...[...after.text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, one]) => Number(one)),
    ]) {
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    }
    this.note(`${variant} ${JSON.stringify(sent)}`, before, after)
    return after
  }

  /** Notes the first difference, with the part of the batch that it is in. */
  private note(title: string, before: unknown, after: unknown): void {
    const parts = (value: unknown): string[] =>
      JSON.stringify(value).split(/--(?:batch|changeset)response_(?:--)?(?:\\r\\n)*/)
    const [one, other] = [parts(before), parts(after)]
    const index = one.findIndex((text, at) => text !== other[at])
    if (index < 0 && one.length === other.length) return
    const where = `${this.kind}, --seed ${String(task.seed)}, world ${String(this.index)}`
    const found = [one, other].map((all) => (all[index] ?? '').slice(0, 1500))
    this.differences.push(
      `${where}: ${title}\n  part ${String(index)}\n  before: ${found.join('\n  after:  ')}`,
    )
  }

  /** Compares the tables of both databases, or what memory has. */
  private async compareContents(): Promise<void> {
    const { entitySets, associationSets } = this.world.model.defaultContainer
    if (this.kind === 'memory') {
      for (const { name, entityType } of entitySets) {
        const expand = entityType.navigationProperties.map((way) => way.name).join()
        const path = `${name}?$format=json${expand === '' ? '' : `&$expand=${expand}`}`
        await this.compare('large', { method: 'GET', path, headers: {} })
      }
      return
    }
    const links = associationSets.filter(({ association }) => association.referentialConstraint === undefined)
    for (const { name } of [...entitySets, ...links]) {
      const [before, after] = await Promise.all(this.sides.map((side) => side.contents(name)))
      this.note(`the table ${name}`, before, after)
    }
  }
}

let found = 0
const sides = [
  await Side.start(task.packages[0], 'before'),
  await Side.start(task.packages[1], 'after'),
] as const
for (const kind of task.kinds) {
  const total = new Map<number, number>()
  for (let index = 0; index < task.worlds && found < task.most; index++) {
    const comparison = new Comparison(sides, kind, index)
    await comparison.run()
    for (const difference of comparison.differences) console.log(difference)
    for (const [status, count] of comparison.statuses) total.set(status, (total.get(status) ?? 0) + count)
    found += comparison.differences.length
  }
  const counts = [...total].sort().map(([status, count]) => `${String(count)} x ${String(status)}`)
  const requests = [...total.values()].reduce((sum, one) => sum + one, 0)
  console.log(`${kind}: ${String(requests)} requests, parts of batches included: ${counts.join(', ')}`)
}
for (const side of sides) side.stop()
console.log(`${String(found)} differences`)
process.exitCode = found === 0 ? 0 : 1
agent.destroy()
