import { transformSync } from '@swc/core'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'

/** What a module that `printModel` has printed exports. */
export function evaluateModel(source: string): EdmModel {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const exported: { model?: EdmModel } = {}
  // What is run is what the library has just printed.
  const run = Reflect.construct(Function, ['require', 'exports', code]) as (...given: unknown[]) => void
  run(() => ({ defineModel, edm }), exported)
  if (exported.model === undefined) throw new Error('The module exports no model.')
  return exported.model
}
