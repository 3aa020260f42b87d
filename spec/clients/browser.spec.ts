import type { Browser } from 'playwright-core'
import { openBrowser } from './support/browser.js'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

describe('The test browser', () => {
  it('MUST start from its own package, run scripts and lay out text', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.setContent('<h1 style="font: 40px sans-serif; display: inline-block">Gouda</h1>')
    const width = await page.evaluate(() => document.querySelector('h1')?.offsetWidth ?? 0)
    expect(width).toBeGreaterThan(80)
    await page.close()
  })

  it('MUST isolate pages of different contexts', async () => {
    const [first, second] = await Promise.all([browser.newContext(), browser.newContext()])
    await first.addCookies([{ name: 'a', value: '1', url: 'http://localhost' }])
    expect(await second.cookies()).toEqual([])
    expect(await first.cookies()).toHaveLength(1)
    await Promise.all([first.close(), second.close()])
  })
})
