import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const unpack = join(__dirname, 'unpack-chromium.mjs')

/**
 * Starts the headless Chromium from the packages of this folder. Its shared libraries and fonts come with it: of an x64
 * Linux it needs only the C library and libgcc, like Node.
 *
 * @returns the browser; the caller must close it
 * @example
 * const browser = await openBrowser()
 * const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
 * await page.goto(root)
 * await browser.close()
 */
export async function openBrowser(): Promise<Browser> {
  const folder = execFileSync(process.execPath, [unpack], { encoding: 'utf8' })
  const { LD_LIBRARY_PATH: others } = process.env
  const libraries = join(folder, 'al2023', 'lib')
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // One user, no other windows, and only pages of our own.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...definedOnly(process.env),
      LD_LIBRARY_PATH: others === undefined || others === '' ? libraries : `${libraries}:${others}`,
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  })
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
