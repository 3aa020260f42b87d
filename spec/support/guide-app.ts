import { createRequire } from 'node:module'
import { transformSync } from '@swc/core'
import type { Express } from 'express'
import express from 'express'
import * as library from '../../lib/index.js'
import * as sqlLibrary from '../../lib/sql.js'
import { moduleOf } from './documentation.js'

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor

/**
 * Runs the code of a guide.
 *
 * @param replaced modules by name that the code gets instead of the real ones
 * @returns the Express application of the guide, which does not listen
 */
export async function runGuide(
  file: string,
  replaced: Readonly<Record<string, unknown>> = {},
): Promise<Express> {
  const app = express()
  app.listen = () => undefined as never
  const { code } = transformSync(moduleOf(file), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const load = createRequire(__filename)
  const modules: Record<string, unknown> = {
    express: () => app,
    'express-odata-v2': library,
    'express-odata-v2/sql': sqlLibrary,
    ...replaced,
  }
  const require = (name: string): unknown =>
    name in modules ? { __esModule: true, default: modules[name], ...(modules[name] as object) } : load(name)
  // The code is the project's own documentation, and must run in this context to share its classes.
  const run = Reflect.construct(AsyncFunction, ['require', 'exports', code]) as (
    ...given: unknown[]
  ) => Promise<void>
  await run(require, {})
  return app
}
