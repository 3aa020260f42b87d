import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fc, runs } from '../../support/random.js'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { responsesTo, statusesOf, written } from '../../support/batch-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { temporaryDirectory } from './support.js'

let root: string
let server: TestServer
beforeEach(async () => {
  root = temporaryDirectory()
  const service = odataV2(fileModel, fileProvider(root, { writable: true }), { onError: () => undefined })
  server = await TestServer.start(express().use('/n', service))
})
afterEach(() => server.stop())

type Bytes = string | Uint8Array<ArrayBuffer>
type Headers = Readonly<Record<string, string>>

/** @param path below the service root, encoded */
function send(method: string, path: string, body?: Bytes, headers: Headers = {}): Promise<Response> {
  const all = { Accept: 'application/json', ...headers }
  const content = body === undefined ? {} : { body }
  return fetch(`http://${server.host}/n/${path}`, { method, headers: all, ...content })
}

function at(path: string, rest = ''): string {
  return `Files('${encodeURIComponent(path.replaceAll("'", "''"))}')${rest}`
}

/** Uploads bytes, and returns the key of the new file. */
async function upload(slug: string, body: Bytes, target = 'Files'): Promise<string> {
  const headers = { Slug: encodeURIComponent(slug), 'Content-Type': 'application/octet-stream' }
  return keyOf(await send('POST', target, body, headers))
}

async function makeDirectory(slug: string, target = 'Files'): Promise<string> {
  const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
  const entry = `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="${data}" xmlns:m="${data}/metadata">
    <m:properties><d:isDirectory>true</d:isDirectory></m:properties></entry>`
  const headers = { Slug: encodeURIComponent(slug), 'Content-Type': 'application/atom+xml;type=entry' }
  return keyOf(await send('POST', target, entry, headers))
}

async function keyOf(response: Response): Promise<string> {
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  const { d } = (await response.json()) as { d: { path: string } }
  const location = decodeURIComponent(response.headers.get('location') ?? '')
  expect(location).toBe(`http://${server.host}/n/${decodeURIComponent(at(d.path))}`)
  return d.path
}

async function valueOf(path: string): Promise<Buffer> {
  return Buffer.from(await (await send('GET', at(path, '/$value'))).arrayBuffer())
}

async function statusOf(...sent: Parameters<typeof send>): Promise<number> {
  const response = await send(...sent)
  await response.arrayBuffer()
  return response.status
}

describe('A writable file service', () => {
  it.each(["it's", 'a b', '100%', '#?&+;=,', '(1)', 'é\u{1F600}', '"q"', '$value', 'UPPER', "''", 'e\u0301'])(
    'MUST return a file with the name %j unchanged',
    async (name) => {
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      const path = await upload(name, bytes)
      expect(path).toBe(`/${name}`)
      expect([...readFileSync(join(root, name))]).toEqual([...bytes])
      expect([...(await valueOf(path))]).toEqual([...bytes])
      const { d } = (await (await send('GET', at(path))).json()) as { d: object }
      expect(d).toMatchObject({ path, name, size: 256, isDirectory: false })
      expect(await statusOf('PUT', at(path, '/$value'), new Uint8Array(0))).toBe(204)
      expect((await valueOf(path)).length).toBe(0)
      expect(await statusOf('DELETE', at(path))).toBe(204)
      expect(readdirSync(root)).toEqual([])
    },
  )

  it('MUST return large files byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 3_000_001 }, (_, index) => (index * 31) % 251)
    const path = await upload('large', bytes)
    expect((await valueOf(path)).equals(bytes)).toBe(true)
  })

  it('MUST let exactly one of many requests replace the same version', async () => {
    const path = await upload('a', 'first')
    for (let round = 0; round < 3; round++) {
      const etag = (await send('GET', at(path, '/$value'))).headers.get('etag') ?? ''
      const bodies = ['1', '22', '333', '4444'].map((text) => `${text} ${round}`)
      const statuses = await Promise.all(
        bodies.map((body) => statusOf('PUT', at(path, '/$value'), body, { 'If-Match': etag })),
      )
      expect(statuses.toSorted()).toEqual([204, 412, 412, 412])
      expect((await valueOf(path)).toString()).toBe(bodies[statuses.indexOf(204)])
    }
  })

  it('MUST delete a file once for concurrent requests', async () => {
    const path = await upload('a', 'x')
    const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf('DELETE', at(path))))
    expect(statuses.toSorted()).toEqual([204, 404, 404, 404])
  })

  it('MUST NOT change keys, properties and links of files', async () => {
    await makeDirectory('d')
    const path = await upload('a', 'x')
    const json = { 'Content-Type': 'application/json' }
    const xml = { 'Content-Type': 'text/plain' }
    const change = (method: string, target: string, body: unknown): Promise<number> =>
      statusOf(method, target, JSON.stringify(body), json)
    expect(await change('MERGE', at(path), { path: '/b' })).toBe(400)
    expect(await change('PUT', at(path), { path: '/b', name: 'b', isDirectory: false })).toBe(400)
    expect(await change('MERGE', at(path), { name: 'b' })).toBe(400)
    expect(await change('MERGE', at(path), { size: 7 })).toBe(400)
    expect(await change('PUT', at(path, '/name'), { name: 'b' })).toBe(400)
    expect(await statusOf('PUT', at(path, '/name/$value'), 'b', xml)).toBe(400)
    expect(await statusOf('PUT', at(path, '/path/$value'), '/b', xml)).toBe(405)
    const uri = { uri: at('/d') }
    for (const [method, target, body] of [
      ['PUT', at(path, '/$links/Parent'), uri],
      ['POST', at('/d', '/$links/Files'), { uri: at(path) }],
      ['DELETE', at(path, '/$links/Parent'), undefined],
      ['DELETE', at('/', "/Files('%2Fa')"), undefined],
      ['MERGE', at(path), { Parent: { __metadata: uri } }],
    ] as const) {
      const sent = body === undefined ? statusOf(method, target) : change(method, target, body)
      expect([method, target, [400, 405, 501].includes(await sent)]).toEqual([method, target, true])
    }
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'd'])
    expect((await valueOf(path)).toString()).toBe('x')
  })

  it('MUST make one change in a change set, and reject several before the first change', async () => {
    const post = (name: string): string =>
      written('POST Files', name, { 'Content-Type': 'text/plain', Slug: name })
    const responses = await responsesTo(
      server.port,
      [post('one')],
      written(`GET ${at('/one', '/$value')}`),
      [post('two'), post('three')],
      [written(`DELETE ${at('/one')}`), post('four')],
    )
    expect(statusesOf(responses)).toEqual([[201], 200, 501, 501])
    expect(readdirSync(root)).toEqual(['one'])
  })

  it('MUST have the result of random changes', async () => {
    const step = fc.record({
      kind: fc.nat({ max: 5 }),
      name: fc.constantFrom('a', 'b', 'd'),
      inside: fc.boolean(),
      text: fc.string({ maxLength: 5 }),
    })
    const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      for (const name of readdirSync(root)) await remove(`/${name}`)
      const files = new Map<string, string | undefined>()
      for (const one of steps) {
        await make(one, files)
        expect(await everything()).toEqual([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
        expect(onDisk()).toEqual([...files.keys()].sort())
      }
    })
    await fc.assert(property, { numRuns: runs(8) })
  })
})

interface Step {
  readonly kind: number
  readonly name: string
  readonly inside: boolean
  readonly text: string
}

/** Makes a change to the service and to a map of contents by path. Directories have no content. */
async function make(
  { kind, name, inside, text }: Step,
  files: Map<string, string | undefined>,
): Promise<void> {
  const directory = inside && files.has('/d') && files.get('/d') === undefined ? '/d' : '/'
  const path = `${directory === '/' ? '' : directory}/${name}`
  const target = at(directory, '/Files')
  const isFile = files.get(path) !== undefined
  switch (kind) {
    case 0:
    case 1: {
      const made = kind === 0 ? await upload(name, text, target) : await upload(path, text)
      expect(files.has(made)).toBe(false)
      if (!files.has(path)) expect(made).toBe(path)
      files.set(made, text)
      return
    }
    case 2: {
      const made = await makeDirectory('d', target)
      expect(files.has(made)).toBe(false)
      files.set(made, undefined)
      return
    }
    case 3: {
      const expected = isFile ? 204 : files.has(path) ? 405 : 404
      expect(await statusOf('PUT', at(path, '/$value'), text)).toBe(expected)
      if (isFile) files.set(path, text)
      return
    }
    case 4: {
      const isFull = [...files.keys()].some((one) => one.startsWith(`${path}/`))
      const expected = isFull ? 409 : files.has(path) ? 204 : 404
      expect(await statusOf('DELETE', at(path))).toBe(expected)
      if (expected === 204) files.delete(path)
      return
    }
    default: {
      const headers = { 'If-Match': '"another"' }
      // A directory has no ETag.
      const expected = isFile ? 412 : files.has(path) ? 400 : 404
      expect(await statusOf('PUT', at(path, '/$value'), text, headers)).toBe(expected)
    }
  }
}

/** All paths of the service except the root, with the content of files. */
async function everything(): Promise<[path: string, content: string | undefined][]> {
  const { d } = (await (await send('GET', 'Files')).json()) as {
    d: { results: { path: string; isDirectory: boolean; size: number | null }[] }
  }
  const rows = d.results.filter(({ path }) => path !== '/')
  return Promise.all(
    rows.map(async ({ path, isDirectory, size }) => {
      if (isDirectory) return [path, undefined]
      const bytes = await valueOf(path)
      expect(size).toBe(bytes.length)
      return [path, bytes.toString()]
    }),
  )
}

function onDisk(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => `/${path}`)
    .sort()
}

/** Deletes an entry and its children through the service. */
async function remove(path: string): Promise<void> {
  const place = join(root, path)
  if (statSync(place).isDirectory()) {
    for (const name of readdirSync(place)) await remove(`${path}/${name}`)
  }
  expect(await statusOf('DELETE', at(path))).toBe(204)
}
