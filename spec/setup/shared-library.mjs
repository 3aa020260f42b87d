import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { SourceMapSupport } from '@jest/source-map'
import { librarySource } from './library-bundle.mjs'

const require = createRequire(import.meta.url)

let evaluate
let shared

/**
 * Returns the function with which a spec file loads lib.
 *
 * Its first call returns modules that all spec files of the worker share: otherwise each file would create the classes of
 * lib anew, for which V8 would optimize its functions again. Further calls come from `jest.isolateModules` and evaluate a
 * copy.
 */
export function shareLibrary() {
  evaluate ??= compileLibrary()
  let isIsolated = false
  return (module, exports, requireOfFile) => {
    if (isIsolated) {
      evaluate(module, exports, requireOfFile)
      return
    }
    isIsolated = true
    shared ??= evaluateOnce()
    module.exports = shared
  }
}

function evaluateOnce() {
  const module = { exports: {} }
  evaluate(module, module.exports, require)
  return module.exports
}

/** Compiles the bundle once per worker: Jest itself would compile it again for every spec file. */
function compileLibrary() {
  const filename = pathToFileURL(librarySource).href
  rememberSourceMap(filename)
  return new Script(readFileSync(librarySource, 'utf8'), { filename }).runInThisContext()
}

/** Makes Jest parse the source map of the bundle once per worker, instead of once per spec file that reads a stack. */
function rememberSourceMap(filename) {
  const { prepareStackTrace } = Error
  const support = new SourceMapSupport()
  support.install(new Map([[filename, `${librarySource}.map`]]))
  // Jest remembers the maps of the previous registry for all later ones.
  support.install(null)
  // The one of Jest also knows the source map of the spec file.
  Error.prepareStackTrace = prepareStackTrace
}
