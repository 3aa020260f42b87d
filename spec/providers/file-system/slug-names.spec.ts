import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../../lib/index.js'
import { Random, seedOf } from '../../fuzz/mutation/random.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { runs, seed } from '../../support/random.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import { temporaryDirectory, write } from './support.js'

/** The number of random names for each test. */
const names = runs(250)

/** The parts of malicious names. */
const chunks = [
  ...[
    '..',
    '../',
    '..\\',
    '/',
    '//',
    '\\',
    './',
    '.',
    '...',
    ' ',
    '/etc/passwd',
    'C:',
    'C:\\',
    '\\\\host\\share\\',
  ],
  ...[
    '\0',
    '\n',
    '\r\n',
    '\t',
    '\x1b[2J',
    '\x7f',
    '\x85',
    '\u2028',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\u202e',
  ],
  ...[
    'con',
    'NUL.txt',
    'aux',
    'COM1',
    'a:b',
    'x::$DATA',
    '*',
    '?',
    '"',
    '<b>',
    "'",
    "''",
    '&',
    '#',
    '%',
    '+',
    ';',
    '|',
  ],
  ...[
    '%2e%2e%2f',
    '%252e',
    '%c0%ae',
    '%00',
    '%',
    '%zz',
    "UTF-8''",
    "utf-8'en'%e2%82%ac",
    '=?utf-8?q?x?=',
    '~',
    '$',
  ],
  ...[
    'a',
    'b.txt',
    'é',
    'é',
    '😀',
    'ß',
    'x'.repeat(255),
    'y'.repeat(300),
    'd/'.repeat(40),
    '.hidden',
    'sub/',
    'sub',
  ],
] as const

/** The encodings of clients: percent-encoded, Latin-1 if possible, or as RFC 8187 specifies for other headers. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, (one) => encodeURIComponent(one.toWellFormed())),
  (text) => `UTF-8''${encodeURIComponent(text.toWellFormed())}`,
  (text) =>
    Buffer.from(text)
      .toString('latin1')
      .replace(/[^\x20-\x7e\x80-\xff]/g, ''),
]

function nameAt(index: number): string {
  const random = new Random(seedOf(seed, index))
  return Array.from({ length: 1 + random.below(4) }, () => random.oneOf<string>(chunks)).join('')
}

function spelt(index: number): string {
  const spelling = spellings[index % spellings.length] ?? String
  return spelling(nameAt(index))
}

/** The paths of all entries below a directory. */
function below(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
}

describe('A name that a client requests', () => {
  let outer: string
  let server: TestServer

  beforeAll(async () => {
    outer = temporaryDirectory()
    await mkdir(join(outer, 'root', 'sub'), { recursive: true })
    write(outer, 'secret.txt', 'not for you')
    const files = odataV2(fileModel, fileProvider(join(outer, 'root'), { writable: true }))
    const photos = odataV2(photoModel, memoryProvider(photoModel, photoData()))
    server = await TestServer.start(express().use('/f', files).use('/p', photos))
  })

  afterAll(() => server.stop())

  /** Entries outside of the root, and the number of entries inside. */
  const outside = (): string[] => below(outer).filter((path) => !path.startsWith('root'))
  const inside = (): number => below(join(outer, 'root')).length

  function expectRefused({ status, text }: HttpResponse): void {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(text).not.toContain(outer)
  }

  /** Checks that the new entry exists at its Location. */
  async function expectMade({ headers }: HttpResponse, kind: '' | '/$value'): Promise<void> {
    const { pathname } = new URL(headers.location ?? '')
    const { status } = await server.send(`${pathname}${kind}`)
    expect([pathname, status]).toEqual([pathname, 200])
  }

  it('MUST create one file below the root, or be rejected', async () => {
    for (let index = 0; index < names; index++) {
      const before = inside()
      const Slug = spelt(index)
      const response = await server.send('/f/Files', {
        method: 'POST',
        headers: { Slug, 'Content-Type': 'text/plain' },
        body: 'x',
      })
      const isMade = response.status === 201
      expect([index, Slug, inside() - before]).toEqual([index, Slug, isMade ? 1 : 0])
      expect(outside()).toEqual(['secret.txt'])
      if (isMade) await expectMade(response, '/$value')
      else expectRefused(response)
    }
  })

  it('MUST create one directory below the root, or be rejected, as the path of an entity', async () => {
    for (let index = 0; index < names; index++) {
      const before = inside()
      const path = nameAt(index)
      const body = JSON.stringify({ path: index % 2 === 0 ? path : `/${path}`, isDirectory: true })
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      const response = await server.send('/f/Files', { method: 'POST', headers, body })
      const isMade = response.status === 201
      expect([index, path, inside() - before]).toEqual([index, path, isMade ? 1 : 0])
      expect(outside()).toEqual(['secret.txt'])
      if (isMade) await expectMade(response, '')
      else expectRefused(response)
    }
  })

  it('MUST NOT find files outside of the root by key', async () => {
    for (let index = 0; index < names; index++) {
      const key = encodeURIComponent(nameAt(index).toWellFormed().replaceAll("'", "''"))
      for (const path of [key, `%2F..%2F${key}`, `%2F${key}`]) {
        const { status, text } = await server.send(`/f/Files('${path}')/$value`)
        expect([path, [200, 204, 400, 404].includes(status)]).toEqual([path, true])
        expect(text).not.toContain('not for you')
        expect(text).not.toContain(outer)
      }
    }
  })

  it('MUST create a media resource with that name, or be rejected, by the memory provider too', async () => {
    for (let index = 0; index < names; index++) {
      const headers = { Slug: spelt(index), 'Content-Type': 'image/png', Accept: 'application/json' }
      const response = await server.send('/p/Photos', { method: 'POST', headers, body: 'x' })
      if (response.status === 201) await expectMade(response, '')
      else expectRefused(response)
    }
  })
})
