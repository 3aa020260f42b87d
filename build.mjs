/**
 * Builds the package into `dist`: tsc compiles ES modules and types, esbuild bundles the modules into few files and
 * converts these to CommonJS.
 *
 * Modules are bundled because finding and reading hundreds of files takes most of the time to load the package. Optional
 * parts stay separate files, so that bundlers can omit them, and both formats have the same files. Names are not minified,
 * so that stack traces are readable; comments and indentation are removed. The CommonJS format includes `mime`, which is published as ES
 * modules only, so that `require('express-odata-v2')` works on every Node.js 20.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build, transform } from 'esbuild'
import ts from 'typescript'
import { bundlePage } from './scripts/bundle-page.mjs'

// A build that fails or is stopped does not change `dist`.
const staging = 'dist/.building'
const modules = join(staging, 'modules')

await rm(staging, { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
// Declarations need their comments, scripts do not. The types are checked once.
for (const options of [
  ['--emitDeclarationOnly'],
  ['--noCheck', '--declaration', 'false', '--removeComments'],
]) {
  const args = [tsc, '-p', 'lib/tsconfig.json', '--outDir', modules, ...options]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}

/** Entry points that applications import. */
const entries = ['index', 'node', 'sql', 'audit', 'v2', 'v4']

/** Optional modules, which stay separate files together with the modules that only they import. */
const parts = ['providers/file-system/file-provider', 'tools/explorer/explorer-responses']

/** Marks packages as external, except those to bundle. */
function externalPackages(...bundled) {
  const isExternal = (path, importer) =>
    !path.startsWith('.') && !bundled.includes(path) && !/[\\/]node_modules[\\/]/.test(importer)
  return {
    name: 'external-packages',
    setup(esbuild) {
      esbuild.onResolve({ filter: /.*/ }, ({ path, kind, importer }) =>
        kind !== 'entry-point' && isExternal(path, importer) ? { path, external: true } : undefined,
      )
    },
  }
}

/**
 * Bundles the core into one file. esbuild would create a file for each set of entry points that shares modules.
 * Therefore the optional entry points and the commands import the whole core.
 */
const wholeCore = {
  name: 'whole-core',
  setup(esbuild) {
    const core = resolve(modules, 'node.js')
    // Chosen by path: whether a module was imported dynamically may be known only after it is loaded.
    const isOptional = (path) =>
      /^(?:sql|audit|v2|v4|tools\/command-line\/commands\/\w+)\.js$/.test(relative(resolve(modules), path))
    esbuild.onResolve({ filter: /^whole-core$/ }, () => ({ path: core, sideEffects: true }))
    esbuild.onLoad({ filter: /\.js$/ }, async ({ path }) =>
      isOptional(path)
        ? { contents: `${await readFile(path, 'utf8')}\nimport 'whole-core'\n`, loader: 'js' }
        : undefined,
    )
  },
}

/** Bundles entry points as ES modules. @returns path of each file, and its code with an inline source map */
async function bundleModules(names, packages) {
  const { outputFiles } = await build({
    absWorkingDir: resolve(modules),
    entryPoints: names.map((name) => `${name}.js`),
    outdir: '.',
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: 'shared/[hash]',
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: [wholeCore, packages],
    logLevel: 'warning',
    // The core is imported although it has no side effects.
    logOverride: { 'ignored-bare-import': 'silent' },
  })
  return outputFiles.map(({ path, text }) => ({
    path: relative(resolve(modules), path),
    text: withConstantMethods(text),
  }))
}

/**
 * Restores constants of modules, which esbuild turns into variables. V8 inlines a method that is called with `call` only
 * if it is a constant, which halves the time to parse a date (`charCodeAt` of `edm/instant.ts`).
 */
function withConstantMethods(code) {
  return code.replace(/^var (\{ \w+(?:: \w+)? \} = \w+\.prototype;)$/gm, 'const $1')
}

async function write(format, path, text) {
  const file = join(staging, format, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Writes a script, and its inline source map to a separate file. */
async function writeScript(format, path, text) {
  const [, code, inline] = /^([^]*)\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text)
  const map = lineMap(JSON.parse(Buffer.from(inline, 'base64').toString('utf8')), format, path)
  await write(format, `${path}.map`, JSON.stringify(map))
  await write(
    format,
    path,
    `${withoutIndentation(withoutPaths(code))}//# sourceMappingURL=${basename(path)}.map\n`,
  )
}

/** Removes the indentation of all lines except within template literals: it is 3 % of the package. */
function withoutIndentation(code) {
  const source = ts.createSourceFile('code.js', code, ts.ScriptTarget.Latest)
  const templates = []
  const visit = (node) => {
    if (ts.isTemplateLiteralToken(node)) templates.push([node.getStart(source), node.end])
    else ts.forEachChild(node, visit)
  }
  visit(source)
  let next = 0
  return code.replace(/^ +/gm, (indentation, start) => {
    while (next < templates.length && templates[next][1] <= start) next++
    const isInTemplate = next < templates.length && templates[next][0] < start
    return isInTemplate ? indentation : ''
  })
}

/** Empties the lines with the paths of bundled modules, which the source map has. */
function withoutPaths(code) {
  return code.replace(/^\/\/ [\w./-]+\.js$/gm, '')
}

/** Reduces a source map to the first mapping of each line, a quarter of its size. Stack traces need no more. */
function lineMap({ version, sources, mappings }, format, path) {
  const folder = dirname(resolve(modules, path))
  const published = dirname(join('dist', format, path))
  return {
    version,
    // tsc writes paths of sources relative to its output folder.
    sources: sources.map((source) => relative(published, relative('.', resolve(folder, source)))),
    names: [],
    mappings: encode(
      decode(mappings).map(([first]) => (first === undefined ? [] : [[0, ...first.slice(1, 4)]])),
    ),
  }
}

/** Replaces `import.meta`, which CommonJS lacks. Inserts no line, so that the source map stays valid. */
function withModuleUrl(code) {
  if (!code.includes('moduleUrl')) return code
  const declaration = "const moduleUrl = require('node:url').pathToFileURL(__filename).href;"
  return code.replace(/^("use strict";\n)?/, (start) => `${start}${declaration} `)
}

/** Reads a declaration file and those that it imports. @returns the code of each, and the paths that it imports */
async function readTypes(path, found = new Map()) {
  if (found.has(path)) return found
  const code = await readFile(join(modules, path), 'utf8')
  const imports = ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName)
  found.set(path, { code, imports })
  for (const name of imports) if (name.startsWith('.')) await readTypes(importedPath(path, name), found)
  return found
}

function importedPath(path, name) {
  return join(dirname(path), name.replace(/\.js$/, '.d.ts'))
}

/** Packages whose declarations for ES modules and for CommonJS are different types. */
const dualPackages = ['kysely']

/** Returns the paths of declarations whose types differ between the formats because a dual package is imported. */
function dualTypes(types) {
  const dual = new Set()
  const isDual = (path, name) => dualPackages.includes(name) || dual.has(importedPath(path, name))
  for (let size = -1; size < dual.size;) {
    size = dual.size
    for (const [path, { imports }] of types) if (imports.some((name) => isDual(path, name))) dual.add(path)
  }
  return dual
}

/**
 * Writes the declarations of the entry points. ES modules use those of CommonJS, which halves their size and gives both
 * formats the same types. They have their own only where a dual package is imported.
 */
async function writeTypes() {
  const types = new Map()
  for (const entry of entries) await readTypes(`${entry}.d.ts`, types)
  for (const [path, { code }] of types) await write('cjs', path, code)
  const own = dualTypes(types)
  for (const entry of entries) own.add(`${entry}.d.ts`)
  for (const path of own) {
    const inCommonJs = (name) => relative(dirname(path), join('../cjs', dirname(path), name))
    const code = types
      .get(path)
      .code.replace(/(?<=['"])\.{1,2}\/[^'"]+\.js(?=['"])/g, (name) =>
        types.has(importedPath(path, name)) && !own.has(importedPath(path, name)) ? inCommonJs(name) : name,
      )
    await write('esm', path, code)
  }
}

for (const { path, text } of await bundleModules(
  [...entries, ...parts, 'tools/command-line/main'],
  externalPackages(),
)) {
  await writeScript('esm', path, text)
}
for (const { path, text } of await bundleModules([...entries, ...parts], externalPackages('mime'))) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'moduleUrl' },
    sourcemap: 'inline',
    sourcesContent: false,
  })
  await writeScript('cjs', path, withModuleUrl(code))
}
// Both formats serve the files of `esm`.
for (const { path, text } of await bundlePage()) await write('esm', path, text)
await writeFile(join(staging, 'cjs', 'package.json'), '{ "type": "commonjs" }\n')

await writeTypes()

for (const format of ['esm', 'cjs']) {
  // Files of earlier builds must not be published.
  await rm(join('dist', format), { recursive: true, force: true })
  await rename(join(staging, format), join('dist', format))
}
await rm(staging, { recursive: true, force: true })
