import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import helmet from 'helmet'
import type { Browser } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { openExplorer } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

describe.each(stores)('Charts of a query, %s', (_, store) => {
  let browser: Browser
  let server: Server
  let northwind: Northwind
  let root = ''

  beforeAll(async () => {
    browser = await openBrowser()
    northwind = await openNorthwind(store, { explorer: true, pageSize: { Orders: 10 } })
    server = express().use(helmet(), express.Router().use('/shop', northwind.service)).listen(0)
    await once(server, 'listening')
    root = `http://localhost:${(server.address() as AddressInfo).port}/shop/`
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    await northwind.close()
  })

  it('MUST count the entities of all pages, and select the entities of a bar', async () => {
    const { page, errors, close } = await openExplorer(browser, root, '#/Orders?$filter=OrderID gt 0')
    await page.getByText('Chart', { exact: true }).click()
    await page.getByLabel('Group by').selectOption('CustomerID')
    const chart = page.getByRole('group', { name: 'Number of entities by CustomerID' })
    const bars = chart.locator('a')
    await bars.first().waitFor()
    await page.getByLabel('Chart type').selectOption('Pie')
    await chart.locator('path').first().waitFor()
    const titles = await chart.locator('title').allTextContents()
    const counts = titles.map((title) => Number(title.split(': ')[1]))
    const { d } = (await (
      await fetch(`${root}Orders?$format=json&$select=OrderID&$top=1&$inlinecount=allpages`)
    ).json()) as {
      d: { __count: string }
    }
    expect(counts.reduce((sum, one) => sum + one)).toBe(Number(d.__count))
    expect(titles.at(-1)).toMatch(/^\d+ others: /)
    const shown = counts.slice(0, -1)
    expect(shown).toEqual([...shown].sort((one, other) => other - one))
    const [customer] = titles.map((title) => title.split(':')[0])
    await page.getByLabel('Chart type').selectOption('Bars')
    await chart.locator('rect.bar').first().waitFor()
    await bars.first().click()
    await page.waitForFunction(
      (name) =>
        decodeURIComponent(location.hash.replaceAll('+', ' ')).includes(
          `OrderID gt 0 and CustomerID eq '${String(name)}'`,
        ),
      customer,
    )
    expect(errors).toEqual([])
    await close()
  })

  it('MUST be drawn as bars, line or pie', async () => {
    const { page, errors, close } = await openExplorer(browser, root, '#/Products')
    await page.getByText('Chart', { exact: true }).click()
    await page.getByLabel('Group by').selectOption('CategoryID')
    await page.getByLabel('Value', { exact: true }).last().selectOption('UnitPrice')
    const chart = page.getByRole('group', { name: 'UnitPrice by CategoryID' })
    for (const [form, element] of [
      ['Bars', 'rect.bar'],
      ['Line', 'circle'],
      ['Pie', 'path.slice'],
    ] as const) {
      await page.getByLabel('Chart type').selectOption(form)
      await chart.locator(element).first().waitFor()
      expect(await chart.locator(element).count()).toBeGreaterThan(4)
    }
    expect(errors).toEqual([])
    await close()
  })
})
