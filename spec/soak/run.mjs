/**
 * `npm run soak -- --minutes n --seed s`: clients of all kinds ask a service in a process of its own, and afterwards
 * nothing of them may be left in it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
})
if (!(Number(values.minutes) > 0) || !Number.isInteger(Number(values.seed))) {
  console.log('npm run soak -- [--minutes 1] [--seed 1]')
  process.exit(2)
}

// Beside the dependencies of the project, so that they are found.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/soak-'))
try {
  await build({
    entryPoints: [join(here, 'soak.ts'), join(here, 'soak-service.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: {
      'express-odata-v2/sql': join(root, 'lib/sql.ts'),
      'express-odata-v2': join(root, 'lib/index.ts'),
    },
    logLevel: 'warning',
  })
  const given = [join(folder, 'soak-service.mjs'), join(here, '../fuzz/corpus'), values.minutes, values.seed]
  const soak = spawn(process.execPath, [join(folder, 'soak.mjs'), ...given], { stdio: 'inherit' })
  const [code] = await once(soak, 'exit')
  process.exitCode = code ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
