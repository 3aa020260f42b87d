import { once } from 'node:events'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from 'express-odata-v2'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { stores, openNorthwind } from './support/northwind.js'

let browser: Browser
let page: Page
let server: Server
let folder = ''
let closeNorthwind: () => Promise<unknown>
const conditions: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'browser-caches-'))
  const [store] = stores
  if (store === undefined) throw new Error('There is no store.')
  const northwind = await openNorthwind(store[1])
  closeNorthwind = () => northwind.close()
  const app = express()
  app.get('/page', (_req, res) => void res.send('<!doctype html><title>page</title>'))
  app.use((req, _res, next) => {
    conditions.push(`${req.method} ${req.path} ${String(req.headers['if-none-match'] !== undefined)}`)
    next()
  })
  app.use('/northwind', northwind.service)
  app.use('/files', odataV2(fileModel, fileProvider(folder, { writable: true })))
  server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page`)
})
afterAll(async () => {
  await browser.close()
  server.close()
  await closeNorthwind()
  await rm(folder, { recursive: true })
})

function fetchText(path: string, init: RequestInit = {}): Promise<string> {
  return page.evaluate(async ([url, options]) => (await fetch(url, options)).text(), [path, init] as const)
}

/** So old that a browser would choose a lifetime of days, were it not for Cache-Control. */
async function writeOldFile(name: string, text: string): Promise<void> {
  const old = new Date(Date.now() - 100 * 86_400_000)
  await writeFile(join(folder, name), text)
  await utimes(join(folder, name), old, old)
}

describe('The cache of a browser', () => {
  it('MUST NOT return cached Atom to a request for JSON, or vice versa', async () => {
    const atom = { headers: { Accept: 'application/atom+xml' } }
    const json = { headers: { Accept: 'application/json' } }
    for (const path of ['/northwind/Products(1)', '/northwind/Categories(1)', '/northwind/Products?$top=1']) {
      expect(await fetchText(path, atom)).toMatch(/^<\?xml/)
      expect(await fetchText(path, json)).toMatch(/^\{"d":/)
      expect(await fetchText(path, atom)).toMatch(/^<\?xml/)
    }
  })

  it('MUST load the new content of a media resource that another client has changed', async () => {
    const path = "/files/Files('%2Fa.txt')/$value"
    await writeOldFile('a.txt', 'old')
    expect(await fetchText(path)).toBe('old')
    await writeOldFile('a.txt', 'new')
    expect(await fetchText(path)).toBe('new')
  })

  it('MUST load the new content of a media resource after its own PUT', async () => {
    const path = "/files/Files('%2Fb.txt')/$value"
    await writeOldFile('b.txt', 'old')
    expect(await fetchText(path)).toBe('old')
    const put = { method: 'PUT', headers: { 'Content-Type': 'text/plain', 'If-Match': '*' }, body: 'new' }
    expect(await fetchText(path, put)).toBe('')
    expect(await fetchText(path)).toBe('new')
  })

  it('MUST revalidate the metadata document by its ETag', async () => {
    const document = await fetchText('/northwind/$metadata')
    conditions.length = 0
    expect(await fetchText('/northwind/$metadata')).toBe(document)
    expect(conditions).toEqual(['GET /northwind/$metadata true'])
  })
})
