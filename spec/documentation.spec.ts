import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Server } from 'node:net'
import { transformSync } from '@swc/core'
import type { Express } from 'express'
import express from 'express'
import request from 'supertest'
import * as library from '../lib/index.js'
import { curlCalls, moduleOf } from './support/documentation.js'

const documents = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]

/** Runs the code of a document, and returns the applications it made; nothing listens. */
function run(file: string): Express[] {
  const apps: Express[] = []
  const makeApp = Object.assign(() => {
    const app = express()
    apps.push(app)
    return app
  }, express)
  const { code } = transformSync(moduleOf(file), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const require = (name: string): unknown => {
    if (name === 'express') return { __esModule: true, default: makeApp }
    return name === 'express-odata-v2' ? library : load(name)
  }
  // The code is the project's own documentation, and must run in this context to share its classes.
  const module = Reflect.construct(Function, ['require', 'exports', 'console', code]) as (
    ...given: unknown[]
  ) => void
  const servers: { listen: unknown } = Server.prototype
  const { listen } = servers
  servers.listen = function (this: Server) {
    return this
  }
  try {
    module(require, {}, { log: () => undefined })
  } finally {
    servers.listen = listen
  }
  return apps
}

describe.each(documents)('%s', (file) => {
  const calls = curlCalls(file)

  it('MUST hold code that runs', () => {
    expect(() => run(file)).not.toThrow()
  })

  if (calls.length > 0) {
    it.each(calls.map((call) => [call.url.pathname + call.url.search, call] as const))(
      'MUST hold requests that are answered: %s',
      async (path, { headers }) => {
        const [app] = run(file)
        const response = await request(app as Express)
          .get(path)
          .set(headers)
        expect(response.status).toBe(200)
      },
    )
  }
})
