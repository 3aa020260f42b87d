import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import helmet from 'helmet'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let browser: Browser
let server: Server
let northwind: Northwind
const [[, inMemory]] = stores as [(typeof stores)[0]]
let root = ''

beforeAll(async () => {
  browser = await openBrowser()
  northwind = await openNorthwind(inMemory, {
    explorer: true,
    exports: true,
    search: { Products: ['ProductName'] },
    csrf: true,
    pageSize: { Orders: 10 },
  })
  const app = express()
  app.use(helmet(), express.Router().use('/a/shop', northwind.service))
  server = app.listen(0)
  await once(server, 'listening')
  root = `http://localhost:${(server.address() as AddressInfo).port}/a/shop/`
})
afterAll(async () => {
  await browser.close()
  server.close()
  await northwind.close()
})

let open: ExplorerPage
let page: Page
async function look(hash = '', options: Parameters<typeof openExplorer>[3] = {}): Promise<void> {
  open = await openExplorer(browser, root, hash, options)
  page = open.page
}
afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

/** The text of each element that matches a selector. */
const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()

describe('The search field', () => {
  it('MUST find entities of sets that can be searched', async () => {
    await look('#/Products')
    await page.getByLabel('search', { exact: true }).fill('roast POLAR')
    await page.getByRole('button', { name: 'Run' }).click()
    // The page before the search lists that product too.
    await page.waitForFunction(() => document.querySelectorAll('.result tbody tr').length === 1)
    expect(new URL(page.url()).hash).toContain('search=')
    expect(await page.locator('.result tbody tr').innerText()).toContain('Polar Roast Coffee')
    await open.show('#/Orders')
    await page.getByLabel('$filter', { exact: true }).waitFor()
    expect(await page.getByLabel('search', { exact: true }).count()).toBe(0)
  })
})

describe('The overview of a service', () => {
  it('MUST list entity sets and functions, and count entities on request', async () => {
    await look()
    expect(await texts('.cards .name')).toEqual(
      expect.arrayContaining(['Products', 'Orders', 'RequestQuote']),
    )
    await page.getByRole('button', { name: 'Count Products' }).click()
    await page.getByText('77 entities', { exact: true }).waitFor()
  })

  it('MUST show entities if its URL has no trailing slash', async () => {
    open = await openExplorer(browser, root.slice(0, -1))
    page = open.page
    await page.getByRole('main').getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByText('Polar Roast Coffee').waitFor()
  })

  it('MUST link to connection files for Excel and Power BI', async () => {
    await look('#/Products')
    const links = await page
      .locator('a[download][href*="$explorer"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))
    expect(links.map((link) => link.slice(root.length))).toEqual([
      '$explorer/sets/Products.odc',
      '$explorer/sets/Products.pbids',
    ])
  })
})

describe('Conditions', () => {
  it('MUST be added to the filter without typing its syntax', async () => {
    await look('#/Products?$top=5')
    await page.getByLabel('Property', { exact: true }).selectOption('ProductName')
    await page.getByLabel('Comparison', { exact: true }).selectOption('contains')
    await page.getByLabel('Value', { exact: true }).fill("r's")
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.waitForFunction(() =>
      decodeURIComponent(location.hash).includes("substringof('r''s',ProductName)"),
    )
    await shown(page)
    await page.getByLabel('Property', { exact: true }).selectOption('UnitsInStock')
    await page.getByLabel('Comparison', { exact: true }).selectOption('is at least')
    await page.getByLabel('Value', { exact: true }).fill('1')
    await page.getByLabel('Value', { exact: true }).press('Enter')
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes(' and UnitsInStock ge 1'))
    await shown(page)
    expect(await page.locator('.problem').count()).toBe(0)
  })
})

describe('Expanded entities', () => {
  it('MUST be shown as tables below their entity', async () => {
    await look('#/Categories?$top=2&$expand=Products')
    const toggle = page.getByRole('button', { name: 'Show', exact: true }).first()
    await toggle.click()
    expect(await page.getByRole('heading', { name: 'Products', level: 3 }).count()).toBe(1)
    expect(await page.locator('.expanded:not([hidden]) tbody tr').count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    expect(await page.locator('.expanded:not([hidden])').count()).toBe(0)
  })
})

describe('An entity set', () => {
  it('MUST have pages, with history', async () => {
    await look('#/Products?$top=5&$orderby=ProductID&$inlinecount=allpages')
    expect(await texts('.pager span')).toEqual(['1–5 of 77'])
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText('6–10 of 77').waitFor()
    await page.getByRole('link', { name: 'Previous page' }).click()
    await page.getByText('1–5 of 77').waitFor()
    await page.goBack()
    await page.getByText('6–10 of 77').waitFor()
  })

  it('MUST follow next links of the service, which can be bookmarked', async () => {
    await look('#/Orders')
    const first = await texts('tbody th')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText('10 entities', { exact: true }).waitFor()
    const second = await texts('tbody th')
    expect([first.length, second.length, first.some((one) => second.includes(one))]).toEqual([10, 10, false])
    await page.reload()
    await shown(page)
    expect(await texts('tbody th')).toEqual(second)
  })

  it('MUST have a query form with completion', async () => {
    await look('#/Products?$top=5')
    const filter = page.getByLabel('$filter')
    await filter.pressSequentially('UnitP')
    await filter.press('ArrowDown')
    expect(await page.getByRole('listbox').getByRole('option', { selected: true }).innerText()).toContain(
      'UnitPrice',
    )
    await filter.press('Enter')
    await filter.pressSequentially(' ')
    expect((await texts('.field:has([name="$filter"]) [role=option] span')).slice(0, 3)).toEqual([
      'eq',
      'ne',
      'gt',
    ])
    await filter.pressSequentially('gt 150')
    await filter.press('Escape')
    await filter.press('Enter')
    await page.getByText('Stockfish').waitFor()
    expect(decodeURIComponent(page.url())).toContain('#/Products?$filter=UnitPrice gt 150')
    expect(await texts('tbody tr')).toHaveLength(2)
    // The field keeps the focus after the query.
    expect(await filter.evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('MUST be sortable by headings', async () => {
    await look('#/Products?$top=3')
    await page.getByRole('columnheader', { name: 'UnitPrice' }).getByRole('link').click()
    await page.locator('th[aria-sort=ascending]').waitFor()
    await page.getByRole('columnheader', { name: 'UnitPrice' }).getByRole('link').click()
    await page.locator('th[aria-sort=descending]').waitFor()
    expect((await texts('tbody td:nth-child(2)'))[0]).toBe('Jamón, Whole Leg')
  })

  it('MUST mark the position of an error in a query option', async () => {
    await look('#/Products?$filter=UnitPrice gx 5')
    expect(await texts('.wrong mark')).toEqual(['gx'])
    const field = page.getByLabel('$filter')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await texts('.problem strong')).toEqual(['400 InvalidSystemQueryOption'])
  })

  it('MUST display the result of $expand and $select', async () => {
    await look(
      '#/Products?$top=2&$orderby=ProductID&$expand=Category&$select=ProductName,Category/CategoryName',
    )
    expect(await texts('thead th')).toEqual(['ProductID', 'ProductName', 'Links'])
    expect((await texts('td.links a'))[0]).toBe('Category: 1')
  })
})

describe('A collection that can be exported', () => {
  it('MUST link to a file of all its entities in each format, with the filter of the page', async () => {
    await look('#/Orders?$filter=OrderID%20gt%200&$select=OrderID&$top=3')
    const links = page.locator('a[download][href*="$format="]')
    await links.first().waitFor()
    expect(await links.allInnerTexts()).toEqual(['CSV', 'Excel'])
    const [download] = await Promise.all([page.waitForEvent('download'), links.first().click()])
    expect(download.suggestedFilename()).toBe('Orders.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    // A page has 10 orders.
    expect(lines.length).toBeGreaterThan(3 + 10)
    expect(await links.last().getAttribute('href')).toMatch(
      /\/Orders\?\$filter=OrderID%20gt%200&\$select=OrderID&\$format=xlsx$/,
    )
  })
})

describe('A set with derived types', () => {
  it('MUST display the properties of all types, and sort by those of the base type only', async () => {
    await look('#/Contacts')
    expect(await texts('thead th')).toEqual(
      expect.arrayContaining(['DisplayName', 'GivenName', 'RegistrationCode']),
    )
    const links = await texts('thead a')
    expect([links.includes('DisplayName'), links.includes('GivenName')]).toEqual([true, false])
  })
})

describe('An entity', () => {
  it('MUST link to related entities', async () => {
    await look('#/Products(1)')
    await page.getByRole('link', { name: 'Category', exact: true }).click()
    await page.getByRole('heading', { name: 'Products(1)/Category' }).waitFor()
    expect(await texts('table.details td')).toContain('Drinks')
    await page.getByRole('link', { name: 'Products', exact: true }).last().click()
    await page.getByText('Polar Roast Coffee').waitFor()
  })

  it('MUST be shown with its image in tables, if it has one', async () => {
    await look('#/Employees?$top=3')
    await page.waitForFunction(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('img.thumbnail')]
      return images.length === 3 && images.every(({ naturalWidth }) => naturalWidth > 0)
    })
  })

  it('MUST display its media resource, and images in properties', async () => {
    await look('#/Employees(1)')
    const isDrawn = (selector: string): Promise<unknown> =>
      page.waitForFunction(
        (image) => (document.querySelector<HTMLImageElement>(image)?.naturalWidth ?? 0) > 0,
        selector,
      )
    await isDrawn('.preview img')
    await open.show('#/Categories(1)')
    await isDrawn('img.inline')
  })

  it('MUST display HTML in properties as text', async () => {
    await look('#/Employees(1)')
    expect(await texts('table.details td')).toContain(
      'Founded the shop in a <em>boathouse</em>. Knows every supplier by first name.',
    )
  })

  it('MUST NOT request addresses outside of the service', async () => {
    await look('#/../../other/Products')
    expect(await texts('.problem')).toEqual(['The address is outside of the service.'])
  })

  it('MUST display an error if it does not exist', async () => {
    await look('#/Products(99999)')
    expect(await texts('.problem strong')).toEqual(['404 ResourceNotFound'])
  })
})

describe('A request', () => {
  it('MUST be displayed with its response in JSON and Atom', async () => {
    await look('#/Products?$top=1')
    await page.getByText('Request and response').click()
    await page.locator('.raw').waitFor()
    expect((await texts('.raw'))[0]).toMatch(
      /^GET Products\?\$top=1\nAccept: application\/json[^]*200 OK[^]*"ProductID": 1/,
    )
    await page.getByRole('tab', { name: 'JSON' }).press('ArrowRight')
    await page.getByText('<feed ').waitFor()
    expect((await texts('.raw'))[0]).toContain('application/atom+xml;type=feed')
  })

  it('MUST be available as URL, curl, UI5 and TypeScript', async () => {
    await look("#/Products?$filter=ProductName eq 'O''Neil'")
    await page.getByText('Code samples').click()
    const shownText = (): Promise<string> => page.locator('.exchange details:last-child pre').innerText()
    expect(await shownText()).toBe(`${root}Products?$filter=ProductName%20eq%20'O''Neil'`)
    for (const [name, part] of [
      ['curl', 'curl -H'],
      ['UI5', "model.read('/Products'"],
      ['TypeScript', 'await fetch('],
      ['SAP Cloud SDK', "url: '/Products?$filter="],
      ['pyodata', `.filter("ProductName eq 'O''Neil'")`],
      ['C#', 'new HttpRequestMessage(HttpMethod.Get'],
      ['Power Query', 'OData.Feed("'],
    ] as const) {
      await page.getByRole('tab', { name }).click()
      expect(await shownText()).toContain(part)
    }
  })
})

describe('A function', () => {
  it('MUST be called with the parameters of its form', async () => {
    await look('#/ProductsBelowStock')
    await page.getByLabel('min').fill('1')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.getByText('Elderflower Lemonade').waitFor()
    expect(page.url()).toContain('#/ProductsBelowStock?min=1')
  })

  it('MUST be called by POST only on request, with a CSRF token', async () => {
    await look('#/RequestQuote')
    expect(await page.locator('.exchange').count()).toBe(0)
    await page.getByLabel('productID').fill('1')
    await page.getByLabel('quantity').fill('3')
    await page.getByRole('button', { name: 'Call' }).click()
    await page.locator('.result table').waitFor()
    expect((await texts('.result'))[0]).toContain('138')
  })
})

describe('The model', () => {
  it('MUST have a diagram that finds types, and that can be saved as an image', async () => {
    await look('#diagram')
    await page.getByLabel('Find type').fill('UnitsInStock')
    await page.waitForFunction(() => document.querySelectorAll('.box:not(.faint)').length === 1)
    expect(await page.locator('.box:not(.faint) .name').textContent()).toBe('Product')
    await page.getByLabel('Find type').fill('')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as SVG' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('NorthwindEntities.svg')
    const image = await readFile(await download.path(), 'utf8')
    expect(image).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<style>[^]*UnitsInStock/)
  })

  it('MUST have a diagram with entity types, associations and multiplicities', async () => {
    await look('#diagram')
    expect(await page.locator('.diagram .box .name').allTextContents()).toEqual(
      expect.arrayContaining(['Category', 'Product', 'Order_Detail']),
    )
    const [first] = await page.locator('.line').evaluateAll((lines) => lines.map((one) => one.textContent))
    expect(first).toBe('Product_Category0..1*')
    await page.locator('.box[href$="NorthwindModel.Product"]').focus()
    expect(await page.locator('.line.marked').count()).toBe(3)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Product', exact: true }).waitFor()
  })

  it('MUST have a list of types with keys, nullability, facets and labels', async () => {
    await look('#types')
    expect((await texts('tbody tr')).find((row) => row.startsWith('Order_Detail'))).toMatch(
      /OrderID, ProductID/,
    )
    await open.show('#types/NorthwindModel.Product')
    const row = (await texts('tbody tr')).find((one) => one.startsWith('ProductName'))
    expect(row?.split('\t').slice(1, 5)).toEqual(['Edm.String', 'no', 'MaxLength 60', 'Name'])
    expect((await texts('tbody tr')).some((one) => one.includes('sap:creatable=false'))).toBe(true)
  })
})
