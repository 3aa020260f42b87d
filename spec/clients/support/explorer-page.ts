import type { Browser, Page } from 'playwright-core'

export interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

/** A page of the explorer, with everything that went wrong in it. */
export interface ExplorerPage {
  readonly page: Page
  /** Errors of scripts, refusals of the content security policy, dialogs, and requests to other hosts. */
  readonly troubles: string[]
  /** Goes to a place within the page and waits until it is shown. */
  readonly show: (hash: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the page of a service, as somebody does who types its address. */
export async function openExplorer(
  browser: Browser,
  root: string,
  hash = '',
  { width = 1280, colorScheme = 'light' }: Look = {},
): Promise<ExplorerPage> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  const troubles: string[] = []
  page.on('pageerror', ({ message }) => troubles.push(message))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // That an answer is an error is what some specs are about.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status')) {
      troubles.push(message.text())
    }
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(new URL(root).origin) && !url.startsWith('data:')) troubles.push(`asked ${url}`)
  })
  await page.goto(root + hash)
  await shown(page)
  return {
    page,
    troubles,
    show: async (next) => {
      await page.evaluate((to) => {
        document.querySelector('main')?.setAttribute('aria-busy', 'true')
        location.hash = to
      }, next)
      await shown(page)
    },
    close: () => page.close(),
  }
}

/** Waits until what was asked for is there. */
export async function shown(page: Page): Promise<void> {
  await page.waitForSelector('main:not([aria-busy]) h1, [role=alert]')
  await page.waitForFunction(() => document.querySelector('main[aria-busy], .loading') === null)
}
