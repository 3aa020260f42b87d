import vm from 'node:vm'

const scripts = new Map()

/**
 * Makes a worker compile each module once, not once per spec file: packages, Jest's own modules and spec/support.
 *
 * A script can run in several contexts and shares its bytecode between them. The functions with which Jest compiles
 * modules cannot. Spec files are loaded once, so they are not cached.
 */
export function shareScripts() {
  const { compileFunction } = vm
  vm.compileFunction = (code, parameters, options) => {
    const { filename, parsingContext } = options
    if (parsingContext === undefined || filename.endsWith('.spec.ts'))
      return compileFunction(code, parameters, options)
    let entry = scripts.get(filename)
    if (entry?.code !== code) {
      entry = { code, script: scriptOf(code, parameters, filename) }
      scripts.set(filename, entry)
    }
    return entry.script.runInContext(parsingContext)
  }
}

function scriptOf(code, parameters, filename) {
  const head = `(function (${parameters.join(', ')}) {`
  return new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length })
}
