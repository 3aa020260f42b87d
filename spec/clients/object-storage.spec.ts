import { S3 } from '@aws-sdk/client-s3'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import {
  defineModel,
  edm,
  fileModel,
  fileProvider,
  memoryProvider,
  objectStorage,
  odataV2,
  withMediaStore,
} from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { until } from '../support/until.js'

const model = defineModel({
  namespace: 'Stored',
  entityTypes: { Film: { key: ['ID'], hasStream: true, properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Films: { entityType: 'Film' } } },
})

const partSize = 5_242_880
const mebibyte = 1_048_576
const directory = mkdtempSync(join(tmpdir(), 'objects-'))
let objectServer: ChildProcess
let client: S3
let server: TestServer
const errors: unknown[] = []

function clientOf(port: number | string, attempts = 3): S3 {
  return new S3({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: attempts,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
}

async function serve(from: S3, bucket = 'media'): Promise<TestServer> {
  const storage = objectStorage({ client: from, bucket, prefix: 'films/', partSize })
  const provider = withMediaStore(memoryProvider(model, { Films: [{ ID: 1 }] }), storage)
  const service = odataV2(model, provider, {
    limits: { mediaBytes: 4096 * mebibyte },
    onError: (error) => void errors.push(error),
  })
  return TestServer.start(express().use('/s', service))
}

beforeAll(async () => {
  const script = 'spec/clients/support/object-server.mjs'
  objectServer = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(objectServer.stdout as Readable, 'data')) as [Buffer]
  client = clientOf(line.toString().trim())
  server = await serve(client)
})
beforeEach(() => errors.splice(0))
afterAll(async () => {
  await server.stop()
  client.destroy()
  objectServer.kill()
  await once(objectServer, 'exit')
  rmSync(directory, { recursive: true })
})

const path = '/s/Films(1)/$value'
const put = (body: string | Uint8Array, to = server) =>
  to.send(path, { method: 'PUT', body, headers: { 'Content-Type': 'video/mp4' } })

/** Keys and sizes of all objects. */
async function objects(): Promise<readonly (number | undefined)[]> {
  const { Contents = [] } = await client.listObjectsV2({ Bucket: 'media' })
  expect(Contents.filter(({ Key }) => Key?.startsWith('films/') !== true)).toEqual([])
  return Contents.map(({ Size }) => Size)
}

/** The number of uploads whose parts the server stores. */
function openUploads(): number {
  const folder = join(directory, '_multipart')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

describe('Media resources in a bucket', () => {
  for (const size of [0, 10, partSize - 1, partSize, partSize + 1, 2 * partSize + 3]) {
    it(`MUST have the ${size} bytes that were uploaded, and replace the object before`, async () => {
      const bytes = randomBytes(size)
      expect((await put(bytes)).status).toBe(204)
      const { status, headers, bytes: read } = await server.send(path)
      expect([status, headers['content-length'], headers['content-type']]).toEqual([
        200,
        String(size),
        'video/mp4',
      ])
      expect(read.equals(bytes)).toBe(true)
      expect([await objects(), openUploads()]).toEqual([[size], 0])
    })
  }

  it('MUST be served in ranges', async () => {
    const bytes = randomBytes(partSize + 100)
    await put(bytes)
    const headers = { Range: `bytes=${partSize - 2}-${partSize + 1}` }
    const { status, headers: sent, bytes: read } = await server.send(path, { headers })
    expect([status, sent['content-range']]).toEqual([
      206,
      `bytes ${partSize - 2}-${partSize + 1}/${partSize + 100}`,
    ])
    expect(read.equals(bytes.subarray(partSize - 2, partSize + 2))).toBe(true)
    const last = await server.send(path, { headers: { Range: 'bytes=-3' } })
    expect(last.bytes.equals(bytes.subarray(-3))).toBe(true)
  })

  it('MUST leave neither parts nor an object of an upload that its client aborts', async () => {
    await put('before')
    const socket = connect(server.port, '127.0.0.1')
    socket.write('PUT /s/Films(1)/$value HTTP/1.1\r\nHost: x\r\nContent-Type: video/mp4\r\n')
    socket.write(`Content-Length: ${4 * partSize}\r\n\r\n`)
    socket.write(randomBytes(2 * partSize))
    await until(() => openUploads() === 1)
    socket.destroy()
    await until(() => openUploads() === 0)
    expect([await objects(), (await server.send(path)).text]).toEqual([[6], 'before'])
  })

  it('MUST respond with 404 when the object has been deleted', async () => {
    await put('before')
    const { Contents = [] } = await client.listObjectsV2({ Bucket: 'media' })
    for (const { Key } of Contents) await client.deleteObject({ Bucket: 'media', Key })
    const { status, text } = await server.send(path)
    expect([status, text]).toEqual([404, expect.not.stringContaining('films/')])
    expect(errors).toEqual([])
  })

  it('MUST respond with 503 and Retry-After when the bucket cannot be used, and report the cause', async () => {
    const closed = await TestServer.start(() => undefined)
    const { port } = closed
    await closed.stop()
    for (const [from, bucket] of [
      [clientOf(port, 1), 'media'],
      [client, 'absent'],
    ] as const) {
      errors.splice(0)
      const other = await serve(from, bucket)
      const { status, headers, text } = await put('bytes', other)
      expect([status, headers['retry-after'], text]).toEqual([
        503,
        '5',
        expect.stringContaining('The object storage cannot be reached'),
      ])
      expect(errors).toEqual([expect.objectContaining({ status: 503, cause: expect.any(Error) as unknown })])
      await other.stop()
    }
  })

  it('MUST be streamed in both directions without buffering them', async () => {
    const count = Number(process.env.OBJECT_MEBIBYTES ?? 256)
    const chunk = randomBytes(mebibyte)
    const sent = createHash('sha256')
    let peak = 0
    const before = process.memoryUsage().rss
    const note = (): void => {
      peak = Math.max(peak, process.memoryUsage().rss - before)
    }
    const upload = request({
      host: '127.0.0.1',
      port: server.port,
      path,
      method: 'PUT',
      headers: { 'Content-Type': 'video/mp4', 'Content-Length': count * mebibyte },
    })
    const responded = once(upload, 'response') as Promise<[IncomingMessage]>
    await pipeline(
      Readable.from(
        (function* () {
          for (let index = 0; index < count; index++) {
            note()
            sent.update(chunk)
            yield chunk
          }
        })(),
      ),
      upload,
    )
    const [response] = await responded
    response.resume()
    expect(response.statusCode).toBe(204)
    const download = request({ host: '127.0.0.1', port: server.port, path }).end()
    const [content] = (await once(download, 'response')) as [IncomingMessage]
    const read = createHash('sha256')
    let length = 0
    for await (const part of content) {
      note()
      length += (part as Buffer).length
      read.update(part as Buffer)
    }
    expect([length, read.digest('hex')]).toEqual([count * mebibyte, sent.digest('hex')])
    expect(openUploads()).toBe(0)
    if (process.env.OBJECT_MEBIBYTES !== undefined) process.stdout.write(`peak of ${peak} bytes\n`)
    expect(peak).toBeLessThan(160 * mebibyte)
  })
})

describe('Files in a bucket', () => {
  let files: TestServer
  beforeAll(async () => {
    const storage = objectStorage({ client, bucket: 'media', prefix: 'files/', partSize })
    const service = odataV2(fileModel, fileProvider(storage, { writable: true }), { pageSize: 2 })
    files = await TestServer.start(express().use(service))
  })
  afterAll(() => files.stop())

  const headers = { Accept: 'application/json', 'Content-Type': 'text/plain' }
  const at = (key: string): string => `/Files('${encodeURIComponent(key)}')`
  const post = (name: string, body: string | Uint8Array) =>
    files.send('/Files', { method: 'POST', headers: { ...headers, Slug: encodeURIComponent(name) }, body })

  /** The paths of all pages. */
  async function paths(start: string): Promise<readonly string[]> {
    const found: string[] = []
    for (let next: string | undefined = start; next !== undefined;) {
      const { status, text } = await files.send(next, { headers })
      expect(status).toBe(200)
      const { d } = JSON.parse(text) as {
        d: { results: readonly { path: string }[]; __next?: string }
      }
      found.push(...d.results.map((row) => row.path))
      next = d.__next?.replace(/^https?:\/\/[^/]+/, '')
    }
    return found
  }

  it('MUST be created, listed in pages, read in ranges, replaced by ETag and deleted', async () => {
    // The server lists other keys, such as those with capital letters, in another order than S3.
    const names = ['a.txt', 'b c+d.txt', 'docs.txt', 'größe']
    for (const name of names) expect((await post(name, name)).status).toBe(201)
    await client.putObject({ Bucket: 'media', Key: 'files/docs/x/y.txt', Body: 'deep' })
    expect((await post('docs/new.txt', 'new')).status).toBe(201)
    const all = [
      '/',
      '/a.txt',
      '/b c+d.txt',
      '/docs',
      '/docs.txt',
      '/docs/new.txt',
      '/docs/x',
      '/docs/x/y.txt',
      '/größe',
    ]
    expect(await paths('/Files?$select=path')).toEqual(all)
    expect(await paths(`${at('/docs')}/Files?$select=path`)).toEqual(['/docs/new.txt', '/docs/x'])
    for (const name of names) expect((await files.send(`${at(`/${name}`)}/$value`)).text).toBe(name)
    const value = `${at('/docs/x/y.txt')}/$value`
    const part = await files.send(value, { headers: { Range: 'bytes=1-2' } })
    expect([part.status, part.text]).toEqual([206, 'ee'])
    const { etag = '' } = part.headers
    const put = (match: string, body: string) =>
      files.send(value, { method: 'PUT', headers: { ...headers, 'If-Match': match }, body })
    expect([(await put(etag, 'changed')).status, (await put(etag, 'again')).status]).toEqual([204, 412])
    expect((await files.send(value)).text).toBe('changed')
    for (const path of ['/docs/x/y.txt', '/docs/x', '/docs/new.txt', '/docs'])
      expect((await files.send(at(path), { method: 'DELETE', headers })).status).toBe(204)
    expect(await paths('/Files?$select=path')).toEqual(all.filter((path) => !/^\/docs(\/|$)/.test(path)))
    for (const name of names) await files.send(at(`/${name}`), { method: 'DELETE', headers })
  })

  it('MUST be uploaded in parts', async () => {
    const bytes = randomBytes(2 * partSize + 3)
    expect((await post('large.bin', bytes)).status).toBe(201)
    expect((await files.send(`${at('/large.bin')}/$value`)).bytes.equals(bytes)).toBe(true)
    expect(openUploads()).toBe(0)
    expect((await files.send(at('/large.bin'), { method: 'DELETE', headers })).status).toBe(204)
  })
})
