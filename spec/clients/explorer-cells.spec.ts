import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from 'express-odata-v2'
import type { Browser, Locator, Page } from 'playwright-core'
import { violationsOn } from './support/accessibility.js'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let browser: Browser
let server: Server
let origin = ''
let open: ExplorerPage
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  server = express().listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
})
afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

/** Opens a view of the service at `/shop`. */
async function look(service: express.Router, hash: string): Promise<void> {
  server.removeAllListeners('request')
  server.on('request', express().use('/shop', service))
  open = await openExplorer(browser, `${origin}/shop/${hash}`)
  page = open.page
}

/** Returns the cell of a property in the row of an entity. */
const cellOf = (row: number, property: string): Promise<Locator> =>
  page
    .locator('table.entities > thead th')
    .allInnerTexts()
    .then((headings) => {
      const column = headings.findIndex((text) => text.replace(/\W/g, '') === property)
      return page.locator('table.entities > tbody > tr').nth(row).locator('> *').nth(column)
    })

async function stored(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}/shop/${path}`, { headers: { Accept: 'application/json' } })
  return ((await response.json()) as { d: Record<string, unknown> }).d
}

const grid = (): Promise<void> => page.getByRole('grid').waitFor()

describe.each(stores)('Cells of entities in %s', (_name, openStore) => {
  let northwind: Northwind
  beforeEach(async () => {
    northwind = await openNorthwind(openStore, { explorer: true, csrf: true })
    await look(northwind.service, '#/Products?$top=3')
    await grid()
  })
  afterEach(() => northwind.close())

  it('MUST be changed in the inputs of forms, and be sent as one change set', async () => {
    const name = await cellOf(0, 'ProductName')
    const before = await stored('Products(2)')
    await name.dblclick()
    await page.keyboard.type(`Chai "extra"`)
    // Tab opens the next cell that can be edited, a reference that is chosen by searching.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const category = await cellOf(0, 'CategoryID')
    await category.getByRole('combobox').fill('sea')
    await page.locator('li[role=option]', { hasText: 'From the sea' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await category.getByRole('link', { name: 'From the sea' }).waitFor()
    const discontinued = await cellOf(1, 'Discontinued')
    await discontinued.focus()
    await page.keyboard.press('Enter')
    await discontinued.getByRole('combobox').selectOption(before.Discontinued === true ? 'false' : 'true')
    await page.keyboard.press('Enter')
    expect(await page.locator('td.changed').count()).toBe(3)
    expect(await name.innerText()).toContain('Chai "extra"')
    expect(await stored('Products(1)')).not.toMatchObject({ CategoryID: 8 })

    await page.getByRole('link', { name: 'Review and send' }).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/$batch')),
      page.getByRole('button', { name: 'Send all' }).click(),
    ])
    await page.getByText('2 changes were made.').waitFor()
    expect(request.postData()?.match(/^If-Match: .+$/gm)).toHaveLength(2)
    expect(await stored('Products(1)')).toMatchObject({ ProductName: 'Chai "extra"', CategoryID: 8 })
    expect((await stored('Products(2)')).Discontinued).toBe(before.Discontinued !== true)
  })

  it('MUST restore the value with Escape, and send nothing for values as they are stored', async () => {
    const name = await cellOf(0, 'ProductName')
    const text = await name.innerText()
    await name.focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('Something else')
    await page.keyboard.press('Escape')
    expect(await name.innerText()).toBe(text)
    expect(await name.evaluate((cell) => cell === document.activeElement)).toBe(true)
    await page.keyboard.press('F2')
    await page.keyboard.type('Something else')
    await page.keyboard.press('Enter')
    await page.getByText('1 change is not sent yet.', { exact: false }).first().waitFor()
    await page.keyboard.press('F2')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await page.locator('td.changed').waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'Changes' }).count()).toBe(0)
  })

  it('MUST be reached by the arrow keys, with one stop of the Tab key', async () => {
    const name = await cellOf(0, 'ProductName')
    await name.focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'End', 'Home', 'ArrowRight'])
      await page.keyboard.press(key)
    expect(await name.evaluate((cell) => cell === document.activeElement)).toBe(true)
    expect(await page.locator('table.entities [tabindex="0"]').count()).toBe(1)
    expect(await page.locator('tbody th').first().getAttribute('aria-readonly')).toBe('true')
  })

  it('MUST be compared with the stored values if another user has changed the entity', async () => {
    const price = await cellOf(0, 'UnitPrice')
    await price.dblclick()
    await page.keyboard.type('20.00')
    await page.keyboard.press('Enter')
    await page.locator('td.changed').waitFor()
    await page.evaluate(async (root) => {
      const token = await fetch(root, { headers: { 'X-CSRF-Token': 'Fetch' } })
      const current = await fetch(`${root}Products(1)`)
      const headers = {
        'Content-Type': 'application/json',
        'X-CSRF-Token': token.headers.get('x-csrf-token') ?? '',
        'If-Match': current.headers.get('etag') ?? '',
      }
      await fetch(`${root}Products(1)`, { method: 'MERGE', headers, body: '{"UnitPrice":"15.00"}' })
    }, `${origin}/shop/`)
    await open.show('#changes')
    await page.getByRole('button', { name: 'Send all' }).click()
    const conflicts = page.getByRole('region', { name: 'Conflicts' })
    await conflicts.waitFor()
    expect(await conflicts.locator('tbody tr').innerText()).toMatch(/UnitPrice\s+20\.00\s+15(?:\.00)?/)
    await page.getByRole('button', { name: 'Send all' }).click()
    await page.getByText('1 change was made.').waitFor()
    expect(Number((await stored('Products(1)')).UnitPrice)).toBe(20)
  })
})

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Ticket: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String({ maxLength: 40 }),
        Due: edm.DateTime(),
        Created: edm.DateTime({ sap: { updatable: false } }),
        Grade: edm.Int32(),
        IsOpen: edm.Boolean({ nullable: false }),
      },
    },
  },
  entityContainer: {
    entitySets: { Tickets: { entityType: 'Ticket', sap: { updatablePath: 'IsOpen' } } },
  },
})
const data = {
  Tickets: [
    {
      ID: 1,
      Title: 'Lamp',
      Due: '2026-01-31T12:30:00',
      Created: '2026-01-01T00:00:00',
      Grade: 1,
      IsOpen: true,
    },
    { ID: 2, Title: null, Due: null, Created: null, Grade: null, IsOpen: false },
  ],
}
const serviceOf = (options: Parameters<typeof odataV2>[2]): express.Router =>
  odataV2(model, memoryProvider(model, data), { explorer: true, ...options })

describe('Cells', () => {
  it('MUST not be edited where the service refuses changes of the entity or the property', async () => {
    await look(serviceOf({}), '#/Tickets')
    await grid()
    for (const [row, property] of [
      [0, 'ID'],
      [0, 'Created'],
      [1, 'Title'],
    ] as const) {
      const cell = await cellOf(row, property)
      expect(await cell.getAttribute('aria-readonly')).toBe('true')
      await cell.dblclick()
    }
    expect(await page.locator('td.editing').count()).toBe(0)
    expect(await (await cellOf(0, 'Due')).getAttribute('aria-readonly')).toBeNull()
  })

  it('MUST not be edited in a service that is read-only', async () => {
    await look(serviceOf({ readOnly: true }), '')
    const options = page.waitForResponse(
      (one) => one.request().method() === 'OPTIONS' && one.url().endsWith('/Tickets(1)'),
    )
    await open.show('#/Tickets')
    await (await options).finished()
    expect(await page.getByRole('grid').count()).toBe(0)
  })

  it('MUST be emptied as null, and show dates as they are stored', async () => {
    await look(serviceOf({}), '#/Tickets')
    await grid()
    await (await cellOf(0, 'Title')).dblclick()
    await page.getByLabel('null').press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2026-02-01T08:00:00')
    await page.keyboard.press('Enter')
    await page.locator('td.changed').nth(1).waitFor()
    expect(await page.locator('td.changed .value').allInnerTexts()).toEqual(['null', '2026-02-01 08:00:00'])
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: 'Send all' }).click()
    await page.getByText('1 change was made.').waitFor()
    expect(await stored('Tickets(1)')).toMatchObject({
      Title: null,
      Due: `/Date(${String(Date.UTC(2026, 1, 1, 8))})/`,
    })
    await shown(page)
  })

  it('MUST show why the service refuses a change, and keep it', async () => {
    await look(serviceOf({ authorize: () => ({ readonly: ['Grade'] }) }), '#/Tickets')
    await grid()
    await (await cellOf(0, 'Grade')).dblclick()
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: 'Send all' }).click()
    await page.getByText('No change was made.').waitFor()
    expect(await page.locator('.changes-list .problem').innerText()).toContain('Grade')
    await open.show('#/Tickets')
    expect(await page.locator('td.changed .value').innerText()).toBe('2')
  })

  it('MUST conform to WCAG 2.2 AA while they are edited', async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 800 }, bypassCSP: true })
    await look(serviceOf({}), '#/Tickets')
    const narrow = await context.newPage()
    await narrow.goto(`${origin}/shop/#/Tickets`)
    await narrow.getByRole('grid').waitFor()
    await narrow.locator('tbody td').first().dblclick()
    await narrow.locator('td.editing').waitFor()
    expect(await violationsOn(narrow)).toEqual([])
    await context.close()
  })
})
