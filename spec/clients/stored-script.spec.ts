import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { RequestHandler } from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from 'express-odata-v2'
import type { Browser } from 'playwright-core'
import { openBrowser } from './support/browser.js'

const model = defineModel({
  namespace: 'Blog',
  entityTypes: {
    Post: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() },
      feedMappings: [{ sourcePath: 'Text', target: 'SyndicationSummary', contentKind: 'xhtml' }],
    },
  },
  entityContainer: { name: 'Blog', entitySets: { Posts: { entityType: 'Post' } } },
})
const script = '<script xmlns="http://www.w3.org/1999/xhtml">fetch("/ran")</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="fetch(&quot;/ran&quot;)"/>'
const posts = [
  { ID: 1, Text: script },
  { ID: 2, Text: svg },
]

let browser: Browser
let server: Server
let origin = ''

beforeAll(async () => {
  browser = await openBrowser()
  const app = express()
  app.use('/unprotected', withoutPolicy)
  app.use(['/blog', '/unprotected'], odataV2(model, memoryProvider(model, { Posts: posts })))
  server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
})

const withoutPolicy: RequestHandler = (_req, res, next) => {
  const writeHead = res.writeHead.bind(res) as (status: number, headers: object) => typeof res
  res.writeHead = ((status: number, headers: Record<string, string>) => {
    const { 'Content-Security-Policy': _policy, ...others } = headers
    return writeHead(status, others)
  }) as typeof res.writeHead
  next()
}

/** Opens an address until its script has run or the browser has said that it may not. */
async function open(path: string): Promise<'blocked' | 'ran'> {
  const page = await browser.newPage()
  const ran = page.waitForRequest(`${origin}/ran`).then(() => 'ran' as const)
  const blocked = page
    .waitForEvent('console', {
      predicate: (message) => /^Blocked script execution|Content Security Policy/.test(message.text()),
    })
    .then(() => 'blocked' as const)
  const outcome = Promise.race([ran, blocked])
  await page.goto(origin + path)
  try {
    return await outcome
  } finally {
    ran.catch(() => undefined)
    blocked.catch(() => undefined)
    await page.close()
  }
}

describe('A script in XHTML of an Atom entry', () => {
  it.each(['Posts', 'Posts(1)', 'Posts(2)'])('MUST NOT run when a browser opens %s', async (path) => {
    expect(await open(`/blog/${path}`)).toBe('blocked')
  })

  it.each(['Posts(1)', 'Posts(2)'])('runs without Content-Security-Policy: %s', async (path) => {
    expect(await open(`/unprotected/${path}`)).toBe('ran')
  })
})
