/**
 * The package: ES modules and types by tsc, joined into few files, and from these the CommonJS half.
 *
 * Joined, because to find and read one file for each of some hundreds of modules takes most of the time that a process
 * needs to load them. What a bundler can leave out stands apart, and both halves have the same files. Names are kept, so
 * that stack traces can be read. Only `mime`, which is published as ES modules alone, is taken into the CommonJS half:
 * then `require('express-odata-v2')` works on every Node 20.
 */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build, transform } from 'esbuild'
import ts from 'typescript'

// Made aside: a build that fails, or is stopped, leaves what was there before.
const staging = 'dist/.building'
const modules = join(staging, 'modules')

await rm(staging, { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'lib/tsconfig.json', '--outDir', modules], { stdio: 'inherit' })

/** What applications import. */
const entries = ['index', 'node', 'sql', 'audit']

/** What others do without: these modules, and those that only they need, stay in files of their own. */
const parts = ['providers/file-system/file-provider', 'tools/explorer/explorer-responses']

function keepPackages(...taken) {
  const isKept = (path, importer) =>
    !path.startsWith('.') && !taken.includes(path) && !/[\\/]node_modules[\\/]/.test(importer)
  return {
    name: 'keep-packages',
    setup(esbuild) {
      esbuild.onResolve({ filter: /.*/ }, ({ path, kind, importer }) =>
        kind !== 'entry-point' && isKept(path, importer) ? { path, external: true } : undefined,
      )
    },
  }
}

/**
 * What is shared by some entries and not by all would stand in files of its own, one for each such set of entries. So
 * that what nearly all applications load is one file, the entries that they do without, and what is imported when it is
 * asked for, name the whole of it.
 */
const wholeCore = {
  name: 'whole-core',
  setup(esbuild) {
    const core = resolve(modules, 'node.js')
    const entriesBeside = new Set(['sql', 'audit'].map((name) => resolve(modules, `${name}.js`)))
    esbuild.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      if (kind === 'dynamic-import') entriesBeside.add(resolve(resolveDir, path))
      return undefined
    })
    esbuild.onResolve({ filter: /^whole-core$/ }, () => ({ path: core, sideEffects: true }))
    esbuild.onLoad({ filter: /\.js$/ }, async ({ path }) =>
      entriesBeside.has(path)
        ? { contents: `${await readFile(path, 'utf8')}\nimport 'whole-core'\n`, loader: 'js' }
        : undefined,
    )
  },
}

/** @returns the files of one half as ES modules: their paths, and their texts with inline source maps */
async function joined(names, packages) {
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
    // The core has none, and is named all the same.
    logOverride: { 'ignored-bare-import': 'silent' },
  })
  return outputFiles.map(({ path, text }) => ({
    path: relative(resolve(modules), path),
    text: withConstantMethods(text),
  }))
}

/**
 * esbuild makes variables of the constants of modules. V8 inlines a method that is called by `call` only if it is a
 * constant, which halves the time of parsing a date (`util/char-code-at.ts`).
 */
function withConstantMethods(code) {
  return code.replace(/^var (\{ \w+ \} = \w+\.prototype;)$/gm, 'const $1')
}

async function write(half, path, text) {
  const file = join(staging, half, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Writes a script, and its inline source map as a file. */
async function writeScript(half, path, text) {
  const [, code, inline] = /^([^]*)\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(text)
  const map = lineMap(JSON.parse(Buffer.from(inline, 'base64').toString('utf8')), half, path)
  await write(half, `${path}.map`, JSON.stringify(map))
  await write(half, path, `${code}//# sourceMappingURL=${basename(path)}.map\n`)
}

/** Keeps the first mapping of each line, which is what stack traces need. The map becomes four times smaller. */
function lineMap({ version, sources, mappings }, half, path) {
  const folder = dirname(resolve(modules, path))
  const published = dirname(join('dist', half, path))
  return {
    version,
    // tsc has read the sources from lib, but names them relative to the folder of its output.
    sources: sources.map((source) => relative(published, relative('.', resolve(folder, source)))),
    names: [],
    mappings: encode(decode(mappings).map(([first]) => (first === undefined ? [] : [first.slice(0, 4)]))),
  }
}

/** The page of the explorer, for browsers: one script and one style sheet. */
async function pageFiles() {
  const { outputFiles } = await build({
    entryPoints: ['main.ts', 'explorer.css'].map((name) => ({
      in: `lib/tools/explorer/page/${name}`,
      out: 'explorer',
    })),
    outdir: 'tools/explorer',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'lib/tools/explorer/page/tsconfig.json',
    charset: 'utf8',
    logLevel: 'warning',
  })
  return outputFiles.map(({ path, text }) => ({ path: relative(resolve('.'), path), text }))
}

/** CommonJS has no `import.meta`. The replacement stands in an existing line, so that the source map still fits. */
function withModuleAddress(code) {
  if (!code.includes('moduleAddress')) return code
  const known = "const moduleAddress = require('node:url').pathToFileURL(__filename).href;"
  return code.replace(/^("use strict";\n)?/, (start) => `${start}${known} `)
}

/** Copies the declarations that a file needs, and itself; the others are nobody's business. */
async function copyTypes(half, path, copied = new Set()) {
  if (copied.has(path)) return
  copied.add(path)
  const source = join(modules, path)
  const target = join(staging, half, path)
  await mkdir(dirname(target), { recursive: true })
  await copyFile(source, target)
  for (const { fileName } of ts.preProcessFile(await readFile(source, 'utf8')).importedFiles) {
    if (fileName.startsWith('.')) {
      await copyTypes(half, join(dirname(path), fileName.replace(/\.js$/, '.d.ts')), copied)
    }
  }
}

for (const { path, text } of await joined(
  [...entries, ...parts, 'tools/command-line/main'],
  keepPackages(),
)) {
  await writeScript('esm', path, text)
}
for (const { path, text } of await joined([...entries, ...parts], keepPackages('mime'))) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'moduleAddress' },
    sourcemap: 'inline',
    sourcesContent: false,
  })
  await writeScript('cjs', path, withModuleAddress(code))
}
// Both halves send the same.
for (const { path, text } of await pageFiles()) await write('esm', path, text)
await writeFile(join(staging, 'cjs', 'package.json'), '{ "type": "commonjs" }\n')

for (const half of ['esm', 'cjs']) {
  const copied = new Set()
  for (const entry of entries) await copyTypes(half, `${entry}.d.ts`, copied)
  // What is not there any more must not be packed.
  await rm(join('dist', half), { recursive: true, force: true })
  await rename(join(staging, half), join('dist', half))
}
await rm(staging, { recursive: true, force: true })
