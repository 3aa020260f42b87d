import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction } from 'node:vm'
import type { EdmModel } from '../../../edm/edm-model.js'
import { isRecord } from '../../../util/is-record.js'
import { SourceError } from '../errors.js'
import { codeOf, reasonOf } from '../../../util/thrown-error.js'

/** Returns true for the names of JavaScript and TypeScript modules. */
export function isModuleName(file: string): boolean {
  return /\.[cm]?[jt]s$/i.test(file)
}

/**
 * Executes a JavaScript or TypeScript module, and returns the model that it exports as `model` or as default.
 *
 * @throws SourceError
 */
export async function loadModel(file: string): Promise<EdmModel> {
  const exported = await exportsOf(resolve(file))
  const defaults = exported.default
  const candidates = [
    exported.model,
    defaults,
    ...(isRecord(defaults) ? [defaults.model, defaults.default] : []),
  ]
  const model = candidates.find((one) => isRecord(one) && one.kind === 'EdmModel')
  if (model === undefined)
    throw new SourceError(
      `'${file}' exports no model. Export the result of defineModel as 'model' or as default.`,
    )
  return model as EdmModel
}

type Exports = Readonly<Record<string, unknown>>

async function exportsOf(file: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(file).href)) as Exports
  } catch (error) {
    const isTypeScript = /\.[cm]?ts$/i.test(file)
    if (!isTypeScript || !unsupported.has(codeOf(error) ?? '')) throw failed(file, error)
    const compiler = compilerFor(file)
    if (compiler === undefined && codeOf(error) === 'ERR_MODULE_NOT_FOUND') throw failed(file, error)
    if (compiler === undefined) {
      throw new SourceError(
        `'${file}' cannot be loaded: Node.js ${process.versions.node} does not execute it. Install typescript 6 or ` +
          'earlier next to it (later versions have no compiler for other programs), use Node.js 22.18 or later, or ' +
          'compile it to JavaScript.',
      )
    }
    try {
      return new TypeScriptLoader(compiler).load(file)
    } catch (reason) {
      throw failed(file, reason)
    }
  }
}

/** Errors of Node.js for modules that a compiler can load: TypeScript, its syntax, and imports of `./file.js` for `./file.ts`. */
const unsupported = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
])

function failed(file: string, error: unknown): SourceError {
  return new SourceError(`'${file}' cannot be loaded: ${reasonOf(error)}`)
}

/** The part of the package `typescript` that the loader calls. */
interface Compiler {
  transpileModule(
    text: string,
    options: { readonly fileName: string; readonly compilerOptions: Readonly<Record<string, unknown>> },
  ): { readonly outputText: string }
}

/** Returns the compiler of the project of a file. TypeScript 7 and later have none in JavaScript. */
function compilerFor(file: string): Compiler | undefined {
  try {
    const compiler = createRequire(file)('typescript') as Partial<Compiler>
    return typeof compiler.transpileModule === 'function' ? (compiler as Compiler) : undefined
  } catch {
    return undefined
  }
}

/** Loads a TypeScript module and the TypeScript modules that it imports by relative paths. */
class TypeScriptLoader {
  private readonly loaded = new Map<string, { exports: Exports }>()

  constructor(private readonly compiler: Compiler) {}

  load(file: string): Exports {
    const loaded = this.loaded.get(file)
    if (loaded !== undefined) return loaded.exports
    const module = { exports: {} }
    this.loaded.set(file, module)
    // CommonJS with ES2022.
    const compilerOptions = { module: 1, target: 9, esModuleInterop: true }
    const { outputText } = this.compiler.transpileModule(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions,
    })
    const names = ['exports', 'require', 'module', '__filename', '__dirname']
    const run = compileFunction(outputText, names, { filename: file }) as (...given: unknown[]) => void
    const load = createRequire(file)
    const require = (name: string): unknown => {
      const local = name.startsWith('.') ? sourceOf(resolve(dirname(file), name)) : undefined
      return local === undefined ? load(name) : this.load(local)
    }
    run(module.exports, require, module, file, dirname(file))
    return module.exports
  }
}

/** Finds the TypeScript file that an import names: `./file`, `./file.js`, `./file.ts` or `./folder`. */
function sourceOf(path: string): string | undefined {
  const names = [path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`, `${path}/index.ts`]
  return names.find(
    (name) => /\.[cm]?ts$/.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile() === true,
  )
}
