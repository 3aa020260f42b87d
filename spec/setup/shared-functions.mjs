import vm from 'node:vm'

const functions = new Map()

/**
 * Makes a worker compile each module once, not once per spec file: packages, Jest's own modules and spec/support. The
 * function is called for each spec file. V8 keeps what it has optimized for the functions that it creates.
 *
 * Spec files are loaded once, so they are not cached.
 */
export function shareFunctions(workerContext) {
  const { compileFunction } = vm
  vm.compileFunction = (code, parameters, options) => {
    if (options?.parsingContext !== workerContext) return compileFunction(code, parameters, options)
    const { filename } = options
    if (filename.endsWith('.spec.ts'))
      return compileFunction(code, parameters, { ...options, parsingContext: undefined })
    let entry = functions.get(filename)
    if (entry?.code !== code) {
      entry = { code, run: functionOf(code, parameters, filename) }
      functions.set(filename, entry)
    }
    return entry.run
  }
}

function functionOf(code, parameters, filename) {
  const head = `(function (${parameters.join(', ')}) {`
  return new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length }).runInThisContext()
}
