import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { defineModel, edm, fileModel, fileProvider, memoryProvider, odataV2 } from '../../lib/index.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Page: { key: ['Name'], hasStream: true, properties: { Name: edm.String({ nullable: false }) } },
  },
  entityContainer: { name: 'C', entitySets: { Pages: { entityType: 'Page' } } },
})

const folder = mkdtempSync(join(tmpdir(), 'form-uploads-'))
const limits = { mediaBytes: 1_000_000 }
let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/m', odataV2(model, memoryProvider(model, { Pages: [] }), { limits }))
  app.use('/f', odataV2(fileModel, fileProvider(folder, { writable: true }), { limits }))
  server = await TestServer.start(app)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const boundary = '----WebKitFormBoundaryAbC'

function send(
  target: string,
  body: string | Uint8Array,
  headers = {},
  method = 'POST',
): Promise<HttpResponse> {
  const type = `multipart/form-data; boundary=${boundary}`
  return server.send(target, { method, headers: { 'Content-Type': type, ...headers }, body })
}

function part(headers: string, content: string): string {
  return `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`
}

const file = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png'
const end = `--${boundary}--\r\n`

/** The media resource to which a response leads. */
async function stored({ status, headers }: HttpResponse): Promise<unknown[]> {
  expect(status).toBe(201)
  const { pathname } = new URL(String(headers.location))
  const media = await server.send(`${pathname}/$value`)
  return [decodeURIComponent(pathname), media.headers['content-type'], media.text]
}

describe('A form with one file', () => {
  it('MUST become a media resource with the type and the name of the file', async () => {
    const form = new FormData()
    form.set('file', new Blob(['bytes'], { type: 'image/gif' }), 'ünï "1".gif')
    const response = await fetch(`http://${server.host}/m/Pages`, { method: 'POST', body: form })
    const media = await fetch(`${String(response.headers.get('location'))}/$value`)
    expect([media.headers.get('content-type'), await media.text()]).toEqual(['image/gif', 'bytes'])
    expect(decodeURIComponent(String(response.headers.get('location')))).toMatch(/Pages\('ünï "1"\.gif'\)$/)
  })

  it('MUST become a file of the file service', async () => {
    expect(await stored(await send('/f/Files', part(file, 'bytes') + end))).toEqual([
      "/f/Files('/a.png')",
      'image/png',
      'bytes',
    ])
    expect(readFileSync(join(folder, 'a.png'), 'utf8')).toBe('bytes')
  })

  it('MUST be named by Slug where the request has it, and never by a directory', async () => {
    const headers = file.replace('a.png', 'C:\\\\dir\\\\b.png')
    expect((await stored(await send('/m/Pages', part(headers, 'x') + end)))[0]).toBe("/m/Pages('b.png')")
    const slug = { Slug: 'slug.png' }
    expect((await stored(await send('/m/Pages', part(file, 'x') + end, slug)))[0]).toBe(
      "/m/Pages('slug.png')",
    )
  })

  it('MUST replace a media resource by PUT', async () => {
    await send('/m/Pages', part(file, 'old') + end, { Slug: 'p' })
    const put = await send("/m/Pages('p')/$value", part(file, 'new') + end, {}, 'PUT')
    const media = await server.send("/m/Pages('p')/$value")
    expect([put.status, media.text, media.headers['content-type']]).toEqual([204, 'new', 'image/png'])
  })

  it('MUST keep bytes that look like a boundary, wherever the chunks of the body end', async () => {
    const content = `\r\n--${boundary.slice(0, -1)}\r\n\r\n-\0\xff\r\n--`
    const body = Buffer.from(part(file, content) + end, 'latin1')
    for (let at = 1; at < body.length; at += 7) {
      const chunks = [body.subarray(0, at), body.subarray(at)]
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      })
      const response = await fetch(`http://${server.host}/m/Pages`, {
        method: 'POST',
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body: stream,
        duplex: 'half',
      })
      const media = await fetch(`${String(response.headers.get('location'))}/$value`)
      expect(Buffer.from(await media.arrayBuffer()).toString('latin1')).toBe(content)
    }
  })
})

describe('Any other form', () => {
  it.each([
    ['a field', part('Content-Disposition: form-data; name="a"', 'text') + end],
    ['a file without name', part(file.replace('a.png', ''), 'x') + end],
    ['two files', part(file, 'x') + part(file, 'y') + end],
    ['a field after the file', part(file, 'x') + part('Content-Disposition: form-data; name="a"', 't') + end],
    [
      'a field before the file',
      part('Content-Disposition: form-data; name="a"', 't') + part(file, 'x') + end,
    ],
    ['no part', end],
    ['no end', part(file, 'x')],
    ['nothing', ''],
    ['endless headers', `--${boundary}\r\nA: ${'x'.repeat(100_000)}`],
    ['a file in base64', part(`${file}\r\nContent-Transfer-Encoding: base64`, 'eA==') + end],
    ['an invalid type', part(file.replace('image/png', '*/*'), 'x') + end],
  ])('MUST be refused with 415 and change nothing: %s', async (_, body) => {
    const before = [readdirSync(folder), (await server.send('/m/Pages/$count')).text]
    for (const target of ['/m/Pages', '/f/Files']) {
      const { status, text } = await send(target, body)
      expect([target, status, text]).toEqual([target, 415, expect.any(String)])
    }
    expect([readdirSync(folder), (await server.send('/m/Pages/$count')).text]).toEqual(before)
  })

  it('MUST be refused with 415 without boundary, and with 413 when it is too large', async () => {
    const headers = { 'Content-Type': 'multipart/form-data' }
    expect((await send('/m/Pages', part(file, 'x') + end, headers)).status).toBe(415)
    expect((await send('/m/Pages', part(file, 'x'.repeat(1_000_001)) + end)).status).toBe(413)
  })
})
