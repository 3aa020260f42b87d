import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import express from 'express'
import type { Browser } from 'playwright-core'
import { fileModel, fileProvider, odataV2 } from 'express-odata-v2'
import { publicFiles } from '../../sample-app/app.js'
import { openBrowser } from './support/browser.js'
import type { ExplorerPage } from './support/explorer-page.js'
import { openExplorer, shown } from './support/explorer-page.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

const [[, inMemory]] = stores as [(typeof stores)[0]]

/** Lets the explorer load without credentials, and requires them for data. */
function requireAuthorization(expected: string, challenge: string): RequestHandler {
  return (request, response, next) => {
    const isPublic = request.path === '/' || /^\/\$(?:explorer|metadata)/.test(request.path)
    if (isPublic || request.headers.authorization === expected) next()
    else response.status(401).set('WWW-Authenticate', challenge).send('')
  }
}

let browser: Browser
let server: Server
let northwind: Northwind
let origin = ''

beforeAll(async () => {
  browser = await openBrowser()
  northwind = await openNorthwind(inMemory, { explorer: true, exports: true, csrf: true })
  const app = express()
  app.use('/bearer', requireAuthorization('Bearer secret', 'Bearer realm="Shop"'), northwind.service)
  // A service that sends the start of an export, and never its end.
  app.use('/slow', requireAuthorization('Bearer secret', 'Bearer'), (request, response, next) => {
    if (request.query.$format === 'csv') response.type('text/csv').write('ID\n1\n')
    else next()
  })
  app.use('/slow', northwind.service)
  const files = odataV2(fileModel, fileProvider(publicFiles), { explorer: true })
  app.use('/files', requireAuthorization('Bearer secret', 'Bearer'), files)
  server = app.listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await northwind.close()
})

let open: ExplorerPage
afterEach(async () => {
  expect(open.errors).toEqual([])
  await open.close()
})

/** Opens the types, then a view whose data requires a token. */
async function openView(path: string, hash: string): Promise<void> {
  open = await openExplorer(browser, `${origin}${path}`, '#types')
  await open.page.evaluate((to) => (location.hash = to), hash)
  await open.page.getByLabel('Token').waitFor()
}

async function enter(token: string): Promise<void> {
  await open.page.getByLabel('Token').fill(token)
  await open.page.getByRole('button', { name: 'Sign in' }).click()
}

describe('A service that requires a token', () => {
  it('MUST get the token that the user enters, for all later views, without showing it', async () => {
    await openView('/bearer/', '#/Products?$top=5')
    await enter('secret')
    await open.page.locator('.result tbody tr').nth(4).waitFor()
    await open.show('#/Categories')
    await open.page.locator('.result tbody tr').first().waitFor()
    await open.page.getByText('Request and response').click()
    expect(await open.page.locator('dialog').count()).toBe(0)
    expect(await open.page.content()).not.toContain('secret')
  })

  it('MUST be able to reject a token, after which the user can try again', async () => {
    await openView('/bearer/', '#/Products?$top=5')
    await enter('wrong')
    await open.page.getByText('The service did not accept this.').waitFor()
    await enter('secret')
    await open.page.locator('.result tbody tr').nth(4).waitFor()
  })

  it('MUST be shown with status 401 if the user cancels', async () => {
    await openView('/bearer/', '#/Products')
    await open.page.getByRole('button', { name: 'Cancel' }).click()
    await shown(open.page)
    expect(await open.page.getByRole('alert').innerText()).toContain('401')
  })

  it('MUST save exports', async () => {
    await openView('/bearer/', '#/Products?$top=5')
    await enter('secret')
    await open.page.locator('.result tbody tr').nth(4).waitFor()
    const [download] = await Promise.all([
      open.page.waitForEvent('download'),
      open.page.getByRole('link', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Products.csv')
  })

  it('MUST show the progress of an export, which the user can cancel', async () => {
    await openView('/slow/', '#/Products?$top=5')
    await enter('secret')
    await open.page.locator('.result tbody tr').nth(4).waitFor()
    await open.page.getByRole('link', { name: 'CSV' }).press('Enter')
    await open.page.getByText('5 bytes loaded').waitFor()
    await open.page.getByRole('button', { name: 'Cancel CSV' }).press('Enter')
    await open.page.getByText('Cancelled', { exact: true }).waitFor()
  })

  it('MUST show files', async () => {
    await openView('/files/', '#files/welcome.txt')
    await enter('secret')
    await open.page.locator('.preview pre').waitFor()
    expect(await open.page.locator('.preview').innerText()).not.toContain('401')
  })
})
