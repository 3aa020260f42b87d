import type { Browser, Page } from 'playwright-core'

export interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Accepts scripts that the content security policy of the page forbids. */
  readonly bypassCSP?: boolean
}

/** A page of the explorer, with its errors. */
export interface ExplorerPage {
  readonly page: Page
  /** Script errors, violations of the content security policy, dialogs, and requests to other hosts. */
  readonly errors: string[]
  /** Opens a view and waits until it is loaded. */
  readonly show: (hash: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the explorer at the URL of a service. */
export async function openExplorer(
  browser: Browser,
  root: string,
  hash = '',
  { width = 1280, colorScheme = 'light', bypassCSP = false }: Look = {},
): Promise<ExplorerPage> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // Some specs expect error responses.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status')) {
      errors.push(message.text())
    }
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(new URL(root).origin) && !url.startsWith('data:')) errors.push(`requested ${url}`)
  })
  await page.addInitScript(() => {
    addEventListener('hashchange', () => {
      document.documentElement.dataset.hash = location.hash
    })
  })
  await page.goto(root + hash)
  await shown(page)
  return {
    page,
    errors,
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

/** Waits until the view of the current URL is loaded. */
export async function shown(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { dataset } = document.documentElement
    // The URL changes before the page handles the change.
    const isHandled = (dataset.hash ?? location.hash) === location.hash
    const isLoaded =
      document.querySelector('main:not([aria-busy]) h1, [role=alert]') !== null &&
      document.querySelector('main[aria-busy], .loading') === null
    if (isHandled && isLoaded) dataset.hash = location.hash
    return isHandled && isLoaded
  })
}
