/**
 * Runs mutation tests: `npm run mutate -- <folder or file> --sample n --seed s --minutes m`. Changes sources in one place
 * at a time, and lists the mutants that no spec detects.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withBundledPrograms } from '../support/bundled-programs.mjs'

const usage = `npm run mutate -- <folder or file of lib> [--sample 300] [--seed 1] [--minutes 30] [--near] [--report file]
--near runs only the specs of the folder.`

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
  console.log(usage)
  process.exit(2)
}

const programs = [join(here, 'mutate.ts'), join(here, 'mutation-worker.ts')]
process.exitCode = await withBundledPrograms('mutation', programs, async (folder) => {
  const given = [
    root,
    join(folder, 'mutation-worker.mjs'),
    target,
    ...numbers,
    values.near ? 'near' : 'all',
    values.report === '' ? '' : resolve(values.report),
  ]
  const mutate = spawn(process.execPath, [join(folder, 'mutate.mjs'), ...given], { stdio: 'inherit' })
  const [code] = await once(mutate, 'exit')
  return code ?? 1
})
