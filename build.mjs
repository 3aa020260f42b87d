/**
 * The package: ES modules and types by tsc, and from these the CommonJS half.
 *
 * Every file keeps its place, so that both halves have the same files and stack traces. Only `mime`, which
 * is published as ES modules alone, is taken in: then `require('express-odata-v2')` works on every Node 20.
 */
import { execFileSync } from 'node:child_process'
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'

// Made aside: a build that fails, or is stopped, leaves what was there before.
const staging = 'dist/.building'
const esm = join(staging, 'esm')
const cjs = join(staging, 'cjs')

await rm(staging, { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'lib/tsconfig.json', '--outDir', esm], { stdio: 'inherit' })

const files = (await readdir(esm, { recursive: true })).filter((file) => file.endsWith('.js'))

const keepImports = {
  name: 'keep-imports',
  setup(esbuild) {
    esbuild.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      const bundled = kind === 'entry-point' || path === 'mime' || importer.includes('/node_modules/mime/')
      return bundled ? undefined : { path, external: true }
    })
  },
}

await build({
  entryPoints: files.map((file) => join(esm, file)),
  outdir: cjs,
  outbase: esm,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  plugins: [keepImports],
  logLevel: 'warning',
})
await cp(esm, cjs, { recursive: true, filter: (from) => !from.endsWith('.js') })
await writeFile(join(cjs, 'package.json'), '{ "type": "commonjs" }\n')

for (const half of ['esm', 'cjs']) {
  // What is not there any more must not be packed.
  await rm(join('dist', half), { recursive: true, force: true })
  await rename(join(staging, half), join('dist', half))
}
await rm(staging, { recursive: true, force: true })
