/**
 * Compares the responses of two builds: `npm run compare -- <revision>`. Builds the revision, and sends the same random
 * requests to services of both builds, each on databases of its own. Needs `npm run build`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copyPackage } from '../bench/measure/package.mjs'
import { buildRevision } from '../bench/measure/revision.mjs'
import { startPostgres } from '../bench/shop/postgres.mjs'
import { withBundledPrograms } from '../support/bundled-programs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const usage = `npm run compare -- <revision> [--package dist] [--worlds 8] [--steps 150] [--seed 1] [--most 5]
                       [--only memory|sqlite|postgres|mysql]

<revision> is a Git revision, or a folder with the esm folder of a build. Each of the --worlds is a model with data, to
which --steps steps are sent. Stops after --most differences. MySQL needs MARIADB_URL: .ci/with-mariadb npm run compare`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    package: { type: 'string', default: join(here, '../../dist') },
    worlds: { type: 'string', default: '8' },
    steps: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
})
const [revision] = positionals
if (values.help || revision === undefined) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const kinds = (values.only ?? ['memory', 'sqlite', 'postgres', 'mysql']).filter(
  (kind) => kind !== 'mysql' || process.env.MARIADB_URL !== undefined,
)
const folder = mkdtempSync(join(tmpdir(), 'compare-'))
let postgres
try {
  const before = /[\\/]/.test(revision)
    ? copyPackage(resolve(revision), folder, 'before')
    : buildRevision(revision, folder)
  const packages = [before, copyPackage(resolve(values.package), folder, 'after')]
  if (kinds.includes('postgres')) postgres = await startPostgres()
  const servers = { postgres: postgres?.address, mysql: process.env.MARIADB_URL }
  const [worlds, steps, seed, most] = ['worlds', 'steps', 'seed', 'most'].map((name) => Number(values[name]))
  const task = JSON.stringify({ packages, servers, kinds, folder, worlds, steps, seed, most })
  const programs = ['compare.ts', 'service.ts'].map((name) => join(here, name))
  process.exitCode = await withBundledPrograms('compare', programs, async (scripts) => {
    const child = spawn(process.execPath, [join(scripts, 'compare.mjs'), task], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    return code ?? 1
  })
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
