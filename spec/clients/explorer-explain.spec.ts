import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Browser } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { openExplorer } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

const [, [, inSqlite]] = stores as [(typeof stores)[0], (typeof stores)[0]]

let browser: Browser
let server: Server
let explained: Northwind
let plain: Northwind
let origin = ''

beforeAll(async () => {
  browser = await openBrowser()
  explained = await openNorthwind(inSqlite, { explorer: true, explain: true })
  plain = await openNorthwind(inSqlite, { explorer: true })
  server = express().use('/explained', explained.service).use('/plain', plain.service).listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
  await Promise.all([explained.close(), plain.close()])
})

describe('The evaluation of a request', () => {
  it('MUST show who evaluates each part, the statements and their plans', async () => {
    const { page, errors, close } = await openExplorer(
      browser,
      `${origin}/explained/`,
      '#/Products?$filter=UnitsInStock gt 100&$top=3',
    )
    await page.getByText('Evaluation', { exact: true }).click()
    const evaluation = page.locator('.explained')
    await evaluation.getByText('By the provider').waitFor()
    const text = await evaluation.innerText()
    expect(text).toContain('Read Products')
    expect(text).toContain('$filter=UnitsInStock gt 100')
    expect(text).toMatch(/select .*"UnitsInStock"/i)
    expect(text).toMatch(/SCAN|SEARCH/)
    expect(errors).toEqual([])
    await close()
  })

  it('MUST be offered only by services that explain requests, for requests that succeed', async () => {
    const { page, close } = await openExplorer(browser, `${origin}/plain/`, '#/Products?$top=3')
    expect(await page.getByText('Evaluation', { exact: true }).count()).toBe(0)
    await close()
    const other = await openExplorer(browser, `${origin}/explained/`, '#/Products?$filter=wrong')
    expect(await other.page.getByText('Evaluation', { exact: true }).count()).toBe(0)
    await other.close()
  })
})
