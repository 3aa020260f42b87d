import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from 'express-odata-v2'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer } from './support/explorer-page.js'

const directory = mkdtempSync(join(tmpdir(), 'express-odata-v2-explorer-'))
const evil = '<img src=x onerror=alert(1)>.html'
const script = '<script>top.document.title = "broken"; alert(1)</script>'
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" onload="alert(1)"><rect width="30" height="20"/>${script}</svg>`

let browser: Browser
let server: Server
let root = ''
let open: ExplorerPage
let page: Page

beforeAll(async () => {
  mkdirSync(join(directory, 'docs/50% off #1'), { recursive: true })
  writeFileSync(join(directory, 'hello.txt'), 'Hello, <b>world</b>!')
  writeFileSync(join(directory, 'docs/long.txt'), 'x'.repeat(100_000))
  writeFileSync(join(directory, 'docs/empty.txt'), '')
  writeFileSync(join(directory, "docs/50% off #1/O'Neil & co.txt"), 'found')
  writeFileSync(join(directory, 'drawing.svg'), drawing)
  writeFileSync(join(directory, evil), script)
  for (let index = 0; index < 30; index++) writeFileSync(join(directory, 'docs', `page-${index}.md`), 'x')
  browser = await openBrowser()
  const app = express()
  app.use('/files', odataV2(fileModel, fileProvider(directory), { explorer: true, pageSize: 20 }))
  server = app.listen(0)
  await once(server, 'listening')
  root = `http://localhost:${(server.address() as AddressInfo).port}/files/`
})
afterAll(async () => {
  await browser.close()
  server.close()
  rmSync(directory, { recursive: true, force: true })
})
afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

async function look(hash = '', options: Parameters<typeof openExplorer>[3] = {}): Promise<void> {
  open = await openExplorer(browser, root, hash, options)
  page = open.page
}

const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()

describe('The file browser', () => {
  it('MUST be the start page of a file service, with directories first', async () => {
    await look()
    expect(await texts('tbody th')).toEqual(['docs', evil, 'drawing.svg', 'hello.txt'])
    const hello = (await texts('tbody tr')).at(-1)
    expect(hello).toContain('20 bytes')
    expect(hello).toMatch(/\d{4}-\d{2}-\d{2} ?\d{2}:\d{2}/)
  })

  it('MUST open directories, and parents by the path', async () => {
    await look()
    await page.getByRole('link', { name: 'docs' }).click()
    await page.getByRole('link', { name: '50% off #1' }).click()
    await page.getByRole('link', { name: "O'Neil & co.txt", exact: true }).click()
    await page.getByText('found', { exact: true }).waitFor()
    expect(await texts('.crumbs li')).toEqual(['Files', 'docs', '50% off #1', "O'Neil & co.txt"])
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'docs' }).click()
    await page.getByRole('heading', { name: 'docs' }).waitFor()
    await page.goBack()
    await page.getByText('found', { exact: true }).waitFor()
  })

  it('MUST load more pages on request, and filter entries', async () => {
    await look('#files/docs')
    expect(await texts('.files .note')).toEqual(['The first 20 entries'])
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('main').getByText('33 entries', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter this directory' }).fill('PAGE-2')
    expect(await page.locator('tbody tr:visible').count()).toBe(11)
  })

  it('MUST display text, and only the start of long files', async () => {
    await look('#files/hello.txt')
    expect(await texts('.preview pre')).toEqual(['Hello, <b>world</b>!'])
    await open.show('#files/docs/long.txt')
    await page.getByText('The first 66 kB of 100 kB.').waitFor()
    await open.show('#files/docs/empty.txt')
    await page.getByText('The file is empty.').waitFor()
  })

  it('MUST run no script in a file or its name', async () => {
    await look(`#files/${encodeURIComponent(evil)}`)
    expect(await texts('.preview pre')).toEqual([script])
    await open.show('#files/drawing.svg')
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.preview img')?.naturalWidth === 30,
    )
    expect(await page.title()).not.toBe('broken')
  })

  it('MUST download files with their names', async () => {
    await look('#files/hello.txt')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('hello.txt')
  })

  it('MUST display an error if a file does not exist', async () => {
    await look('#files/nothing')
    expect(await texts('[role=alert]')).toEqual(['File not found.'])
  })
})
