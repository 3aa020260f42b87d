import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { violationsOn } from './support/accessibility.js'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

describe.each(stores)('The explorer of a service on %s', (_, openStore) => {
  let browser: Browser
  let server: Server
  let northwind: Northwind
  let root = ''
  let open: ExplorerPage
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    northwind = await openNorthwind(openStore, { explorer: true, csrf: true })
    server = express().use('/northwind', northwind.service).listen(0)
    await once(server, 'listening')
    root = `http://localhost:${(server.address() as AddressInfo).port}/northwind/`
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    await northwind.close()
  })

  async function look(hash: string): Promise<void> {
    open = await openExplorer(browser, root, hash)
    page = open.page
  }
  afterEach(async () => {
    expect(open.errors).toEqual([])
    await open.close()
  })

  async function stored(path: string): Promise<unknown> {
    const response = await fetch(root + path, { headers: { Accept: 'application/json' } })
    return ((await response.json()) as { d?: unknown }).d
  }

  const field = (name: string): ReturnType<Page['getByLabel']> =>
    page
      .getByRole('main')
      .getByLabel(new RegExp(`^${name}\\b`))
      .first()

  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).press('Enter')

  /** Adds a change of a product to the changes that are sent together. */
  async function change(path: string, name: string, value: string): Promise<void> {
    await open.show(`#edit/${path}`)
    await field(name).fill(value)
    await press('Add to changes')
    await page.getByRole('heading', { name: 'Changes', exact: true }).waitFor()
    await shown(page)
  }

  it('MUST send several changes as one change set, with errors at their entities', async () => {
    await look('#/Products?$top=3')
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(`${request.method()} ${request.url().slice(root.length)}`)
    })
    await change('Products(2)', 'ProductName', 'Espresso of the night')
    await change('Products(3)', 'ProductName', 'x'.repeat(61))
    await open.show('#/Products(4)')
    await press('Delete')
    await page.getByLabel('Later, with my other changes').press('Space')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('link', { name: 'Changes (3)' }).waitFor()
    expect(requests.filter((one) => !one.startsWith('OPTIONS'))).toEqual([])

    await press('Send all')
    await page.getByText('No change was made.').waitFor()
    const wrong = page.getByRole('region', { name: 'Change Products(3)' }).getByRole('alert')
    expect(await wrong.innerText()).toContain('must not be longer than 60')
    expect(await page.locator('.pending [role=alert]').count()).toBe(1)
    expect(await stored('Products(2)?$select=ProductName')).toMatchObject({
      ProductName: 'Midnight Espresso',
    })

    await page.getByRole('region', { name: 'Change Products(3)' }).getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit Products(3)' }).waitFor()
    // The form shows the value that is not sent yet.
    expect(await field('ProductName').inputValue()).toBe('x'.repeat(61))
    await field('ProductName').fill('East Frisian')
    await press('Add to changes')
    await page.getByRole('heading', { name: 'Changes', exact: true }).waitFor()
    await shown(page)
    await page.getByRole('button', { name: 'Discard: Delete Products(4)' }).press('Enter')
    await page.getByRole('link', { name: 'Changes (2)' }).waitFor()
    requests.length = 0
    await press('Send all')
    await page.getByText('2 changes were made.').waitFor()
    expect(requests.filter((one) => one.startsWith('POST'))).toContain('POST $batch')
    expect(requests.filter((one) => !/^POST \$batch|^HEAD/.test(one))).toEqual([])
    expect(await stored('Products(2)?$select=ProductName')).toMatchObject({
      ProductName: 'Espresso of the night',
    })
    expect(await stored('Products(3)?$select=ProductName')).toMatchObject({ ProductName: 'East Frisian' })
    expect(await stored('Products(4)?$select=ProductID')).toBeDefined()
    expect(await page.getByRole('link', { name: /^Changes \(/ }).count()).toBe(0)
  })

  it('MUST discard changes only after confirmation', async () => {
    await look('#/Products(5)')
    await change('Products(5)', 'ProductName', 'Elder')
    await press('Discard all')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('link', { name: 'Changes (1)' }).waitFor()
    await press('Discard all')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).press('Enter')
    await page.getByText('There are no changes to send.').waitFor()
  })

  it('MUST send a composed batch and show the response to each request', async () => {
    await look('#batch')
    const request = (number: number): ReturnType<Page['getByRole']> =>
      page.getByRole('group', { name: `Request ${number}` })
    await request(1).getByLabel('Address').fill('Products(1)?$select=ProductName')
    await press('Add request')
    await request(2).getByLabel('Method').selectOption('MERGE')
    await request(2).getByLabel('Address').fill('Products(6)')
    await request(2).getByLabel('Headers').fill('If-Match: *')
    await request(2).getByLabel('Body').fill('{"ProductName":"Pinhão Lager, 0.5 l"}')
    await press('Add request')
    await request(3).getByLabel('Address').fill('Products/$count')
    await press('Add request')
    await request(4).getByLabel('Address').fill('Nothing')
    await press('Send')
    await page.getByRole('heading', { name: 'Responses' }).waitFor()
    expect(await page.locator('.response h3').allInnerTexts()).toEqual([
      'GET Products(1)?$select=ProductName',
      'MERGE Products(6)',
      'GET Products/$count',
      'GET Nothing',
    ])
    expect(await page.locator('.response > p').allInnerTexts()).toEqual([
      '200 OK',
      '204 No Content',
      '200 OK',
      '404 Not Found',
    ])
    expect(await page.locator('.response').nth(0).innerText()).toContain('"Polar Roast Coffee"')
    expect(await page.locator('.response').nth(2).innerText()).toMatch(/\n\d+$/)
    expect(await stored('Products(6)?$select=ProductName')).toMatchObject({
      ProductName: 'Pinhão Lager, 0.5 l',
    })
    // The composed requests are still there when the user comes back.
    await open.show('#types')
    await open.show('#batch')
    expect(await request(4).getByLabel('Address').inputValue()).toBe('Nothing')
  })

  it('MUST list recent requests with their status, and open and compose them again', async () => {
    await look('#/Suppliers?$top=2')
    await open.show('#/Nothing')
    await open.show('#requests')
    const row = page.locator('tr', { hasText: 'GET Suppliers?$top=2' })
    expect(await row.innerText()).toMatch(/200 OK\s+\d+ ms\s+[\d.]+ (?:bytes|kB)/)
    expect(await page.locator('tr', { hasText: 'GET Nothing' }).innerText()).toContain('404 Not Found')
    await page.getByRole('button', { name: 'Show GET Suppliers?$top=2' }).press('Enter')
    await page.getByText('"Kaffehuset Nordlys"').waitFor()
    await page.getByRole('button', { name: 'Compose GET Suppliers?$top=2' }).press('Enter')
    await page.getByRole('heading', { name: 'Batch' }).waitFor()
    await shown(page)
    expect(await page.getByLabel('Address').last().inputValue()).toBe('Suppliers?$top=2')
    await open.show('#requests')
    await page.getByRole('link', { name: 'GET Suppliers?$top=2' }).last().press('Enter')
    await page.getByRole('heading', { name: 'Suppliers', exact: true }).waitFor()
  })

  it('MUST list the operations of the OpenAPI document', async () => {
    await look('#')
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'OpenAPI' })
      .press('Enter')
    await page.getByRole('heading', { name: 'OpenAPI' }).waitFor()
    await shown(page)
    await page.locator('summary', { hasText: 'GET /Products' }).first().press('Enter')
    await page.getByRole('region', { name: 'Parameters of GET /Products', exact: true }).waitFor()
  })

  it('MUST conform to WCAG 2.2 AA in these views', async () => {
    await look('#/Products(5)')
    const found: string[] = []
    await change('Products(5)', 'ProductName', 'x'.repeat(61))
    await press('Send all')
    await page.getByText('No change was made.').waitFor()
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      for (const hash of ['#batch', '#requests', '#openapi', '#changes']) {
        await open.show(hash)
        if (hash === '#batch') {
          await press('Send')
          await page.getByRole('heading', { name: 'Responses' }).waitFor()
        }
        if (hash === '#openapi') await page.locator('summary', { hasText: 'GET' }).first().click()
        found.push(...(await violationsOn(page)))
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
    }
    expect(found).toEqual([])
  })
})
