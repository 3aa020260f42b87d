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

const looks = [
  ['light', { colorScheme: 'light', width: 1280 }],
  ['dark', { colorScheme: 'dark', width: 1280 }],
  ['on a phone', { colorScheme: 'light', width: 360 }],
] as const

describe.each(looks)('The explorer, %s', (_, { colorScheme, width }) => {
  let browser: Browser
  let northwind: Northwind
  let server: Server
  let open: ExplorerPage
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    const [[, inMemory]] = stores as [(typeof stores)[0]]
    northwind = await openNorthwind(inMemory, { explorer: true, exports: true, explain: true })
    server = express().use('/northwind', northwind.service).listen(0)
    await once(server, 'listening')
    const root = `http://localhost:${(server.address() as AddressInfo).port}/northwind/`
    // The checks of the rules are a script in the page.
    open = await openExplorer(browser, root, '', { width, colorScheme, bypassCSP: true })
    page = open.page
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    await northwind.close()
  })

  it('MUST conform to WCAG 2.2 AA: the overview', async () => {
    expect(await violationsOn(page)).toEqual([])
  })

  it.each([
    ['entities with related entities', '#/Products?$top=5&$expand=Category,Supplier&$inlinecount=allpages'],
    ['an error in a query', '#/Products?$filter=UnitPrice gx 5'],
    ['an entity', '#/Products(1)?$expand=Category'],
    ['a media link entry', '#/Employees(1)'],
    ['a function', '#/RequestQuote'],
    ['a form for a new entity', '#new/Products'],
    ['a form for changes', '#edit/Products(1)'],
    ['the types', '#types'],
    ['a type', '#types/NorthwindModel.Product'],
    ['the diagram', '#diagram'],
    ['the metadata document', '#/$metadata'],
  ])('MUST conform to WCAG 2.2 AA: %s', async (_name, hash) => {
    await open.show(hash)
    expect(await violationsOn(page)).toEqual([])
  })

  it('MUST conform to WCAG 2.2 AA with an open list of values', async () => {
    await open.show('#edit/Products(1)')
    await page.getByRole('combobox', { name: /^CategoryID/ }).click()
    await page.locator('li[role=option]').first().waitFor()
    expect(await violationsOn(page)).toEqual([])
  })

  it('MUST conform to WCAG 2.2 AA with all panels open', async () => {
    await open.show('#/Orders?$top=3')
    for (const title of ['Chart', 'Columns', 'Request and response', 'Evaluation', 'Code samples'])
      await page.locator('summary', { hasText: title }).last().click()
    for (const form of ['Bars', 'Line', 'Pie']) {
      await page.getByLabel('Chart type').selectOption(form)
      await page.locator('.chart a, .chart g').first().waitFor()
      await shown(page)
      expect(await violationsOn(page)).toEqual([])
    }
  })
})
