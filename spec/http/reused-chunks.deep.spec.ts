import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import compression from 'compression'
import type { RequestHandler } from 'express'
import express from 'express'
import { createServer, fileModel, fileProvider, odataV2, requestListener } from '../../lib/index.js'
import { readAndLeave, TestServer } from '../support/http-exchange.js'

const root = mkdtempSync(join(tmpdir(), 'chunks-'))
const sizes = [70_000, 131_072, 131_073, 524_288, 524_289, 2_097_152, 2_097_153, 5_000_000]
const files = sizes.map((size) => randomBytes(size))
files.forEach((bytes, index) => {
  writeFileSync(join(root, `${index}.bin`), bytes)
})
const service = odataV2(fileModel, fileProvider(root))
afterAll(() => {
  rmSync(root, { recursive: true })
})

const target = (index: number): string => `/Files('%2F${index}.bin')/$value`

function hashOf(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex')
}

/** Downloads all files concurrently, some of them twice, together with downloads that are aborted. */
async function downloadAll(server: TestServer): Promise<void> {
  const indexes = files.flatMap((_, index) => [index, files.length - 1, index])
  await Promise.all(
    indexes.map(async (index, turn) => {
      if (turn % 4 === 3) await readAndLeave(server, target(files.length - 1), 100_000)
      const { status, bytes } = await server.send(target(index), {
        headers: { 'Accept-Encoding': 'identity' },
      })
      expect([index, status, hashOf(bytes)]).toEqual([index, 200, hashOf(files[index] ?? Buffer.alloc(0))])
    }),
  )
}

describe.each<[string, RequestListener | ReturnType<typeof createServer>]>([
  ['behind Express', express().use(service)],
  ['behind Express on its own server', createServer(express().use(service))],
  ['without Express', requestListener(fileModel, fileProvider(root))],
  ['behind middleware that compresses', express().use(compression({ threshold: 0 }), service)],
])('Downloads at the same time, %s,', (_, what) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(what)
  })
  afterAll(() => server.stop())

  it('MUST each have the bytes of their own file, however often chunks are used again', async () => {
    for (let round = 0; round < 2; round++) await downloadAll(server)
  })

  it('MUST have the bytes of their range', async () => {
    const last = files.length - 1
    const ranges = Array.from(
      { length: 20 },
      (_none, index) => [index * 9_999, index * 9_999 + 600_000] as const,
    )
    await Promise.all(
      ranges.map(async ([start, end]) => {
        const { status, bytes } = await server.send(target(last), {
          headers: { Range: `bytes=${start}-${end}` },
        })
        expect(status).toBe(206)
        expect(hashOf(bytes)).toBe(hashOf(files[last]?.subarray(start, end + 1) ?? Buffer.alloc(0)))
      }),
    )
  })
})

describe('A client that reads slowly', () => {
  it('MUST have the bytes of its file, whatever is sent to others meanwhile', async () => {
    // More than systems take in advance.
    const bytes = randomBytes(24_000_000)
    writeFileSync(join(root, 'slow.bin'), bytes)
    const server = await TestServer.start(express().use(service))
    const path = "/Files('%2Fslow.bin')/$value"
    const slow = request({ host: '127.0.0.1', port: server.port, agent: false, path })
    slow.end()
    const [incoming] = (await once(slow, 'response')) as [IncomingMessage]
    for (let round = 0; round < 5; round++) await server.send(target(files.length - 1))
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    expect(hashOf(Buffer.concat(chunks))).toBe(hashOf(bytes))
    await server.stop()
  })
})

describe('Middleware that retains chunks', () => {
  const kept: Buffer[][] = []
  const keep: RequestHandler = (_req, res, next) => {
    const chunks: Buffer[] = []
    kept.push(chunks)
    const write = res.write.bind(res) as (...given: unknown[]) => boolean
    res.write = (...given: unknown[]) => {
      chunks.push(given[0] as Buffer)
      return write(...given)
    }
    next()
  }

  it('MUST still have it when the response is complete, and others were sent since', async () => {
    const server = await TestServer.start(express().use(keep, service))
    const [large, larger] = [files.length - 1, files.length - 2]
    for (let round = 0; round < 3; round++) {
      await server.send(target(large))
      await server.send(target(larger))
    }
    await server.stop()
    expect(kept).toHaveLength(6)
    kept.forEach((chunks, index) => {
      expect(hashOf(Buffer.concat(chunks))).toBe(
        hashOf(files[index % 2 === 0 ? large : larger] ?? Buffer.alloc(0)),
      )
    })
  })
})
