import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './browser.js'
import type { Toolkit } from './openui5-toolkit.js'

const folder = join(__dirname, '..')
const packages = join(folder, 'node_modules/@openui5')

/** Milliseconds for the page to load, on a machine that is busy. */
export const startTime = 100_000

/** A request of the page to a service. */
export interface SentRequest {
  readonly method: string
  /** Path and query behind the root of the service. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A page with OpenUI5, and the server that it and the services come from. */
export class OpenUI5 {
  private readonly services = new Map<string, RequestHandler>()
  private sentRequests: SentRequest[] = []
  private loggedErrors: string[] = []

  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    readonly page: Page,
  ) {}

  /** Loads the page; OpenUI5 comes from its packages, module by module, and its style sheets are made once. */
  static async start(): Promise<OpenUI5> {
    const theme = execFileSync(process.execPath, [join(folder, 'openui5/build-theme.mjs')], {
      encoding: 'utf8',
    })
    const app = express()
    app.use('/openui5', express.static(join(folder, 'openui5')))
    app.get('/resources/sap-ui-version.json', (_req, res) => res.json({ libraries: [] }))
    for (const source of [theme, ...readdirSync(packages).map((name) => join(packages, name, 'src'))]) {
      app.use('/resources', express.static(source))
    }
    const server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => {
        resolve(listening)
      })
    })
    const browser = await openBrowser()
    const page = await browser.newPage({ viewport: { width: 1024, height: 768 } })
    const openui5 = new OpenUI5(server, browser, page)
    app.use('/:service', (req, res, next) => {
      const service = openui5.services.get(req.params.service)
      if (service === undefined) next()
      else service(req, res, next)
    })
    openui5.observe()
    await openui5.load('en')
    return openui5
  }

  /**
   * @returns the root of a service. Each has one of its own: what the browser keeps of another one with the same ETags
   * must not be taken for it.
   */
  mount(name: string, service: RequestHandler): string {
    const unique = `${name}-${String(this.services.size + 1)}`
    this.services.set(unique, service)
    return `/${unique}/`
  }

  /**
   * Runs a function in the page, and then destroys what it has opened and shown.
   *
   * @param inPage what it needs of the outside must be handed to it
   */
  async run<Given, Returned>(
    inPage: (ui5: Toolkit, given: Given) => Promise<Returned>,
    given: Given,
  ): Promise<Returned> {
    return this.page.evaluate(
      async ([source, value]) => {
        const ui5 = Reflect.get(window, 'ui5')()
        // The only way for a function to get into the page together with what the page has for it.
        const run = (0, eval)(`(${source})`)
        try {
          return await run(ui5, value)
        } finally {
          ui5.tidy()
        }
      },
      [inPage.toString(), given] as const,
    )
  }

  /** @returns the requests to services since the last call, and forgets them */
  takeRequests(): readonly SentRequest[] {
    const taken = this.sentRequests
    this.sentRequests = []
    return taken
  }

  /**
   * @returns errors of OpenUI5 and the browser since the last call, without failed requests, which specs check
   * themselves
   */
  takeErrors(): readonly string[] {
    const refused = /Request failed with status code 4\d\d|responded with a status of 4\d\d/
    const taken = this.loggedErrors.filter((fault) => !refused.test(fault))
    this.loggedErrors = []
    return taken
  }

  async close(): Promise<void> {
    await this.browser.close()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Loads the page anew. OpenUI5 sends its language with each request, as `Accept-Language`. */
  async load(language: string): Promise<void> {
    await this.page.goto(`${this.root}/openui5/index.html?sap-language=${language}`, { timeout: startTime })
    await this.page.waitForFunction(() => 'ui5' in window, undefined, { timeout: startTime })
  }

  private get root(): string {
    const { port } = this.server.address() as AddressInfo
    return `http://127.0.0.1:${String(port)}`
  }

  private observe(): void {
    const { root } = this
    this.page.on('request', (request) => {
      const [, service, path = ''] = /^\/(\w[^/]*)\/(.*)$/.exec(request.url().slice(root.length)) ?? []
      if (service === undefined || !this.services.has(service)) return
      const body = request.postData() ?? ''
      this.sentRequests.push({ method: request.method(), path, headers: request.headers(), body })
    })
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.loggedErrors.push(message.text())
    })
    this.page.on('pageerror', (error) => this.loggedErrors.push(error.message))
  }
}
