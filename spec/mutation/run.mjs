/**
 * `npm run mutate -- <folder or file> --sample n --seed s --minutes m`: puts faults into sources, one at a time, and
 * tells which of them no spec notices.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const usage = `npm run mutate -- <folder or file of lib> [--sample 300] [--seed 1] [--minutes 30] [--near] [--report file]
--near asks the specs of the folder alone.`

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    near: { type: 'boolean', default: false },
    report: { type: 'string', default: '' },
  },
})
const target = relative(root, resolve(root, positionals[0] ?? ''))
const numbers = [values.sample, values.seed, values.minutes]
const isUsable = /^lib\b/.test(target) && existsSync(join(root, target))
if (positionals.length !== 1 || !isUsable || !numbers.every((number) => Number(number) > 0)) {
  console.log(
    'npm run mutate -- <folder or file of lib> [--sample 300] [--seed 1] [--minutes 30] [--report <file>]',
  )
  process.exit(2)
}

// Beside the dependencies of the project, so that they are found.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/mutation-'))
try {
  await build({
    entryPoints: [join(here, 'mutate.ts'), join(here, 'mutation-worker.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  const report = values.report === '' ? '' : resolve(values.report)
  const given = [
    root,
    join(folder, 'mutation-worker.mjs'),
    target,
    ...numbers,
    values.near ? 'near' : 'all',
    report,
  ]
  const mutate = spawn(process.execPath, [join(folder, 'mutate.mjs'), ...given], { stdio: 'inherit' })
  const [code] = await once(mutate, 'exit')
  process.exitCode = code ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
