import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'

const directory = 'node_modules'
const agent = new Agent({ keepAlive: true })

let server: ChildProcess
let root: string

beforeAll(async () => {
  server = spawn('npm', ['start', '--', directory, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  root = await new Promise((found) => {
    let text = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/localhost:\d+/.exec(text)?.[0]
      if (address !== undefined) found(address)
    })
  })
})

afterAll(() => {
  agent.destroy()
  // npm runs the server in a process of its own: both belong to one group.
  if (server.pid !== undefined) process.kill(-server.pid)
})

interface TestResponse {
  readonly status: number | undefined
  readonly body: Buffer
}

function fetchBytes(address: string): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode, body: Buffer.concat(chunks) })
      })
      response.on('error', reject)
    }).on('error', reject)
  })
}

interface Entity {
  readonly path: string
  readonly isDirectory: boolean
  readonly size: number | null
  readonly __metadata: { readonly media_src: string; readonly content_type: string }
}

async function walk(): Promise<Entity[]> {
  const entities: Entity[] = []
  let next: string | undefined = `${root}/v1/files/Files?$format=json`
  while (next !== undefined) {
    const { body } = await fetchBytes(next)
    const { d } = JSON.parse(body.toString()) as { d: { results: Entity[]; __next?: string } }
    entities.push(...d.results)
    next = d.__next
  }
  return entities
}

/** Lists the expected entries in the simplest possible way. */
function expected(path: string): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const child = `${path}/${entry.name}`
      if (entry.isDirectory()) return [child, ...expected(child)]
      return entry.isFile() ? [child] : []
    })
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('A directory read page by page through next links', () => {
  it('MUST be complete, in the order of the key, with all bytes of every file', async () => {
    const entities = await walk()
    const paths = entities.map(({ path }) => path)
    const all = ['/', ...expected('')].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(paths).toEqual(all)
    const files = entities.filter(({ isDirectory }) => !isDirectory)
    const wrong: string[] = []
    for (const { path, size, __metadata } of files) {
      const { status, body } = await fetchBytes(__metadata.media_src)
      const bytes = readFileSync(join(directory, path))
      const isRight =
        status === 200 && hash(body) === hash(bytes) && size === lstatSync(join(directory, path)).size
      if (!isRight) wrong.push(path)
    }
    expect(wrong).toEqual([])
    console.log(`${entities.length} entities, of which ${files.length} files have the same hash`)
  }, 600_000)
})
