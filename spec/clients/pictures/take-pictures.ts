import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import express from 'express'
import type { Browser, Locator, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.js'
import { shown } from '../support/explorer-page.js'
import { openListReport } from '../support/list-report.js'
import type { Northwind } from '../support/northwind.js'
import { openNorthwind, stores } from '../support/northwind.js'
import { performanceChart } from './performance-chart.js'

const folder = resolve('docs/pictures')
const [[, inMemory]] = stores as [(typeof stores)[0]]
/** Bold text of the fonts of the system differs between machines. */
const FONT = "* { font-family: 'Open Sans' !important; }"

let browser: Browser
let northwind: Northwind
let server: Server
let root = ''

beforeAll(async () => {
  browser = await openBrowser()
  northwind = await openNorthwind(inMemory, { explorer: true, exports: true })
  server = express().use('/northwind', northwind.service).listen(0)
  await once(server, 'listening')
  root = `http://localhost:${(server.address() as AddressInfo).port}/northwind/`
})
afterAll(async () => {
  await browser.close()
  server.close()
  await northwind.close()
})

describe.each(['light', 'dark'] as const)('Pictures of the explorer, %s', (colorScheme) => {
  const open = async (hash: string, height = 900): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1180, height },
      colorScheme,
      bypassCSP: true,
    })
    const page = await context.newPage()
    await page.goto(root + hash)
    await page.addStyleTag({ content: FONT })
    await shown(page)
    return page
  }
  const take = async (name: string, part: Page | Locator): Promise<void> => {
    await part.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }

  it('of entities', async () => {
    const page = await open('#/Products?$filter=UnitPrice gt 20&$orderby=ProductName&$expand=Category&$top=8')
    await take('explorer', page)
    await page.context().close()
  })

  it('of a chart', async () => {
    const page = await open('#/Orders?$top=5')
    await page.getByText('Chart', { exact: true }).click()
    await page.getByLabel('Group by').selectOption('OrderDate')
    await page.getByLabel('Value', { exact: true }).last().selectOption('Freight')
    await page.getByLabel('Chart type').selectOption('Line')
    await page.locator('.chart circle').first().waitFor()
    await take('chart', page.locator('details.panel').first())
    await page.context().close()
  })

  it('of the diagram', async () => {
    const page = await open('#diagram')
    await page.locator('.diagram .box').first().waitFor()
    await take('diagram', page)
    await page.context().close()
  })
})

it('Picture of a list report', async () => {
  const { page, close } = await openListReport(browser)
  await page.setViewportSize({ width: 1180, height: 760 })
  await page.screenshot({ path: join(folder, 'list-report.png') })
  close()
})

it('Picture of the benchmarks', () => {
  const results = readFileSync(resolve('spec/bench/RESULTS.md'), 'utf8')
  writeFileSync(join(folder, 'performance.svg'), performanceChart(results))
})
