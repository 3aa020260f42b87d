import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { openListReport } from './support/list-report.js'

/** The guide about list reports: its files as they are, in a project of their own, and its page in Chromium. */

describe('The list report of the guide', () => {
  let browser: Browser
  let page: Page
  let root: string
  let close: () => void
  const errors: string[] = []
  const sent: URL[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    const report = await openListReport(browser, (opened, address) => {
      opened.on('pageerror', ({ message }) => errors.push(message))
      opened.on('request', (request) => {
        if (request.url().startsWith(`${address}shop/`)) sent.push(new URL(request.url()))
      })
    })
    ;({ page, root, close } = report)
  }, 200_000)

  afterAll(async () => {
    await browser.close()
    close()
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
