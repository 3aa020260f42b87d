import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import type { ODataV2Options } from '../../../lib/index.js'
import { fileModel, fileProvider, ODataError, odataV2 } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { until } from '../../support/until.js'
import { openHandles, settle, temporaryDirectory, write } from './support.js'

let root: string
let server: TestServer
beforeEach(() => {
  root = temporaryDirectory()
})
afterEach(() => server.stop())

async function start(options: ODataV2Options = {}, writable = true): Promise<void> {
  const service = odataV2(fileModel, fileProvider(root, { writable }), options)
  server = await TestServer.start(express().use('/f', service))
}

function send(method: string, target: string, body?: string, headers = {}): Promise<HttpResponse> {
  return server.send(`/f/${target}`, body === undefined ? { method, headers } : { method, headers, body })
}

function upload(slug: string, body = 'bytes', target = 'Files'): Promise<HttpResponse> {
  return send('POST', target, body, { Slug: encodeURIComponent(slug), 'Content-Type': 'text/plain' })
}

function at(path: string, rest = ''): string {
  return `Files('${encodeURIComponent(path.replaceAll("'", "''"))}')${rest}`
}

/** The key of the new entity in a response. */
function keyOf({ status, headers }: HttpResponse): [status: number, path: string] {
  const [, key = ''] = /Files\('(.*)'\)$/.exec(headers.location ?? '') ?? []
  return [status, decodeURIComponent(key).replaceAll("''", "'")]
}

function entry(properties: string): string {
  return `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <m:properties>${properties}</m:properties></entry>`
}

function makeDirectory(slug: string, target = 'Files', properties = ''): Promise<HttpResponse> {
  const body = entry(`${properties}<d:isDirectory m:type="Edm.Boolean">true</d:isDirectory>`)
  const type = 'application/atom+xml;type=entry'
  return send('POST', target, body, { Slug: encodeURIComponent(slug), 'Content-Type': type })
}

/** The bytes that the server sends until it closes the connection. */
async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function isUploading(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith('.upload-'))
}

describe('A file service that is not writable', () => {
  it('MUST respond to every change with 405', async () => {
    write(root, 'a.txt', 'a')
    await start({}, false)
    for (const [method, target] of [
      ['POST', 'Files'],
      ['POST', at('/', '/Files')],
      ['PUT', at('/a.txt', '/$value')],
      ['DELETE', at('/a.txt', '/$value')],
      ['DELETE', at('/a.txt')],
      ['MERGE', at('/a.txt')],
      ['PUT', at('/a.txt')],
    ] as const) {
      expect([method, target, (await send(method, target, 'x')).status]).toEqual([method, target, 405])
    }
    expect(readdirSync(root)).toEqual(['a.txt'])
  })
})

describe('An upload', () => {
  beforeEach(() => start())

  it('MUST create a file with the name of the Slug: 201 with Location and the entry', async () => {
    const response = await upload('a b.txt')
    expect(keyOf(response)).toEqual([201, '/a b.txt'])
    expect(response.text).toContain('<d:size m:type="Edm.Int32">5</d:size>')
    const value = await send('GET', at('/a b.txt', '/$value'))
    expect([value.text, value.headers['content-type']]).toEqual(['bytes', 'text/plain'])
    expect(readdirSync(root)).toEqual(['a b.txt'])
  })

  it('MUST be listed immediately, every time', async () => {
    const count = async (): Promise<string> => (await send('GET', `${at('/', '/Files')}/$count`)).text
    for (let files = 1; files <= 20; files++) {
      await upload(`${files}.txt`)
      expect(await count()).toBe(String(files))
      if (files % 10 !== 0) continue
      // Now the listing is cached.
      await settle()
      expect(await count()).toBe(String(files))
    }
  })

  it('MUST go to the directory of the Slug, or to the directory that it was sent to', async () => {
    mkdirSync(join(root, 'd/e'), { recursive: true })
    expect(keyOf(await upload('/d/a'))).toEqual([201, '/d/a'])
    expect(keyOf(await upload('d/e/b'))).toEqual([201, '/d/e/b'])
    expect(keyOf(await upload('c', 'x', at('/d/e', '/Files')))).toEqual([201, '/d/e/c'])
    expect(keyOf(await upload('/elsewhere/g', 'x', at('/d', '/Files')))).toEqual([201, '/d/g'])
    expect((await upload('/nowhere/f')).status).toBe(400)
    expect((await upload('h', 'x', at('/nowhere', '/Files'))).status).toBe(404)
    expect((await upload('h', 'x', at('/d/a', '/Files'))).status).toBe(400)
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      'd',
      'd/a',
      'd/e',
      'd/e/b',
      'd/e/c',
      'd/g',
    ])
  })

  it('MUST get another name if the requested name exists, and not change the existing file', async () => {
    write(root, 'a.txt', 'old')
    mkdirSync(join(root, 'd'))
    symlinkSync('/etc/passwd', join(root, 'link'))
    expect(keyOf(await upload('a.txt'))).toEqual([201, '/a-2.txt'])
    expect(keyOf(await upload('a.txt'))).toEqual([201, '/a-3.txt'])
    expect(keyOf(await upload('d'))).toEqual([201, '/d-2'])
    expect(keyOf(await upload('link'))).toEqual([201, '/link-2'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
  })

  it.each([
    ['../../etc/passwd', '/passwd'],
    ['/../x', '/x'],
    ['.hidden', '/hidden'],
    ['/.hidden/y', '/y'],
    ['..', '/file'],
    ['/', '/file'],
    ['', '/file'],
    ['a\0b\nc\u0085', '/abc'],
    ['..\\..\\w.txt', '/w.txt'],
    ['\ud7ff\ufffe', '/\ud7ff'],
    ["it's 100% #?&+", "/it's 100% #?&+"],
    ['x'.repeat(400), `/${'x'.repeat(255)}`],
    ['語'.repeat(200), `/${'語'.repeat(85)}`],
    [`n.${'e'.repeat(300)}`, `/n.${'e'.repeat(253)}`],
  ])('MUST NOT leave the directory or be hidden, and get a valid name: %j is %j', async (slug, path) => {
    expect(keyOf(await upload(slug))).toEqual([201, path])
    expect(readdirSync(root)).toEqual([path.slice(1)])
    expect((await send('GET', at(path, '/$value'))).text).toBe('bytes')
    const again = await upload(slug)
    expect([again.status, readdirSync(root).length]).toEqual([201, 2])
  })

  it('MUST NOT follow links', async () => {
    const outside = temporaryDirectory()
    symlinkSync(outside, join(root, 'link'))
    expect((await upload('/link/a')).status).toBe(400)
    expect((await upload('a', 'x', at('/link', '/Files'))).status).toBe(404)
    expect(readdirSync(outside)).toEqual([])
  })

  it('MUST be an empty file for an Atom entry', async () => {
    const type = 'application/atom+xml;type=entry'
    const response = await send('POST', 'Files', entry('<d:name>n.txt</d:name>'), { 'Content-Type': type })
    expect(keyOf(response)).toEqual([201, '/n.txt'])
    expect(statSync(join(root, 'n.txt')).size).toBe(0)
  })

  it('MUST be 201 with a separate file for concurrent requests with the same name', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => upload('same', `${index}`)))
    const keys = responses.map((response) => keyOf(response)[1])
    expect(new Set(keys).size).toBe(20)
    expect(keys.map((key) => readFileSync(join(root, key), 'utf8'))).toEqual(
      keys.map((_, index) => `${index}`),
    )
  })
})

describe('A new directory', () => {
  beforeEach(() => start())

  it('MUST be created by an entry whose isDirectory is true', async () => {
    expect(keyOf(await makeDirectory('d'))).toEqual([201, '/d'])
    expect(keyOf(await makeDirectory('', 'Files', '<d:path>/d/e</d:path>'))).toEqual([201, '/d/e'])
    expect(keyOf(await makeDirectory('f', at('/d', '/Files')))).toEqual([201, '/d/f'])
    expect(keyOf(await makeDirectory('d'))).toEqual([201, '/d-2'])
    expect(keyOf(await makeDirectory('.d'))).toEqual([201, '/d-3'])
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['d', 'd-2', 'd-3', 'd/e', 'd/f'])
  })
})

describe('PUT of the content of a file', () => {
  beforeEach(async () => {
    write(root, 'a.txt', 'old')
    chmodSync(join(root, 'a.txt'), 0o640)
    mkdirSync(join(root, 'd'))
    await start()
  })

  it('MUST replace it: 204 with the new ETag, and the same permissions', async () => {
    const response = await send('PUT', at('/a.txt', '/$value'), 'new bytes')
    const value = await send('GET', at('/a.txt', '/$value'))
    expect([response.status, value.text, value.headers.etag]).toEqual([
      204,
      'new bytes',
      response.headers.etag,
    ])
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o640)
    expect(readdirSync(root)).toEqual(['a.txt', 'd'])
  })

  it('MUST respond with 412 if If-Match has another version, even if it changed during the upload', async () => {
    const { etag } = (await send('GET', at('/a.txt', '/$value'))).headers
    const target = at('/a.txt', '/$value')
    expect((await send('PUT', target, 'x', { 'If-Match': '"x"' })).status).toBe(412)
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `PUT /f/${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nIf-Match: ${etag}\r\nContent-Length: 4\r\n\r\nla`,
    )
    await until(() => isUploading(root))
    expect((await send('PUT', target, 'first', { 'If-Match': etag })).status).toBe(204)
    socket.write('te')
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 412 /)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('first')
    expect(readdirSync(root)).toEqual(['a.txt', 'd'])
  })

  it('MUST respond with 404 for absent or hidden files, and with 405 for directories', async () => {
    write(root, '.hidden', 'old')
    symlinkSync('a.txt', join(root, 'link'))
    for (const path of ['/nothing', '/.hidden', '/link', '/d/nothing', '/../x', '/a.txt/x', '/a\u0085']) {
      expect([path, (await send('PUT', at(path, '/$value'), 'x')).status]).toEqual([path, 404])
    }
    for (const path of ['/d', '/']) {
      expect([path, (await send('PUT', at(path, '/$value'), 'x')).status]).toEqual([path, 405])
    }
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
    expect(readFileSync(join(root, '.hidden'), 'utf8')).toBe('old')
  })

  it('MUST leave nothing in a directory that is moved during the upload: 409', async () => {
    const outside = temporaryDirectory()
    for (const [method, target] of [
      ['PUT', at('/e/b.txt', '/$value')],
      ['POST', at('/e', '/Files')],
    ] as const) {
      write(root, 'e/b.txt', 'b')
      const socket = connect(server.port, '127.0.0.1')
      socket.write(
        `${method} /f/${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 4\r\n\r\nne`,
      )
      await until(() => isUploading(join(root, 'e')))
      renameSync(join(root, 'e'), join(outside, method))
      socket.write('w!')
      expect(await textOf(socket)).toMatch(/^HTTP\/1.1 409 /)
      expect(readdirSync(join(outside, method))).toEqual(['b.txt'])
      expect(readFileSync(join(outside, method, 'b.txt'), 'utf8')).toBe('b')
    }
  })

  it('MUST show the old bytes until the new ones are complete', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`PUT /f/${at('/a.txt', '/$value')} HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nne`)
    await until(() => isUploading(root))
    expect((await send('GET', at('/a.txt', '/$value'))).text).toBe('old')
    expect((await send('GET', `${at('/', '/Files')}/$count`)).text).toBe('2')
    socket.write('w!')
    await until(() => !isUploading(root))
    expect((await send('GET', at('/a.txt', '/$value'))).text).toBe('new!')
    socket.destroy()
  })
})

describe('Entities of a writable file service', () => {
  beforeEach(async () => {
    write(root, 'a.txt', 'old')
    write(root, 'd/b.txt', 'b')
    await start()
  })

  it('MUST be deleted if they are files or empty directories', async () => {
    expect((await send('DELETE', at('/a.txt'))).status).toBe(204)
    expect((await send('DELETE', at('/a.txt'))).status).toBe(404)
    expect((await send('DELETE', at('/d'))).status).toBe(409)
    expect((await send('DELETE', at('/d/b.txt'))).status).toBe(204)
    expect((await send('DELETE', at('/d'))).status).toBe(204)
    expect((await send('DELETE', at('/'))).status).toBe(403)
    expect((await send('GET', 'Files/$count')).text).toBe('1')
    expect(readdirSync(root)).toEqual([])
  })

  it('MUST NOT be deleted if they are hidden, or links', async () => {
    write(root, '.hidden', 'x')
    symlinkSync('a.txt', join(root, 'link'))
    for (const path of ['/.hidden', '/link', '/../x']) {
      expect([path, (await send('DELETE', at(path))).status]).toEqual([path, 404])
    }
    expect(readdirSync(root).sort()).toEqual(['.hidden', 'a.txt', 'd', 'link'])
  })

  it('MUST NOT be changed: 400, except for equal values', async () => {
    const type = { 'Content-Type': 'application/json' }
    const merge = (body: string): Promise<HttpResponse> => send('MERGE', at('/a.txt'), body, type)
    expect((await merge('{"size":3,"name":"a.txt","path":"/a.txt"}')).status).toBe(204)
    for (const body of ['{"path":"/b.txt"}', '{"name":"b.txt"}', '{"size":4}', '{"isDirectory":true}']) {
      expect([body, (await merge(body)).status]).toEqual([body, 400])
    }
    expect(readdirSync(root)).toEqual(['a.txt', 'd'])
  })
})

describe('Incomplete uploads', () => {
  async function cut(method: string, target: string): Promise<void> {
    const socket = connect(server.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    await new Promise((resolve) =>
      socket.write(
        `${method} /f/${target} HTTP/1.1\r\nHost: h\r\nSlug: cut\r\nContent-Length: 9\r\n\r\nhalf`,
        resolve,
      ),
    )
    await until(() => isUploading(root))
    socket.destroy()
  }

  it('MUST leave no file and no handle when 200 clients disconnect', async () => {
    write(root, 'a.txt', 'old')
    const failures: unknown[] = []
    await start({ onError: (error) => failures.push(error) })
    await upload('warm')
    await server.waitForDisconnects()
    const before = openHandles()
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? cut('POST', 'Files') : cut('PUT', at('/a.txt', '/$value')),
        ),
      )
    }
    await until(() => openHandles() <= before && !isUploading(root))
    expect(readdirSync(root)).toEqual(['a.txt', 'warm'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
    expect(openHandles()).toBeLessThanOrEqual(before)
    expect(failures).toEqual([])
  })

  it('MUST leave nothing if they are too large: 413', async () => {
    await start({ limits: { mediaBytes: 100_000 } })
    const before = openHandles()
    expect((await upload('a', 'x'.repeat(100_001))).status).toBe(413)
    const chunk = `${(100_001).toString(16)}\r\n${'x'.repeat(100_001)}\r\n0\r\n\r\n`
    const head =
      'POST /f/Files HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    const socket = connect(server.port, '127.0.0.1')
    socket.write(head + chunk)
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 413 /)
    expect(readdirSync(root)).toEqual([])
    expect((await upload('a', 'x'.repeat(100_000))).status).toBe(201)
    expect(openHandles()).toBeLessThanOrEqual(before + 1)
  })

  it('MUST leave nothing if authorize rejects them: 403', async () => {
    await start({
      authorize({ kind }) {
        if (kind === 'insert') throw new ODataError('Forbidden')
      },
    })
    expect((await upload('a')).status).toBe(403)
    expect((await makeDirectory('d')).status).toBe(403)
    expect(readdirSync(root)).toEqual([])
  })

  it('MUST be hidden after a crash', async () => {
    writeFileSync(join(root, '.upload-3f2504e0-4f89-11d3-9a0c-0305e82c3301'), 'half')
    await start()
    expect((await send('GET', 'Files/$count')).text).toBe('1')
    expect(existsSync(join(root, '.upload-3f2504e0-4f89-11d3-9a0c-0305e82c3301'))).toBe(true)
  })
})
