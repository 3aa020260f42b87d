import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Browser } from 'playwright-core'
import { createApp } from '../../sample-app/app.js'
import { openBrowser } from './support/browser.js'
import { openExplorer, shown } from './support/explorer-page.js'

const views = [
  '/v2/northwind/',
  '/v2/northwind/#/Products?$top=5&$expand=Category',
  '/v2/northwind/#/Products?$filter=wrong wrong',
  '/v2/northwind/#/Employees(1)?$expand=Orders',
  '/v2/northwind/#/ProductsBelowStock?min=5',
  '/v2/northwind/#new/Products',
  '/v2/northwind/#edit/Products(1)',
  '/v2/northwind/#types',
  '/v2/northwind/#types/NorthwindModel.Product',
  '/v2/northwind/#diagram',
  '/v1/files/#files',
  '/v1/files/#files/welcome.txt',
] as const

let browser: Browser
let server: Server
let origin = ''

beforeAll(async () => {
  browser = await openBrowser()
  server = express().use(createApp()).listen(0)
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
})

describe('Every view', () => {
  it.each(views)('MUST have landmarks, one h1, and accessible names: %s', async (view) => {
    const { page, close } = await openExplorer(browser, origin + view)
    const found = await page.evaluate(() => {
      const nameless = [...document.querySelectorAll('a, button, input, select, textarea')].filter((one) => {
        const label = one.matches('input, select, textarea')
          ? [...((one as HTMLInputElement).labels ?? [])].map((own) => own.textContent).join('')
          : one.textContent
        return `${one.getAttribute('aria-label') ?? ''}${label}`.trim() === ''
      })
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      return {
        landmarks: ['header', 'nav', 'main'].filter((name) => document.querySelector(name) === null),
        headings: document.querySelectorAll('h1').length,
        nameless: nameless.map((one) => one.outerHTML),
        pictures: [...document.querySelectorAll('img')].filter((one) => !one.hasAttribute('alt')).length,
        twice: ids.filter((id, index) => ids.indexOf(id) !== index),
        language: document.documentElement.lang,
        title: document.title,
      }
    })
    expect(found).toEqual({
      landmarks: [],
      headings: 1,
      nameless: [],
      pictures: 0,
      twice: [],
      language: 'en',
      title: expect.stringContaining(' · '),
    })
    await close()
  })

  it.each(views)('MUST fit a width of 360 pixels: %s', async (view) => {
    const { page, close } = await openExplorer(browser, origin + view, '', { width: 360 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await close()
  })

  it.each(['light', 'dark'] as const)(
    'MUST have a contrast of at least 4.5 in %s mode',
    async (colorScheme) => {
      for (const view of views) {
        const { page, close } = await openExplorer(browser, origin + view, '', { colorScheme })
        expect([view, await page.evaluate(faintTexts)]).toEqual([view, []])
        await close()
      }
    },
  )
})

describe('A phone', () => {
  it('MUST see entities before the query, which is open if it has an error', async () => {
    const { page, show, close } = await openExplorer(
      browser,
      `${origin}/v2/northwind/`,
      '#/Products?$top=5',
      {
        width: 360,
      },
    )
    expect(await page.getByLabel('$filter', { exact: true }).isVisible()).toBe(false)
    await page.getByText('Query', { exact: true }).click()
    expect(await page.getByLabel('$filter', { exact: true }).isVisible()).toBe(true)
    await show('#/Products?$filter=wrong wrong')
    expect(await page.getByLabel('$filter', { exact: true }).isVisible()).toBe(true)
    await close()
  })
})

describe('The keyboard', () => {
  it('MUST reach the content first, then the fields in order', async () => {
    const { page, close } = await openExplorer(browser, `${origin}/v2/northwind/`, '#/Products?$top=5')
    await page.getByRole('link', { name: 'Create' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    // The type, and the button that creates an entity.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('$filter')
    await close()
  })

  it('MUST focus the heading of a new view, and announce it', async () => {
    const { page, close } = await openExplorer(browser, `${origin}/v2/northwind/`)
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Types' }).press('Enter')
    await page.getByRole('heading', { name: 'Types' }).waitFor()
    await shown(page)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Types')
    expect(await page.getByRole('status').textContent()).toBe('Types loaded')
    await close()
  })
})

/** Elements whose text has a contrast below 4.5 to its background. Runs in the page. */
function faintTexts(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = ([r = 0, g = 0, b = 0]: number[]): number => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((one) =>
      one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element: Element | null): number[] => {
    for (let one = element; one !== null; one = one.parentElement) {
      const color = channels(getComputedStyle(one).backgroundColor)
      if (color[3] !== 0) return color
    }
    return [255, 255, 255]
  }
  const faint = new Set<string>()
  for (const element of document.querySelectorAll('main *, header *, .side *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '')
    if (!own || element instanceof SVGElement || element.closest('[hidden]') !== null) continue
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) faint.add(`${element.tagName} ${element.className} ${contrast.toFixed(2)}`)
  }
  return [...faint]
}
