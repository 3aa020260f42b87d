import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { turnEventLoop } from '../../support/event-loop.js'
import { Failures } from '../../support/failures.js'
import { TestServer } from '../../support/http-exchange.js'
import { until } from '../../support/until.js'
import { openHandles, temporaryDirectory, write } from './support.js'

let server: TestServer
let failures: Failures
afterEach(() => server.stop())

async function start(root: string): Promise<void> {
  failures = new Failures()
  const { onError } = failures
  const provider = fileProvider(root, { writable: true })
  server = await TestServer.start(express().use('/f', odataV2(fileModel, provider, { onError, pageSize: 0 })))
}

/** Starts a request and pauses the response until `rest` is called. */
async function begun(
  target: string,
): Promise<{ readonly rest: () => Promise<Buffer>; readonly length: number }> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path: target, agent: false }, resolve).on('error', reject)
  })
  // The system buffers some megabytes; then the server waits for the client.
  incoming.pause()
  await turnEventLoop()
  return {
    length: Number(incoming.headers['content-length']),
    rest: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
  }
}

async function handlesAreBack(before: number): Promise<void> {
  await until(() => openHandles() <= before)
}

const size = 40_000_000
const value = "/f/Files('%2Fa.bin')/$value"

describe('A file that changes while it is sent', () => {
  let root: string
  beforeEach(async () => {
    root = temporaryDirectory()
    write(root, 'a.bin', Buffer.alloc(size, 'a'))
    await start(root)
    await server.send('/f/Files')
  })

  it('MUST be aborted when it becomes shorter, since it must not look complete', async () => {
    const before = openHandles()
    const response = await begun(value)
    truncateSync(join(root, 'a.bin'), 1_000)
    await expect(response.rest()).rejects.toThrow('aborted')
    expect(failures.causes.map(String)).toEqual([
      'ShortenedFileError: The file became shorter while it was read.',
    ])
    await handlesAreBack(before)
    expect((await server.send(value)).bytes).toHaveLength(1_000)
  })

  it('MUST be sent up to the announced length when it grows', async () => {
    const before = openHandles()
    const response = await begun(value)
    appendFileSync(join(root, 'a.bin'), 'b'.repeat(1_000_000))
    expect((await response.rest()).equals(Buffer.alloc(size, 'a'))).toBe(true)
    expect(failures.errors).toEqual([])
    await handlesAreBack(before)
    expect((await server.send(value, { headers: { Range: 'bytes=-1' } })).text).toBe('b')
  })

  it('MUST be sent completely when it is deleted or replaced', async () => {
    const before = openHandles()
    const responses = [await begun(value), await begun(value)]
    expect((await server.send(value, { method: 'PUT', body: 'new' })).status).toBe(204)
    const [first, second] = await Promise.all(responses.map(({ rest }) => rest()))
    expect(first?.equals(Buffer.alloc(size, 'a'))).toBe(true)
    expect(second?.length).toBe(size)
    expect((await server.send(value)).text).toBe('new')
    await handlesAreBack(before)
  })
})

describe('A directory that is deleted while it is listed', () => {
  const directories = ['d1', 'd2', 'd3']
  // The feed is much longer than the buffers of the system.
  const files = 2_000
  const longName = 'n'.repeat(240)
  let root: string

  beforeEach(async () => {
    root = temporaryDirectory()
    for (const directory of directories) {
      mkdirSync(join(root, directory))
      for (let index = 0; index < files; index++) write(root, `${directory}/${index}-${longName}`)
    }
    await start(root)
  })

  it('MUST be missing from the feed, which is complete otherwise', async () => {
    const before = openHandles()
    const response = await begun('/f/Files?$format=json')
    rmSync(join(root, 'd3'), { recursive: true })
    const { d } = JSON.parse((await response.rest()).toString()) as { d: { results: { path: string }[] } }
    const paths = d.results.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const directory of ['d1', 'd2']) {
      expect(paths.filter((path) => path.startsWith(`/${directory}/`))).toHaveLength(files)
    }
    expect(paths.filter((path) => path.startsWith('/d3/')).length).toBeLessThan(files)
    expect(failures.errors).toEqual([])
    await handlesAreBack(before)
  })

  it('MUST abort the feed if it is the root, and respond with 500 until it exists again', async () => {
    const before = openHandles()
    const response = await begun('/f/Files?$format=json')
    rmSync(root, { recursive: true })
    await expect(response.rest()).rejects.toThrow('aborted')
    const { status, text } = await server.send('/f/Files')
    expect([status, text]).toEqual([
      500,
      expect.stringContaining('The service failed to process the request.'),
    ])
    expect(text).not.toMatch(/ENOENT|file-service|d1/)
    expect(
      (await server.send('/f/Files', { method: 'POST', body: 'x', headers: { Slug: 'a' } })).status,
    ).toBe(500)
    mkdirSync(root)
    write(root, 'new.txt')
    expect((await server.send('/f/Files/$count')).text).toBe('2')
    await handlesAreBack(before)
  })
})

describe('A change that the operating system does not permit', () => {
  it('MUST be 403 without any effect', async () => {
    const root = temporaryDirectory()
    write(root, 'd/a.txt', 'old')
    const isRoot = process.geteuid?.() === 0
    for (const path of [root, join(root, 'd')]) chmodSync(path, 0o555)
    await start(root)
    if (isRoot) process.seteuid?.(65_534)
    try {
      const file = "/f/Files('%2Fd%2Fa.txt')"
      const refused = [
        await server.send(`${file}/$value`, { method: 'PUT', body: 'new' }),
        await server.send('/f/Files', { method: 'POST', body: 'new', headers: { Slug: '%2Fd%2Fb.txt' } }),
        await server.send(file, { method: 'DELETE' }),
        await server.send("/f/Files('%2Fd')/Files", { method: 'POST', body: 'new' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      for (const { text } of refused) expect(text).not.toMatch(/EACCES|EPERM|permission|file-service/)
      expect((await server.send(`${file}/$value`)).text).toBe('old')
    } finally {
      if (isRoot) process.seteuid?.(0)
      for (const path of [root, join(root, 'd')]) chmodSync(path, 0o755)
    }
    expect(readdirSync(join(root, 'd'))).toEqual(['a.txt'])
  })
})
