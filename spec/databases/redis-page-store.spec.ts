import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import express from 'express'
import { Redis } from 'ioredis'
import type { PageStore, RedisClient } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2, redisPageStore } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { until } from '../support/until.js'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
const describeIfInstalled = isInstalled ? describe : describe.skip

const model = defineModel({
  namespace: 'Shared',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})
const Notes = Array.from({ length: 500 }, (_, index) => ({
  ID: index,
  Text: `Größe ${String(index)}`.repeat(20),
}))

class RedisServer {
  private process: ChildProcess | undefined

  private readonly directory = mkdtempSync(join(tmpdir(), 'redis-'))
  readonly path = join(this.directory, 'socket')

  async start(): Promise<void> {
    const words = ['--port', '0', '--unixsocket', this.path, '--dir', this.directory, '--save', '']
    this.process = spawn('redis-server', words, { stdio: 'ignore' })
    await until(async () => {
      const socket = createConnection(this.path)
      const outcome = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false)
      socket.destroy()
      return outcome
    })
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.process?.kill(name)
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.directory, { recursive: true })
  }

  async kill(): Promise<void> {
    const { process } = this
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return
    const exit = once(process, 'exit')
    process.kill('SIGKILL')
    await exit
  }
}

const clients: readonly (readonly [
  string,
  (path: string) => Promise<{ client: RedisClient; close: () => unknown }>,
])[] = [
  [
    'redis',
    async (path) => {
      const client = createClient({ socket: { path, tls: false } })
      client.on('error', () => undefined)
      await client.connect()
      return { client, close: () => client.destroy() }
    },
  ],
  [
    'ioredis',
    async (path) => {
      const client = new Redis(path)
      await once(client, 'ready')
      return { client, close: () => client.disconnect() }
    },
  ],
]

describeIfInstalled.each(clients)('Pages in Redis, with the client %s', (_name, connect) => {
  let redis: RedisServer
  let connected: Awaited<ReturnType<typeof connect>>
  let servers: TestServer[]
  let hits: number
  let version: number

  beforeEach(async () => {
    redis = new RedisServer()
    await redis.start()
    connected = await connect(redis.path)
    hits = 0
    version = 1
    servers = []
    for (let index = 0; index < 2; index++) {
      const inRedis = redisPageStore(connected.client, { prefix: 'spec:' })
      const store: PageStore = {
        ...inRedis,
        get: async (key) => {
          const page = await inRedis.get(key)
          if (page !== undefined) hits++
          return page
        },
      }
      const provider = {
        ...memoryProvider(model, { Notes }),
        dataVersion: () => version,
        shareDataVersion: () => undefined,
      }
      const service = odataV2(model, provider, {
        serviceRoot: 'http://shop.example/',
        pageCache: { store, timeout: 1000 },
      })
      servers.push(await TestServer.start(express().use(service)))
    }
  })
  afterEach(async () => {
    for (const server of servers) await server.stop()
    connected.close()
    await redis.stop()
  })

  const get = async (index: number): Promise<string | undefined> => {
    const response = await servers[index]?.send('/Notes?$format=json')
    expect(response?.status).toBe(200)
    return response?.text
  }

  /** Requests new versions of the page until the second process has a hit. */
  const untilHit = async (): Promise<void> => {
    const before = hits
    await until(async () => {
      version++
      const rendered = [await get(0), await get(0)]
      expect(await get(1)).toBe(rendered[1])
      return hits > before
    })
  }

  it('MUST be hits in other processes, with the same bytes', async () => {
    await untilHit()
    expect(hits).toBeGreaterThan(0)
  })

  it('MUST be transferred once for all versions with the same bytes, and be stored again after an eviction', async () => {
    await untilHit()
    const { client } = connected
    const send = (...words: string[]): Promise<unknown> =>
      'callBuffer' in client
        ? client.callBuffer(words[0] ?? '', ...words.slice(1))
        : client.sendCommand(words, {})
    const keys = async (): Promise<readonly string[]> =>
      ((await send('KEYS', 'spec:*')) as unknown[]).map(String)
    const sizes = async (): Promise<readonly number[]> => {
      const found = []
      for (const key of await keys()) found.push(Number(await send('STRLEN', key)))
      return found.filter((size) => size > 100)
    }
    await untilHit()
    expect((await sizes()).length).toBe(1)
    for (const key of await keys()) await send('DEL', key)
    await untilHit()
    expect((await sizes()).length).toBe(1)
  })

  it('MUST cost only their hits while Redis hangs, is dead, and comes back', async () => {
    await untilHit()
    redis.signal('SIGSTOP')
    version++
    for (let index = 0; index < 4; index++) await get(index % 2)
    await redis.kill()
    version++
    for (let index = 0; index < 4; index++) await get(index % 2)
    await redis.start()
    await untilHit()
  })
})

describe('redisPageStore', () => {
  it.each([undefined, {}, { on: () => undefined }])(
    'MUST refuse other objects than clients: %j',
    (client) => {
      expect(() => redisPageStore(client as never)).toThrow(
        'the client must be one of the package redis or ioredis',
      )
    },
  )
})
