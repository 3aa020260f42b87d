/**
 * Bundles lib into one script for the specs.
 *
 * Jest evaluates every module once per spec file. Loading one script instead of some hundred modules reduces that cost
 * from about 500 ms to about 50 ms.
 */
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lib = join(root, 'lib')

/** Runs when it is loaded. Specs start it as a process. */
const program = 'tools/command-line/main.ts'

/** Holds one stub per module of lib. `moduleNameMapper` in jest.config.js maps imports of lib to the stubs. */
const libraryFolder = join(root, 'node_modules/.cache/spec-library')

/** The bundle. environment.mjs compiles it. */
export const librarySource = join(libraryFolder, 'library-source.cjs')

export async function bundleLibrary() {
  const modules = await modulesOfLibrary()
  const { outputFiles } = await build({
    stdin: { contents: entryPoint(modules), resolveDir: root, loader: 'js' },
    outfile: librarySource,
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Published as ES modules only, which would have to be transformed for every spec file.
    alias: { mime: createRequire(import.meta.url).resolve('mime') },
    sourcemap: 'linked',
    // environment.mjs runs the script, whose value is this function.
    banner: { js: '(function (module, exports, require) {' },
    footer: { js: '})' },
    // Jest cannot evaluate import() in its sandbox.
    supported: { 'dynamic-import': false },
    plugins: [moduleAddresses],
    logLevel: 'warning',
  })
  for (const { path, text } of outputFiles) await writeIfChanged(path, text)
  const library = join(libraryFolder, 'library.cjs')
  await writeIfChanged(library, 'specLibrary(module, exports, require)\n')
  for (const name of modules) {
    const stub = join(libraryFolder, `${name}.js`)
    const bundle = relative(dirname(stub), library)
    const path = bundle.startsWith('.') ? bundle : `./${bundle}`
    await writeIfChanged(stub, `module.exports = require('${path}')['${name}']()\n`)
  }
}

/** @returns module paths relative to lib, without extension */
async function modulesOfLibrary() {
  const files = await readdir(lib, { recursive: true })
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && file !== program)
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/** The modules stay lazy: esbuild evaluates a module that is required when the function is called. */
function entryPoint(modules) {
  const members = modules.map((name) => `'${name}': () => require('./lib/${name}.ts')`)
  return `module.exports = {\n${members.join(',\n')}\n}\n`
}

/** Replaces import.meta.url by the address of the source file, since CommonJS has no import.meta. */
const moduleAddresses = {
  name: 'module-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const address = JSON.stringify(pathToFileURL(path).href)
      return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' }
    })
  },
}

/** Renames a finished file into place, since a second run may be reading the present one. */
async function writeIfChanged(path, text) {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present === text) return
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
