import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'

/** The guide about list reports: its files as they are, in a project of their own, and its page in Chromium. */

const clients = __dirname
const project = mkdtempSync(join(tmpdir(), 'list-report-'))
const ui5Address = 'https://sdk.openui5.org/1.152.0/resources/'
const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** The code that the guide asks to save as a file. */
function guideFile(name: string): string {
  const guide = readFileSync(resolve('docs/fiori-list-report.md'), 'utf8')
  const start = guide.indexOf(`\`${name}\``)
  const block = /^```\w+\n(.*?)^```$/ms.exec(guide.slice(start))
  if (start < 0 || block === null) throw new Error(`The guide has no '${name}'.`)
  return block[1] ?? ''
}

function writeProject(): void {
  mkdirSync(join(project, 'webapp'))
  mkdirSync(join(project, 'node_modules'))
  for (const name of readdirSync(resolve('node_modules'))) {
    if (name !== 'express-odata-v2')
      symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name))
  }
  symlinkSync(resolve('.'), join(project, 'node_modules/express-odata-v2'))
  for (const name of ['create-shop.mjs', 'server.mjs', 'webapp/index.html', 'webapp/list-report.js']) {
    writeFileSync(
      join(project, name),
      guideFile(name).replace('listen(4004)', 'listen(0, function () { console.log(this.address().port) })'),
    )
  }
  writeFileSync(join(project, 'package.json'), '{}')
}

/** Serves OpenUI5 from its packages instead of the network. */
async function serveOpenUI5(page: Page): Promise<void> {
  const theme = execFileSync(process.execPath, [join(clients, 'openui5/build-theme.mjs')], {
    encoding: 'utf8',
  })
  const packages = join(clients, 'node_modules/@openui5')
  const folders = [theme, ...readdirSync(packages).map((name) => join(packages, name, 'src'))]
  await page.route(`${ui5Address}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/1.152.0/resources/', '')
    for (const folder of folders) {
      try {
        const body = readFileSync(join(folder, path))
        const contentType = mediaTypes[extname(path)] ?? 'application/octet-stream'
        await route.fulfill({ body, contentType, headers: { 'Access-Control-Allow-Origin': '*' } })
        return
      } catch {
        // Another package has it.
      }
    }
    await route.fulfill(path === 'sap-ui-version.json' ? { json: { libraries: [] } } : { status: 404 })
  })
}

describe('The list report of the guide', () => {
  let server: ChildProcess
  let browser: Browser
  let page: Page
  let root: string
  const errors: string[] = []
  const sent: URL[] = []

  beforeAll(async () => {
    writeProject()
    execFileSync(process.execPath, ['create-shop.mjs'], { cwd: project })
    server = spawn(process.execPath, ['server.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
    const port = await new Promise<string>((done) =>
      server.stdout?.once('data', (text: Buffer) => {
        done(String(text).trim())
      }),
    )
    root = `http://127.0.0.1:${port}/`
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en' })
    await serveOpenUI5(page)
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('request', (request) => {
      if (request.url().startsWith(`${root}shop/`)) sent.push(new URL(request.url()))
    })
    await page.goto(root)
    await page.waitForSelector('.sapMListTblRow:not(.sapMListTblHeader)', { timeout: 100_000 })
  }, 200_000)

  afterAll(async () => {
    await browser.close()
    server.kill()
    rmSync(project, { recursive: true, force: true })
  })
  afterEach(() => {
    expect(errors).toEqual([])
  })

  const cells = (row: number): Promise<string[]> =>
    page
      .locator('.sapMListTblRow:not(.sapMListTblHeader)')
      .nth(row)
      .locator('td .sapMText, td .sapMObjectNumber')
      .allInnerTexts()
  const headings = (): Promise<string[]> => page.locator('th .sapMBtn').allInnerTexts()
  /** Waits for a text in the title, which has the number of rows. */
  const shows = (text: string): Promise<unknown> =>
    page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text)

  it('MUST have the columns, headings, descriptions and units of the annotations', async () => {
    expect(await headings()).toEqual(['Name', 'Category', 'Released', 'Organic', 'Price'])
    await shows('Products (90)')
    expect((await cells(0)).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Baguette 1',
      'Bread',
      'Jan 3, 2024',
      'Yes',
      '4.75 USD',
    ])
    expect(await page.locator('label').allInnerTexts()).toEqual([
      'Name',
      'Category',
      'Released',
      'Organic',
      'Price',
    ])
  })

  it('MUST read further pages', async () => {
    expect(await page.locator('.sapMListTblRow:not(.sapMListTblHeader)').count()).toBe(20)
    await page.click('.sapMGrowingListTrigger')
    await page.waitForFunction(
      () => document.querySelectorAll('.sapMListTblRow:not(.sapMListTblHeader)').length === 40,
    )
  })

  it('MUST sort by the column that the user presses, in both directions', async () => {
    await page.click('th .sapMBtn >> text=Price')
    await page.waitForFunction(() =>
      document.querySelector('.sapMListTblRow:not(.sapMListTblHeader)')?.textContent?.includes('4.5'),
    )
    await page.click('th .sapMBtn >> text=Price')
    await page.waitForFunction(() =>
      document.querySelector('.sapMListTblRow:not(.sapMListTblHeader)')?.textContent?.includes('26.75'),
    )
  })

  it('MUST offer the categories as a value help with search, and filter by the chosen ones', async () => {
    await page.click('#filter-CategoryId-vhi')
    await page.waitForSelector('.sapMTableSelectDialog .sapMListTblRow:not(.sapMListTblHeader)')
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.sapMTableSelectDialog .sapMListTblRow:not(.sapMListTblHeader)').length ===
        3,
    )
    await page.fill('.sapMTableSelectDialog input[type=search]', 'chee')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.sapMTableSelectDialog .sapMListTblRow:not(.sapMListTblHeader)').length ===
        1,
    )
    await page.click('.sapMTableSelectDialog .sapMListTblRow:not(.sapMListTblHeader) .sapMCb')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await shows('Products (30)')
    expect(await cells(0)).toContain('Cheese')
    await page.click('.sapMTokenizer .sapMTokenIcon')
    await shows('Products (90)')
  })

  it('MUST filter by the input of the user', async () => {
    await page.fill('#filter-Name-inner', 'Burg')
    await page.keyboard.press('Enter')
    await shows('Products (10)')
    await page.fill('#filter-Name-inner', '')
    await page.keyboard.press('Enter')
    await shows('Products (90)')
  })

  it('MUST filter dates by a range of days, numbers and Booleans by their value', async () => {
    await page.fill('#filter-Released-inner', 'Jan 3, 2024 – Jan 12, 2024')
    await page.keyboard.press('Enter')
    await shows('Products (10)')
    await page.click('#filter-Organic')
    await page.click('li[role=option] >> text=✓')
    await shows('Products (5)')
    await page.fill('#filter-UnitPrice-inner', '5.25')
    await page.keyboard.press('Enter')
    await shows('Products (1)')
    await page.fill('#filter-UnitPrice-inner', 'cheap')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sapMInputBaseContentWrapperError')
    await page.reload()
    await shows('Products (90)')
  })

  it('MUST search regardless of case, and download the found rows as an Excel file', async () => {
    await page.fill('.sapMSF input', 'WINE')
    await page.keyboard.press('Enter')
    await shows('Products (30)')
    const requested = page.context().waitForEvent('request', (request) => request.url().includes('xlsx'))
    await page.click('.sapMBtn[title=Excel]')
    const address = new URL((await requested).url())
    expect(address.searchParams.get('search')).toBe('WINE')
    const file = await fetch(address)
    expect(file.headers.get('content-type')).toContain('spreadsheetml')
    expect(file.status).toBe(200)
  })

  it('MUST change the language of headings, titles and labels', async () => {
    await page.goto(`${root}?sap-language=de`)
    await shows('Produkte (90)')
    expect(await headings()).toEqual(['Name', 'Warengruppe', 'Released', 'Organic', 'Preis'])
    expect(sent.filter(({ pathname }) => pathname.endsWith('$metadata')).length).toBeGreaterThan(1)
  })
})
