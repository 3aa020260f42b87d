import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { annotate, defineModel, edm, memoryProvider, odataV2, valueList } from 'express-odata-v2'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

/** A task has a state from a list, which no association describes. */
const tasks = defineModel({
  namespace: 'Plan',
  entityTypes: {
    Task: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), State: edm.String({ maxLength: 1 }) },
    },
    State: {
      key: ['Code'],
      properties: { Code: edm.String({ nullable: false, maxLength: 1 }), Meaning: edm.String() },
    },
  },
  entityContainer: { entitySets: { Tasks: { entityType: 'Task' }, States: { entityType: 'State' } } },
})
const states = [
  { Code: 'O', Meaning: 'Open' },
  { Code: 'D', Meaning: 'Done' },
]

let browser: Browser
let server: Server
let northwind: Northwind
let origin = ''
let open: ExplorerPage
let page: Page
let requests: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  const [, [, inSqlite]] = stores as [(typeof stores)[0], (typeof stores)[0]]
  northwind = await openNorthwind(inSqlite, { explorer: true, csrf: true })
  const rows = { Tasks: [{ ID: 1, State: 'O' }], States: states }
  const annotations = annotate(tasks, {
    'Plan.Task/State': { 'Common.ValueList': valueList('States', { inOut: { State: 'Code' } }) },
  })
  const app = express()
  app.use('/northwind', northwind.service)
  app.use('/plan', odataV2(tasks, memoryProvider(tasks, rows), { explorer: true, annotations }))
  server = app.listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
  await northwind.close()
})

async function look(path: string): Promise<void> {
  open = await openExplorer(browser, origin + path)
  page = open.page
  requests = []
  page.on('request', (request) => requests.push(decodeURIComponent(request.url().slice(origin.length))))
}
afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

describe('Foreign keys', () => {
  it('MUST be links with the labels of their entities, which one request reads for all rows', async () => {
    await look('/northwind/')
    await open.show('#/Products?$top=20')
    await page.getByRole('link', { name: 'Drinks' }).first().waitFor()
    expect(requests.filter((one) => one.startsWith('/northwind/Categories'))).toHaveLength(1)
    await page.getByRole('link', { name: 'Drinks' }).first().click()
    await page.getByRole('heading', { name: 'Categories(1)' }).waitFor()
  })

  it('MUST have the labels of expanded entities without a request', async () => {
    await look('/northwind/')
    await open.show('#/Products?$top=20&$expand=Category,Supplier')
    await page.getByRole('link', { name: 'Drinks', exact: true }).first().waitFor()
    expect(requests.filter((one) => /\/(?:Categories|Suppliers)\b/.test(one))).toEqual([])
  })

  it('MUST be chosen by searching for their entities, by keyboard', async () => {
    await look('/northwind/#edit/Products(1)')
    const field = page.getByRole('combobox', { name: /^CategoryID/ })
    await page.getByRole('status').getByText('Drinks').waitFor()
    await field.fill('sea')
    await page.locator('li[role=option]', { hasText: 'From the sea' }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    expect(await field.inputValue()).toBe('8')
    await page.getByRole('status').getByText('From the sea').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Products(1)', exact: true }).waitFor()
    await page.getByRole('link', { name: 'From the sea' }).waitFor()
  })
})

describe('Value lists of annotations', () => {
  it('MUST be listed in forms, with the labels of their values', async () => {
    await look('/plan/#edit/Tasks(1)')
    await page.getByRole('combobox', { name: /^State/ }).click()
    await page.locator('li[role=option]').first().waitFor()
    expect(await page.locator('li[role=option]').allInnerTexts()).toEqual(['D\nDone', 'O\nOpen'])
    await page.locator('li[role=option]', { hasText: 'Done' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Tasks(1)', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Done' }).waitFor()
  })
})

describe('The condition builder', () => {
  it('MUST suggest the values of a property with their labels and counts', async () => {
    await look('/northwind/#/Products?$filter=UnitsInStock lt 40')
    await page.getByLabel('Property', { exact: true }).selectOption('CategoryID')
    const response = await fetch(
      `${origin}/northwind/Products/$count?$filter=UnitsInStock lt 40 and CategoryID eq 2`,
    )
    await page.getByLabel('Value', { exact: true }).fill('sauces')
    await page.locator('li[role=option]').first().waitFor()
    expect(await page.locator('li[role=option]').allInnerTexts()).toEqual([
      `2\nSauces and spices · ${await response.text()}`,
    ])
    await page.getByLabel('Value', { exact: true }).press('ArrowDown')
    await page.getByLabel('Value', { exact: true }).press('Enter')
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('2')
    await page.getByLabel('Value', { exact: true }).press('Enter')
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes(' and CategoryID eq 2'))
    await shown(page)
  })
})

describe('Columns', () => {
  it('MUST be chosen and ordered by keyboard, and be the $select of the URL', async () => {
    await look('/northwind/#/Products?$top=3&$expand=Category')
    await page.locator('summary', { hasText: 'Columns' }).click()
    for (const name of ['SupplierID', 'CategoryID', 'QuantityPerUnit', 'UnitsOnOrder', 'ReorderLevel'])
      await page.getByRole('checkbox', { name, exact: true }).press('Space')
    const up = page.getByRole('button', { name: 'Move UnitPrice up' })
    await up.focus()
    for (let step = 0; step < 4; step++) await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show columns' }).press('Enter')
    await page.waitForFunction(() =>
      location.hash.includes(
        '$select=ProductID,UnitPrice,ProductName,UnitsInStock,Discontinued,Version,Category',
      ),
    )
    await shown(page)
    const headings = await page.locator('table.entities thead th').allInnerTexts()
    expect(headings.map((text) => text.replace(/\W/g, ''))).toEqual([
      'ProductID',
      'UnitPrice',
      'ProductName',
      'UnitsInStock',
      'Discontinued',
      'Version',
      'Links',
    ])
    // The panel stays open.
    await page.getByRole('link', { name: 'All columns' }).click()
    await page.waitForFunction(() => !location.hash.includes('$select'))
    await shown(page)
    expect(await page.locator('table.entities thead th').count()).toBeGreaterThan(8)
  })
})
