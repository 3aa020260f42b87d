import { readdirSync } from 'node:fs'
import * as diagnostics from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { Server } from 'node:net'
import { transformSync } from '@swc/core'
import type { Express } from 'express'
import express from 'express'
import request from 'supertest'
import * as library from '../lib/index.js'
import { curlCalls, moduleOf } from './support/documentation.js'

const guides = readdirSync('docs').filter((name) => name.endsWith('.md'))
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)]

/** Channels are there for the whole process: whoever listens for a document would listen for all specs behind it. */
const silent = {
  ...diagnostics,
  channel: (name: string) => ({ subscribe: () => undefined, name: diagnostics.channel(name).name }),
}

const tracingForNow: typeof library.tracing = (api) => {
  const stop = library.tracing(api)
  stop()
  return stop
}

/** What the code of a document has made. */
interface Outcome {
  readonly apps: Express[]
  /** The tests that a document shows, each with what comes before it. */
  readonly tests: { readonly name: string; readonly test: () => Promise<void> }[]
}

/** Runs the code of a document; nothing listens. */
function run(file: string): Outcome {
  const outcome: Outcome = { apps: [], tests: [] }
  const { apps, tests } = outcome
  const before: (() => unknown)[] = []
  const framework = {
    describe: (_name: string, define: () => void) => {
      define()
      before.splice(0)
    },
    beforeEach: (work: () => unknown) => before.push(work),
    it: (name: string, work: () => unknown) => {
      const steps = [...before, work]
      const test = async (): Promise<void> => {
        for (const step of steps) await step()
      }
      tests.push({ name, test })
    },
    expect,
  }
  const makeApp = Object.assign(() => {
    const app = express()
    apps.push(app)
    return app
  }, express)
  // What a module waits for is begun, and not waited for: this is a function.
  const { code } = transformSync(moduleOf(file).replace(/^await /gm, 'void '), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const require = (name: string): unknown => {
    if (name === 'express') return { __esModule: true, default: makeApp }
    if (name === 'node:diagnostics_channel') return silent
    return name === 'express-odata-v2' ? { ...library, tracing: tracingForNow } : load(name)
  }
  // The code is the project's own documentation, and must run in this context to share its classes.
  const module = Reflect.construct(Function, [
    'require',
    'exports',
    'console',
    ...Object.keys(framework),
    code,
  ]) as (...given: unknown[]) => void
  const servers: { listen: unknown } = Server.prototype
  const { listen } = servers
  servers.listen = function (this: Server) {
    return this
  }
  try {
    module(require, {}, { log: () => undefined }, ...Object.values(framework))
  } finally {
    servers.listen = listen
  }
  return outcome
}

describe.each(documents)('%s', (file) => {
  const calls = curlCalls(file)

  it('MUST hold code that runs', () => {
    expect(() => run(file)).not.toThrow()
  })

  if (/^\s*it\(/m.test(moduleOf(file))) {
    it('MUST hold tests that pass', async () => {
      const { tests } = run(file)
      expect(tests).not.toEqual([])
      for (const { name, test } of tests) {
        await test().catch((error: unknown) => {
          throw new Error(name, { cause: error })
        })
      }
    })
  }

  if (calls.length > 0) {
    it.each(calls.map((call) => [call.url.pathname + call.url.search, call] as const))(
      'MUST hold requests that are answered: %s',
      async (path, { headers }) => {
        const [app] = run(file).apps
        const response = await request(app as Express)
          .get(path)
          .set(headers)
        expect(response.status).toBe(200)
      },
    )
  }
})
