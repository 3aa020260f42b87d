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

/** A booking refers to a room by two properties, and takes its price from a list that depends on the room. */
const bookings = defineModel({
  namespace: 'Stay',
  entityTypes: {
    Booking: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Hotel: edm.String({ maxLength: 3 }),
        Room: edm.Int32(),
        Rate: edm.String({ maxLength: 10 }),
        Price: edm.Decimal({ precision: 9, scale: 2 }),
        Meals: edm.String(),
      },
      navigationProperties: {
        BookedRoom: { relationship: 'RoomBookings', fromRole: 'Booking', toRole: 'Room' },
      },
    },
    Room: {
      key: ['Hotel', 'No'],
      properties: {
        Hotel: edm.String({ nullable: false, maxLength: 3 }),
        No: edm.Int32({ nullable: false }),
        Name: edm.String(),
      },
    },
    Rate: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Code: edm.String({ nullable: false }),
        Place: edm.String(),
        Amount: edm.Decimal({ precision: 9, scale: 2 }),
        Food: edm.String(),
      },
    },
  },
  associations: {
    RoomBookings: {
      ends: {
        Booking: { type: 'Booking', multiplicity: '*' },
        Room: { type: 'Room', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Room', properties: ['Hotel', 'No'] },
        dependent: { role: 'Booking', properties: ['Hotel', 'Room'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Bookings: { entityType: 'Booking' },
      Rooms: { entityType: 'Room' },
      Rates: { entityType: 'Rate' },
    },
    associationSets: {
      RoomBookings: { association: 'RoomBookings', ends: { Booking: 'Bookings', Room: 'Rooms' } },
    },
  },
})
const stays = {
  Bookings: [
    { ID: 1, Hotel: 'SEA', Room: 1, Rate: 'FLEX', Price: '120.00', Meals: null },
    { ID: 2, Hotel: 'HIL', Room: 1, Rate: null, Price: null, Meals: null },
  ],
  Rooms: [
    { Hotel: 'SEA', No: 1, Name: 'View of the bay' },
    { Hotel: 'SEA', No: 2, Name: 'Lighthouse' },
    { Hotel: 'HIL', No: 1, Name: 'Garden' },
  ],
  Rates: [
    { ID: 1, Code: 'FLEX', Place: 'SEA', Amount: '120.00', Food: 'Breakfast' },
    { ID: 2, Code: 'EARLY', Place: 'SEA', Amount: '95.50', Food: null },
    { ID: 3, Code: 'EARLY', Place: 'HIL', Amount: '70.00', Food: null },
  ],
}

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
  const rates = annotate(bookings, {
    'Stay.Booking/Rate': {
      'Common.ValueList': valueList('Rates', {
        in: { Hotel: 'Place' },
        inOut: { Rate: 'Code' },
        out: { Price: 'Amount', Meals: 'Food' },
      }),
    },
  })
  app.use('/stay', odataV2(bookings, memoryProvider(bookings, stays), { explorer: true, annotations: rates }))
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

describe('Foreign keys with several properties', () => {
  it('MUST be links with the labels of their entities, which one request reads for all rows', async () => {
    await look('/stay/')
    await open.show('#/Bookings')
    await page.getByRole('link', { name: 'Garden' }).waitFor()
    expect(requests.filter((one) => one.startsWith('/stay/Rooms'))).toHaveLength(1)
    await page.getByRole('link', { name: 'View of the bay' }).click()
    await page.getByRole('heading', { name: "Rooms(Hotel='SEA',No=1)" }).waitFor()
  })

  it('MUST be chosen among the entities with the same other properties', async () => {
    await look('/stay/#edit/Bookings(1)')
    const room = page.getByRole('combobox', { name: /^Room/ })
    await page.getByRole('status').getByText('View of the bay').waitFor()
    await room.fill('')
    await page.locator('li[role=option]', { hasText: 'Lighthouse' }).waitFor()
    expect(await page.locator('li[role=option]').allInnerTexts()).toEqual([
      '2\nLighthouse · SEA',
      '1\nView of the bay · SEA',
    ])
  })
})

describe('Value lists with several parameters', () => {
  const options = (): ReturnType<Page['locator']> => page.locator('li[role=option]')

  it('MUST list the members with the values of In parameters, and fill the other fields of the form', async () => {
    await look('/stay/#edit/Bookings(1)')
    const rate = page.getByRole('combobox', { name: /^Rate/ })
    await rate.fill('')
    await options().first().waitFor()
    expect(await options().allInnerTexts()).toEqual(['EARLY\n95.50', 'FLEX\n120.00 · Breakfast'])
    await page.getByRole('textbox', { name: /^Hotel/ }).fill('HIL')
    await rate.click()
    await options().getByText('70').waitFor()
    await options().first().click()
    expect(await page.getByRole('textbox', { name: /^Price/ }).inputValue()).toMatch(/^70/)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Bookings(1)', exact: true }).waitFor()
    expect(await page.getByRole('row', { name: /^Price/ }).innerText()).toContain('70')
  })

  it('MUST fill the other cells of a row, and none if the user cancels', async () => {
    await look('/stay/#/Bookings')
    await page.getByRole('grid').waitFor()
    const cells = page.locator('table.entities tbody tr').nth(1).locator('td')
    const choose = async (): Promise<void> => {
      await cells.nth(2).dblclick()
      await page.keyboard.press('ArrowDown')
      await options().first().waitFor()
      await options().getByText('EARLY').click()
    }
    await choose()
    await page.keyboard.press('Escape')
    expect(await page.locator('td.changed').count()).toBe(0)
    await choose()
    await page.keyboard.press('Enter')
    await page.locator('td.changed').first().waitFor()
    expect(await page.locator('td.changed').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('EARLY'), expect.stringContaining('70.00')]),
    )
    await open.show('#changes')
    expect(await page.locator('.changes-list tbody tr').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('EARLY'), expect.stringContaining('70.00')]),
    )
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
