import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { codePoint, fc, runs } from '../support/random.js'
import type { Provider } from '../../lib/index.js'
import { defineModel, edm, fileModel, fileProvider, memoryProvider, odataV2 } from '../../lib/index.js'
import type { PartResponse } from '../support/batch-exchange.js'
import { responsesTo, single, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const name = edm.String({ nullable: false })

/** Everything that ends up in headers is a text that clients choose. */
const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Page: {
      key: ['Name'],
      properties: { Name: name, Text: edm.String(), Ver: edm.String({ concurrencyMode: 'Fixed' }) },
    },
    Photo: { key: ['Name'], hasStream: true, properties: { Name: name } },
  },
  entityContainer: { entitySets: { Pages: { entityType: 'Page' }, Photos: { entityType: 'Photo' } } },
})

const chunks = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  'X-Evil: 1',
  '"',
  "'",
  '\\',
  ';',
  ',',
  '%0d%0a',
  '%',
  '/',
  '?',
  '#',
  '<',
  '&',
  '\0',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  'é',
  '€',
  '\u{1f600}',
  '--b',
  '=?utf-8?q?a?=',
  ' ',
  '\t',
  'a',
]
const evil = fc
  .array(fc.oneof(fc.constantFrom(...chunks), fc.string({ unit: codePoint, maxLength: 3 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join('') || 'a')

/** The characters that are valid in a header value, and the names of the headers that a service may send. */
const plainValue = /^[\t\x20-\x7e\x80-\xff]*$/
const known = new Set([
  ...[
    'accept-ranges',
    'cache-control',
    'connection',
    'content-disposition',
    'content-length',
    'content-type',
  ],
  ...['content-security-policy', 'dataserviceid', 'dataserviceversion', 'date', 'etag', 'keep-alive'],
  ...['last-modified', 'location', 'preference-applied', 'sap-message', 'transfer-encoding', 'vary'],
  ...['x-content-type-options', 'x-powered-by', 'content-id'],
])

function expectPlain(headers: HttpResponse['headers'] | PartResponse['headers']): void {
  for (const [header, value] of Object.entries(headers)) {
    expect(known).toContain(header)
    expect(String(value)).toMatch(plainValue)
  }
}

let server: TestServer
let folder: string

/** A photo has the name that its key says, and bytes of the type that its key says. */
function photos(): Provider {
  const inner = memoryProvider(model, {}) as Provider
  const { Photos, ...others } = inner.entitySets
  const open = (row: unknown) => {
    const { Name } = row as { Name: string }
    const close = (): undefined => undefined
    return { contentType: Name, fileName: Name, etag: `"${Name}"`, stream: () => 'bytes', close }
  }
  const set = { ...Photos, media: { contentType: () => 'text/plain', open } }
  const read = (): readonly object[] => []
  const readByKey = (key: unknown): object => key as object
  return { ...inner, entitySets: { ...others, Photos: { ...set, read, readByKey } as never } }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headers-'))
  const app = express()
  const hooks = {
    Pages: {
      afterInsert: (page: { Name: string; Ver: string | null }, call: { messages: Messages }): void => {
        call.messages.add({ code: page.Name, message: page.Name, severity: 'info' })
      },
    },
  }
  app.use('/n', odataV2(model, memoryProvider(model, {}), { hooks }))
  app.use('/photos', odataV2(model, photos() as never, { readOnly: true }))
  app.use('/files', odataV2(fileModel, fileProvider(folder)))
  server = await TestServer.start(app)
})

interface Messages {
  add(message: { code: string; message: string; severity: 'info' }): void
}

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
const literal = (text: string): string => `'${encodeURIComponent(text.replaceAll("'", "''"))}'`

function send(method: string, target: string, body?: unknown, headers = {}): Promise<HttpResponse> {
  return server.send(target, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

function pathOf(location: string | undefined): string {
  expect(location).toBeDefined()
  return new URL(location ?? '').pathname
}

describe('A string of a client in headers', () => {
  it('MUST be the key in Location, which addresses the entity', async () => {
    await fc.assert(
      fc.asyncProperty(evil, fc.nat(), async (text, number) => {
        const Name = `${text}${number}`
        const made = await send('POST', '/n/Pages', { Name })
        expectPlain(made.headers)
        expect([made.status, made.headers.dataserviceid]).toEqual([201, made.headers.location])
        const found = await send('GET', pathOf(made.headers.location))
        expect((JSON.parse(found.text) as { d: { Name: string } }).d.Name).toBe(Name)
        await send('DELETE', pathOf(made.headers.location), undefined, { 'If-Match': '*' })
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST be a version that can be sent back as it came', async () => {
    await fc.assert(
      fc.asyncProperty(evil, async (Ver) => {
        await send('POST', '/n/Pages', { Name: 'v', Ver })
        const { headers } = await send('GET', "/n/Pages('v')")
        expectPlain(headers)
        const etag = String(headers.etag)
        expect(etag).toMatch(/^W\/"[^"]*"$/)
        expect((await send('GET', "/n/Pages('v')", undefined, { 'If-None-Match': etag })).status).toBe(304)
        const deleted = await send('DELETE', "/n/Pages('v')", undefined, { 'If-Match': etag })
        expect(deleted.status).toBe(204)
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST not end a part of a batch, nor one of its headers', async () => {
    await fc.assert(
      fc.asyncProperty(evil, fc.nat(), async (text, number) => {
        const Name = `${text}${number}`
        const escaped = JSON.stringify({ Name, Ver: text }).replace(
          /[^\x20-\x7e]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        const [made, found] = await responsesTo(
          server.port,
          [written('POST Pages', escaped, { Accept: 'application/json' })],
          written(`GET Pages(${literal(Name)})`, '', { Accept: 'application/json' }),
        )
        const both = [Array.isArray(made) ? single((made as PartResponse[])[0]) : single(made), single(found)]
        expect(both.map(({ status }) => status)).toEqual([201, 200])
        for (const one of both) expectPlain(one.headers)
        await send('DELETE', pathOf(both[0]?.headers.location), undefined, { 'If-Match': '*' })
      }),
      { numRuns: runs(100) },
    )
  })

  it('MUST be echoed as a Content-ID only where it is one line, or be refused', async () => {
    await fc.assert(
      fc.asyncProperty(evil, async (text) => {
        const id = Buffer.from(text.replace(/[\r\n\0]/g, '')).toString('latin1')
        const body =
          '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/http\r\n' +
          `Content-ID: ${id}\r\n\r\n${written("DELETE Pages('none')")}\r\n--c--\r\n--b--\r\n`
        const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
        const response = await server.send('/n/$batch', {
          method: 'POST',
          headers,
          body: Buffer.from(body, 'latin1'),
        })
        expect([202, 400]).toContain(response.status)
        expectPlain(response.headers)
        const lines = response.bytes.toString('latin1').split('\r\n')
        expect(lines.filter((line) => line.startsWith('X-Evil'))).toEqual([])
        expect(lines.filter((line) => /^--b(?!atchresponse_)/.test(line))).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST be sent in headers of a media resource as one line only', async () => {
    await fc.assert(
      fc.asyncProperty(evil, async (text) => {
        const response = await server.send(`/photos/Photos(${literal(text)})/$value`)
        expect([response.status, response.text]).toEqual([200, 'bytes'])
        expectPlain(response.headers)
        expect(response.headers['content-disposition']).toMatch(/^inline/)
        expect(response.headers['content-security-policy']).toBeDefined()
        expect(response.headers['x-content-type-options']).toBe('nosniff')
      }),
      { numRuns: runs(200) },
    )
  })

  it('MUST be the file name, also of a file that does not exist', async () => {
    await fc.assert(
      fc.asyncProperty(evil, async (text) => {
        const fileName = `a${text.replace(/[\0/]/g, '_')}`
        writeFileSync(join(folder, fileName), 'bytes')
        const isShown = !/[\p{Cc}\\\ufffe\uffff]/u.test(fileName)
        for (const path of ['', '/$value']) {
          const response = await server.send(`/files/Files(${literal(`/${fileName}`)})${path}`)
          expectPlain(response.headers)
          expect([fileName, response.status]).toEqual([fileName, isShown ? 200 : 404])
        }
        rmSync(join(folder, fileName))
      }),
      { numRuns: runs(150) },
    )
  })
})
