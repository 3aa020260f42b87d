import { transformSync } from '@swc/core'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'

/** Runs a module that `printModel` has printed, and returns the model it exports. */
export function evaluateModel(source: string): EdmModel {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  const exported: { model?: EdmModel } = {}
  // Running it is safe: the library has just printed it.
  const run = Reflect.construct(Function, ['require', 'exports', code]) as (...given: unknown[]) => void
  run(() => ({ defineModel, edm }), exported)
  if (exported.model === undefined) throw new Error('The module exports no model.')
  return exported.model
}
