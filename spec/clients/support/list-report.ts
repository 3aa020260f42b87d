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
import { dirname, extname, join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'

const clients = dirname(__dirname)
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

function writeProject(project: string): void {
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

/** A list report in a browser. */
export interface ListReport {
  readonly page: Page
  readonly root: string
  readonly close: () => void
}

/**
 * Follows the guide about list reports in a project of its own, and opens its page.
 *
 * @param watch called with the page before it loads
 */
export async function openListReport(
  browser: Browser,
  watch: (page: Page, root: string) => void = () => undefined,
): Promise<ListReport> {
  const project = mkdtempSync(join(tmpdir(), 'list-report-'))
  writeProject(project)
  execFileSync(process.execPath, ['create-shop.mjs'], { cwd: project })
  const server: ChildProcess = spawn(process.execPath, ['server.mjs'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((done) =>
    server.stdout?.once('data', (text: Buffer) => {
      done(String(text).trim())
    }),
  )
  const root = `http://127.0.0.1:${port}/`
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en' })
  await serveOpenUI5(page)
  watch(page, root)
  await page.goto(root)
  await page.waitForSelector('.sapMListTblRow:not(.sapMListTblHeader)', { timeout: 100_000 })
  const close = (): void => {
    server.kill()
    rmSync(project, { recursive: true, force: true })
  }
  return { page, root, close }
}
