import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { defineModel, edm, fileModel, fileProvider, memoryProvider, odataV2 } from 'express-odata-v2'
import type { Browser } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ nullable: false, maxLength: 20 }),
        Remark: edm.String(),
        Price: edm.Decimal({ precision: 10, scale: 2 }),
        Added: edm.DateTime(),
        Opens: edm.Time(),
        IsSold: edm.Boolean(),
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

let browser: Browser
let server: Server
let origin = ''
let folder = ''

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'explorer-changes-'))
  server = express().listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
  await rm(folder, { recursive: true })
})

let open: ExplorerPage

/** Opens a view of a service with one product. */
async function openShop(hash: string, options: { readonly readOnly?: boolean } = {}): Promise<void> {
  const rows = {
    Products: [
      {
        ID: 1,
        Name: 'Gouda',
        Remark: null,
        Price: '12.50',
        Added: '2026-01-31T12:30:45',
        Opens: '08:30:00',
        IsSold: false,
        Version: 1,
      },
    ],
  }
  const app = express()
  app.use('/shop', odataV2(model, memoryProvider(model, rows), { explorer: true, csrf: true, ...options }))
  // Never responds to an upload.
  app.use('/slow', (request, _response, next) => {
    if (request.method !== 'POST') next()
  })
  app.use('/slow', odataV2(fileModel, fileProvider(folder, { writable: true }), { explorer: true }))
  app.use('/files', odataV2(fileModel, fileProvider(folder, { writable: true }), { explorer: true }))
  server.removeAllListeners('request')
  server.on('request', app)
  open = await openExplorer(browser, origin + hash)
}

async function stored(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}/shop/${path}`, { headers: { Accept: 'application/json' } })
  return ((await response.json()) as { d: Record<string, unknown> }).d
}

const field = (name: string): ReturnType<ExplorerPage['page']['getByLabel']> =>
  open.page
    .getByRole('main')
    .getByLabel(new RegExp(`^${name}\\b`))
    .first()

const press = (name: string): Promise<void> => open.page.getByRole('button', { name, exact: true }).click()

afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

describe('A new entity', () => {
  it('MUST be created with the entered values; empty fields get the defaults of the service', async () => {
    await openShop('/shop/#/Products')
    await open.page.getByRole('link', { name: 'Create', exact: true }).click()
    await field('ID').fill('2')
    await field('Name').fill('Brie, "mild"')
    await field('Price').fill('3.10')
    await field('Added').fill('2026-02-01T08:00:00')
    await field('Opens').fill('09:15')
    await field('IsSold').selectOption('true')
    await field('Version').fill('1')
    await press('Create')
    await open.page.getByRole('heading', { name: 'Products(2)' }).waitFor()
    expect(await stored('Products(2)')).toMatchObject({
      Name: 'Brie, "mild"',
      Remark: null,
      Price: '3.10',
      Added: `/Date(${String(Date.UTC(2026, 1, 1, 8))})/`,
      Opens: 'PT09H15M00S',
      IsSold: true,
    })
  })

  it('MUST show messages of the service at their fields', async () => {
    await openShop('/shop/#new/Products')
    await field('ID').fill('2')
    await field('Name').fill('A name that is far too long for it')
    await field('Version').fill('1')
    await press('Create')
    await open.page.locator('.value-field.wrong').waitFor()
    expect(await open.page.locator('.value-field.wrong').innerText()).toContain('must not be longer than 20')
    await field('Name').fill('Brie')
    await press('Create')
    await open.page.getByRole('heading', { name: 'Products(2)' }).waitFor()
  })
})

describe('An entity', () => {
  it('MUST keep all values that the user does not change', async () => {
    await openShop('/shop/#/Products(1)')
    const before = await stored('Products(1)')
    await open.page.getByRole('link', { name: 'Edit', exact: true }).click()
    await field('Remark').fill('Aged 12 months')
    await press('Save')
    await open.page.getByRole('heading', { name: 'Products(1)', exact: true }).waitFor()
    expect(await stored('Products(1)')).toEqual({
      ...before,
      Remark: 'Aged 12 months',
      Version: 2,
      __metadata: expect.anything(),
    })
  })

  it('MUST be compared with the stored one if another user has changed it', async () => {
    await openShop('/shop/#edit/Products(1)')
    await field('Price').fill('20.00')
    const changed = await fetch(`${origin}/shop/Products(1)`, { headers: { 'X-CSRF-Token': 'Fetch' } })
    const token = changed.headers.get('x-csrf-token') ?? ''
    const cookie = (changed.headers.get('set-cookie') ?? '').replace(/;.*/, '')
    const merged = await fetch(`${origin}/shop/Products(1)`, {
      method: 'MERGE',
      headers: {
        'Content-Type': 'application/json',
        'If-Match': changed.headers.get('etag') ?? '',
        'X-CSRF-Token': token,
        Cookie: cookie,
      },
      body: JSON.stringify({ Price: '15.00' }),
    })
    expect(merged.status).toBe(204)
    await press('Save')
    const conflicts = open.page.getByRole('region', { name: 'Conflicts' })
    await conflicts.waitFor()
    expect(await conflicts.locator('tbody tr').innerText()).toMatch(/Price\s+20\.00\s+15\.00/)
    await press('Save')
    await open.page.getByRole('heading', { name: 'Products(1)', exact: true }).waitFor()
    expect(await stored('Products(1)')).toMatchObject({ Price: '20.00', Version: 3 })
  })

  it('MUST be deleted only after confirmation', async () => {
    await openShop('/shop/#/Products(1)')
    await press('Delete')
    await open.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await stored('Products(1)')).toMatchObject({ Name: 'Gouda' })
    await press('Delete')
    await open.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await open.page.getByText('No entities found.').waitFor()
  })

  it('MUST not be offered for changes by a service that is read-only', async () => {
    await openShop('/shop/#/Products(1)', { readOnly: true })
    const [response] = await Promise.all([
      open.page.waitForResponse((one) => one.request().method() === 'OPTIONS'),
      open.show('#/Products'),
    ])
    expect(response.headers().allow).toBe('GET, HEAD, OPTIONS')
    expect(await open.page.locator('.changes > *').count()).toBe(0)
  })
})

describe('A file', () => {
  it('MUST be uploaded into a set of media link entries, and replaced', async () => {
    await openShop('/files/#new/Files')
    const file = join(folder, '..', `upload-${String(process.pid)}.txt`)
    await writeFile(file, 'first')
    await open.page.getByLabel('File', { exact: true }).setInputFiles(file)
    await press('Upload')
    await open.page.getByLabel('Replace the content').waitFor()
    const name = `upload-${String(process.pid)}.txt`
    expect(await readFile(join(folder, name), 'utf8')).toBe('first')
    await writeFile(file, 'second')
    await open.page.getByLabel('Replace the content').setInputFiles(file)
    await press('Upload')
    await open.page.getByText('second', { exact: true }).waitFor()
    await shown(open.page)
    expect(await readFile(join(folder, name), 'utf8')).toBe('second')
    await rm(file)
  })

  it('MUST not be uploaded further when the user cancels', async () => {
    await openShop('/slow/#new/Files')
    const content = {
      name: 'large.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(5_000_000),
    }
    await open.page.getByLabel('File', { exact: true }).setInputFiles(content)
    await press('Upload')
    await press('Cancel')
    await open.page.getByText('The upload was cancelled.').waitFor()
    expect(await open.page.getByRole('button', { name: 'Upload' }).isEnabled()).toBe(true)
  })

  it('MUST not be uploaded when the user cancels while the CSRF token is fetched', async () => {
    await openShop('/files/#new/Files')
    let uploads = 0
    await open.page.route('**/files/**', async (route) => {
      if (route.request().method() === 'POST') uploads++
      else await press('Cancel')
      await route.continue()
    })
    const content = { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('small') }
    await open.page.getByLabel('File', { exact: true }).setInputFiles(content)
    await press('Upload')
    await open.page.getByText('The upload was cancelled.').waitFor()
    expect(uploads).toBe(0)
  })
})
